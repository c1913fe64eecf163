#pragma once
// Derivatives of inverse and of forward dynamics as matrices, nv x nv. A column is the derivative along one coordinate
// of v: by q a displacement in the coordinates of v (as `integrate` takes them: of a floating base in its own axes, of
// a quaternion a turn on its right), with the numbers of v and tau (or a) fixed; by v and tau their entries. docs/
// derivatives.md says it in formulas and converts to other libraries. f_ext is fixed in world axes and acts at the
// origins of links, which move. Springs, damping and friction of joints are in none of this.

#include <kinetree/columns.hpp>
#include <kinetree/function.hpp>
#include <kinetree/no_forces.hpp>
#include <kinetree/workspace.hpp>

namespace kinetree {

/// dtau/dq and dtau/dv of inverse dynamics at positions q, velocities v and accelerations a (Carpentier & Mansard 2018;
/// Singh, Russell & Wensing 2022), nv x nv; dtau/da is the mass matrix. Loops and couplings hold nothing, as in
/// inverse_dynamics. Matrices of several states stand side by side: those of column c of q are
/// dtau_dq.middleCols(c * nv, nv). Status: wrong_size, other_model, shared_memory.
template <class Q, class V, class A, class DQ, class DV>
Status inverse_dynamics_derivatives(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                    const Eigen::DenseBase<DQ>& dtau_dq, const Eigen::DenseBase<DV>& dtau_dv) {
  return inverse_dynamics_derivatives(model, workspace, q, v, a, boundary::NoForces<typename DQ::Scalar>(), dtau_dq,
                                      dtau_dv);
}

/// The same with external forces, 6 per body: world axes, moment about the body frame's origin first.
template <class Q, class V, class A, class F, class DQ, class DV>
Status inverse_dynamics_derivatives(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                    const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<DQ>& dtau_dq,
                                    const Eigen::DenseBase<DV>& dtau_dv) {
  using S = typename DQ::Scalar;
  using namespace boundary;
  return evaluate(Function::inverse_dynamics_derivatives, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .f_ext = input<S>(f_ext).columns(),
                               .results = {output<S>(dtau_dq), output<S>(dtau_dv)}});
}

/// da/dq, da/dv and da/dtau of the accelerations that forward dynamics finds of q, v and tau, nv x nv; da/dtau is the
/// inverse of the mass matrix, with linear couplings X_S (X_Sᵀ M X_S)⁻¹ X_Sᵀ. By articulated bodies, column beside
/// column: no joint forces are put together, so that long chains keep their digits. The forward dynamics of the state
/// is part of it; no solve need go before. Matrices of several states stand side by side: those of column c of q are
/// da_dq.middleCols(c * nv, nv). Status: wrong_size, other_model, shared_memory, and state_dependent_loop (of a model
/// with loops or curved couplings) refuse the whole call and write nothing; singular makes that state's matrices NaN.
template <class Q, class V, class T, class DQ, class DV, class DT>
Status forward_dynamics_derivatives(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
                                    const Eigen::DenseBase<DQ>& da_dq, const Eigen::DenseBase<DV>& da_dv,
                                    const Eigen::DenseBase<DT>& da_dtau) {
  return forward_dynamics_derivatives(model, workspace, q, v, tau, boundary::NoForces<typename DQ::Scalar>(), da_dq,
                                      da_dv, da_dtau);
}

/// The same with external forces, 6 per body: world axes, moment about the body frame's origin first.
template <class Q, class V, class T, class F, class DQ, class DV, class DT>
Status forward_dynamics_derivatives(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
                                    const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<DQ>& da_dq,
                                    const Eigen::DenseBase<DV>& da_dv, const Eigen::DenseBase<DT>& da_dtau) {
  using S = typename DQ::Scalar;
  using namespace boundary;
  return evaluate(Function::forward_dynamics_derivatives, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .tau = input<S>(tau).columns(),
                               .f_ext = input<S>(f_ext).columns(),
                               .results = {output<S>(da_dq), output<S>(da_dv), output<S>(da_dtau)}});
}

}  // namespace kinetree
