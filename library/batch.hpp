#pragma once
// Batch: the columns of a call as packs of states, shared out among workers that have solvers of one method.

#include <algorithm>
#include <array>
#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/kept_numbers.hpp"
#include "library/together.hpp"
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

  /// `own`: null, or how columns have numbers of their own; they are the model's where a call has none. `together`:
  /// null, or how threads solve each pack together; its columns are not shared out.
  Batch(Make* make, const Model& model, const Method& method, const BatchOptions& options,
        std::shared_ptr<const OwnNumbers> own = nullptr, std::unique_ptr<Together<T>> together = nullptr)
      : make_(make),
        model_(model),
        method_(method),
        options_(options),
        own_(std::move(own)),
        together_(std::move(together)),
        workers_(at(std::max(1, options.threads))) {}

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
  /// and where columns may have numbers of their own:
  ///   const T* own(int column)   these; null: the model's
  ///   KeptNumbers<T>* kept()   where these are kept from call to call; null: nowhere
  ///   void refuse(int column, const State<T>&, const LaneSolver<T>&, const Status&)   they are not sound
  template <class Call>
  void solve(int columns, bool forced, Call& call, Executor& executor) {
    if (columns == 1) {
      one_of(workers_[0]);
      tell(workers_[0]);
      return solve_alone(call, 0, call.state(0), workers_[0]);
    }
    if (!ready_) make_ready();
    for (Worker& worker : workers_) tell(worker);
    // now, since which worker meets which column is chance
    if (forced)
      for (Worker& worker : workers_) {
        worker.one->expect_external_forces();
        if (worker.many) worker.many->expect_external_forces();
      }
    if (own_ && workers_[0].many)
      if (KeptNumbers<T>* kept = call.kept()) kept->begin(own_, width_, columns);
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
    int told = never;                                ///< what its solvers were asked last
    bool many_nominal = false, one_nominal = false;  ///< whether its solvers have the model's own numbers, of own_
  };

  LaneSolver<T>& one_of(Worker& worker) {
    if (!modules_) modules_ = std::make_shared<const Modules>(make_modules(model_.data(), method_.modules));
    if (!worker.one) {
      worker.one = make_(options_.set, false, model_, method_, modules_);
      if (own_) worker.one->vary(*own_);
    }
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
      if (own_ && worker.many) worker.many->vary(*own_);
      width_ = worker.many ? worker.many->width() : 1;
      worker.told = never;  // what its first solver was asked, its second was not
    }
    ready_ = true;
  }

  template <class Call>
  void solve_pack(Call& call, int columns, int pack, Worker& worker) {
    const int first = pack * width_, count = std::min(width_, columns - first);
    for (int k = 0; k < count; ++k) worker.states[at(k)] = call.state(first + k);
    if (own_ && worker.many) set_own_of_pack(call, first, count, pack, worker);
    if (worker.many) solve_by(*worker.many, {worker.states.data(), at(count)});
    for (int k = 0; k < count; ++k)
      if (own_ && worker.many && is_refused(call, *worker.many, k, first + k, worker.states[at(k)]))
        continue;
      else if (!worker.many || !call.passes(worker.states[at(k)], *worker.many, k))
        solve_alone(call, first + k, worker.states[at(k)], worker);
  }

  template <class Call>
  void solve_alone(Call& call, int column, const State<T>& state, Worker& worker) {
    LaneSolver<T>& one = *worker.one;
    if (own_) {
      set_own(call, one, column, 1, worker.one_nominal);
      if (is_refused(call, one, 0, column, state)) return;
    }
    solve_by(one, {&state, 1});
    call.judge(column, state, one);
  }

  void solve_by(LaneSolver<T>& solver, std::span<const State<T>> states) {
    together_ ? together_->solve(solver, states) : solver.solve(states);
  }

  template <class Call>
  void set_own_of_pack(Call& call, int first, int count, int pack, Worker& worker) {
    KeptNumbers<T>* const kept = call.kept();
    if (kept != nullptr && kept->stands(pack)) {
      worker.many_nominal = false;
      return worker.many->recall_own(kept->pack(pack));
    }
    set_own(call, *worker.many, first, count, worker.many_nominal);
    if (kept != nullptr) worker.many->keep_own(kept->pack(pack)), kept->filled(pack);
  }
  template <class Call>
  void set_own(Call& call, LaneSolver<T>& solver, int first, int count, bool& nominal) {
    const bool wanted = call.own(first) == nullptr;  // of one column as of all
    if (wanted && nominal) return;
    nominal = wanted;
    std::array<const T*, most_lanes> own;
    for (int k = 0; k < count; ++k) {
      const T* given = call.own(first + k);
      own[at(k)] = given == nullptr ? own_->template nominal<T>() : given;
    }
    solver.set_own({own.data(), at(count)});
  }
  /// Whether a column's own numbers, which lane k of a solver has, are not sound; the call hears why.
  template <class Call>
  bool is_refused(Call& call, LaneSolver<T>& solver, int k, int column, const State<T>& state) {
    if (solver.sound(k)) return false;
    const T* given = call.own(column);
    const Status fault = given == nullptr ? Status{} : own_->template fault<T>(given);
    if (!fault.ok()) call.refuse(column, state, solver, fault);
    return !fault.ok();
  }

  Make* make_;
  Model model_;
  Method method_;
  BatchOptions options_;
  std::shared_ptr<const OwnNumbers> own_;
  std::unique_ptr<Together<T>> together_;
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
