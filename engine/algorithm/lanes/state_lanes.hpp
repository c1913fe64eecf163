#pragma once
// LaneSolver of a Solver on a scalar S: of one state, whose numbers S lies over in memory, or of a register of states.

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/algorithm/lanes/own_lanes.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/scalar/inline.hpp"
#if KINETREE_PACKS
#include "engine/scalar/lanes/side_by_side.hpp"
#endif

namespace kinetree::inline inner {

template <class T, class S>
class StateLanes final : public LaneSolver<T> {
  static constexpr std::size_t lanes = Numbers<S>::count;
  static_assert(lanes > 1 || alignof(S) == alignof(T));

 public:
  StateLanes(const lanes::Order& order, std::unique_ptr<Solver<S>> solver)
      : forces_(6 * at(order.model->body_count())),
        velocities_(order.model->nv()),
        function_(order.method->function),
        solver_(std::move(solver)) {
    this->probe_.fill(std::numeric_limits<T>::quiet_NaN());  // until states are stored
    this->rounds_ = solver_->rounds();
    if constexpr (lanes == 1) return;
    const auto nv = at(order.model->nv());
    q_.resize(at(order.model->nq())), v_.resize(nv);
    solver_->leave_out_zeros();  // each zero would be taken apart lane by lane
    make_room();
    if (reads_forces(order.method->function)) tau_.resize(nv);
    if (reads_accelerations(order.method->function)) a_.resize(nv);
  }

  int width() const override { return static_cast<int>(lanes); }
  void ask(const Asked& asked) override {
    solver_->ask(asked);
    this->rounds_ = solver_->rounds();
    if constexpr (lanes > 1) {
      make_room();
      if (!reads_forces(function_))
        tau_.resize(at(asked.directions) *
                    at(numbers_of_direction(function_, static_cast<int>(forces_ / 6), velocities_, asked)));
    }
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
  std::size_t memory() const override {
    return solver_->memory() + bytes_of(q_, v_, f_, tau_, a_, result_, sixes_) + (own_ ? own_->bytes() : 0);
  }
  void vary(const OwnNumbers& own) override { own_ = std::make_unique<OwnLanes<T, S>>(own, *solver_); }
  void set_own(std::span<const T* const> states) override {
    const S sound = own_->take(states);
    if constexpr (lanes > 1)
      sound.store(this->sound_.data());
    else
      this->sound_[0] = std::bit_cast<T>(sound);
  }
  void keep_own(T* to) const override {
    if constexpr (lanes > 1) {
      own_->keep(reinterpret_cast<S*>(to));
      std::copy_n(this->sound_.data(), lanes, to + lanes * own_->count());
    }
  }
  void recall_own(const T* from) override {
    if constexpr (lanes > 1) {
      own_->recall(reinterpret_cast<const S*>(from));
      std::copy_n(from + lanes * own_->count(), lanes, this->sound_.data());
    }
  }

  void set(std::span<const State<T>> states) override {
    if constexpr (lanes == 1) {
      // in one piece: pointers stored one by one and read back in pairs would be waited for
      solver_->set(std::bit_cast<State<S>>(states.front()));
    } else {
      states_ = states;
      if (states_[0].f_ext != nullptr && f_.empty()) expect_external_forces();
      solver_->set({on_lanes(q_, &State<T>::q), on_lanes(v_, &State<T>::v), on_lanes(f_, &State<T>::f_ext),
                    on_lanes(tau_, &State<T>::tau), on_lanes(a_, &State<T>::a), result_.data()});
    }
  }

  void store() override {
    if constexpr (lanes > 1) {
      probe();
      if (in_one_piece_) return store(solver_->result_count(), 0, 0);
      // by rising addresses, zeros too: each line of the cache is written once
      std::size_t end = 0;
      for (const Six& six : sixes_) {
        fill_with_zeros(end, six.to);
        store(6, six.from, six.to);
        end = six.to + 6;
      }
      fill_with_zeros(end, solver_->result_count());
    }
  }

 private:
  bool is_dynamics() const { return function_ == Function::forward_dynamics; }
  /// Room for results, zeros at first, and the order in which they go to the states.
  void make_room() {
    const std::size_t count = solver_->result_count();
    const std::vector<std::size_t>* places = solver_->places_of_sixes();
    sixes_.clear(), in_one_piece_ = true;
    if (places == nullptr) return result_.resize(count, S(0));
    result_.reserve(6 * places->capacity()), sixes_.reserve(places->capacity());
    result_.resize(6 * places->size(), S(0));
    for (std::size_t six = 0; six < places->size(); ++six) sixes_.push_back({6 * six, (*places)[six]});
    std::ranges::sort(sixes_, {}, &Six::to);
    in_one_piece_ = result_.size() == count &&
                    std::ranges::all_of(sixes_, [](const Six& six) { return six.from == six.to; });
  }

  /// What any infinity or NaN makes NaN, of each state. Accelerations depend on every number; other results need not: a
  /// turn of the first joint leaves the mass matrix as it is.
  void probe() {
    S sum(0);
    if (is_dynamics()) {
      sum = zeros_of(result_.data(), v_.size());
    } else {
      const State<T>& given = states_[0];
      sum = zeros_of(q_.data(), q_.size());
      if (given.v != nullptr) sum += zeros_of(v_.data(), v_.size());
      if (given.a != nullptr) sum += zeros_of(a_.data(), a_.size());
      if (given.f_ext != nullptr) sum += zeros_of(f_.data(), f_.size());
      if (given.tau != nullptr) sum += zeros_of(tau_.data(), tau_.size());
    }
    sum.store(this->probe_.data());
  }
  /// Zero times each number, summed. Several sums: each addition waits for the one before.
  static S zeros_of(const S* x, std::size_t count) {
    constexpr std::size_t sums = 4;
    S sum[sums]{};
    std::size_t i = 0;
    for (; i + sums <= count; i += sums)
      for (std::size_t k = 0; k < sums; ++k) sum[k] += S(0) * x[i + k];
    for (; i < count; ++i) sum[0] += S(0) * x[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

  /// Numbers [begin, end) of every state's result.
  void fill_with_zeros(std::size_t begin, std::size_t end) {
    if (begin < end)
      for (const State<T>& state : states_) std::fill_n(state.result + begin, end - begin, T(0));
  }
  /// So many numbers of every state, from number `from` of the solver's result on, to number `to` of the state's on.
  void store(std::size_t count, std::size_t from, std::size_t to) {
    take_apart(result_.data() + from, count, static_cast<int>(states_.size()),
               [&](int k) KINETREE_INLINE_LAMBDA { return states_[at(k)].result + to; });
  }

  /// Number i of every state in pack i; null where states have none. Lanes left over repeat the last state.
  const S* on_lanes(std::vector<S>& packs, const T* State<T>::*numbers) {
    if (states_[0].*numbers == nullptr) return nullptr;
    put_together(packs.data(), packs.size(),
                 [&](int k) KINETREE_INLINE_LAMBDA { return states_[std::min(at(k), states_.size() - 1)].*numbers; });
    return packs.data();
  }

  std::size_t forces_;  ///< numbers of f_ext
  int velocities_;
  Function function_;
  std::unique_ptr<Solver<S>> solver_;
  std::unique_ptr<OwnLanes<T, S>> own_;          ///< null where states have no numbers of their own
  std::vector<S> q_, v_, f_, tau_, a_, result_;  ///< of several states
  std::span<const State<T>> states_;
  /// Six numbers of the solver's result, and where they begin in a state's (Solver::places_of_sixes).
  struct Six {
    std::size_t from, to;
  };
  std::vector<Six> sixes_;  ///< by rising addresses
  bool in_one_piece_ = true;  ///< whether both are the same numbers
};

}  // namespace kinetree::inline inner
