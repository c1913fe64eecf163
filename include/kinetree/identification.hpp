#pragma once
// The numbers that joint forces are linear in, the matrix Y that gives joint forces from them, and which of them a
// motion can tell apart: what identification needs (Atkeson, An & Hollerbach 1986; Gautier & Khalil 1990).
//
// `parameters` is a vector of P = dynamic_parameter_count(model) numbers:
//   ten of every moving body, in the order of bodies: mass (kg), mass times centre of mass x, y, z (kg m), and the
//     inertia xx, yy, zz, xy, xz, yz (kg m²) about the origin of the body's own link, all in that link's axes; links
//     that hang on it by fixed joints are part of the body (Model::body_of_link)
//   then nv numbers each of armature (kg m², kg), damping (Nm s/rad, N s/m) and Coulomb friction (Nm, N), as v has
//   them.
//
// Y parameters = inverse_dynamics(q, v, a) + damping v + friction sign(v): the joint forces that make the motion
// against gravity, inertia, and those passive forces (add_passive_forces, whose springs are not among them). External
// forces are known numbers, not parameters: take what they do, inverse_dynamics with f_ext less that without, off
// measured joint forces. With loops or couplings Y is of all joints of the spanning tree, on which the constraints hold
// nothing; rows of independent coordinates are X_Sᵀ Y (spanning_matrix in independent.hpp), since the constraints'
// forces do no work along X_S. docs/identification.md has a worked example.
//
// v and a may be empty (a matrix without rows): zero. Status: wrong_size, other_model and shared_memory refuse the
// call; not_finite and not_normalized make a state's results NaN. A Workspace allocates as for its other functions.

#include <Eigen/Core>
#include <cstdint>
#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/function.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <kinetree/workspace.hpp>
#include <span>
#include <string>
#include <vector>

namespace kinetree {

namespace boundary {
struct BaseNumbers {
  std::vector<int> columns;
  std::vector<double> regrouping;  ///< column by column
  double kept = 0, dropped = 0;
};
KINETREE_EXPORT std::vector<double> dynamic_parameters(const Model& model);
KINETREE_EXPORT BaseNumbers base_parameters(Columns<const double> samples, double tolerance);
KINETREE_EXPORT BaseNumbers base_parameters(const Model& model, std::span<const int> among, double tolerance);
KINETREE_EXPORT std::vector<std::string> texts_of(std::span<const int> columns, Columns<const double> regrouping,
                                                  std::span<const std::string> names);
}  // namespace boundary

/// P = 10 bodies + 3 nv.
inline int dynamic_parameter_count(const Model& model) { return 10 * model.body_count() + 3 * model.nv(); }

/// The model's present parameters, P numbers.
inline Eigen::VectorXd dynamic_parameters(const Model& model) {
  const std::vector<double> p = boundary::dynamic_parameters(model);
  return Eigen::Map<const Eigen::VectorXd>(p.data(), static_cast<Eigen::Index>(p.size()));
}

/// What they are called: "forearm.mass", "forearm.mx" (mass times centre of mass, x), "forearm.Ixx", "elbow.armature",
/// "elbow.damping", "elbow.friction"; of a joint with several degrees of freedom "base.damping[2]".
KINETREE_EXPORT std::vector<std::string> dynamic_parameter_names(const Model& model);

/// Y, nv x P. Those of several states stand side by side: that of column c of q is Y.middleCols(c * P, P).
template <class Q, class V, class A, class R>
Status joint_torque_regressor(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                              const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                              const Eigen::DenseBase<R>& Y) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::joint_torque_regressor, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .results = {output<S>(Y)}});
}

/// tau = Y parameters, without Y: inverse dynamics of a mechanism with other numbers, in work linear in the number of
/// bodies. `parameters`: P rows, as many columns for each state as it has sets of them, those of one state side by
/// side; tau: nv rows, as many columns.
template <class Q, class V, class A, class P, class T>
Status joint_torque_regressor_product(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                      const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                      const Eigen::DenseBase<P>& parameters, const Eigen::DenseBase<T>& tau) {
  using S = typename T::Scalar;
  using namespace boundary;
  return evaluate(Function::joint_torque_regressor_product, model, workspace,
                  ProductArguments<S>{.directions = {input<S>(parameters).columns()}},
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .results = {output<S>(tau)}});
}

/// Yᵀ tau, without Y: the gradient by the parameters of tau . (Y parameters). What adaptive controllers integrate
/// (Slotine & Li 1987), and gradients of a fit. Columns as those of joint_torque_regressor_product, the other way
/// round.
template <class Q, class V, class A, class T, class R>
Status joint_torque_regressor_transpose_product(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                                const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
                                                const Eigen::DenseBase<T>& tau, const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::joint_torque_regressor_transpose_product, model, workspace,
                  ProductArguments<S>{.directions = {input<S>(tau).columns()}},
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .results = {output<S>(result)}});
}

/// Which parameters motions can tell apart. Y regroups: Y parameters = (columns of Y) (regrouping parameters), so that
/// the base parameters, regrouping * parameters, are all that joint forces depend on.
struct BaseParameters {
  std::vector<int> columns;    ///< of Y, ascending: as many as its rank
  Eigen::MatrixXd regrouping;  ///< rank x P; the columns `columns` of it are the identity
  double kept = 0;             ///< the smallest pivot that counted, relative to the largest
  double dropped = 0;          ///< the largest pivot that did not: far below `kept` where the rank is clear

  int rank() const { return static_cast<int>(columns.size()); }
};

namespace boundary {
inline BaseParameters in_eigen(const BaseNumbers& found) {
  const auto rank = static_cast<Eigen::Index>(found.columns.size());
  const Eigen::Index all = rank == 0 ? 0 : static_cast<Eigen::Index>(found.regrouping.size()) / rank;
  return {found.columns, Eigen::Map<const Eigen::MatrixXd>(found.regrouping.data(), rank, all), found.kept,
          found.dropped};
}
}  // namespace boundary

/// Of measured motions: `samples` is Y of many states one below the other, or any columns of it. By QR with column
/// pivoting of columns scaled to length 1 (Gautier 1991); a pivot counts that is above `tolerance` times the largest.
/// What a motion does not excite does not count either.
template <class W>
BaseParameters base_parameters(const Eigen::DenseBase<W>& samples, double tolerance = 1e-8) {
  using namespace boundary;
  return in_eigen(base_parameters(input<double>(samples).columns(), tolerance));
}

/// Of the mechanism: the same of Y at random states (random_state in configuration.hpp) and accelerations; with loops
/// or couplings of X_Sᵀ Y at states that these allow. `among`: parameters that are unknown, ascending entries of 0 ...
/// P - 1; empty: all. The columns of others in `regrouping` are zero. Throws std::invalid_argument where `among` names
/// no parameter, std::runtime_error where no random state closes the loops.
inline BaseParameters base_parameters(const Model& model, std::span<const int> among = {}, double tolerance = 1e-8) {
  return boundary::in_eigen(boundary::base_parameters(model, among, tolerance));
}

/// Each base parameter as a sum of parameters, by their names: "link_2.mx + 0.316 link_3.mass - ...".
inline std::vector<std::string> texts_of(const BaseParameters& base, std::span<const std::string> names) {
  return boundary::texts_of(base.columns, boundary::input<double>(base.regrouping).columns(), names);
}

}  // namespace kinetree
