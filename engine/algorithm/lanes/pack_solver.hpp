#pragma once
// LaneSolver of a register of states, and the factories of one instruction set.

#include <algorithm>
#include <vector>

#include "engine/algorithm/lanes/end_chain_pack.hpp"
#include "engine/algorithm/lanes/limb_pack.hpp"
#include "engine/algorithm/lanes/one_solver.hpp"
#include "engine/algorithm/solver/solver_implementation.hpp"
#include "engine/scalar/lanes/side_by_side.hpp"

namespace kinetree::inline inner {

template <class T, class P>
class PackSolver final : public SolverLanes<T, P> {
 public:
  explicit PackSolver(const lanes::Order& order)
      : SolverLanes<T, P>(order, *order.modules),
        nq_(order.model->nq()),
        nv_(order.model->nv()),
        nf_(6 * order.model->body_count()),
        q_(at(nq_)),
        v_(at(nv_)),
        result_(this->solver_.result_count()) {
    if (order.method->function == Function::forward_dynamics) tau_.resize(at(nv_));
    if (order.method->function == Function::inverse_dynamics) a_.resize(at(nv_));
  }

  int width() const override { return P::width; }

  void expect_external_forces() override {
    f_.resize(at(nf_));
    SolverLanes<T, P>::expect_external_forces();
  }

  void set(std::span<const State<T>> states) override {
    const int count = static_cast<int>(states.size());
    for (int k = 0; k < P::width; ++k) states_[k] = states[at(std::min(k, count - 1))];
    count_ = count;
    if (states_[0].f_ext != nullptr) expect_external_forces();
    const P* q = load(q_, nq_, &State<T>::q);
    const P* v = load(v_, nv_, &State<T>::v);
    const P* tau = load(tau_, nv_, &State<T>::tau);
    const P* a = load(a_, nv_, &State<T>::a);
    this->solver_.set({q, v, load(f_, nf_, &State<T>::f_ext), tau, a, result_.data()});
  }

  void store() override {
    T row[P::width];
    for (std::size_t i = 0; i < result_.size(); ++i) {
      result_[i].store(row);
      for (int k = 0; k < count_; ++k) states_[k].result[i] = row[k];
    }
  }

 private:
  /// Number i of every state into pack i; null where states have none.
  const P* load(std::vector<P>& packs, int count, const T* State<T>::*numbers) {
    if (states_[0].*numbers == nullptr) return nullptr;
    const T* column[P::width];
    for (int k = 0; k < P::width; ++k) column[k] = states_[k].*numbers;
    for (int i = 0; i < count; ++i) packs[at(i)] = side_by_side<P>([&](std::size_t k) { return column[k][i]; });
    return packs.data();
  }
  int nq_, nv_, nf_;
  std::vector<P> q_, v_, tau_, a_, f_, result_;
  State<T> states_[P::width];
  int count_ = 0;
};

/// Parts of one state side by side, as many as a register or its half has lanes; limbs in float may be fewer. Modules
/// of end chains fill their lanes, which are counted in doubles, so that in float there are no kernels for them.
template <class T, class One, class Isa>
LaneSolver<T>* make_alongside(const lanes::Order& order) {
  const Parts& parts = *order.parts;
  if constexpr (!std::is_void_v<typename Isa::Half>)
    if (parts.width() <= native_width<T, typename Isa::Half>) return make_alongside<T, One, typename Isa::Half>(order);
  using Many = Pack<T, native_width<T, Isa>, Isa>;
  const Model& model = *order.model;
  PartModules made = modules_of_parts(model.data(), parts);
  Packs<One> packs{.nodes = std::move(made.nodes)};
  for (const LaneGroup& group : parts.limbs.groups)
    packs.limbs.push_back(std::make_unique<LimbPack<Many, One>>(model.data(), group));
  if constexpr (std::is_same_v<T, double>)
    for (const EndChain& chain : parts.end_chains.all)
      packs.end_chains.push_back(
          std::make_unique<EndChainPack<Many, One>>(model.data(), chain, order.method->refinements > 0));
  return new OneSolver<T, One>(order, std::make_shared<const Modules>(std::move(made.modules)), std::move(packs));
}

/// One: what one state is solved on.
template <class T, class One, class Isa>
LaneSolver<T>* make_lanes(const lanes::Order& order) {
  if (order.many) return new PackSolver<T, Pack<T, native_width<T, Isa>, Isa>>(order);
  if (order.parts != nullptr) return make_alongside<T, One, Isa>(order);
  return new OneSolver<T, One>(order, *order.modules);
}

}  // namespace kinetree::inline inner
