#pragma once
// Forces on links and passive forces of joints, added up for ForwardDynamics::solve. Statuses and memory as the
// functions of kinematics.hpp have them: wrong_size, shared_memory, no_such_frame, and not_finite of a point's offset
// refuse the call; a quaternion in q that is no unit (not_normalized), or another number that is not finite
// (not_finite), makes that column of the result NaN. What stands in the result before is not looked at: solve does.

#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/workspace.hpp>

namespace kinetree {

namespace boundary {
// The compiled functions behind the adapters below.
KINETREE_EXPORT Status add_forces(const Model& model, Workspace& workspace, Columns<const double> q,
                                  const LinkPoints& points, Axes axes, Columns<const double> forces,
                                  Columns<double> f_ext);
KINETREE_EXPORT Status add_forces(const Model& model, Workspace& workspace, Columns<const float> q,
                                  const LinkPoints& points, Axes axes, Columns<const float> forces,
                                  Columns<float> f_ext);
KINETREE_EXPORT Status add_forces(const Model& model, const LinkPoints& points, Columns<const double> poses,
                                  Columns<const double> forces, Columns<double> f_ext);
KINETREE_EXPORT Status add_forces(const Model& model, const LinkPoints& points, Columns<const float> poses,
                                  Columns<const float> forces, Columns<float> f_ext);
KINETREE_EXPORT Status add_passive_forces(const Model& model, Columns<const double> q, Columns<const double> v,
                                          Columns<double> tau, double slow);
KINETREE_EXPORT Status add_passive_forces(const Model& model, Columns<const float> q, Columns<const float> v,
                                          Columns<float> tau, double slow);
}  // namespace boundary

/// Adds forces on links to f_ext, which has the layout that solve and inverse_dynamics take: 6 rows a body, a column a
/// state; what stands there stays, so set it to zero before the first call. `points` are links (frame_index) or
/// LinkPoints; a point may occur several times. `forces`: 6 rows per point, one point below the other, a column per
/// state: the moment (Nm), then the force (N). `axes` has the meaning that it has for the Jacobians J of these points
/// (kinematics.hpp), so the equivalent joint forces are tau = Jᵀ forces:
///   Axes::link           the link's axes; the force acts at the point, the moment is about it
///   Axes::world_aligned  the world's axes; the force acts at the point, the moment is about it
///   Axes::world          the world's axes; the moment is about the world's origin, and offsets of points don't count
/// A force on a link that is fixed to the ground does nothing.
template <class Q, class F, class R>
Status add_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const LinkPoints& points,
                  Axes axes, const Eigen::DenseBase<F>& forces, const Eigen::DenseBase<R>& f_ext) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::add_forces(model, workspace, input<S>(q).columns(), points, axes, input<S>(forces).columns(),
                              output<S>(f_ext));
}

/// The same with Axes::world_aligned at points whose `poses` are known, 12 rows each as `poses` and `point_kinematics`
/// of kinematics.hpp give them: no pass over the tree, and nothing is allocated. A column of poses that is NaN makes
/// that of f_ext NaN (not_finite).
template <class P, class F, class R>
Status add_forces(const Model& model, const LinkPoints& points, const Eigen::DenseBase<P>& poses,
                  const Eigen::DenseBase<F>& forces, const Eigen::DenseBase<R>& f_ext) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::add_forces(model, points, input<S>(poses).columns(), input<S>(forces).columns(), output<S>(f_ext));
}

/// Adds the passive forces of the model's joints (Model::damping and its neighbours) to tau (nv, a column a state):
///   tau -= damping v + friction sign(v) + stiffness x,
/// x the displacement from where the spring is at rest; of quaternions the turn from there in the child's axes, the
/// shorter way round; of a floating joint's origin its way in the child's axes. A joint at rest has no friction: a
/// mechanism slides under the least force, since a force alone cannot hold. Where `slow` (rad/s, m/s) is above 0 the
/// law has tanh(v / slow) instead of sign(v), so that integrators meet no jump. The function allocates nothing. tau
/// must share no memory with q or v.
template <class Q, class V, class R>
Status add_passive_forces(const Model& model, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
                          const Eigen::DenseBase<R>& tau, double slow = 0) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::add_passive_forces(model, input<S>(q).columns(), input<S>(v).columns(), output<S>(tau), slow);
}

}  // namespace kinetree
