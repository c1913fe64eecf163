#include "mpi/rank_run.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

RankRun::RankRun(const Communicator& communicator, const RankSteps& steps, const Plan& plan)
    : communicator_(communicator), steps_(steps), layout_(communicator.rank(), steps) {
  for (int s = 0; s < static_cast<int>(steps_.modules.steps.size()); ++s)
    if (!layout_.own(s)) steps_.borders.ignore_faults_of(s);
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
  for (Buffer& buffer : buffers_) {
    if (buffer.request == MPI_REQUEST_NULL) continue;
    if (error_) MPI_Cancel(&buffer.request);  // who should receive it may be gone
    MPI_Wait(&buffer.request, MPI_STATUS_IGNORE);
  }
}

/// MPI promises no tags above 32767.
void RankRun::check_tags() const {
  int has_limit = 0, *limit = nullptr;
  MPI_Comm_get_attr(communicator_.get(), MPI_TAG_UB, &limit, &has_limit);
  if (has_limit != 0 && layout_.tags() > *limit)
    throw std::length_error("shares meet at " + std::to_string(layout_.tags()) + " places, and this MPI numbers " +
                            std::to_string(*limit) + "; take a larger grain, or fewer ranks");
}

/// The steps that threads share: of each task those that are inner.
Tasks RankRun::tasks(int threads) const {
  const Modules& m = steps_.modules;
  std::vector<double> work;  // one task on one thread
  double inner = 0;
  for (const int s : layout_.inner())
    if (threads > 1) work = steps_.work, inner += work[at(s)];
  const Tasks all = make_tasks(m, work, task_operations(inner, threads));
  std::vector<bool> is_inner(m.steps.size(), false);
  for (const int s : layout_.inner()) is_inner[at(s)] = true;
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
  if (!work.empty()) own.weight = task_work(own, work);
  return own;
}

int RankRun::messages() {
  if (!laid_out_) lay_out(false);
  int sent = 0;
  for (const Stage& stage : layout_.stages())
    for (const std::vector<Action>* actions : {&stage.before, &stage.after})
      for (const Action& action : *actions) sent += action.kind == Action::Kind::send ? 1 : 0;
  return sent;
}

void RankRun::lay_out(bool external) {
  laid_out_ = false, external_ = external;
  for (Buffer& buffer : buffers_) MPI_Wait(&buffer.request, MPI_STATUS_IGNORE);
  layout_.lay_out();
  buffers_.clear();
  for (const RankLayout::Message& message : layout_.messages()) {
    buffers_.emplace_back();
    buffers_.back().bytes.resize(message.bytes);
  }
  laid_out_ = true;
}

void RankRun::run() {
  for (const int cut : layout_.outboard()) steps_.borders.find_joint(cut);
  if (executor_) {
    turns_ = 0, error_ = nullptr;
    executor_->run();
    if (error_) std::rethrow_exception(error_);
    return;
  }
  for (std::size_t p = 0; p < steps_.passes.size(); ++p) {
    const Pass& pass = steps_.passes[p];
    const Stage& stage = layout_.stages()[p];
    const std::vector<int>& inner = layout_.inner();
    perform(stage.before, pass);
    if (pass.direction == Direction::scatter)
      for (std::size_t k = inner.size(); k-- > 0;) pass.kernel(steps_.space, inner[k]);
    else
      for (const int s : inner) pass.kernel(steps_.space, s);
    perform(stage.after, pass);
  }
}

/// Turns come two by two: before a pass, and after it.
void RankRun::turn() {
  const std::size_t pass = at(turns_ / 2);
  const bool before = turns_ % 2 == 0;
  try {
    const Stage& stage = layout_.stages()[pass];
    if (!error_) perform(before ? stage.before : stage.after, steps_.passes[pass]);
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
        send(action.number);
        break;
      case Action::Kind::receive:
        receive(action.number);
        break;
    }
}

void RankRun::send(int number) {
  const RankLayout::Message& message = layout_.messages()[at(number)];
  Buffer& buffer = buffers_[at(number)];
  communicator_.call("MPI_Wait", MPI_Wait(&buffer.request, MPI_STATUS_IGNORE));  // of the last run
  char* next = buffer.bytes.data();
  for (const Piece& piece : message.pieces) {
    std::memcpy(next, piece.data, piece.bytes);
    next += piece.bytes;
  }
  communicator_.call("MPI_Isend", MPI_Isend(buffer.bytes.data(), static_cast<int>(message.bytes), MPI_BYTE,
                                            message.rank, message.tag, communicator_.get(), &buffer.request));
}

void RankRun::receive(int number) {
  const RankLayout::Message& message = layout_.messages()[at(number)];
  Buffer& buffer = buffers_[at(number)];
  communicator_.call("MPI_Recv", MPI_Recv(buffer.bytes.data(), static_cast<int>(message.bytes), MPI_BYTE, message.rank,
                                          message.tag, communicator_.get(), MPI_STATUS_IGNORE));
  const char* next = buffer.bytes.data();
  for (const Piece& piece : message.pieces) {
    std::memcpy(piece.data, next, piece.bytes);
    next += piece.bytes;
  }
}

}  // namespace kinetree::inline inner
