#pragma once
// LaneSolver of a Solver on a scalar S: of one state, whose numbers S lies over in memory, or of a register of states.

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/scalar/inline.hpp"
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
        dynamics_(order.method->function == Function::forward_dynamics),
        solver_(make_solver<S>(*order.model, *order.method, std::move(modules), std::move(packs))) {
    this->probe_.fill(std::numeric_limits<T>::quiet_NaN());  // until states are stored
    if constexpr (lanes == 1) return;
    const auto nv = at(order.model->nv());
    q_.resize(at(order.model->nq())), v_.resize(nv);
    solver_->leave_out_zeros();  // each zero would be taken apart lane by lane
    make_room();
    if (dynamics_) tau_.resize(nv);
    if (reads_accelerations(order.method->function)) a_.resize(nv);
  }

  int width() const override { return static_cast<int>(lanes); }
  void ask(const Asked& asked) override {
    solver_->ask(asked);
    if constexpr (lanes > 1) make_room();
  }
  void expect_external_forces() override {
    if constexpr (lanes > 1) f_.resize(forces_);
    solver_->expect_external_forces();
  }
  std::span<const Pass> passes() const override { return solver_->passes(); }
  void* space() override { return solver_->space(); }
  std::size_t result_count() const override { return solver_->result_count(); }
  int step_count() const override { return solver_->step_count(); }
  Borders* borders() override { return solver_->borders(); }
  const Modules& modules() const override { return solver_->modules(); }
  int singular_body() const override { return solver_->singular_body(); }
  int idle_body(int lane) const override { return solver_->idle_body(lane); }
  Status loop_fault(int lane) const override { return solver_->loop_fault(lane); }
  std::size_t memory() const override { return solver_->memory() + bytes_of(q_, v_, f_, tau_, a_, result_); }

  void set(std::span<const State<T>> states) override {
    // in one piece: pointers stored one by one and read back in pairs would be waited for
    if constexpr (lanes == 1) return solver_->set(std::bit_cast<State<S>>(states.front()));
    states_ = states;
    if (states_[0].f_ext != nullptr && f_.empty()) expect_external_forces();
    solver_->set({on_lanes(q_, &State<T>::q), on_lanes(v_, &State<T>::v), on_lanes(f_, &State<T>::f_ext),
                  on_lanes(tau_, &State<T>::tau), on_lanes(a_, &State<T>::a), result_.data()});
  }

  void store() override {
    if constexpr (lanes > 1) {
      const std::vector<std::size_t>* sixes = solver_->places_of_sixes();
      if (dynamics_) probe();
      if (sixes == nullptr) return store(solver_->result_count(), 0, 0);
      for (std::size_t k = 0; k < states_.size(); ++k) std::fill_n(states_[k].result, solver_->result_count(), T(0));
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
    const std::vector<std::size_t>* sixes = solver_->places_of_sixes();
    result_.reserve(sixes != nullptr ? 6 * sixes->capacity() + lanes : 0);
    result_.resize((sixes != nullptr ? 6 * sixes->size() : solver_->result_count()) + lanes);
  }

  /// What any infinity or NaN makes NaN, of each state. Several sums: each addition waits for the one before.
  void probe() {
    constexpr std::size_t sums = 4;
    S sum[sums]{};
    std::size_t i = 0;
    for (; i + sums <= v_.size(); i += sums)
      for (std::size_t k = 0; k < sums; ++k) sum[k] += S(0) * result_[i + k];
    for (; i < v_.size(); ++i) sum[0] += S(0) * result_[i];
    ((sum[0] + sum[1]) + (sum[2] + sum[3])).store(this->probe_.data());
  }

  /// So many numbers of every state, from number `from` of the solver's result on, to number `to` of the state's on.
  void store(std::size_t count, std::size_t from, std::size_t to) {
    const std::size_t in_blocks = count - count % lanes;
    for (std::size_t i = 0; i < in_blocks; i += lanes) store_block<static_cast<int>(lanes)>(from + i, to + i);
    for (std::size_t i = in_blocks; i < count; ++i) {
      T row[lanes];
      result_[from + i].store(row);
      for (std::size_t k = 0; k < states_.size(); ++k) states_[k].result[to + i] = row[k];
    }
  }
  /// The same of as many as a register holds, or fewer.
  template <int count>
  void store_block(std::size_t from, std::size_t to) {
    const auto rows = transposed(&result_[from]);
    straight<0, static_cast<int>(lanes)>([&](auto lane) {
      if (at(lane) < states_.size()) rows.template store<lane, count>(states_[at(lane)].result + to);
    });
  }

  /// Number i of every state in pack i; null where states have none.
  const S* on_lanes(std::vector<S>& packs, const T* State<T>::*numbers) {
    if (states_[0].*numbers == nullptr) return nullptr;
    if constexpr (lanes > 1) {
      const T* column[lanes];
      for (std::size_t k = 0; k < lanes; ++k) column[k] = states_[std::min(k, states_.size() - 1)].*numbers;
      const std::size_t in_blocks = packs.size() - packs.size() % lanes;
      for (std::size_t i = 0; i < in_blocks; i += lanes) {
        const auto block =
            transposed_rows<S>([&](int k) KINETREE_INLINE_LAMBDA -> const void* { return column[k] + i; });
        straight<0, static_cast<int>(lanes)>([&](auto k) { block.template store<k>(&packs[i + at(k)]); });
      }
      for (std::size_t i = in_blocks; i < packs.size(); ++i)
        packs[i] = side_by_side<S>([&](std::size_t k) { return column[k][i]; });
    }
    return packs.data();
  }

  std::size_t forces_;  ///< numbers of f_ext
  bool dynamics_;       ///< forward dynamics
  std::unique_ptr<Solver<S>> solver_;
  std::vector<S> q_, v_, f_, tau_, a_, result_;  ///< of several states
  std::span<const State<T>> states_;
};

}  // namespace kinetree::inline inner
