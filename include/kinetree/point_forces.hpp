#pragma once
// Springs, dampers and constant forces between points of links, or of links and the ground. Like passive forces of
// joints they act where a caller adds them: to f_ext of ForwardDynamics::solve, of a simulation, of rollouts.

#include <array>
#include <kinetree/columns.hpp>
#include <kinetree/description.hpp>
#include <kinetree/export.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/workspace.hpp>
#include <string>
#include <vector>

namespace kinetree {

/// The forces between points of one model, checked. Safe to share between threads, each with a Workspace of its own.
/// Nothing is allocated after the first call of a kind on a workspace; statuses are those of add_forces
/// (forces.hpp), and not_positive of "length" where two points coincide, so that a force has no direction:
/// `expected` is then the index of the force, and the column is NaN. A spring with the length 0 at rest and neither
/// damping nor force has none to lose: it passes.
class KINETREE_EXPORT PointForces {
 public:
  /// Those of the model itself (Model::point_forces).
  explicit PointForces(const Model& model);
  /// Others. Throws InputError with every finding: an end on no link, both ends on one link, a negative or infinite
  /// number, a force that is always zero, a name that is missing or taken. `file` stands in the findings.
  PointForces(const Model& model, std::vector<PointForceDescription> forces, const std::string& file = "");

  int count() const { return static_cast<int>(forces_.size()); }
  const PointForceDescription& operator[](int force) const { return forces_[static_cast<std::size_t>(force)]; }

  /// Adds what the forces do in a state to f_ext, which has the layout of ForwardDynamics::solve: 6 rows a body, a
  /// column a state; what stands there stays.
  template <class Q, class V, class R>
  Status add(Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
             const Eigen::DenseBase<R>& f_ext) const {
    using S = typename R::Scalar;
    using namespace boundary;
    return add(workspace, input<S>(q).columns(), input<S>(v).columns(), output<S>(f_ext));
  }
  /// Three rows a force, a column a state: the distance of its points (m), its rate (m/s), and the tension (N).
  template <class Q, class V, class R>
  Status tensions(Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
                  const Eigen::DenseBase<R>& result) const {
    using S = typename R::Scalar;
    using namespace boundary;
    return tensions(workspace, input<S>(q).columns(), input<S>(v).columns(), output<S>(result));
  }
  /// The potential energy (J) of springs and constant forces where their points are so far apart (m, one per force):
  /// the sum of stiffness (l - length)^2 / 2 + force l. `energy` of workspace.hpp has no part of it.
  double potential(const Eigen::Ref<const Eigen::VectorXd>& distances) const {
    double sum = 0;
    for (int k = 0; k < count() && k < distances.size(); ++k) {
      const PointForceDescription& f = (*this)[k];
      const double stretched = distances[k] - f.length;
      sum += 0.5 * f.stiffness * stretched * stretched + f.force * distances[k];
    }
    return sum;
  }

  /// Status::message, with the force's name where the status is of one.
  std::string message(const Status& status) const;

 private:
  void place_ends();

  /// Where an end's numbers stand among those of `points_`; of the ground where it stands.
  struct End {
    int point = -1;
    Numbers3 ground{};
  };
  Status add(Workspace& workspace, Columns<const double> q, Columns<const double> v, Columns<double> f_ext) const;
  Status add(Workspace& workspace, Columns<const float> q, Columns<const float> v, Columns<float> f_ext) const;
  Status tensions(Workspace& workspace, Columns<const double> q, Columns<const double> v, Columns<double> result) const;
  Status tensions(Workspace& workspace, Columns<const float> q, Columns<const float> v, Columns<float> result) const;
  template <class T>
  class Columnwise;

  Model model_;
  std::vector<PointForceDescription> forces_;
  std::vector<std::array<End, 2>> ends_;  ///< over forces
  std::vector<LinkPoint> points_;         ///< ends that are on links
};

}  // namespace kinetree
