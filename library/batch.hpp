#pragma once
// Batch: the columns of a call as packs of states, shared out among workers that have solvers of one method.

#include <algorithm>
#include <array>
#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <memory>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "parallel/executor.hpp"

namespace kinetree::inline inner {

/// Null where there are no columns.
template <class T>
T* at_column(const Columns<T>& columns, int column) {
  return columns.data == nullptr ? nullptr : columns.data + column * columns.stride;
}

struct BatchOptions {
  InstructionSet set;  ///< of what is solved alone
  int lanes;           ///< states in a pack of doubles; in float twice as many; 1: one by one
  int threads = 1;     ///< workers
  int from = 2;        ///< packs from which on they are shared out
};

/// A state's bits depend neither on the pack nor on the lane it falls in. Solvers are made when they are first needed.
template <class T>
class Batch {
 public:
  /// What makes its solvers: make_lane_solver or make_function_lane_solver.
  using Make = std::unique_ptr<LaneSolver<T>>(InstructionSet, bool, const Model&, const Method&,
                                              std::shared_ptr<const Modules>);

  Batch(Make* make, const Model& model, const Method& method, const BatchOptions& options)
      : make_(make), model_(model), method_(method), options_(options), workers_(at(std::max(1, options.threads))) {}

  /// For functions of points on links, and products: what every column is asked. Allocates only for more points or
  /// directions than before.
  void ask(const LinkPoints& points, Axes axes, int directions = 0, bool linear = false) {
    bool equal = axes == axes_ && points.size() == points_.size() && directions == directions_ && linear == linear_;
    for (std::size_t k = 0; equal && k < points.size(); ++k) equal = points[k] == points_[k];
    if (equal) return;
    points_.clear(), axes_ = axes, directions_ = directions, linear_ = linear;
    for (std::size_t k = 0; k < points.size(); ++k) points_.push_back(points[k]);
    ++asked_;
  }

  /// One column goes on this thread, by a solver of one state. Call, a type and no interface, since a short chain's
  /// batch takes 1 % longer by virtual calls:
  ///   State<T> state(int column)
  ///   bool passes(const State<T>&, const LaneSolver<T>&, int lane)   whether that lane of a pack, just solved, has the
  ///       state's result; where it has not, the state is solved again alone, and judge says why
  ///   void judge(int column, const State<T>&, const LaneSolver<T>&)   after a state was solved alone
  template <class Call>
  void solve(int columns, bool forced, Call& call, Executor& executor) {
    if (columns == 1) {
      LaneSolver<T>& one = one_of(workers_[0]);
      tell(workers_[0]);
      return solve_alone(call, 0, call.state(0), one);
    }
    if (!ready_) make_ready();
    for (Worker& worker : workers_) tell(worker);
    // now, since which worker meets which column is chance
    if (forced)
      for (Worker& worker : workers_) {
        worker.one->expect_external_forces();
        if (worker.many) worker.many->expect_external_forces();
      }
    auto solve_pack = [&](int pack, int worker) { this->solve_pack(call, columns, pack, workers_[at(worker)]); };
    const int packs = (columns + width_ - 1) / width_;
    if (workers_.size() == 1 || packs < options_.from) {
      for (int pack = 0; pack < packs; ++pack) solve_pack(pack, 0);
      return;
    }
    executor.for_columns(packs, &solve_pack, [](void* solve, int pack, int worker) {
      (*static_cast<decltype(&solve_pack)>(solve))(pack, worker);
    });
  }

 private:
  static constexpr int never = -1;  ///< also to be asked for no points takes memory

  struct alignas(64) Worker {             // as LaneSolver
    std::unique_ptr<LaneSolver<T>> many;  ///< null without lanes
    std::unique_ptr<LaneSolver<T>> one;
    std::array<State<T>, most_lanes> states;
    int told = never;  ///< what its solvers were asked last
  };

  LaneSolver<T>& one_of(Worker& worker) {
    if (!modules_) modules_ = std::make_shared<const Modules>(make_modules(model_.data(), method_.modules));
    if (!worker.one) worker.one = make_(options_.set, false, model_, method_, modules_);
    return *worker.one;
  }

  /// Tells a worker's solvers the points and axes that columns are asked for, where these changed.
  void tell(Worker& worker) {
    if (worker.told == asked_) return;
    worker.told = asked_;
    for (LaneSolver<T>* solver : {worker.one.get(), worker.many.get()})
      if (solver != nullptr) solver->ask({points_, axes_, directions_, linear_});
  }

  void make_ready() {
    for (Worker& worker : workers_) {
      one_of(worker);
      if (options_.lanes > 1) worker.many = make_(set_of_lanes(options_.lanes), true, model_, method_, modules_);
      width_ = worker.many ? worker.many->width() : 1;
      worker.told = never;  // what its first solver was asked, its second was not
    }
    ready_ = true;
  }

  template <class Call>
  void solve_pack(Call& call, int columns, int pack, Worker& worker) {
    const int first = pack * width_, count = std::min(width_, columns - first);
    for (int k = 0; k < count; ++k) worker.states[at(k)] = call.state(first + k);
    if (worker.many) worker.many->solve({worker.states.data(), at(count)});
    for (int k = 0; k < count; ++k)
      if (!worker.many || !call.passes(worker.states[at(k)], *worker.many, k))
        solve_alone(call, first + k, worker.states[at(k)], *worker.one);
  }

  template <class Call>
  void solve_alone(Call& call, int column, const State<T>& state, LaneSolver<T>& one) {
    one.solve({&state, 1});
    call.judge(column, state, one);
  }

  Make* make_;
  Model model_;
  Method method_;
  BatchOptions options_;
  std::shared_ptr<const Modules> modules_;
  std::vector<Worker> workers_;
  std::vector<LinkPoint> points_;
  Axes axes_ = Axes::link;
  int directions_ = 0;
  bool linear_ = false;
  int asked_ = 0;       ///< how often the question changed
  bool ready_ = false;  ///< for several columns
  int width_ = 1;
};

}  // namespace kinetree::inline inner
