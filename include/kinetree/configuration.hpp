#pragma once
// The configuration space: where a mechanism can stand, the way along velocities, ways between configurations.
//
// Each function is f(model, inputs, result), one configuration per column, double or float. Only neutral and the random
// functions allocate; none throws on a configuration. The caller gives `result` its size; it may be an input itself
// (integrate(model, q, x, q)), but must not overlap an input otherwise. Quaternions of inputs are read as the unit
// quaternions along them; those of results have unit length. Joints are moved one by one: with loops or couplings q and
// x are those of the spanning tree, and the constraints are not kept (see integrate).
//
// The Status is that of the first column that fails: not_finite, not_normalized (a quaternion whose norm differs from 1
// by more than 1e-6, in float 1e-4). That column of the result is NaN, the others have their values. wrong_size and
// shared_memory refuse the call as a whole, and nothing is written.

#include <Eigen/Core>
#include <cstdint>
#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <vector>

namespace kinetree {

namespace boundary {
KINETREE_EXPORT std::vector<double> neutral(const Model& model);
#define KINETREE_CONFIGURATION(T)                                                                                  \
  KINETREE_EXPORT Status integrate(const Model& model, Columns<const T> q, Columns<const T> x, Columns<T> result); \
  KINETREE_EXPORT Status difference(const Model& model, Columns<const T> from, Columns<const T> to,                \
                                    Columns<T> result);                                                            \
  KINETREE_EXPORT Status interpolate(const Model& model, Columns<const T> from, Columns<const T> to, double part,  \
                                     Columns<T> result);                                                           \
  KINETREE_EXPORT Status normalize(const Model& model, Columns<T> q);                                              \
  KINETREE_EXPORT Status random_state(const Model& model, std::uint64_t seed, Columns<T> q, Columns<T> v);
KINETREE_CONFIGURATION(double)
KINETREE_CONFIGURATION(float)
#undef KINETREE_CONFIGURATION
}  // namespace boundary

/// The neutral configuration, nq positions (rad, m; quaternions x y z w): every joint at zero, every quaternion a unit,
/// but where the model says otherwise (`assembled` in YAML); loops and couplings closed from there, as loading found
/// that they can be.
inline Eigen::VectorXd neutral(const Model& model) {
  const std::vector<double> q = boundary::neutral(model);
  return Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
}

/// The configuration (nq) that a motion from q reaches, x = velocity times time (nv): q (+) x. Exact for a velocity
/// that is constant in the conventions of v: spherical and floating joints turn about an axis that stays in the child,
/// the origin of a floating one runs along a helix (the exponential of SE(3)). A model with loops or couplings: where
/// the constraints allow x at q, they are off by the square of x thereafter; Simulation closes them after every step.
template <class Q, class X, class R>
Status integrate(const Model& model, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<X>& x,
                 const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::integrate(model, input<S>(q).columns(), input<S>(x).columns(), output<S>(result));
}

/// The x (nv) that integrate takes from one configuration to another: integrate(from, x) is `to`, but for the sign of a
/// quaternion. Turns of spherical and floating joints go the shorter way round, at most half a turn; angles of other
/// joints are subtracted as they stand, whole turns included.
template <class Q, class P, class R>
Status difference(const Model& model, const Eigen::DenseBase<Q>& from, const Eigen::DenseBase<P>& to,
                  const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::difference(model, input<S>(from).columns(), input<S>(to).columns(), output<S>(result));
}

/// The configurations on the way from one to another at constant velocity: integrate(from, part * difference(from,
/// to)). `part` 0: from; 1: to; others go beyond. Constraints of loops hold at the ends alone, couplings all the way.
template <class Q, class P, class R>
Status interpolate(const Model& model, const Eigen::DenseBase<Q>& from, const Eigen::DenseBase<P>& to, double part,
                   const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::interpolate(model, input<S>(from).columns(), input<S>(to).columns(), part, output<S>(result));
}

/// Brings quaternions of any length to unit length, in place; one that is a unit to rounding keeps its bits. Status:
/// not_finite; not_normalized where one is zero. Such columns stay as they are.
template <class Q>
Status normalize(const Model& model, const Eigen::DenseBase<Q>& q) {
  return boundary::normalize(model, boundary::output<typename Q::Scalar>(q));
}

/// Random positions q and velocities v, a column per state, equal on every machine for a seed. Positions are uniform
/// between their limits; without limits angles in [-pi, pi], displacements in [-0.5, 0.5] m; with one limit in the
/// range of 2 pi or 1 m that it bounds. Orientations are uniform over unit quaternions (Shoemake 1992), velocities in
/// [-1, 1]. Then loops and couplings are closed, and v becomes the nearest velocity that they allow; where no closed
/// configuration is found, the joints that they tie stand as in `neutral`. Status: wrong_size, shared_memory.
template <class Q, class V>
Status random_state(const Model& model, std::uint64_t seed, const Eigen::DenseBase<Q>& q,
                    const Eigen::DenseBase<V>& v) {
  using S = typename Q::Scalar;
  using namespace boundary;
  return boundary::random_state(model, seed, output<S>(q), output<S>(v));
}

/// The positions of such a state.
inline Eigen::VectorXd random_configuration(const Model& model, std::uint64_t seed) {
  Eigen::VectorXd q(model.nq()), v(model.nv());
  (void)random_state(model, seed, q, v);  // of the right sizes
  return q;
}

}  // namespace kinetree
