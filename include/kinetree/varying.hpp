#pragma once
// Numbers of a model that differ from column to column: masses, rotors, damping, gravity of thousands of mechanisms of
// one structure, as rows of a matrix beside q and v. What may vary is declared once, before an object is made of it;
// the object then takes a column of numbers for each state, without a new plan and without allocation.
//
//   kinetree::Varying varying(model);
//   varying.add(Parameter::inertia, "forearm").add(Parameter::armature);   // one link's inertia; all joints' rotors
//   kinetree::ForwardDynamics dynamics(varying);
//   Eigen::MatrixXd P = varying.nominal().replicate(1, count);             // a column a state
//   P.row(varying.row(Parameter::inertia, "forearm")) *= 1.1;              // its masses
//   dynamics.with(P).solve(q, v, tau, a);
//   inverse_dynamics(model, workspace.with(P), q, v, a, tau);              // Workspace workspace(varying)

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

/// What may vary, and its rows.
enum class Parameter {
  /// Of a link, ten rows in the axes of the link: mass (kg); first moment, mass times centre of mass from the link's
  /// origin, x, y, z (kg m); moments about that origin xx, yy, zz, xy, xz, yz (kg m²; the off-diagonal entries of the
  /// matrix). Of a body's own link: of the rigid body, with all links that are fixed to it. Of a link that is fixed to
  /// another: what is added there, a payload; the model's own numbers are zeros.
  inertia,
  armature,   ///< of a joint, a row a velocity: inertia of its rotors (kg m², kg)
  damping,    ///< of a joint, a row a velocity (Nm s/rad, N s/m); for add_passive_forces, here and below
  friction,   ///< Nm, N
  stiffness,  ///< Nm/rad, N/m
  gravity     ///< of the model, three rows: m/s², world axes
};

/// A rigid body's inertia as people state it.
struct LinkInertia {
  double mass = 0;                         ///< kg
  std::array<double, 3> centre_of_mass{};  ///< m, from the link's origin
  std::array<double, 6> inertia{};  ///< kg m², about the centre of mass, in the link's axes: xx, yy, zz, xy, xz, yz
};
/// Its ten rows of Parameter::inertia. Throws std::invalid_argument where it is no rigid body's: a mass below 0, a
/// moment about the centre of mass below 0, a number that is not finite.
KINETREE_EXPORT std::array<double, 10> inertia_rows(const LinkInertia& inertia);
/// The other way round; without mass the centre is the origin. Throws likewise.
KINETREE_EXPORT LinkInertia link_inertia(const std::array<double, 10>& rows);

/// Which numbers of a model may vary, and within which bounds. Objects that are made of it take what it says then.
class KINETREE_EXPORT Varying {
 public:
  /// At first nothing.
  explicit Varying(Model model);

  /// Adds the rows of a link's or joint's numbers (`of`: its name), of all bodies' own links or of all joints (`of`
  /// empty); what varies already is left as it is. Throws std::invalid_argument where the name is none, the link is
  /// fixed to the ground, and where gravity has a name.
  Varying& add(Parameter what, std::string_view of = {});
  /// Columns must have this row's number from `least` to `most`; the model's own must be among them. Without it
  /// numbers of joints are at least 0, other rows are free; a body's are a rigid body's in any case. Throws
  /// std::invalid_argument.
  Varying& bound(int row, double least, double most);

  /// Rows that columns of parameters have.
  int rows() const;
  /// The first row of these numbers. Throws std::invalid_argument where they do not vary.
  int row(Parameter what, std::string_view of = {}) const;
  /// `inertia xy of link "forearm"`; row: 0 to rows() - 1.
  std::string row_name(int row) const;
  /// The model's own numbers, a column.
  Eigen::VectorXd nominal() const {
    const std::span<const double> own = nominal_numbers();
    return Eigen::Map<const Eigen::VectorXd>(own.data(), static_cast<Eigen::Index>(own.size()));
  }
  /// The column of another model of this structure, whose loops and couplings are taken for this one's. Throws
  /// std::invalid_argument where it has other links, joints or placements, or differs in a number of a body or joint,
  /// or in gravity, that does not vary.
  Eigen::VectorXd numbers_of(const Model& other) const {
    const std::vector<double> own = column_of(other);
    return Eigen::Map<const Eigen::VectorXd>(own.data(), static_cast<Eigen::Index>(own.size()));
  }
  /// The columns of a list of models, rows() x models.size(). Throws likewise, with the model's place in the list.
  Eigen::MatrixXd numbers_of(std::span<const Model> models) const {
    Eigen::MatrixXd all(rows(), static_cast<Eigen::Index>(models.size()));
    for (Eigen::Index k = 0; k < all.cols(); ++k) {
      const std::vector<double> own = column_of(models[static_cast<std::size_t>(k)], k);
      all.col(k) = Eigen::Map<const Eigen::VectorXd>(own.data(), all.rows());
    }
    return all;
  }
  const Model& model() const;

  struct Data;
  const Data& data() const { return *data_; }

 private:
  std::span<const double> nominal_numbers() const;
  /// `place`: in a list; -1: alone.
  std::vector<double> column_of(const Model& other, std::ptrdiff_t place = -1) const;

  std::shared_ptr<const Data> data_;
};

/// Parameters that several calls read: the first call converts and checks them, later ones copy what the kernels read.
/// dynamics.with(kept) and workspace.with(kept) take them; results have the bits of with(parameters). They are
/// converted anew for objects of another Varying and for other numbers of lanes. One state alone is converted in each
/// call. Two threads must not call with one at a time.
class KINETREE_EXPORT KeptParameters {
 public:
  /// Copies them: varying.rows() rows, a column a state, in the scalar type of the calls' arguments.
  explicit KeptParameters(const Eigen::Ref<const Eigen::MatrixXd>& parameters)
      : KeptParameters(boundary::input<double>(parameters).columns()) {}
  explicit KeptParameters(const Eigen::Ref<const Eigen::MatrixXf>& parameters)
      : KeptParameters(boundary::input<float>(parameters).columns()) {}
  ~KeptParameters();
  KeptParameters(KeptParameters&&) noexcept;
  KeptParameters& operator=(KeptParameters&&) noexcept;

  struct Data;
  /// For programs of this project.
  explicit KeptParameters(std::unique_ptr<Data> data);
  Data& data() { return *data_; }

 private:
  explicit KeptParameters(const Columns<const double>& parameters);
  explicit KeptParameters(const Columns<const float>& parameters);

  std::unique_ptr<Data> data_;
};

namespace boundary {
// The compiled functions behind the adapter below.
KINETREE_EXPORT Status add_passive_forces(const Varying& varying, Columns<const double> parameters,
                                          Columns<const double> q, Columns<const double> v, Columns<double> tau,
                                          double slow);
KINETREE_EXPORT Status add_passive_forces(const Varying& varying, Columns<const float> parameters,
                                          Columns<const float> q, Columns<const float> v, Columns<float> tau,
                                          double slow);
}  // namespace boundary

/// As add_passive_forces (forces.hpp), with the damping, friction and stiffness that each column of `parameters` has.
/// Status also: not_finite and out_of_bounds of these rows make that column of tau NaN.
template <class P, class Q, class V, class R>
Status add_passive_forces(const Varying& varying, const Eigen::DenseBase<P>& parameters, const Eigen::DenseBase<Q>& q,
                          const Eigen::DenseBase<V>& v, const Eigen::DenseBase<R>& tau, double slow = 0) {
  using S = typename R::Scalar;
  using namespace boundary;
  return boundary::add_passive_forces(varying, input<S>(parameters).columns(), input<S>(q).columns(),
                                      input<S>(v).columns(), output<S>(tau), slow);
}

}  // namespace kinetree
