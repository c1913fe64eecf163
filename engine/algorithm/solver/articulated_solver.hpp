#pragma once
// Articulated bodies over a model's nodes: three passes, and one for what loops ask of the state.

#include "engine/algorithm/solver/solver_space.hpp"

namespace kinetree::inline inner {

/// What articulated bodies and the dial share.
template <class S>
class ArticulatedSpace : public Solver<S>::Space, private Borders {
 public:
  using Base = typename Solver<S>::Space;
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

  int singular_body() const override { return inner::singular_body(x, articulated); }

  int idle_body(int lane) const override {
    if (const int body = inner::idle_body(articulated.embedded, lane); body >= 0) return body;
    for (const auto& parts : articulated.lanes)
      if (const int body = parts->idle_body(); body >= 0) return body;
    return this->first_idle([&](const LightJoint& joint) {
      const int n = velocity_count(x.type(joint.body));
      return moves_idly(FactorizedInertia<S>{articulated.D_of(joint.body), n, lane}, joint.carried);
    });
  }

  Status loop_fault(int lane) const override {
    if (const Status fault = inner::loop_fault(articulated.embedded, lane); !fault.ok()) return fault;
    for (const auto& parts : articulated.lanes)
      if (const Status fault = parts->loop_fault(); !fault.ok()) return fault;
    if constexpr (may_choose<S>) return inner::loop_fault(articulated.multipliers);
    return {};
  }

  std::size_t bytes() const override { return Base::bytes() + articulated.bytes(); }

  Borders* borders() override { return may_choose<S> ? this : nullptr; }

 protected:
  /// The body at which what a step has put together begins.
  int base_of(int step) const { return this->modules->modules[at(this->modules->steps[at(step)].top_module)].base; }
  /// The body that it hangs from; -1: the ground.
  int parent_of(int step) const { return x.parent(base_of(step)); }

  /// What a step contributes to the body that it hangs from.
  void add_contribution(int step, bool inertia, Pieces& pieces) {
    const std::size_t slot = x.slot(base_of(step));
    if (inertia) add_piece(articulated.P_up, slot, 1, pieces);
    add_piece(articulated.z_up, slot, 1, pieces);
  }
  /// The motion of the body that a step hangs from.
  void add_parent_velocity(int step, Pieces& pieces) {
    add_piece(kinematics.v, at(parent_of(step)), 1, pieces);
    if (x.state.f_ext != nullptr) add_piece(kinematics.R, at(parent_of(step)), 1, pieces);
  }

  /// The passes between positions and inertias: maps and rows of constraints that depend on the state.
  void add_constraints() {
    if (has_loops(model.data())) this->template add<&ArticulatedSpace::embed>(Direction::each);
    if constexpr (may_choose<S>)
      if (!articulated.multipliers.empty()) this->template add<&ArticulatedSpace::constrain>(Direction::each);
  }

  Nodes<S> articulated;

 private:
  void leave_out(int step) override {
    if (x.nodes.nodes_of(step).empty()) return;
    for (const Node& node : x.nodes.nodes_of(step))
      if (node.kind == Node::Kind::embedded)
        leave_out(articulated.embedded[at(node.index)]);
      else if (node.kind == Node::Kind::multipliers)
        articulated.multipliers[at(node.index)].branches = nullptr;
    for (const Segment& segment : x.nodes.segments_of(step))
      for (int i = segment.begin; i < segment.end; ++i) {
        set_identity(articulated.D_of(i), velocity_count(x.type(i)));
        std::erase_if(this->light_, [i](const LightJoint& joint) { return joint.body == i; });
      }
  }
  static void leave_out(EmbeddedNode<S>& node) {
    node.branches = nullptr;
    set_identity(node.D.data(), node.freedoms());
  }
  static void set_identity(S* D, int n) {
    for (int k = 0; k < n; ++k) D[k * n + k] = S(1);
  }

  void embed(int step) { inner::embed(x, kinematics, articulated.embedded, step); }
  void constrain(int step) { inner::constrain(x, kinematics, articulated.multipliers, step); }
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
    this->template add<&ArticulatedSolver::find_kinematics>(Direction::scatter);
    this->add_constraints();
    this->template add<&ArticulatedSolver::articulate>(Direction::gather);
    this->template add<&ArticulatedSolver::accelerate>(Direction::scatter);
  }

 private:
  void to_parent(int, int step, Pieces& pieces) override { this->add_contribution(step, true, pieces); }
  void to_child(int pass, int step, Pieces& pieces) override {
    if (this->template is<&ArticulatedSolver::accelerate>(pass))
      add_piece(articulated.a, at(this->parent_of(step)), 1, pieces);
    else
      this->add_parent_velocity(step, pieces);
  }
  void to_outboard(int, int, Pieces&) override {}  // no joint is cut
  void to_inboard(int, int, Pieces&) override {}
  void find_joint(int) override {}

  void find_kinematics(int step) {
    if (!x.nodes.segments_of(step).empty()) inner::kinematics(x, kinematics, step);  // parts in lanes have their own
  }
  void articulate(int step) { inner::articulate(x, kinematics, articulated, step); }
  void accelerate(int step) { inner::accelerate(x, kinematics, articulated, step); }
};

}  // namespace kinetree::inline inner
