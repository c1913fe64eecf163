#pragma once
// Closing loops and couplings: some coordinates keep their values, the others are found; how far open a state is, row
// by row; other assembly modes. States are columns, double or float; numbers are worked on in double. `close` shares
// columns out over the workspace's threads; nothing is allocated after the first call.

#include <Eigen/Core>
#include <initializer_list>
#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <kinetree/workspace.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

/// What a scalar constraint of a loop or coupling holds.
struct ConstraintRow {
  std::string constraint;  ///< its name
  bool coupling;           ///< whether it is a coupling's, else a loop's
  std::string what;        ///< of a loop: "its distance along x", in its first frame; of a coupling: "its sum"
  bool length;             ///< whether errors are in m; else in rad, of couplings in what their terms are
};

namespace boundary {
#define KINETREE_CLOSING(T)                                                                              \
  KINETREE_EXPORT Status close(const Model& model, Workspace& workspace, Columns<T> q, Columns<T> v,     \
                               const std::span<const int>* held);                                        \
  KINETREE_EXPORT Status constraint_errors(const Model& model, Workspace& workspace, Columns<const T> q, \
                                           Columns<const T> v, Columns<T> errors, Columns<T> rates);
KINETREE_CLOSING(double)
KINETREE_CLOSING(float)
#undef KINETREE_CLOSING
KINETREE_EXPORT std::vector<int> velocities_of(const Model& model, std::span<const std::string_view> joints);
KINETREE_EXPORT std::vector<std::vector<double>> assembly_modes(const Model& model, std::span<const double> q,
                                                                std::span<const int> held, int most, int starts);
}  // namespace boundary

/// The entries of v, ascending, that these joints have: what `close` takes as held, and the functions of
/// independent.hpp as independent. Throws std::invalid_argument where a name is no joint that moves.
inline std::vector<int> velocities_of(const Model& model, std::initializer_list<std::string_view> joints) {
  return boundary::velocities_of(model, {joints.begin(), joints.size()});
}
/// The same of any list of names.
inline std::vector<int> velocities_of(const Model& model, const std::vector<std::string>& joints) {
  const std::vector<std::string_view> names(joints.begin(), joints.end());
  return boundary::velocities_of(model, names);
}

/// Closes loops and couplings, in place: coordinates that are held keep their positions in q and their velocities in v,
/// the others that constraints tie become such that all constraints hold; joints that nothing ties stay as they are.
/// Looked for is the nearest closed configuration, by Newton's method from q; where that ends open, another by way of
/// the nearest closed one, by least squares, and from around. Velocities are the nearest to v that constraints allow.
/// Limits of joints are not looked at.
///
/// `held`: entries of v (velocities_of); a joint with a quaternion is held as a whole. Fewer than the freedoms leave
/// the rest to be near; more may contradict.
///
/// Status, with q and v of that column as they were: not_finite; not_normalized; not_closed. Its `argument` is
///   "held"  what is held contradicts the constraints to first order: nothing that may move brings them nearer,
///           moving `body`'s joint would. `contradicting` names all that take part. So do coordinates that are held
///           in a linkage whose rounded constraints are closed by least squares, where that moves them
///   "v"     the velocities that are held contradict
///   ""      not reached
/// and its `value` how far open the nearest configuration is (m or rad). wrong_size, other_model and shared_memory
/// refuse the call. Closed is within 1e-12 (m, rad, couplings relative to the sizes of their terms), or what rounding
/// leaves of larger lengths. Most states close in microseconds. For a state that does not, up to 25 starts are tried,
/// in milliseconds. The search ends where four starts, one of them far away, come to the same least errors, or where
/// ten find nothing less. So "held" is told of the place where errors are least; another place may still close.
template <class Q, class V>
Status close(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
             std::span<const int> held) {
  using S = typename Q::Scalar;
  using namespace boundary;
  return boundary::close(model, workspace, output<S>(q), output<S>(v), &held);
}

/// The same with the model's independent coordinates held (independent_velocities).
template <class Q, class V>
Status close(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v) {
  using S = typename Q::Scalar;
  using namespace boundary;
  return boundary::close(model, workspace, output<S>(q), output<S>(v), nullptr);
}

/// The entries of v, held in the last call of `close`, that contradict in its last column whose Status is not_closed
/// with the argument "held"; empty where there was none.
KINETREE_EXPORT std::span<const int> contradicting(Workspace& workspace);

/// The rows of constraint_errors: the model's loops, row by row, then its couplings. Where rounding of a file's numbers
/// makes rows redundant, those that are held.
KINETREE_EXPORT std::vector<ConstraintRow> constraint_rows(const Model& model);

/// How far open a state is, a row per constraint row (constraint_rows), a column per state: m or rad; of a coupling its
/// sum less its offset. The library takes 1e-8 for closed. Status: wrong_size, other_model, shared_memory; not_finite
/// and not_normalized make that column NaN.
template <class Q, class R>
Status constraint_errors(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                         const Eigen::DenseBase<R>& errors) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::constraint_errors(model, workspace, input<S>(q).columns(), {}, output<S>(errors), {});
}

/// The same with the rates at which v opens them (m/s or rad/s).
template <class Q, class V, class R, class W>
Status constraint_errors(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                         const Eigen::DenseBase<V>& v, const Eigen::DenseBase<R>& errors,
                         const Eigen::DenseBase<W>& rates) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::constraint_errors(model, workspace, input<S>(q).columns(), input<S>(v).columns(), output<S>(errors),
                                     output<S>(rates));
}

/// Closed configurations, a column each, in which what is held stands as in q: the nearest that `close` finds first,
/// then others that are found from `starts` random ones, at most `most` altogether. Two that differ by whole turns are
/// one. Hold as many coordinates as there are freedoms, else every start finds another. Random starts prove nothing
/// about modes that they do not meet: a general hexapod has up to 40 (Dietmaier 1998). Of two hexapods 2000 starts
/// found 8 and 4 poses of the plate in 0.5 s, 20 000 no more. Allocates.
template <class Q>
Eigen::MatrixXd assembly_modes(const Model& model, const Eigen::DenseBase<Q>& q, std::span<const int> held, int most,
                               int starts = 2000) {
  const Eigen::VectorXd from = q.derived().template cast<double>();
  const auto found =
      boundary::assembly_modes(model, {from.data(), static_cast<std::size_t>(from.size())}, held, most, starts);
  Eigen::MatrixXd modes(model.nq(), static_cast<Eigen::Index>(found.size()));
  for (std::size_t k = 0; k < found.size(); ++k)
    modes.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const Eigen::VectorXd>(found[k].data(), model.nq());
  return modes;
}

}  // namespace kinetree
