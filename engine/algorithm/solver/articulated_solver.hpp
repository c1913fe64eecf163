#pragma once
// Articulated bodies over a model's nodes: three passes, and one for what loops ask of the state.

#include <algorithm>

#include "engine/algorithm/solver/solver_space.hpp"

namespace kinetree::inline inner {

/// What articulated bodies and the dial share.
template <class S>
class ArticulatedSpace : public SolverSpace<S>, private Borders {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  ArticulatedSpace(Model m, std::shared_ptr<const Modules> modules, Packs<S>& packs)
      : Base(std::move(m), std::move(modules), packs.nodes), articulated(x, std::move(packs.parts)) {
    if (!may_choose<S> && !articulated.multipliers.empty())
      throw std::logic_error("multipliers ask for kernels that take one state at a time");
  }

  void expect_external_forces() override {
    Base::expect_external_forces();
    for (const auto& parts : articulated.lanes) parts->expect_external_forces();
  }

  // other solvers are handed no bodies in halves
  int singular_body() const override { return x.model->whole_of(inner::singular_body(x, articulated)); }
  int idle_body(int lane) const override { return x.model->whole_of(find_idle_body(lane)); }
  Status loop_fault(int lane) const override {
    Status fault = find_loop_fault(lane);
    fault.body = x.model->whole_of(fault.body);
    return fault;
  }

  std::size_t memory() const override { return Base::memory() + articulated.bytes(); }

  Borders* borders() override { return may_choose<S> ? this : nullptr; }

 protected:
  /// The body at which what a step has put together begins.
  int base_of(int step) const { return this->modules().modules[at(this->modules().steps[at(step)].top_module)].base; }
  /// The body that it hangs from; -1: the ground.
  int parent_of(int step) const { return x.parent(base_of(step)); }

  /// Calls use(body, the body that it hangs from) for the bodies at which what a step has put together begins: one, or
  /// the first of each limb.
  template <class Use>
  void for_bases(int step, Use&& use) {
    const Modules& m = this->modules();
    const int top = m.steps[at(step)].top_module;
    outwards(m, m.modules[at(top)], [&](int i) {
      if (const int parent = x.parent(i); parent >= 0 && m.module_of[at(parent)] != top) use(i, parent);
    });
  }

  /// What a step contributes to the bodies that it hangs from.
  void add_contribution(int step, bool inertia, Pieces& pieces) {
    for_bases(step, [&](int base, int) {
      const std::size_t slot = x.slot(base);
      if (slot == 0) return;  // of limbs on one body the first has the sum
      if (inertia) add_piece(articulated.P_up, slot, 1, pieces);
      add_piece(articulated.z_up, slot, 1, pieces);
    });
  }
  /// Of `all`, over bodies, what the bodies have that a step hangs from.
  template <class T>
  void add_of_parents(int step, std::vector<T>& all, Pieces& pieces) {
    int last = -1;
    for_bases(step, [&](int, int parent) {
      if (parent != last) add_piece(all, at(parent), 1, pieces);
      last = parent;
    });
  }
  /// Their motion.
  void add_parent_velocity(int step, Pieces& pieces) {
    add_of_parents(step, kinematics.v, pieces);
    if (x.state.f_ext != nullptr) add_of_parents(step, kinematics.R, pieces);
  }

  /// The pass between positions and inertias, where constraints depend on the state.
  void add_constraints() {
    if (articulated.has_constraints())
      this->template add<&ArticulatedSpace::constrain>(Direction::each, Pass::articulate);
  }

  Nodes<S> articulated;

 private:
  int find_idle_body(int lane) const {
    if (const int body = inner::idle_body(articulated.embedded, lane); body >= 0) return body;
    for (std::size_t k = 0; k < articulated.lanes.size(); ++k)
      if (const int body = is_ignored(k) ? -1 : articulated.lanes[k]->idle_body(); body >= 0) return body;
    return this->first_idle([&](int body) {
      const FactorizedInertia<S> D{articulated.D_of(body), velocity_count(x.type(body)), lane};
      return moves_idly(D, &this->felt_[at(x.v_index(body))]);
    });
  }

  Status find_loop_fault(int lane) const {
    if (const Status fault = inner::loop_fault(articulated.embedded, lane); !fault.ok()) return fault;
    for (std::size_t k = 0; k < articulated.lanes.size(); ++k)
      if (const Status fault = is_ignored(k) ? Status{} : articulated.lanes[k]->loop_fault(); !fault.ok()) return fault;
    if constexpr (may_choose<S>) return inner::loop_fault(articulated.multipliers);
    return {};
  }

  void ignore_faults_of(int step) override {
    if constexpr (may_choose<S>) ignore_faults_in(step);
  }
  void ignore_faults_in(int step) {
    if (!x.sweeps(step)) return;
    const Range own = x.nodes.of_step[at(step)].nodes;
    for (Node* node = x.nodes.nodes.data() + own.begin; node != x.nodes.nodes.data() + own.end; ++node) {
      if (node->kind == Node::Kind::pack) elsewhere_.push_back(node->index);
      if (node->kind == Node::Kind::embedded) ignore_faults_of(articulated.embedded[at(node->index)]);
      if (node->kind == Node::Kind::multipliers) articulated.multipliers[at(node->index)].branches = nullptr;
      node->kind = Node::Kind::base;  // of which no inertia is looked at
    }
    const int module = this->modules().steps[at(step)].module;
    std::erase_if(this->light_, [&](int body) { return this->modules().module_of[at(body)] == module; });
  }
  bool is_ignored(std::size_t lanes) const {
    return std::find(elsewhere_.begin(), elsewhere_.end(), static_cast<int>(lanes)) != elsewhere_.end();
  }
  static void ignore_faults_of(EmbeddedNode<S>& node) {
    node.branches = nullptr;
    node.may_idle = false;
  }

  std::vector<int> elsewhere_;  ///< parts in lanes that are left out

  void constrain(int step) { inner::constrain(x, kinematics, articulated, step); }
};

template <class S>
class ArticulatedSolver final : public ArticulatedSpace<S> {
 public:
  using Base = ArticulatedSpace<S>;
  using Base::articulated;
  using Base::kinematics;
  using Base::x;

  ArticulatedSolver(Model m, std::shared_ptr<const Modules> modules, Packs<S> packs)
      : Base(std::move(m), std::move(modules), packs) {
    this->template add<&ArticulatedSolver::find_kinematics>(Direction::scatter, Pass::articulate);
    this->add_constraints();
    this->template add<&ArticulatedSolver::articulate>(Direction::gather, Pass::articulate);
    this->template add<&ArticulatedSolver::accelerate>(Direction::scatter, Pass::accelerate);
  }

 private:
  void to_parent(int, int step, Pieces& pieces) override {
    if constexpr (may_choose<S>) this->add_contribution(step, true, pieces);
  }
  void to_child(int pass, int step, Pieces& pieces) override {
    if constexpr (may_choose<S>) add_to_child(pass, step, pieces);
  }
  void add_to_child(int pass, int step, Pieces& pieces) {
    if (this->phase_of(pass) == Pass::accelerate)
      this->add_of_parents(step, articulated.a, pieces);
    else
      this->add_parent_velocity(step, pieces);
  }

  void find_kinematics(int step) { inner::kinematics(x, kinematics, step); }
  void articulate(int step) { inner::articulate(x, kinematics, articulated, step); }
  void accelerate(int step) { inner::accelerate(x, kinematics, articulated, step); }
};

}  // namespace kinetree::inline inner
