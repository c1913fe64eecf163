#pragma once
// Derivatives of inverse and of forward dynamics, as lists of passes.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/algorithm/derivatives_articulated.hpp"
#include "engine/algorithm/derivatives_pairs.hpp"
#include "engine/algorithm/node/embedded_mass_matrix.hpp"
#include "engine/algorithm/solver/regressor_solver.hpp"
#include "engine/algorithm/solver/solver_space.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/tree.hpp"

namespace kinetree::inline inner {

/// What both begin with.
template <class S>
class DerivativeSolver : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  DerivativeSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules), {}), motion_(*x.model), pairs_(model.nv()) {}

  void expect_external_forces() override { Base::expect_external_forces(), motion_.expect_external_forces(); }
  std::size_t memory() const override { return Base::memory() + bytes_of(motion_, pairs_); }

 protected:
  template <class UseMass>
  void find_pairs(UseMass&& use_mass) {
    derivative_velocities(x, kinematics, motion_);
    derivative_accelerations(x, kinematics, motion_);
    if (x.state.f_ext == nullptr)
      derivative_pairs<false>(x, motion_, pairs_, use_mass);
    else
      derivative_pairs<true>(x, motion_, pairs_, use_mass);
  }
  std::size_t entries() const { return at(model.nv()) * at(model.nv()); }

  Derivatives<S> motion_;
  DerivativePairs<S> pairs_;
};

/// Result: dtau/dq, dtau/dv, each nv x nv column by column. Loops and couplings hold nothing here, as in inverse
/// dynamics.
template <class S>
class InverseDerivativeSolver final : public DerivativeSolver<S> {
 public:
  using Base = DerivativeSolver<S>;
  using Base::model;
  using Base::motion_;
  using Base::pairs_;
  using Base::x;

  InverseDerivativeSolver(Model m, std::shared_ptr<const Modules> modules) : Base(std::move(m), std::move(modules)) {
    this->template add<&InverseDerivativeSolver::place>(Direction::scatter);
    this->template add<&InverseDerivativeSolver::find>(Direction::once);
  }
  std::size_t result_count() const override { return 2 * this->entries(); }

 private:
  void place(int step) { positions(x, this->kinematics, step); }
  void find(int) {
    this->find_pairs([](int, const ColumnGroup&, const S*) {});
    const int nv = model.nv();
    S *q = x.state.result, *v = q + this->entries();
    std::fill_n(q, result_count(), S(0));
    for (int c = 0; c < nv; ++c, q += nv, v += nv)
      for_rows(motion_, pairs_, c, [&](int r, const S& by_q, const S& by_v) { q[r] = by_q, v[r] = by_v; });
  }
};

/// Result: da/dq, da/dv, da/dtau, each nv x nv column by column. For models without aggregates.
template <class S>
class ForwardDerivativeSolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;
  using Kind = ArticulatedDerivatives<S>;

  ForwardDerivativeSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules), {}), motion_(*x.model), articulated_(*x.model, motion_.group.size()) {
    this->template add<&ForwardDerivativeSolver::place>(Direction::scatter);
    this->template add<&ForwardDerivativeSolver::find>(Direction::once);
  }
  void expect_external_forces() override { motion_.expect_external_forces(), articulated_.expect_external_forces(); }
  std::size_t result_count() const override { return 3 * at(model.nv()) * at(model.nv()); }
  int singular_body() const override { return idle_body(0); }
  int idle_body(int lane) const override {
    return this->first_idle([&](int body) {
      for (int v = x.v_index(body); v < x.v_index(body + 1); ++v)
        if (moves_idly(FactorizedInertia<S>{&articulated_.D_inverse[at(v)], 1, lane}, &this->felt_[at(v)])) return true;
      return false;
    });
  }
  std::size_t memory() const override { return Base::memory() + bytes_of(motion_, articulated_); }

 private:
  void place(int step) { positions(x, kinematics, step); }
  void find(int) {
    derivative_velocities(x, kinematics, motion_);
    articulated_accelerations(x, kinematics, motion_, articulated_);
    x.state.f_ext == nullptr ? sweep<false>() : sweep<true>();
    const int n = model.nv();
    S *q = x.state.result, *v = q + n * n, *tau = v + n * n;
    turn_over(articulated_.row(Kind::by_q, 0), articulated_.stride, n, q);
    turn_over(articulated_.row(Kind::by_v, 0), articulated_.stride, n, v);
    for (int r = 0; r < n; ++r) std::copy_n(articulated_.row(Kind::by_tau, r) + r, n - r, tau + r * n + r);
    mirror<true>(tau, n);
  }
  template <bool forced>
  void sweep() {
    articulated_derivative_maps<forced>(x, motion_, articulated_);
    articulated_derivative_forces(x, motion_, articulated_);
    articulated_derivative_accelerations<forced>(x, motion_, articulated_);
  }

  Derivatives<S> motion_;
  ArticulatedDerivatives<S> articulated_;
};

/// The same with linear couplings: a = X_S a_R with X_S the same in every state, so that da/dtau is
/// X_S (X_SᵀM X_S)⁻¹ X_Sᵀ, and da/dq is minus that times dtau/dq; X_SᵀM X_S dense. Displacements and forces are of all
/// joints, also where couplings tie these.
template <class S>
class EmbeddedDerivativeSolver final : public DerivativeSolver<S> {
 public:
  using Base = DerivativeSolver<S>;
  using Base::kinematics;
  using Base::model;
  using Base::motion_;
  using Base::pairs_;
  using Base::x;

  EmbeddedDerivativeSolver(Model m, std::shared_ptr<const Modules> modules)
      : Base(std::move(m), std::move(modules)),
        mass_(*x.model),
        embedded_(x, IndependentCoordinates::models),
        a_(at(model.nv())),
        column_(a_) {
    this->template add<&EmbeddedDerivativeSolver::place>(Direction::scatter);
    this->template add<&EmbeddedDerivativeSolver::embed>(Direction::each);
    this->template add<&EmbeddedDerivativeSolver::find>(Direction::once);
  }
  std::size_t result_count() const override { return 3 * this->entries(); }
  int singular_body() const override { return idle_body(0); }
  int idle_body(int lane) const override { return embedded_.idle_body(model.data(), !this->light_.empty(), lane); }
  Status loop_fault(int lane) const override { return inner::loop_fault(embedded_.nodes, lane); }
  std::size_t memory() const override { return Base::memory() + bytes_of(mass_, embedded_, a_, column_); }

 private:
  void place(int step) { inner::kinematics(x, kinematics, step); }
  void embed(int step) { inner::embed(x, kinematics, embedded_.nodes, step); }
  void find(int) {
    const int n = model.nv();
    x.state.a = a_.data();
    std::fill(a_.begin(), a_.end(), S(0));
    this->find_pairs([this](int v, const ColumnGroup& g, const S* row) {
      const int k = mass_.before[at(g.body)] + v - x.v_index(g.body);
      for (int c = v; c < g.subtree_end; ++c) mass_.at_row(c)[k] = row[c];
      if (!x.rotors.empty()) mass_.at_row(v)[k] += x.rotors[at(v)];
    });
    embedded_.find(x, mass_);
    embedded_.factor();
    for (const ColumnGroup& g : motion_.group)  // after the gather f is what accelerations of zero ask for
      for (int v = g.begin; v < g.end; ++v)
        column_[at(v)] = x.state.tau[v] - dot(motion_.s[at(v)], motion_.f[at(g.body)]);
    accelerations(a_.data());
    this->find_pairs([](int, const ColumnGroup&, const S*) {});
    S *q = x.state.result, *v = q + this->entries(), *tau = v + this->entries();
    for (int c = 0; c < n; ++c, q += n, v += n, tau += n) {
      std::fill_n(column_.data(), n, S(0));
      column_[at(c)] = S(1);
      accelerations(tau);
      std::fill_n(column_.data(), n, S(0));
      for_rows(motion_, pairs_, c, [&](int r, const S& by_q, const S&) { column_[at(r)] = -by_q; });
      accelerations(q);
      std::fill_n(column_.data(), n, S(0));
      for_rows(motion_, pairs_, c, [&](int r, const S&, const S& by_v) { column_[at(r)] = -by_v; });
      accelerations(v);
    }
  }
  /// What the joint forces in column_ do.
  void accelerations(S* a) { embedded_.accelerations(column_.data(), nullptr, a); }

  MassMatrix<S> mass_;
  EmbeddedMassMatrix<S> embedded_;
  std::vector<S> a_, column_;  ///< over velocities
};

template <class S>
std::unique_ptr<Solver<S>> make_derivative_solver(const Model& model, const Method& method,
                                                  std::shared_ptr<const Modules> modules) {
  if (is_of_parameters(method.function))
    return std::make_unique<RegressorSolver<S>>(model, std::move(modules), method.function);
  if (method.function == Function::inverse_dynamics_derivatives)
    return std::make_unique<InverseDerivativeSolver<S>>(model, std::move(modules));
  if (has_aggregates(model.data())) return std::make_unique<EmbeddedDerivativeSolver<S>>(model, std::move(modules));
  return std::make_unique<ForwardDerivativeSolver<S>>(model, std::move(modules));
}

}  // namespace kinetree::inline inner
