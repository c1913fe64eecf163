// oneTBB: all passes as one flow graph over tasks, built once and reused. An edge stands where a pass's direction, or
// the change from one pass to the next, asks for an order; nothing else waits.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <deque>
#include <kinetree/parallel/executor.hpp>
#include <kinetree/parallel/thread_sanitizer.hpp>
#include <vector>

namespace kinetree {
namespace {

namespace flow = tbb::flow;
using Node = flow::continue_node<flow::continue_msg>;

class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(int threads) : arena_(threads) {}

  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    arena_.execute([&] { graph_ = std::make_unique<flow::graph>(); });
    nodes_.clear();
    const auto n = static_cast<std::size_t>(tasks.count());
    std::vector<bool> leaf(n, true);
    for (int p : tasks.parent)
      if (p >= 0) leaf[static_cast<std::size_t>(p)] = false;

    start_ = &barrier();
    std::vector<Node*> ends{start_};             // what must be over before a pass that waits for everything
    const std::vector<Node*>* before = nullptr;  // the previous pass's nodes, where its order carries over by itself
    std::vector<Node*> previous;
    Direction last = Direction::once;
    for (const Pass& pass : passes) {
      const bool walk = pass.direction == Direction::gather || pass.direction == Direction::scatter;
      const bool walked = before != nullptr && (last == Direction::gather || last == Direction::scatter);
      if (pass.direction == Direction::once) {
        Node& node = add([pass, space](const flow::continue_msg&) { pass.kernel(space, -1); });
        for (Node* end : ends) link(*end, node);
        ends = {&node};
        before = nullptr;
        last = pass.direction;
        continue;
      }
      const bool join = !(walk && walked && last != pass.direction);
      Node* gate = nullptr;
      if (join) {
        gate = ends.size() == 1 ? ends[0] : &barrier();
        if (ends.size() > 1)
          for (Node* end : ends) link(*end, *gate);
      }
      std::vector<Node*> nodes(n);
      for (std::size_t t = 0; t < n; ++t)
        nodes[t] =
            &add([pass, space, &tasks, t](const flow::continue_msg&) { tasks.run(pass, space, static_cast<int>(t)); });
      ends.clear();
      for (std::size_t t = 0; t < n; ++t) {
        const int p = tasks.parent[t];
        const bool first = pass.direction == Direction::each || (pass.direction == Direction::gather ? leaf[t] : p < 0);
        const bool final = pass.direction == Direction::each || (pass.direction == Direction::gather ? p < 0 : leaf[t]);
        if (first) link(join ? *gate : *previous[t], *nodes[t]);
        if (final) ends.push_back(nodes[t]);
        if (p >= 0 && pass.direction == Direction::gather) link(*nodes[t], *nodes[static_cast<std::size_t>(p)]);
        if (p >= 0 && pass.direction == Direction::scatter) link(*nodes[static_cast<std::size_t>(p)], *nodes[t]);
      }
      previous = std::move(nodes);
      before = &previous;
      last = pass.direction;
    }
  }

  void run() override {
    arena_.execute([&] {
      announce(this);
      start_->try_put(flow::continue_msg());
      graph_->wait_for_all();
      observe(this);
    });
  }

  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
    arena_.execute([&] {
      announce(this);
      tbb::parallel_for(tbb::blocked_range<int>(0, columns), [&](const tbb::blocked_range<int>& range) {
        observe(this);
        for (int c = range.begin(); c < range.end(); ++c)
          work(context, c, tbb::this_task_arena::current_thread_index());
        announce(this);
      });
      observe(this);
    });
  }

 private:
  template <class Body>
  Node& add(Body body) {
    return nodes_.emplace_back(*graph_, [this, body](const flow::continue_msg& message) {
      observe(this);  // every node before this one has announced; the graph's counters order them
      body(message);
      announce(this);
      return message;
    });
  }
  Node& barrier() {
    return add([](const flow::continue_msg&) {});
  }
  static void link(Node& from, Node& to) { flow::make_edge(from, to); }

  tbb::task_arena arena_;
  std::unique_ptr<flow::graph> graph_;
  std::deque<Node> nodes_;
  Node* start_ = nullptr;
};

}  // namespace

std::unique_ptr<Executor> make_tbb_executor(int threads) { return std::make_unique<TbbExecutor>(threads); }

}  // namespace kinetree
