#pragma once
// LaneSolver of a Solver on a scalar S: of one state, whose numbers S lies over in memory, or of a register of states.

#include <algorithm>
#include <array>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/algorithm/solver/solver.hpp"
#if KINETREE_PACKS
#include "engine/scalar/lanes/side_by_side.hpp"
#include "engine/scalar/lanes/transpose.hpp"
#endif

namespace kinetree::inline inner {

template <class T, class S>
class StateLanes final : public LaneSolver<T> {
  static constexpr std::size_t lanes = sizeof(S) / sizeof(T);
  static_assert(lanes > 1 || alignof(S) == alignof(T));

 public:
  explicit StateLanes(const lanes::Order& order, std::shared_ptr<const Modules> modules, Packs<S> packs = {})
      : forces_(6 * at(order.model->body_count())),
        solver_(*order.model, *order.method, std::move(modules), std::move(packs)) {
    if constexpr (lanes == 1) return;
    const auto nv = at(order.model->nv());
    q_.resize(at(order.model->nq())), v_.resize(nv);
    solver_.leave_out_zeros();  // each zero would be taken apart lane by lane
    make_room();
    if (order.method->function == Function::forward_dynamics) tau_.resize(nv);
    if (reads_accelerations(order.method->function)) a_.resize(nv);
  }

  int width() const override { return static_cast<int>(lanes); }
  void ask(const Asked& asked) override {
    solver_.ask(asked);
    if constexpr (lanes > 1) make_room();
  }
  void expect_external_forces() override {
    if constexpr (lanes > 1) f_.resize(forces_);
    solver_.expect_external_forces();
  }
  std::span<const Pass> passes() const override { return solver_.passes(); }
  void* space() override { return solver_.space(); }
  std::size_t result_count() const override { return solver_.result_count(); }
  int step_count() const override { return solver_.step_count(); }
  Borders* borders() override { return solver_.borders(); }
  const Modules& modules() const override { return solver_.modules(); }
  int singular_body() const override { return solver_.singular_body(); }
  int idle_body(int lane) const override { return solver_.idle_body(lane); }
  Status loop_fault(int lane) const override { return solver_.loop_fault(lane); }
  std::size_t memory() const override { return solver_.memory() + bytes_of(q_, v_, f_, tau_, a_, result_); }

  void set(std::span<const State<T>> states) override {
    for (std::size_t k = 0; k < lanes; ++k) states_[k] = states[std::min(k, states.size() - 1)];
    count_ = states.size();
    if (lanes > 1 && states_[0].f_ext != nullptr && f_.empty()) expect_external_forces();
    S* result = result_.data();
    if constexpr (lanes == 1) result = reinterpret_cast<S*>(states_[0].result);
    solver_.set({on_lanes(q_, &State<T>::q), on_lanes(v_, &State<T>::v), on_lanes(f_, &State<T>::f_ext),
                 on_lanes(tau_, &State<T>::tau), on_lanes(a_, &State<T>::a), result});
  }

  void store() override {
    if constexpr (lanes > 1) {
      const std::vector<std::size_t>* sixes = solver_.places_of_sixes();
      if (sixes == nullptr) return store(solver_.result_count(), 0, 0);
      for (std::size_t k = 0; k < count_; ++k) std::fill_n(states_[k].result, solver_.result_count(), T(0));
      for (std::size_t six = 0; six < sixes->size(); ++six)
        if constexpr (lanes > 6)
          store_block<6>(6 * six, (*sixes)[six]);
        else
          store(6, 6 * six, (*sixes)[six]);
    }
  }

 private:
  /// With packs behind the last that blocks may read.
  void make_room() {
    const std::vector<std::size_t>* sixes = solver_.places_of_sixes();
    result_.reserve(sixes != nullptr ? 6 * sixes->capacity() + lanes : 0);
    result_.resize((sixes != nullptr ? 6 * sixes->size() : solver_.result_count()) + lanes);
  }

  /// So many numbers of every state, from number `from` of the solver's result on, to number `to` of the state's on.
  void store(std::size_t count, std::size_t from, std::size_t to) {
    const std::size_t in_blocks = count - count % lanes;
    for (std::size_t i = 0; i < in_blocks; i += lanes) store_block<lanes>(from + i, to + i);
    for (std::size_t i = in_blocks; i < count; ++i) {
      T row[lanes];
      result_[from + i].store(row);
      for (std::size_t k = 0; k < count_; ++k) states_[k].result[to + i] = row[k];
    }
  }
  /// The same of as many as a register holds, or fewer.
  template <std::size_t count>
  void store_block(std::size_t from, std::size_t to) {
    const auto rows = transposed(&result_[from]);
    for (std::size_t k = 0; k < lanes && k < count_; ++k) rows.template store<count>(k, states_[k].result + to);
  }

  /// Number i of every state in pack i; null where states have none.
  const S* on_lanes(std::vector<S>& packs, const T* State<T>::*numbers) {
    if (states_[0].*numbers == nullptr) return nullptr;
    if constexpr (lanes == 1) {
      return reinterpret_cast<const S*>(states_[0].*numbers);
    } else {
      const T* column[lanes];
      for (std::size_t k = 0; k < lanes; ++k) column[k] = states_[k].*numbers;
      for (std::size_t i = 0; i < packs.size(); ++i)
        packs[i] = side_by_side<S>([&](std::size_t k) { return column[k][i]; });
      return packs.data();
    }
  }

  std::size_t forces_;  ///< numbers of f_ext
  Solver<S> solver_;
  std::vector<S> q_, v_, f_, tau_, a_, result_;  ///< of several states
  std::array<State<T>, lanes> states_;
  std::size_t count_ = 0;
};

}  // namespace kinetree::inline inner
