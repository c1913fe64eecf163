#pragma once
// Joint forces that hold a mechanism at a pose: inverse dynamics of the accelerations that bring it back.

#include <kinetree/export.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <memory>
#include <string>
#include <vector>

namespace kinetree {

/// Computed torques about a pose q0: independent coordinates r get the accelerations -w² (r - r0) - 2 w r_dot,
/// critically damped, w in rad/s (differences of quaternions: rotation vectors in the child's axes). Dependent
/// accelerations follow from loops and couplings, and inverse dynamics of all of them is spread over the actuated
/// joints: the forces tau of least norm with X_S^T tau = X_S^T (inverse dynamics), zero where nothing is actuated. So a
/// floating base whose feet are held by loops is carried by the legs. The independent coordinates are those that
/// determine the others best at q0, and stay so. (X_S, its accelerations and forces: Jain 2012 II, Eq. 25, 34, 36.)
class KINETREE_EXPORT ComputedTorque {
 public:
  /// `pose`: nq, brought to the nearest that closes. `rate`: w. `actuated`: joints that have motors; none named: all
  /// but floating ones. Throws std::invalid_argument with the reason: a wrong size or number, an unknown joint, a pose
  /// that doesn't close or where constraints lose rank, a freedom that no actuated joint moves.
  ComputedTorque(const Model& model, const Eigen::VectorXd& pose, double rate,
                 const std::vector<std::string>& actuated = {})
      : ComputedTorque(model, boundary::column(pose), rate, actuated) {}
  ~ComputedTorque();
  ComputedTorque(ComputedTorque&&) noexcept;
  ComputedTorque& operator=(ComputedTorque&&) noexcept;

  /// tau (nv) at a state that keeps the constraints. Status: what the dynamics say of the state; singular_loop where r
  /// does not determine the other joints here, or the actuated joints no longer move every freedom. tau is NaN then.
  /// Allocates at the first call alone.
  Status torques(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) {
    return torques(*implementation_, q, v, tau);
  }
  /// The same for Simulation::advance_to; this must outlive it. NaN makes a step fail.
  Control control() {
    return [inside = implementation_.get()](double, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                            Eigen::VectorXd& tau) {
      (void)torques(*inside, q, v, tau);  // where it fails tau is NaN, and the next solve says so
    };
  }

  /// The pose held, closed.
  Eigen::Map<const Eigen::VectorXd> pose() const { return boundary::vector(pose_column()); }
  /// Indices in v of the independent coordinates, ascending.
  const std::vector<int>& independent() const;

 private:
  class Implementation;
  static Status torques(Implementation& inside, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        Eigen::VectorXd& tau) {
    tau.resize(velocity_count(inside));
    return torques(inside, boundary::column(q), boundary::column(v), boundary::column(tau));
  }

  // The compiled functions behind the adapters.
  ComputedTorque(const Model& model, Columns<const double> pose, double rate, const std::vector<std::string>& actuated);
  static Status torques(Implementation& inside, Columns<const double> q, Columns<const double> v, Columns<double> tau);
  static std::ptrdiff_t velocity_count(const Implementation& inside);
  Columns<const double> pose_column() const;

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree
