#pragma once
// Joint forces as tables over time. Steps end at the times where a table has a kink or a jump, so that no step
// integrates over one: an adaptive step goes on from there, and work is that of the table.

#include <Eigen/Core>
#include <algorithm>
#include <kinetree/export.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <limits>
#include <vector>

namespace kinetree {

/// A joint force over time. Before the first time it is the first number, after the last one the last.
struct Drive {
  int velocity = 0;                   ///< the entry of v and tau, 0 to nv - 1 (Model::v_index)
  std::vector<double> times, forces;  ///< s, ascending; Nm or N, one a time. A time that stands twice is a jump
  bool held = false;  ///< whether each number holds until the next time; else the force is linear between
};

/// Drives of one motion.
class KINETREE_EXPORT Drives {
 public:
  /// Throws std::invalid_argument for an entry that the model's v has not, for no times or not as many as forces, for
  /// numbers that are not finite, and for times that are not ascending (two may be equal).
  Drives(const Model& model, std::vector<Drive> drives);

  /// From now on the tables go on as they do right after `time`: each by the piece that begins there, which add() holds
  /// on to whatever time it is asked for. Returns the next time at which a piece ends; infinity where none does.
  double go_on_from(double time);
  /// Adds the forces at a time of the pieces that go_on_from chose to tau (nv).
  void add(double time, Eigen::VectorXd& tau) const {
    for (const Piece& p : pieces_) tau[p.velocity] += p.force + p.slope * (time - p.time);
  }
  const std::vector<Drive>& drives() const { return drives_; }

 private:
  struct Piece {
    int velocity;
    double time, force, slope;
  };
  std::vector<Drive> drives_;
  std::vector<Piece> pieces_;
};

namespace boundary {

template <class Function>
Status advance_from_kink_to_kink(Simulation& simulation, double time, Drives& drives, const Function& function) {
  while (simulation.time() < time) {
    const double until = std::min(time, drives.go_on_from(simulation.time()));
    if (const Status status = simulation.advance_to(until, function); !status.ok()) return status;
    if (simulation.time() < until) return {};  // an event has ended the call
  }
  return {};
}

}  // namespace boundary

/// Simulation::advance_to under drives, and under what `others` gives besides, which is called before them. Status: as
/// advance_to.
inline Status advance_to(Simulation& simulation, double time, Drives& drives, const Control& others = {}) {
  const Control all = [&](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau) {
    if (others) others(t, q, v, tau);
    drives.add(t, tau);
  };
  return boundary::advance_from_kink_to_kink(simulation, time, drives, all);
}
inline Status advance_to(Simulation& simulation, double time, Drives& drives, const Forces& others) {
  const Forces all = [&](double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau,
                         Eigen::VectorXd& f_ext) {
    if (others) others(t, q, v, tau, f_ext);
    drives.add(t, tau);
  };
  return boundary::advance_from_kink_to_kink(simulation, time, drives, all);
}

}  // namespace kinetree
