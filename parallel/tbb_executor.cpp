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
#include "parallel/level_executor.hpp"
#include "parallel/rounding.hpp"
#include "parallel/thread_sanitizer.hpp"

namespace kinetree::inline inner {
namespace {

namespace flow = tbb::flow;

/// One task of one pass; a barrier has no kernel. Milestones tell ThreadSanitizer the order of works, edge by edge, so
/// that it checks the very edges of the graph.
struct Work {
  Pass pass;
  void* space;
  const Tasks* tasks;
  int task;
  const Rounding* rounding = nullptr;  ///< the caller's
  std::vector<Work*> before{};
  Milestone started{}, done{};  ///< `started`: of the first work alone, announced by PassGraph::run

  void run() {
    started.observe();
    for (Work* work : before) work->done.observe();
    if (pass.kernel != nullptr) {
      const Rounding::Use as_the_caller(*rounding);
      if (task < 0)
        pass.kernel(space, -1);
      else
        tasks->run(pass, space, task);
    }
    done.announce();
  }
};

const Work barrier{{Direction::once, nullptr}, nullptr, nullptr, -1};

/// What the graph copies around: a pointer.
struct RunWork {
  Work* work;
  flow::continue_msg operator()(const flow::continue_msg& message) const {
    work->run();
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
      add(node.pass < 0 ? barrier : Work{passes[at(node.pass)], space, node.task < 0 ? nullptr : &tasks, node.task});
    for (std::size_t to = 0; to < nodes_.size(); ++to)
      for (const int from : dependences.nodes[to].before) link(at(from), to);
    ends_ = std::move(dependences.ends);
  }

  void run() {
    rounding_ = Rounding::here();
    works_.front().started.announce();
    arena_.execute([this] {
      nodes_.front().try_put(flow::continue_msg());
      graph_->wait_for_all();
    });
    for (int end : ends_) works_[at(end)].done.observe();
  }

 private:
  void add(Work work) {
    works_.push_back(std::move(work));
    works_.back().rounding = &rounding_;
    nodes_.emplace_back(*graph_, RunWork{&works_.back()});
  }
  void link(std::size_t from, std::size_t to) {
    flow::make_edge(nodes_[from], nodes_[to]);
    works_[to].before.push_back(&works_[from]);
  }

  tbb::task_arena& arena_;
  std::unique_ptr<flow::graph> graph_;
  Rounding rounding_ = Rounding::here();
  std::deque<Work> works_;
  std::deque<Node> nodes_;
  std::vector<int> ends_;
};

/// Levels one after another, each a parallel loop: a thread meets the same tasks again from call to call.
class LevelLoops {
 public:
  LevelLoops(tbb::task_arena& arena, tbb::task_group_context& context)
      : arena_(arena), context_(context), slots_(at(arena.max_concurrency())) {}

  void prepare(std::size_t levels) {
    partitioners_ = std::vector<tbb::affinity_partitioner>(levels);
    ends_ = std::vector<Milestone>(levels);
  }

  void run(std::span<const Level> levels) {
    const Rounding rounding = Rounding::here();
    begin_.announce();
    arena_.execute([&] {
      for (std::size_t l = 0; l < levels.size(); ++l) {
        const auto work = [&, l](int task) {
          const Rounding::Use as_the_caller(rounding);
          const int worker = tbb::this_task_arena::current_thread_index();
          (l == 0 ? begin_ : ends_[l - 1]).observe();
          slots_[at(worker)].observe();
          levels[l].work(levels[l].context, task, worker);
          slots_[at(worker)].announce();
          ends_[l].announce();
        };
        if (levels[l].count == 1)
          work(0);
        else
          tbb::parallel_for(0, levels[l].count, work, partitioners_[l], context_);
        ends_[l].observe();
      }
    });
  }

 private:
  tbb::task_arena& arena_;
  tbb::task_group_context& context_;
  std::vector<tbb::affinity_partitioner> partitioners_;
  Milestone begin_;
  std::vector<Milestone> ends_;
  std::vector<Milestone> slots_;  ///< a thread that leaves the arena within a level hands its slot on to another
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
  LevelLoops levels{arena, context}, columns{arena, context};
  std::unique_ptr<PassGraph> graph;
};

class TbbExecutor final : public LevelExecutor {
 public:
  explicit TbbExecutor(int threads) : runtime_(std::make_unique<Runtime>(threads)) {}
  /// In a forked process oneTBB's memory is left alone.
  ~TbbExecutor() noexcept override {
    if (!onetbb.alive()) static_cast<void>(runtime_.release());
  }

  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    LevelExecutor::prepare(passes, space, tasks);
    if (!onetbb.alive()) return;
    runtime_->graph = nullptr;
    if (!shared() || !moves_tasks(ExecutorKind::tbb, static_cast<int>(tasks.levels.size())))
      runtime_->levels.prepare(level_count());
    else
      runtime_->graph = std::make_unique<PassGraph>(runtime_->arena, runtime_->context, passes, space, tasks);
  }

  void run() override { runtime_->graph&& onetbb.alive() ? runtime_->graph->run() : LevelExecutor::run(); }

 private:
  void go_through(std::span<const Level> levels, bool prepared) override {
    if (!onetbb.alive()) return go_alone(levels);
    (prepared ? runtime_->levels : runtime_->columns).run(levels);
  }

  std::unique_ptr<Runtime> runtime_;
};

}  // namespace

int threads_of_tbb(int threads) {
  if (!onetbb.alive()) return 1;
  using tbb::global_control;
  const std::size_t most = global_control::active_value(global_control::max_allowed_parallelism);
  return static_cast<int>(std::min(at(threads), most));
}

std::unique_ptr<Executor> make_tbb_executor(int threads) {
  if (!onetbb.alive()) return make_serial_executor();
  keep_loaded(reinterpret_cast<const void*>(&TBB_runtime_interface_version));
  return std::make_unique<TbbExecutor>(threads_of_tbb(threads));  // if asked for more, oneTBB warns on stderr
}

}  // namespace kinetree::inline inner
