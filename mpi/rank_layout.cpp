#include "mpi/rank_layout.hpp"

#include <algorithm>
#include <utility>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

int rounds(const Modules& modules) {
  std::vector<int> crossed(modules.steps.size(), 0);
  int most = 0;
  for (std::size_t s = crossed.size(); s-- > 0;) {
    const Step& step = modules.steps[s];
    if (step.parent < 0) continue;
    const bool crosses = modules.process_of(step) != modules.process_of(modules.steps[at(step.parent)]);
    crossed[s] = crossed[at(step.parent)] + (crosses ? 1 : 0);
    most = std::max(most, crossed[s]);
  }
  return most;
}

RankLayout::RankLayout(int rank, const RankSteps& steps) : rank_(rank), steps_(steps) {
  find_steps();
  find_joints();
}

void RankLayout::find_steps() {
  const std::vector<Step>& steps = steps_.modules.steps;
  std::vector<bool> foreign(steps.size(), false);  // whether it or one below is another rank's
  elsewhere_.resize(steps.size()), waits_.resize(steps.size(), false);
  for (const Step& step : steps) process_.push_back(steps_.modules.process_of(step));
  for (int s = 0; s < static_cast<int>(steps.size()); ++s) {
    const int parent = steps[at(s)].parent;
    const bool crosses = parent >= 0 && process_[at(s)] != process_[at(parent)];
    step_tag_.push_back(crosses ? tags_++ : -1);
    if (crosses && own(parent)) elsewhere_[at(parent)].push_back(s);
    if (own(s)) {
      waits_[at(s)] = foreign[at(s)];
      if (!waits_[at(s)]) inner_.push_back(s);
      if (waits_[at(s)] || crosses) border_.push_back(s);
    } else {
      foreign[at(s)] = true;
    }
    if (parent >= 0 && foreign[at(s)]) foreign[at(parent)] = true;
  }
}

void RankLayout::find_joints() {
  const Modules& m = steps_.modules;
  joint_tag_.resize(m.cuts.size(), -1);
  for (int c = 0; c < static_cast<int>(m.cuts.size()); ++c) {
    const int body = m.cuts[at(c)].body, parent = steps_.model.parent[at(body)];
    if (parent < 0 || rank_of_body(m, body) == rank_of_body(m, parent)) continue;
    joint_tag_[at(c)] = tags_++;
    if (rank_of_body(m, parent) == rank_) outboard_.push_back(c);
    if (rank_of_body(m, body) == rank_) inboard_.push_back(c);
  }
}

// ---- which messages there are ---------------------------------------------------------------------------------------

void RankLayout::lay_out() {
  messages_.clear(), stages_.clear();
  for (int pass = 0; pass < static_cast<int>(steps_.passes.size()); ++pass) stages_.push_back(stage_of(pass));
}

RankLayout::Stage RankLayout::stage_of(int pass) {
  switch (steps_.passes[at(pass)].direction) {
    case Direction::gather:
      return gather(pass);
    case Direction::scatter:
      return scatter(pass);
    default:
      return each(pass);
  }
}

template <class Collect>
void RankLayout::add_message(std::vector<Action>& actions, Action::Kind kind, int rank, int tag, Collect&& collect) {
  Message message{rank, tag, {}, 0};
  collect(message.pieces);
  for (const Piece& piece : message.pieces) message.bytes += piece.bytes;
  if (message.bytes == 0) return;  // the other rank finds this, too
  actions.push_back({kind, static_cast<int>(messages_.size())});
  messages_.push_back(std::move(message));
}

// Each rank goes through its border in the order of the steps' numbers, children first or parents first. Of all ranks
// the one that is at the foremost number waits for none, and no send waits: so no rank waits for ever.

RankLayout::Stage RankLayout::gather(int pass) {
  Stage stage;
  const auto message = [&](Action::Kind kind, int rank, int step) {
    add_message(stage.after, kind, rank, step_tag_[at(step)],
                [&](Pieces& pieces) { steps_.borders.to_parent(pass, step, pieces); });
  };
  for (const int s : border_) {
    for (const int child : elsewhere_[at(s)]) message(Action::Kind::receive, process_[at(child)], child);
    if (waits_[at(s)]) stage.after.push_back({Action::Kind::run, s});
    const int parent = steps_.modules.steps[at(s)].parent;
    if (parent >= 0 && !own(parent)) message(Action::Kind::send, process_[at(parent)], s);
  }
  return stage;
}

RankLayout::Stage RankLayout::scatter(int pass) {
  Stage stage;
  const auto message = [&](Action::Kind kind, int rank, int step) {
    add_message(stage.before, kind, rank, step_tag_[at(step)],
                [&](Pieces& pieces) { steps_.borders.to_child(pass, step, pieces); });
  };
  for (std::size_t k = border_.size(); k-- > 0;) {
    const int s = border_[k], parent = steps_.modules.steps[at(s)].parent;
    if (parent >= 0 && !own(parent)) message(Action::Kind::receive, process_[at(parent)], s);
    if (waits_[at(s)]) stage.before.push_back({Action::Kind::run, s});
    for (const int child : elsewhere_[at(s)]) message(Action::Kind::send, process_[at(child)], child);
  }
  return stage;
}

RankLayout::Stage RankLayout::each(int pass) {
  Stage stage;
  const Modules& m = steps_.modules;
  const auto rank_outboard = [&](int cut) { return rank_of_body(m, m.cuts[at(cut)].body); };
  const auto rank_inboard = [&](int cut) { return rank_of_body(m, steps_.model.parent[at(m.cuts[at(cut)].body)]); };
  const auto to_outboard = [&](Action::Kind kind, int rank, int cut) {
    add_message(stage.before, kind, rank, joint_tag_[at(cut)],
                [&](Pieces& pieces) { steps_.borders.to_outboard(pass, cut, pieces); });
  };
  const auto to_inboard = [&](Action::Kind kind, int rank, int cut) {
    add_message(stage.after, kind, rank, joint_tag_[at(cut)],
                [&](Pieces& pieces) { steps_.borders.to_inboard(pass, cut, pieces); });
  };
  for (const int cut : outboard_) to_outboard(Action::Kind::send, rank_outboard(cut), cut);
  for (const int cut : inboard_) to_outboard(Action::Kind::receive, rank_inboard(cut), cut);
  for (const int s : border_)
    if (waits_[at(s)]) stage.before.push_back({Action::Kind::run, s});
  for (const int cut : inboard_) to_inboard(Action::Kind::send, rank_inboard(cut), cut);
  for (const int cut : outboard_) to_inboard(Action::Kind::receive, rank_outboard(cut), cut);
  return stage;
}

}  // namespace kinetree::inline inner
