#pragma once
// Products of the derivatives of inverse and forward dynamics with directions, without the matrices; products with the
// inverse of the mass matrix and with the Delassus operator. All by sweeps over the tree, in work linear in the number
// of bodies for each direction. docs/derivative_products.md has the equations and conventions.
//
// Directions: a matrix with as many columns for each state as it has directions, those of one state side by side; of
// one state with one direction, a vector. Directions of positions are displacements in the coordinates of v: of a
// floating joint a way and a turn in the body's axes, of a ball joint a turn in the body's axes, else dq. A tangent is
// the change of a result along changes of the arguments. A cotangent is the gradient of a number by an argument, given
// that by the result; tangents dx and cotangents x_bar satisfy <y_bar, dy> = <x_bar, dx>.
//
// Status: wrong_size, other_model, shared_memory, no_such_frame, state_dependent_loop and not_finite of a point's
// offset or of the damping refuse the call, and write nothing. not_finite, not_normalized, singular, singular_loop: a
// state failed, and the results of all its directions are NaN. A Workspace allocates as for its other functions, and
// where there are more directions than before.

#include <kinetree/columns.hpp>
#include <kinetree/function.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/model.hpp>
#include <kinetree/no_forces.hpp>
#include <kinetree/status.hpp>
#include <kinetree/workspace.hpp>

namespace kinetree {

/// Tangents of inverse dynamics: dtau = dID/dq dq + dID/dv dv + M da, at positions q, velocities v and accelerations a.
/// With loops or couplings on the spanning tree, as inverse_dynamics is.
template <class Q, class V, class A, class DQ, class DV, class DA, class T>
Status inverse_dynamics_tangent(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                const Eigen::DenseBase<DQ>& dq, const Eigen::DenseBase<DV>& dv,
                                const Eigen::DenseBase<DA>& da, const Eigen::DenseBase<T>& dtau) {
  return inverse_dynamics_tangent(model, workspace, q, v, a, boundary::NoForces<typename T::Scalar>(), dq, dv, da,
                                  dtau);
}

/// The same with external forces, 6 per body, whose axes and points stand in the world: a body that turns feels the
/// same force about its link's origin, from elsewhere.
template <class Q, class V, class A, class F, class DQ, class DV, class DA, class T>
Status inverse_dynamics_tangent(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<DQ>& dq,
                                const Eigen::DenseBase<DV>& dv, const Eigen::DenseBase<DA>& da,
                                const Eigen::DenseBase<T>& dtau) {
  using S = typename T::Scalar;
  using namespace boundary;
  return evaluate(
      Function::inverse_dynamics_tangent, model, workspace,
      ProductArguments<S>{.directions = {input<S>(dq).columns(), input<S>(dv).columns(), input<S>(da).columns()}},
      Arguments<S>{.q = input<S>(q).columns(),
                   .v = input<S>(v).columns(),
                   .a = input<S>(a).columns(),
                   .f_ext = input<S>(f_ext).columns(),
                   .results = {output<S>(dtau)}});
}

/// Cotangents of inverse dynamics, from that of its result: q_bar = (dID/dq)ᵀ tau_bar, v_bar = (dID/dv)ᵀ tau_bar,
/// a_bar = M tau_bar.
template <class Q, class V, class A, class T, class QB, class VB, class AB>
Status inverse_dynamics_cotangent(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                  const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                  const Eigen::DenseBase<T>& tau_bar, const Eigen::DenseBase<QB>& q_bar,
                                  const Eigen::DenseBase<VB>& v_bar, const Eigen::DenseBase<AB>& a_bar) {
  return inverse_dynamics_cotangent(model, workspace, q, v, a, boundary::NoForces<typename AB::Scalar>(), tau_bar,
                                    q_bar, v_bar, a_bar);
}

/// The same with external forces, as the tangent has them.
template <class Q, class V, class A, class F, class T, class QB, class VB, class AB>
Status inverse_dynamics_cotangent(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                  const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                  const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<T>& tau_bar,
                                  const Eigen::DenseBase<QB>& q_bar, const Eigen::DenseBase<VB>& v_bar,
                                  const Eigen::DenseBase<AB>& a_bar) {
  using S = typename AB::Scalar;
  using namespace boundary;
  return evaluate(Function::inverse_dynamics_cotangent, model, workspace,
                  ProductArguments<S>{.directions = {input<S>(tau_bar).columns()}},
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .f_ext = input<S>(f_ext).columns(),
                               .results = {output<S>(q_bar), output<S>(v_bar), output<S>(a_bar)}});
}

/// X = M⁻¹ B: the joint accelerations that forces B (nv rows) add to those of the mechanism at q. B has any number of
/// columns for each state; the inertias are factorized once, by articulated bodies (Jain 2011, Sec. 6.2). With loops or
/// couplings X_S (X_Sᵀ M X_S)⁻¹ X_Sᵀ B, where q is taken as closed.
template <class Q, class B, class X>
Status inverse_mass_product(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                            const Eigen::DenseBase<B>& forces, const Eigen::DenseBase<X>& accelerations) {
  using S = typename X::Scalar;
  using namespace boundary;
  return evaluate(Function::inverse_mass, model, workspace,
                  ProductArguments<S>{.directions = {input<S>(forces).columns()}},
                  Arguments<S>{.q = input<S>(q).columns(), .results = {output<S>(accelerations)}});
}

/// Which rows a point has in the Delassus operator.
enum class PointRows {
  all,     ///< six: moment and angular acceleration, then force and linear acceleration
  linear,  ///< three: force and linear acceleration
};

/// A = (J M⁻¹ Jᵀ + damping) F, the Delassus operator of points on links times forces on these points: the accelerations
/// (m/s², rad/s²) that the forces F (N, Nm) add to those of the points. Rows of F and A: 6 or 3 per point, in the order
/// of `points`, in the given axes; any number of columns for each state. Axes::world: forces act, and accelerations are
/// of the link, at the world's origin. Neither J nor the operator is made; the operator itself is
/// operational_space_compliance (workspace.hpp, in link axes), or this product with the identity. A point that is fixed
/// to the ground has the damping alone. Loops and couplings: as inverse_mass_product.
template <class Q, class F, class A>
Status delassus_product(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const LinkPoints& points, Axes axes, PointRows rows, typename A::Scalar damping,
                        const Eigen::DenseBase<F>& forces, const Eigen::DenseBase<A>& accelerations) {
  using S = typename A::Scalar;
  using namespace boundary;
  return evaluate(
      Function::delassus, model, workspace,
      ProductArguments<S>{
          .directions = {input<S>(forces).columns()}, .linear = rows == PointRows::linear, .damping = damping},
      Arguments<S>{.q = input<S>(q).columns(), .points = points, .axes = axes, .results = {output<S>(accelerations)}});
}

}  // namespace kinetree
