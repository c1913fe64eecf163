#pragma once
// Where points on links are, how they move, and how velocities of joints move them; momentum. Each function is
// f(model, workspace, inputs, points, ..., outputs), one state a column, double or float; `points` are links
// (frame_index) or LinkPoints. Results have their size already. Nothing is written on wrong_size, shared_memory (with
// an input), no_such_frame (no such link), or not_finite of a point's offset. A column with a quaternion that is no
// unit (not_normalized) or with another number that is not finite (not_finite) is NaN. Memory: as Workspace says.

#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/function.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/workspace.hpp>
#include <vector>

namespace kinetree {

/// Poses of points, 12 rows each and a column a state: the 3 x 4 matrix [R p] column by column, R (link to world axes)
/// and p (m, the point in world axes).
template <class Q, class R>
Status poses(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const LinkPoints& points,
             const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::poses, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .points = points, .results = {output<S>(result)}});
}

/// Poses (12 rows a point, as above), velocities and accelerations (6 rows a point, angular part first: rad/s, m/s;
/// rad/s², m/s²) in one pass, from positions q, velocities v and accelerations a (nv, as forward dynamics gives them).
/// The accelerations are the rates of the six numbers of the velocity in the same axes: with Axes::link and Axes::world
/// spatial accelerations, with Axes::world_aligned the acceleration that a point has. Gravity is not in them: an
/// accelerometer shows Rᵀ (linear part - gravity), world aligned.
template <class Q, class V, class A, class P, class W, class B>
Status point_kinematics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const LinkPoints& points, Axes axes,
                        const Eigen::DenseBase<P>& poses, const Eigen::DenseBase<W>& velocities,
                        const Eigen::DenseBase<B>& accelerations) {
  using S = typename P::Scalar;
  using namespace boundary;
  const bool wanted = accelerations.rows() > 0 || accelerations.cols() > 0;
  return evaluate(wanted ? Function::point_kinematics : Function::point_velocities, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .points = points,
                               .axes = axes,
                               .results = {output<S>(poses), output<S>(velocities), output<S>(accelerations)}});
}

/// Poses and velocities alone: what contacts of points ask for.
template <class Q, class V, class P, class W>
Status point_kinematics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const Eigen::DenseBase<V>& v, const LinkPoints& points, Axes axes,
                        const Eigen::DenseBase<P>& poses, const Eigen::DenseBase<W>& velocities) {
  using S = typename P::Scalar;
  using namespace boundary;
  return evaluate(Function::point_velocities, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .points = points,
                               .axes = axes,
                               .results = {output<S>(poses), output<S>(velocities)}});
}

/// Jacobians J of points: velocity = J v in the axes asked for, 6 rows per point (angular part first), one point below
/// the other. Columns: nv, as v has them; with Coordinates::independent those of independent_velocities, J X_S (Jain
/// 2012 II, Eq. 28). Jacobians of several states stand side by side: result.middleCols(c * n, n) is that of column c of
/// q. With Coordinates::independent also singular_loop (these velocities do not determine the others at q) and
/// other_branch (q is on a branch with another number of degrees of freedom than `assembled`): that Jacobian is NaN.
template <class Q, class R>
Status jacobians(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const LinkPoints& points,
                 Axes axes, const Eigen::DenseBase<R>& result, Coordinates coordinates = Coordinates::spanning) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::jacobians, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .points = points,
                               .axes = axes,
                               .coordinates = coordinates,
                               .results = {output<S>(result)}});
}

/// The columns of sparse_jacobians.
struct PathVelocities {
  std::vector<int> velocity;  ///< over columns: the entry of v, and the column of `jacobians`, that each belongs to
  std::vector<int> begin;     ///< over points, and one more: point k has the columns [begin[k], begin[k + 1])
};
/// Which velocities move each point: those of the joints between the ground and its link, ascending, point after point.
/// A link that is fixed to the ground has none. Throws std::invalid_argument for a link that there is not.
/// Allocates: to be called once, since states do not matter.
KINETREE_EXPORT PathVelocities path_velocities(const Model& model, const LinkPoints& points);

/// Jacobians of points without the columns that are zero throughout: 6 rows, angular part first, and the columns that
/// path_velocities lists, with the bits of `jacobians` in spanning coordinates: column begin[k] + j is column
/// velocity[begin[k] + j] of point k's six rows. Those of several states stand side by side: result.middleCols(c * n,
/// n) is that of column c of q, n = velocity.size(). Those of all links of a humanoid have a third of the numbers.
template <class Q, class R>
Status sparse_jacobians(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const LinkPoints& points, Axes axes, const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(
      Function::sparse_jacobians, model, workspace,
      Arguments<S>{.q = input<S>(q).columns(), .points = points, .axes = axes, .results = {output<S>(result)}});
}

/// J̇ v of points, 6 rows each, a column per state. J a + J̇ v is the time derivative of the six numbers J v, as are
/// the accelerations of point_kinematics: with Axes::world_aligned the acceleration of the point; with Axes::link its
/// linear part is that acceleration less ω × v, in the link's axes; with Axes::world it is the spatial acceleration at
/// the world's origin. With Coordinates::independent J X_S a_R plus this result is that derivative (a_R: independent
/// accelerations). Status also: singular_loop, other_branch as of jacobians.
template <class Q, class V, class R>
Status jacobian_rates(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                      const Eigen::DenseBase<V>& v, const LinkPoints& points, Axes axes,
                      const Eigen::DenseBase<R>& result, Coordinates coordinates = Coordinates::spanning) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::jacobian_rates, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .points = points,
                               .axes = axes,
                               .coordinates = coordinates,
                               .results = {output<S>(result)}});
}

/// Centre of mass of the moving bodies and its velocity (m, m/s), then their momentum about it, moment first (kg m²/s,
/// kg m/s; Orin, Goswami & Lee 2013): 12 rows, world axes, a column a state. Rotors (armature) have none here.
template <class Q, class V, class R>
Status momentum(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
                const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::momentum, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .v = input<S>(v).columns(), .results = {output<S>(result)}});
}

/// The matrix A of 6 rows and nv columns with A v the momentum about the centre of mass; those of several states side
/// by side. Its last three rows, over the mass, are the Jacobian of the centre of mass.
template <class Q, class R>
Status momentum_matrix(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                       const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::momentum_matrix, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .results = {output<S>(result)}});
}

}  // namespace kinetree
