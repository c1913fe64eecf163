#include "mpi/rank_run.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

RankRun::RankRun(const Communicator& communicator, const RankSteps& steps, const Plan& plan)
    : communicator_(communicator), steps_(steps) {
  find_steps();
  find_joints();
  check_tags();
  tasks_ = tasks(plan.one_threads);
  if (plan.one_threads == 1 || tasks_.count() == 0) return;
  constexpr auto alone = [](void* self, int) { static_cast<RankRun*>(self)->turn(); };
  constexpr auto inner_step = [](void* self, int step) {
    const RankRun& run = *static_cast<RankRun*>(self);
    if (!run.error_) run.steps_.passes[at(run.turns_ / 2)].kernel(run.steps_.space, step);
  };
  for (const Pass& pass : steps_.passes) {
    turns_and_passes_.push_back({Direction::once, alone});
    turns_and_passes_.push_back({pass.direction, inner_step});
    turns_and_passes_.push_back({Direction::once, alone});
  }
  executor_ = make_executor(plan.executor, plan.one_threads, plan.pinning);
  executor_->prepare(turns_and_passes_, this, tasks_);
}

RankRun::~RankRun() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  for (Message& message : messages_) {
    if (message.request == MPI_REQUEST_NULL) continue;
    if (error_) MPI_Cancel(&message.request);  // who should receive it may be gone
    MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  }
}

void RankRun::find_steps() {
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
      steps_.borders.ignore_faults_of(s);
    }
    if (parent >= 0 && foreign[at(s)]) foreign[at(parent)] = true;
  }
}

void RankRun::find_joints() {
  const Modules& m = steps_.modules;
  joint_tag_.resize(m.cuts.size(), -1);
  for (int c = 0; c < static_cast<int>(m.cuts.size()); ++c) {
    const int body = m.cuts[at(c)].body, parent = steps_.model.parent[at(body)];
    if (parent < 0 || rank_of_body(m, body) == rank_of_body(m, parent)) continue;
    joint_tag_[at(c)] = tags_++;
    if (rank_of_body(m, parent) == communicator_.rank()) outboard_.push_back(c);
    if (rank_of_body(m, body) == communicator_.rank()) inboard_.push_back(c);
  }
}

/// MPI promises no tags above 32767.
void RankRun::check_tags() const {
  int has_limit = 0, *limit = nullptr;
  MPI_Comm_get_attr(communicator_.get(), MPI_TAG_UB, &limit, &has_limit);
  if (has_limit != 0 && tags_ > *limit)
    throw std::length_error("shares meet at " + std::to_string(tags_) + " places, and this MPI numbers " +
                            std::to_string(*limit) + "; take a larger grain, or fewer ranks");
}

/// The steps that threads share: of each task those that are inner.
Tasks RankRun::tasks(int threads) const {
  const Modules& m = steps_.modules;
  double bodies = 0;
  for (const int s : inner_) bodies += step_weight(m, m.steps[at(s)]);
  const double weight = threads > 1 ? std::max(16.0, bodies / (8 * threads)) : 1e300;
  const Tasks all = make_tasks(m, weight);
  std::vector<bool> is_inner(m.steps.size(), false);
  for (const int s : inner_) is_inner[at(s)] = true;
  Tasks own;
  own.first_range.push_back(0);
  std::vector<int> number(at(all.count()), -1), level;
  for (int t = 0; t < all.count(); ++t) {
    const std::size_t before = own.ranges.size();
    all.for_steps(t, [&](int s) {
      if (!is_inner[at(s)]) return;
      if (own.ranges.size() > before && own.ranges.back().end == s)
        ++own.ranges.back().end;
      else
        own.ranges.push_back({s, s + 1});
    });
    if (own.ranges.size() == before) continue;
    number[at(t)] = own.count();
    const int parent = all.parent[at(t)] < 0 ? -1 : number[at(all.parent[at(t)])];
    own.parent.push_back(parent);
    own.first_range.push_back(static_cast<int>(own.ranges.size()));
    level.push_back(parent < 0 ? 0 : level[at(parent)] + 1);
    own.levels.resize(std::max(own.levels.size(), at(level.back() + 1)));
    own.levels[at(level.back())].push_back(number[at(t)]);
  }
  return own;
}

int RankRun::rounds(const Modules& modules) {
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

int RankRun::messages() {
  if (!laid_out_) lay_out(false);
  int sent = 0;
  for (const Stage& stage : stages_)
    for (const std::vector<Action>* actions : {&stage.before, &stage.after})
      for (const Action& action : *actions) sent += action.kind == Action::Kind::send ? 1 : 0;
  return sent;
}

// ---- which messages there are ---------------------------------------------------------------------------------------

void RankRun::lay_out(bool external) {
  laid_out_ = false, external_ = external;
  for (Message& message : messages_) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  messages_.clear(), stages_.clear();
  for (int pass = 0; pass < static_cast<int>(steps_.passes.size()); ++pass) stages_.push_back(stage_of(pass));
  laid_out_ = true;
}

RankRun::Stage RankRun::stage_of(int pass) {
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
void RankRun::add_message(std::vector<Action>& actions, Action::Kind kind, int rank, int tag, Collect&& collect) {
  Message message{rank, tag, {}};
  collect(message.pieces);
  std::size_t bytes = 0;
  for (const Piece& piece : message.pieces) bytes += piece.bytes;
  if (bytes == 0) return;  // the other rank finds this, too
  message.buffer.resize(bytes);
  actions.push_back({kind, static_cast<int>(messages_.size())});
  messages_.push_back(std::move(message));
}

// Each rank goes through its border in the order of the steps' numbers, children first or parents first. Of all ranks
// the one that is at the foremost number waits for none, and no send waits: so no rank waits for ever.

RankRun::Stage RankRun::gather(int pass) {
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

RankRun::Stage RankRun::scatter(int pass) {
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

RankRun::Stage RankRun::each(int pass) {
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

// ---- a run ----------------------------------------------------------------------------------------------------------

void RankRun::run() {
  for (const int cut : outboard_) steps_.borders.find_joint(cut);
  if (executor_) {
    turns_ = 0, error_ = nullptr;
    executor_->run();
    if (error_) std::rethrow_exception(error_);
    return;
  }
  for (std::size_t p = 0; p < stages_.size(); ++p) {
    const Pass& pass = steps_.passes[p];
    perform(stages_[p].before, pass);
    if (pass.direction == Direction::scatter)
      for (std::size_t k = inner_.size(); k-- > 0;) pass.kernel(steps_.space, inner_[k]);
    else
      for (const int s : inner_) pass.kernel(steps_.space, s);
    perform(stages_[p].after, pass);
  }
}

/// Turns come two by two: before a pass, and after it.
void RankRun::turn() {
  const std::size_t pass = at(turns_ / 2);
  const bool before = turns_ % 2 == 0;
  try {
    if (!error_) perform(before ? stages_[pass].before : stages_[pass].after, steps_.passes[pass]);
  } catch (...) {  // no executor lets it through
    error_ = std::current_exception();
  }
  ++turns_;
}

void RankRun::perform(const std::vector<Action>& actions, const Pass& pass) {
  for (const Action& action : actions) switch (action.kind) {
      case Action::Kind::run:
        pass.kernel(steps_.space, action.number);
        break;
      case Action::Kind::send:
        send(messages_[at(action.number)]);
        break;
      case Action::Kind::receive:
        receive(messages_[at(action.number)]);
        break;
    }
}

void RankRun::send(Message& message) {
  communicator_.call("MPI_Wait", MPI_Wait(&message.request, MPI_STATUS_IGNORE));  // of the last run
  char* next = message.buffer.data();
  for (const Piece& piece : message.pieces) {
    std::memcpy(next, piece.data, piece.bytes);
    next += piece.bytes;
  }
  communicator_.call("MPI_Isend", MPI_Isend(message.buffer.data(), static_cast<int>(message.buffer.size()), MPI_BYTE,
                                            message.rank, message.tag, communicator_.get(), &message.request));
}

void RankRun::receive(Message& message) {
  communicator_.call("MPI_Recv", MPI_Recv(message.buffer.data(), static_cast<int>(message.buffer.size()), MPI_BYTE,
                                          message.rank, message.tag, communicator_.get(), MPI_STATUS_IGNORE));
  const char* next = message.buffer.data();
  for (const Piece& piece : message.pieces) {
    std::memcpy(piece.data, next, piece.bytes);
    next += piece.bytes;
  }
}

}  // namespace kinetree::inline inner
