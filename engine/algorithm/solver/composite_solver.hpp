#pragma once
// Composite bodies: bias forces by inverse dynamics, the mass matrix, and its factorization, sparse or dense.

#include "engine/algorithm/inverse_dynamics.hpp"
#include "engine/algorithm/node/embedded_mass_matrix.hpp"
#include "engine/algorithm/solver/solver_space.hpp"
#include "engine/model/tree.hpp"

namespace kinetree::inline inner {

/// What composite bodies need before a factorization. Result: on leaving, tau less the bias forces.
template <class S>
class CompositeSolver : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  CompositeSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules), {}),
        inverse_(model.data()),
        composite_(model.data()),
        mass_(model.data()),
        force_(at(model.nv())) {}

  int singular_body() const override { return this->idle_body(0); }
  std::size_t memory() const override { return Base::memory() + bytes_of(inverse_, composite_, mass_, force_); }

 protected:
  void find_kinematics(int step) {
    inner::kinematics(x, kinematics, step);
    root_arms(x, kinematics, mass_, step);
  }
  void accelerate(int step) { accelerations(x, kinematics, inverse_, step); }
  void scatter(int step) { find_kinematics(step), accelerate(step); }
  void gather(int step) {
    joint_forces(x, kinematics, inverse_, force_.data(), step);
    composite_inertias(x, kinematics, composite_, step);
  }
  void find_rows(int step) {
    mass_rows(x, kinematics, composite_, mass_, step);
    outwards(this->modules(), x.module_of_step(step), [&](int i) {
      for (int r = x.v_index(i); r < x.v_index(i + 1); ++r) x.state.result[r] = x.state.tau[r] - force_[at(r)];
    });
  }

  /// The body of the first light joint that moves where nothing resists; -1: none. pivot(v, i, k): of velocity v, the
  /// k-th of body i's joint.
  template <class Pivot>
  int idle_pivot(int lane, Pivot&& pivot) const {
    return this->first_idle([&](int body) {
      const int v = x.v_index(body), n = velocity_count(x.type(body));
      for (int k = 0; k < n; ++k)
        if (moves_idly(FactorizedInertia<S>{pivot(v + k, body, k), 1, lane}, &this->felt_[at(v + k)])) return true;
      return false;
    });
  }

  InverseDynamics<S> inverse_;
  CompositeBody<S> composite_;
  MassMatrix<S> mass_;
  std::vector<S> force_;  ///< over velocities: bias forces
};

/// Of a model without aggregates, by its branch-induced sparsity (Featherstone 2005).
template <class S>
class SparseCompositeSolver final : public CompositeSolver<S> {
 public:
  using Base = CompositeSolver<S>;
  using Base::mass_;
  using Base::x;

  SparseCompositeSolver(Model m, std::shared_ptr<const Modules> modules) : Base(std::move(m), std::move(modules)) {
    this->template add<&SparseCompositeSolver::scatter>(Direction::scatter);
    this->template add<&SparseCompositeSolver::gather>(Direction::gather);
    this->template add<&SparseCompositeSolver::find_rows>(Direction::each);
    this->template add<&SparseCompositeSolver::factor>(Direction::gather);
    this->template add<&SparseCompositeSolver::substitute>(Direction::scatter);
  }

  int idle_body(int lane) const override {
    return this->idle_pivot(
        lane, [&](int v, int body, int k) -> const S* { return mass_.at_row(v) + mass_.before[at(body)] + k; });
  }

 private:
  void factor(int step) {
    sparse_factor(x, mass_, step);
    sparse_backward(x, mass_, x.state.result, step);
  }
  void substitute(int step) { sparse_forward(x, mass_, x.state.result, step); }
};

/// Of a model without aggregates, as a dense matrix.
template <class S>
class DenseCompositeSolver final : public CompositeSolver<S> {
 public:
  using Base = CompositeSolver<S>;
  using Base::model;
  using Base::x;

  DenseCompositeSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules)), dense_(at(model.nv()) * at(model.nv())) {
    this->template add<&DenseCompositeSolver::scatter>(Direction::scatter);
    this->template add<&DenseCompositeSolver::gather>(Direction::gather);
    this->template add<&DenseCompositeSolver::find_rows>(Direction::each);
    this->template add<&DenseCompositeSolver::solve>(Direction::once);
  }

  int idle_body(int lane) const override {
    if (this->light_.empty()) return -1;
    // base first, a pivot beyond the joint's own is the one that vanishes
    if (const int v = idle_coordinate(FactorizedInertia<S>{dense_.data(), model.nv(), lane}); v >= 0)
      return body_of_velocity(model.data(), v);
    return this->idle_pivot(lane, [&](int v, int, int) -> const S* { return &dense_[at(v) * (at(model.nv()) + 1)]; });
  }
  std::size_t memory() const override { return Base::memory() + bytes_of(dense_); }

 private:
  void solve(int) {
    dense_mass_matrix(x, this->mass_, dense_.data());
    ldl_factor(dense_.data(), model.nv());
    ldl_solve(dense_.data(), model.nv(), x.state.result);
  }

  std::vector<S> dense_;
};

/// Of a model with aggregates: accelerations start from a_S = g, the system is that of the independent velocities, and
/// dense.
template <class S>
class EmbeddedCompositeSolver final : public CompositeSolver<S> {
 public:
  using Base = CompositeSolver<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  EmbeddedCompositeSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules)), embedded_(x, IndependentCoordinates::users), drift_(at(model.nv())) {
    if (!may_choose<S> && has_loops(model.data()))
      throw std::logic_error("composite bodies with loops ask for kernels that take one state at a time");
    this->template add<&EmbeddedCompositeSolver::find_kinematics>(Direction::scatter);
    this->template add<&EmbeddedCompositeSolver::embed>(Direction::each);
    this->template add<&EmbeddedCompositeSolver::accelerate>(Direction::scatter);
    this->template add<&EmbeddedCompositeSolver::gather>(Direction::gather);
    this->template add<&EmbeddedCompositeSolver::find_rows>(Direction::each);
    this->template add<&EmbeddedCompositeSolver::solve>(Direction::once);
  }

  void set(const State<S>& state) override {
    Base::set(state);
    x.state.a = drift_.data();
  }

  int idle_body(int lane) const override { return embedded_.idle_body(model.data(), !this->light_.empty(), lane); }
  Status loop_fault(int lane) const override { return inner::loop_fault(embedded_.nodes, lane); }
  std::size_t memory() const override { return Base::memory() + bytes_of(embedded_, drift_); }

 private:
  void embed(int step) {
    inner::embed(x, kinematics, embedded_.nodes, step);
    nodes_outwards(x, step, [&](const Node& of) {
      if (of.kind != Node::Kind::embedded) return;
      const EmbeddedNode<S>& node = embedded_.nodes[at(of.index)];
      for (std::size_t c = 0; c < node.velocity.size(); ++c) drift_[at(node.velocity[c])] = node.map.g[c];
    });
  }
  void solve(int) {
    embedded_.find(x, this->mass_);
    embedded_.factor();
    embedded_.accelerations(x.state.result, drift_.data(), x.state.result);
  }

  EmbeddedMassMatrix<S> embedded_;
  std::vector<S> drift_;  ///< over velocities: g of those in aggregates, else 0
};

}  // namespace kinetree::inline inner
