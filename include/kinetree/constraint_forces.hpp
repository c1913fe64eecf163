#pragma once
// Forces that hold a mechanism together: of loops, of couplings, and what joints transmit, from a state and its
// accelerations. States are columns, double or float; numbers are worked on in double. One column after the other goes
// on the calling thread; nothing is allocated after the first call.

#include <Eigen/Core>
#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/model.hpp>
#include <kinetree/no_forces.hpp>
#include <kinetree/status.hpp>
#include <kinetree/workspace.hpp>
#include <span>

namespace kinetree {

namespace boundary {

/// What is asked: a column per state; tau and f_ext may be empty. Results that are empty are not wanted.
template <class T>
struct ForcesAsked {
  Columns<const T> q, v, a, tau{}, f_ext{};
  Axes axes = Axes::link;
  Columns<T> loops{}, couplings{}, joints{};
  std::span<const int> motors{};
};

KINETREE_EXPORT Status constraint_forces(const Model& model, Workspace& workspace, const ForcesAsked<double>& asked);
KINETREE_EXPORT Status constraint_forces(const Model& model, Workspace& workspace, const ForcesAsked<float>& asked);

}  // namespace boundary

// Each function below takes positions q, velocities v and accelerations a as ForwardDynamics gives them (nv), joint
// forces tau (nv) with which a was found, passive forces of joints among them, and f_ext (6 per body, or empty) as
// ForwardDynamics::solve has them. tau may be empty (Eigen::VectorXd()): then it is what motors need for a, and the
// other tied joints have none. `motors`, last in every function, names them for this call as entries of v
// (velocities_of in closing.hpp), as many in every aggregate of tied joints as it has freedoms; where none is named in
// an aggregate the model's independent joints are the motors. By embedding and by multipliers the forces are the same,
// since a is.
//
// Constraint forces λ are those of M a + h = tau + Kᵀ λ (Featherstone 2008, Eq. 8.4). Where rows are redundant they
// leave λ open; the least is taken: Σ |f|² + |n|² / L² over loops, f the force (N) and n the moment (Nm) at the loop's
// first frame, L the longest way in the model between neighbouring joints or to the end of a loop; couplings count by
// the forces at the joints that they tie, moments over L likewise. Where a is not what tau and constraint forces make,
// the nearest λ is given. Status: wrong_size (also of `motors`, `value` of them in an aggregate with `expected`
// freedoms), no_such_column (an entry of `motors` that v has not), other_model, shared_memory; with NaN in that column
// not_finite, not_normalized and singular_loop (constraints have another rank than on any branch, or motors do not
// determine the motion, so that forces are not determined).

/// What loops transmit: 12 rows a loop, in the model's order of loops; the wrench on the first body at the loop's first
/// frame, then that on the second body at the second frame, each moment (Nm) before force (N). They are opposite, but
/// for the way between the frames' origins. Axes::link: axes of the body's own link (of the ground the world's), about
/// the frame's origin; Axes::world_aligned: world axes, about the frame's origin; Axes::world: world axes, about the
/// world's origin, where the two sum to zero.
template <class Q, class V, class A, class T, class R>
Status loop_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
                   const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau, Axes axes,
                   const Eigen::DenseBase<R>& result, std::span<const int> motors = {}) {
  return loop_forces(model, workspace, q, v, a, tau, boundary::NoForces<typename R::Scalar>(), axes, result, motors);
}
/// The same under external forces.
template <class Q, class V, class A, class T, class F, class R>
Status loop_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
                   const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau, const Eigen::DenseBase<F>& f_ext,
                   Axes axes, const Eigen::DenseBase<R>& result, std::span<const int> motors = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::constraint_forces(model, workspace,
                                     ForcesAsked<S>{.q = input<S>(q).columns(),
                                                    .v = input<S>(v).columns(),
                                                    .a = input<S>(a).columns(),
                                                    .tau = input<S>(tau).columns(),
                                                    .f_ext = input<S>(f_ext).columns(),
                                                    .axes = axes,
                                                    .loops = output<S>(result),
                                                    .motors = motors});
}

/// Multipliers of couplings, a row each, in the model's order: coupling Σ c q = offset acts on each of its joints with
/// c times its multiplier (of a polynomial its slope times it).
template <class Q, class V, class A, class T, class R>
Status coupling_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                       const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau,
                       const Eigen::DenseBase<R>& result, std::span<const int> motors = {}) {
  return coupling_forces(model, workspace, q, v, a, tau, boundary::NoForces<typename R::Scalar>(), result, motors);
}
/// The same under external forces.
template <class Q, class V, class A, class T, class F, class R>
Status coupling_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                       const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau,
                       const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<R>& result,
                       std::span<const int> motors = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::constraint_forces(model, workspace,
                                     ForcesAsked<S>{.q = input<S>(q).columns(),
                                                    .v = input<S>(v).columns(),
                                                    .a = input<S>(a).columns(),
                                                    .tau = input<S>(tau).columns(),
                                                    .f_ext = input<S>(f_ext).columns(),
                                                    .couplings = output<S>(result),
                                                    .motors = motors});
}

/// What joints transmit, as a force sensor in the joint reads it: 6 rows a body (moment in Nm, then force in N), the
/// wrench that the joint which carries the body exerts on it, all of it: along the joint's axes too, where it is
/// tau - armature a + the joint's share of couplings. Axes::link: axes of the body's own link, about that link's
/// origin; Axes::world_aligned: world axes, about that origin; Axes::world: world axes, about the world's origin. Trees
/// have it too. A fixed joint is none of these: what stands on its two sides is one body.
template <class Q, class V, class A, class T, class R>
Status joint_reactions(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                       const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau,
                       Axes axes, const Eigen::DenseBase<R>& result, std::span<const int> motors = {}) {
  return joint_reactions(model, workspace, q, v, a, tau, boundary::NoForces<typename R::Scalar>(), axes, result,
                         motors);
}
/// The same under external forces.
template <class Q, class V, class A, class T, class F, class R>
Status joint_reactions(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                       const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau,
                       const Eigen::DenseBase<F>& f_ext, Axes axes, const Eigen::DenseBase<R>& result,
                       std::span<const int> motors = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::constraint_forces(model, workspace,
                                     ForcesAsked<S>{.q = input<S>(q).columns(),
                                                    .v = input<S>(v).columns(),
                                                    .a = input<S>(a).columns(),
                                                    .tau = input<S>(tau).columns(),
                                                    .f_ext = input<S>(f_ext).columns(),
                                                    .axes = axes,
                                                    .joints = output<S>(result),
                                                    .motors = motors});
}

}  // namespace kinetree
