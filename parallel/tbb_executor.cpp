// oneTBB. Few levels of tasks go one after another by a team, so that a thread meets the same bodies in every pass:
// what cores pay for each other's bodies is more than is gained by not waiting. Else all passes are one flow graph over
// tasks, built once and reused: an edge stands where a pass's direction, or the change from one pass to the next, asks
// for an order; nothing else waits.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <vector>

#include "engine/scalar/index.hpp"
#include "parallel/executor.hpp"
#include "parallel/stages.hpp"
#include "parallel/thread_sanitizer.hpp"

namespace kinetree::inline inner {
namespace {

namespace flow = tbb::flow;

/// One task of one pass; a barrier has no kernel. Its order among the others is told milestone by milestone, so that
/// ThreadSanitizer checks the very edges of the graph.
struct Work {
  Pass pass;
  void* space;
  const Tasks* tasks;
  int task;
  std::vector<Work*> before{};
  Milestone started{}, done{};  ///< `started` is announced from outside: by run, for the first

  void run() {
    started.observe();
    for (Work* work : before) work->done.observe();
    if (pass.kernel != nullptr) {
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
  PassGraph(tbb::task_arena& arena, std::span<const Pass> passes, void* space, const Tasks& tasks) : arena_(arena) {
    arena_.execute([&] { graph_ = std::make_unique<flow::graph>(); });
    const auto n = at(tasks.count());
    std::vector<bool> leaf(n, true);
    for (int p : tasks.parent)
      if (p >= 0) leaf[at(p)] = false;

    start_ = add(barrier);
    ends_ = {start_};        // what must be over before a pass that waits for everything
    std::vector<int> nodes;  // of the pass before, where its order carries over by itself; else empty
    Direction last = Direction::once;
    for (const Pass& pass : passes) {
      if (pass.direction == Direction::once) {
        const int node = add({pass, space, nullptr, -1});
        for (int end : ends_) link(end, node);
        ends_ = {node};
        nodes.clear();
        continue;
      }
      // a gather after a scatter starts at each leaf as that leaf is done, and a scatter after a gather at each root
      const bool carries =
          !nodes.empty() && pass.direction != last && pass.direction != Direction::each && last != Direction::each;
      const int gate = carries ? -1 : join();
      const std::vector<int> previous = std::move(nodes);
      nodes.assign(n, -1);
      for (std::size_t t = 0; t < n; ++t) nodes[t] = add({pass, space, &tasks, static_cast<int>(t)});
      ends_.clear();
      for (std::size_t t = 0; t < n; ++t) {
        const int p = tasks.parent[t];
        const bool gather = pass.direction == Direction::gather, scatter = pass.direction == Direction::scatter;
        const bool first = gather ? leaf[t] : scatter ? p < 0 : true;
        const bool final = gather ? p < 0 : scatter ? leaf[t] : true;
        if (first) link(carries ? previous[t] : gate, nodes[t]);
        if (final) ends_.push_back(nodes[t]);
        if (p >= 0 && gather) link(nodes[t], nodes[at(p)]);
        if (p >= 0 && scatter) link(nodes[at(p)], nodes[t]);
      }
      last = pass.direction;
    }
  }

  void run() {
    works_[at(start_)].started.announce();
    arena_.execute([this] {
      nodes_[at(start_)].try_put(flow::continue_msg());
      graph_->wait_for_all();
    });
    for (int end : ends_) works_[at(end)].done.observe();
  }

 private:
  int add(Work work) {
    works_.push_back(std::move(work));
    nodes_.emplace_back(*graph_, RunWork{&works_.back()});
    return static_cast<int>(nodes_.size()) - 1;
  }
  void link(int from, int to) {
    flow::make_edge(nodes_[at(from)], nodes_[at(to)]);
    works_[at(to)].before.push_back(&works_[at(from)]);
  }
  /// One node that all ends so far lead to.
  int join() {
    if (ends_.size() == 1) return ends_[0];
    const int node = add(barrier);
    for (int end : ends_) link(end, node);
    return node;
  }

  tbb::task_arena& arena_;
  std::unique_ptr<flow::graph> graph_;
  std::deque<Work> works_;
  std::deque<Node> nodes_;
  int start_ = -1;
  std::vector<int> ends_;
};

/// How often the process was forked before it became this one. None of its parent's threads came along, and oneTBB may
/// wait for them.
std::atomic<int> forks = 0;
[[maybe_unused]] const int counted = pthread_atfork(nullptr, nullptr, [] { ++forks; });

/// Where helpers come from. Their tasks are of nobody's: those of a caller who uses oneTBB itself may be cancelled, and
/// may be over long before these.
struct Helpers {
  explicit Helpers(int threads) : arena(threads) {}
  tbb::task_arena arena;
  tbb::task_group_context context{tbb::task_group_context::isolated,  // and with the maker's rounding
                                  tbb::task_group_context::default_traits | tbb::task_group_context::fp_settings};
  tbb::task_group group{context};
};

class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(int threads)
      : helpers_(std::make_unique<Helpers>(threads)), levels_(threads), columns_(threads) {}

  /// Nobody is left behind: whoever stands by goes, and whoever has not come is met here. Only in a forked process all
  /// that is oneTBB's is, since its locks and counts may be those of threads that are gone.
  ~TbbExecutor() noexcept override {
    if (forked()) {
      static_cast<void>(graph_.release());
      static_cast<void>(helpers_.release());
      return;
    }
    levels_.dismiss();
    columns_.dismiss();
    if (helpers_->arena.is_active()) helpers_->arena.execute([this] { helpers_->group.wait(); });
  }

  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    stages_.prepare(passes, space, tasks);
    levels_.prepare(stages_.levels());
    graph_ = level_by_level(tasks) ? nullptr : std::make_unique<PassGraph>(helpers_->arena, passes, space, tasks);
  }

  void run() override {
    if (graph_ && !forked())
      graph_->run();
    else
      gather_round(levels_);
  }

  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
    const Level all{columns, context, work};
    columns_.prepare({&all, 1});
    gather_round(columns_);
  }

 private:
  bool forked() const { return forks_ != forks.load(std::memory_order_relaxed); }

  /// Whoever has to be summoned may come when the round is over. In a forked process the caller does it all.
  void gather_round(Team& team) {
    team.start();
    for (int worker = 1; worker < team.workers() && !forked(); ++worker)
      if (team.summon(worker))
        helpers_->arena.enqueue(helpers_->group.defer([&team, worker] { team.stand_by(worker); }));
    team.work(0);
  }

  std::unique_ptr<Helpers> helpers_;
  int forks_ = forks;
  Stages stages_;
  Team levels_, columns_;
  std::unique_ptr<PassGraph> graph_;
};

}  // namespace

int threads_of_tbb(int threads) {
  using tbb::global_control;
  const std::size_t most = global_control::active_value(global_control::max_allowed_parallelism);
  return static_cast<int>(std::min(at(threads), most));
}

std::unique_ptr<Executor> make_tbb_executor(int threads) { return std::make_unique<TbbExecutor>(threads); }

}  // namespace kinetree::inline inner
