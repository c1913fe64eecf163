// oneTBB. One or two levels of tasks are parallel loops, so that a thread has the same bodies in every pass: to fetch
// bodies from another core's cache takes longer than to wait for a level. Else all passes are one flow graph over
// tasks, built once and reused: an edge stands where a pass's direction, or the change from one pass to the next, asks
// for an order (dependences.hpp); nothing else waits.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "engine/scalar/index.hpp"
#include "parallel/dependences.hpp"
#include "parallel/forks.hpp"
#include "parallel/keep_loaded.hpp"
#include "parallel/rounding.hpp"
#include "parallel/stage_executor.hpp"
#include "parallel/thread_sanitizer.hpp"

namespace kinetree::inline inner {
namespace {

namespace flow = tbb::flow;

/// One task of one pass; a barrier has no kernel. Milestones tell ThreadSanitizer the order of these, edge by edge, so
/// that it checks the very edges of the graph.
struct PassTask {
  Pass pass;
  void* space;
  const Tasks* tasks;
  int task;
  const Rounding* rounding = nullptr;  ///< the caller's
  std::vector<PassTask*> predecessors{};
  Milestone started{}, done{};  ///< `started`: of the first one alone, released by PassGraph::run

  void run() {
    started.acquire();
    for (PassTask* one : predecessors) one->done.acquire();
    if (pass.kernel != nullptr) {
      const Rounding::Use as_the_caller(*rounding);
      if (task < 0)
        pass.kernel(space, -1);
      else
        tasks->run(pass, space, task);
    }
    done.release();
  }
};

const PassTask barrier{{Direction::once, nullptr}, nullptr, nullptr, -1};

/// What the graph copies around: a pointer.
struct RunPassTask {
  PassTask* task;
  flow::continue_msg operator()(const flow::continue_msg& message) const {
    task->run();
    return message;
  }
};

using Node = flow::continue_node<flow::continue_msg>;

/// All passes as one flow graph, on an arena's threads.
class PassGraph {
 public:
  PassGraph(tbb::task_arena& arena, tbb::task_group_context& context, std::span<const Pass> passes, void* space,
            const Tasks& tasks)
      : arena_(arena) {
    arena_.execute([&] { graph_ = std::make_unique<flow::graph>(context); });
    Dependences dependences = by_neighbours(passes, tasks);
    for (const Dependences::Node& node : dependences.nodes)
      add(node.pass < 0 ? barrier
                        : PassTask{passes[at(node.pass)], space, node.task < 0 ? nullptr : &tasks, node.task});
    for (std::size_t to = 0; to < nodes_.size(); ++to)
      for (const int from : dependences.nodes[to].predecessors) link(at(from), to);
    ends_ = std::move(dependences.ends);
  }

  void run() {
    rounding_ = Rounding::here();
    tasks_.front().started.release();
    arena_.execute([this] {
      nodes_.front().try_put(flow::continue_msg());
      graph_->wait_for_all();
    });
    for (int end : ends_) tasks_[at(end)].done.acquire();
  }

 private:
  void add(PassTask task) {
    tasks_.push_back(std::move(task));
    tasks_.back().rounding = &rounding_;
    nodes_.emplace_back(*graph_, RunPassTask{&tasks_.back()});
  }
  void link(std::size_t from, std::size_t to) {
    flow::make_edge(nodes_[from], nodes_[to]);
    tasks_[to].predecessors.push_back(&tasks_[from]);
  }

  tbb::task_arena& arena_;
  std::unique_ptr<flow::graph> graph_;
  Rounding rounding_ = Rounding::here();
  std::deque<PassTask> tasks_;
  std::deque<Node> nodes_;
  std::vector<int> ends_;
};

/// Stages one after another, each a parallel loop: a thread gets the same tasks again from call to call.
class StageLoops {
 public:
  StageLoops(tbb::task_arena& arena, tbb::task_group_context& context)
      : arena_(arena), context_(context), slots_(at(arena.max_concurrency())) {}

  void prepare(std::size_t stages) {
    partitioners_ = std::vector<tbb::affinity_partitioner>(stages);
    ends_ = std::vector<Milestone>(stages);
  }

  void run(std::span<const Stage> stages) {
    const Rounding rounding = Rounding::here();
    begin_.release();
    arena_.execute([&] {
      for (std::size_t s = 0; s < stages.size(); ++s) {
        const auto work = [&, s](int index) {
          const Rounding::Use as_the_caller(rounding);
          const int worker = tbb::this_task_arena::current_thread_index();
          (s == 0 ? begin_ : ends_[s - 1]).acquire();
          slots_[at(worker)].acquire();
          stages[s].work(stages[s].context, index, worker);
          slots_[at(worker)].release();
          ends_[s].release();
        };
        if (stages[s].count == 1)
          work(0);
        else
          tbb::parallel_for(0, stages[s].count, work, partitioners_[s], context_);
        ends_[s].acquire();
      }
    });
  }

 private:
  tbb::task_arena& arena_;
  tbb::task_group_context& context_;
  std::vector<tbb::affinity_partitioner> partitioners_;
  Milestone begin_;
  std::vector<Milestone> ends_;
  std::vector<Milestone> slots_;  ///< a thread that leaves the arena within a stage hands its slot on to another
};

/// In a forked process oneTBB would wait for its threads and locks without end.
ProcessRuntime onetbb;

/// What an executor has of oneTBB's. Its tasks have a context of their own, since a caller that uses oneTBB, too, may
/// cancel its own.
struct Runtime {
  explicit Runtime(int threads) : arena(threads) {
    arena.initialize();  // now: should the program allow fewer threads later, oneTBB would warn on stderr
    columns.prepare(1);
  }
  tbb::task_arena arena;
  tbb::task_group_context context{tbb::task_group_context::isolated};
  StageLoops stages{arena, context}, columns{arena, context};
  std::unique_ptr<PassGraph> graph;
};

class TbbExecutor final : public StageExecutor {
 public:
  explicit TbbExecutor(int threads) : runtime_(std::make_unique<Runtime>(threads)) {}
  /// In a forked process oneTBB's memory is left alone.
  ~TbbExecutor() noexcept override {
    if (!onetbb.usable()) static_cast<void>(runtime_.release());
  }

  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    StageExecutor::prepare(passes, space, tasks);
    if (!onetbb.usable()) return;
    runtime_->graph = nullptr;
    if (!has_parallelism() || !schedules_dynamically(ExecutorKind::tbb, static_cast<int>(tasks.levels.size())))
      runtime_->stages.prepare(stage_count());
    else
      runtime_->graph = std::make_unique<PassGraph>(runtime_->arena, runtime_->context, passes, space, tasks);
  }

  void run() override { runtime_->graph&& onetbb.usable() ? runtime_->graph->run() : StageExecutor::run(); }

 private:
  void run_parallel(std::span<const Stage> stages, bool prepared) override {
    if (!onetbb.usable()) return run_serial(stages);
    (prepared ? runtime_->stages : runtime_->columns).run(stages);
  }

  std::unique_ptr<Runtime> runtime_;
};

}  // namespace

int threads_of_tbb(int threads) {
  if (!onetbb.usable()) return 1;
  using tbb::global_control;
  const std::size_t most = global_control::active_value(global_control::max_allowed_parallelism);
  return static_cast<int>(std::min(at(threads), most));
}

std::unique_ptr<Executor> make_tbb_executor(int threads) {
  if (!onetbb.usable()) return make_serial_executor();
  keep_loaded(reinterpret_cast<const void*>(&TBB_runtime_interface_version));
  return std::make_unique<TbbExecutor>(threads_of_tbb(threads));  // if asked for more, oneTBB warns on stderr
}

}  // namespace kinetree::inline inner
