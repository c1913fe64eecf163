#pragma once
// Independent coordinates of models with loops and couplings: v = X_S v_R, a = X_S a_R + Ẋ_S v_R, tau_R = X_Sᵀ tau
// (Jain 2012 II, Sec. 8 and 9), and dynamics in them: M_R a_R + h_R = tau_R. Without loops and couplings X_S is the
// identity.
//
// `independent`, last in every function, names the independent coordinates of this call as entries of v
// (velocities_of in closing.hpp): as many in every aggregate of tied joints as it has freedoms, or none, and then the
// model's stand (independent_velocities). Joints that nothing ties are independent whether named or not. Rows of v_R,
// a_R and tau_R are those coordinates in the order of v.
//
// States are columns, double or float; X_S is worked on in double. Nothing is allocated after the first call. Status:
// wrong_size (also of `independent`, `value` coordinates in an aggregate with `expected` freedoms), no_such_column (an
// entry of `independent` that v has not), other_model and shared_memory refuse the call; not_finite, not_normalized,
// singular_loop (these coordinates do not determine the others at q) and other_branch make that column NaN.

#include <Eigen/Core>
#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <kinetree/workspace.hpp>
#include <span>

namespace kinetree {

namespace boundary {

/// What is computed by X_S.
enum class OfIndependent {
  forces,         ///< X_Sᵀ x
  velocities,     ///< X_S x
  accelerations,  ///< X_S x + Ẋ_S v_R
  matrix,         ///< X_S
  mass_matrix,    ///< X_Sᵀ M X_S
  inverse_dynamics,
  bias_forces,
  gravity_forces,
  coriolis_forces
};

/// Arguments of a call; those that a function does not read stay empty. x: what X_S is applied to.
template <class T>
struct IndependentAsked {
  Columns<const T> q, v{}, x{}, f_ext{};
  Columns<T> result;
  std::span<const int> independent;
};

KINETREE_EXPORT Status evaluate(OfIndependent function, const Model& model, Workspace& workspace,
                                const IndependentAsked<double>& asked);
KINETREE_EXPORT Status evaluate(OfIndependent function, const Model& model, Workspace& workspace,
                                const IndependentAsked<float>& asked);

}  // namespace boundary

/// Forces on the independent coordinates that do the same as joint forces tau (nv): X_Sᵀ tau.
template <class Q, class X, class R>
Status independent_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                          const Eigen::DenseBase<X>& tau, const Eigen::DenseBase<R>& result,
                          std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::forces, model, workspace,
                  IndependentAsked<S>{.q = input<S>(q).columns(),
                                      .x = input<S>(tau).columns(),
                                      .result = output<S>(result),
                                      .independent = independent});
}

/// Velocities of all joints (nv) from independent ones: X_S v_R.
template <class Q, class X, class R>
Status spanning_velocities(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                           const Eigen::DenseBase<X>& v_R, const Eigen::DenseBase<R>& result,
                           std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::velocities, model, workspace,
                  IndependentAsked<S>{.q = input<S>(q).columns(),
                                      .x = input<S>(v_R).columns(),
                                      .result = output<S>(result),
                                      .independent = independent});
}

/// Accelerations of all joints (nv) from independent ones, in a state of velocities v (nv, allowed): X_S a_R + Ẋ_S v_R.
/// With a_R zero the product Ẋ_S v_R of the rate of X_S.
template <class Q, class V, class X, class R>
Status spanning_accelerations(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                              const Eigen::DenseBase<V>& v, const Eigen::DenseBase<X>& a_R,
                              const Eigen::DenseBase<R>& result, std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::accelerations, model, workspace,
                  IndependentAsked<S>{.q = input<S>(q).columns(),
                                      .v = input<S>(v).columns(),
                                      .x = input<S>(a_R).columns(),
                                      .result = output<S>(result),
                                      .independent = independent});
}

/// X_S itself, nv rows and a column per independent coordinate; those of several states stand side by side.
template <class Q, class R>
Status spanning_matrix(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                       const Eigen::DenseBase<R>& result, std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(
      OfIndependent::matrix, model, workspace,
      IndependentAsked<S>{.q = input<S>(q).columns(), .result = output<S>(result), .independent = independent});
}

/// M_R = X_Sᵀ M X_S, a square matrix per state; those of several states stand side by side. In the model's own
/// independent coordinates mass_matrix (workspace.hpp) gives the same, in lanes and on threads.
template <class Q, class R>
Status independent_mass_matrix(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                               const Eigen::DenseBase<R>& result, std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::mass_matrix, model, workspace,
                  IndependentAsked<S>{
                      .q = input<S>(q).columns(), .result = symmetric_output<S>(result), .independent = independent});
}

/// Forces on the independent coordinates that make accelerations a (nv, allowed) at velocities v (nv, allowed).
template <class Q, class V, class A, class R>
Status independent_inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                    const Eigen::DenseBase<R>& result, std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::inverse_dynamics, model, workspace,
                  IndependentAsked<S>{.q = input<S>(q).columns(),
                                      .v = input<S>(v).columns(),
                                      .x = input<S>(a).columns(),
                                      .result = output<S>(result),
                                      .independent = independent});
}
/// The same under external forces (6 per body, as solve has them).
template <class Q, class V, class A, class F, class R>
Status independent_inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                    const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<R>& result,
                                    std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::inverse_dynamics, model, workspace,
                  IndependentAsked<S>{.q = input<S>(q).columns(),
                                      .v = input<S>(v).columns(),
                                      .x = input<S>(a).columns(),
                                      .f_ext = input<S>(f_ext).columns(),
                                      .result = output<S>(result),
                                      .independent = independent});
}

/// h_R of M_R a_R + h_R = tau_R: X_Sᵀ (M Ẋ_S v_R + h), what independent coordinates need to have no acceleration.
template <class Q, class V, class R>
Status independent_bias_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                               const Eigen::DenseBase<V>& v, const Eigen::DenseBase<R>& result,
                               std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::bias_forces, model, workspace,
                  IndependentAsked<S>{.q = input<S>(q).columns(),
                                      .v = input<S>(v).columns(),
                                      .result = output<S>(result),
                                      .independent = independent});
}

/// The part of them that holds the mechanism at rest against gravity.
template <class Q, class R>
Status independent_gravity_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                  const Eigen::DenseBase<R>& result, std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(
      OfIndependent::gravity_forces, model, workspace,
      IndependentAsked<S>{.q = input<S>(q).columns(), .result = output<S>(result), .independent = independent});
}

/// The other part, of velocities alone.
template <class Q, class V, class R>
Status independent_coriolis_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                   const Eigen::DenseBase<V>& v, const Eigen::DenseBase<R>& result,
                                   std::span<const int> independent = {}) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(OfIndependent::coriolis_forces, model, workspace,
                  IndependentAsked<S>{.q = input<S>(q).columns(),
                                      .v = input<S>(v).columns(),
                                      .result = output<S>(result),
                                      .independent = independent});
}

}  // namespace kinetree
