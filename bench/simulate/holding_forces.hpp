#pragma once
// Columns of a trajectory that say what loops, couplings and joints transmit.

#include <Eigen/Core>
#include <kinetree/model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/player/page.hpp"
#include "bench/simulate/trajectory.hpp"

namespace kinetree::bench {

class HoldingForces {
 public:
  /// `wanted`: loops, couplings, joints, some of them.
  HoldingForces(const Model& model, const std::vector<std::string>& wanted);

  /// "loop:NAME:first:mx" to "fz" and "loop:NAME:second:mx" to "fz", "coupling:NAME", "reaction:JOINT:mx" to "fz".
  const std::vector<std::string>& columns() const { return columns_; }
  /// The words of what is wanted of which the model has none.
  const std::vector<std::string>& absent() const { return absent_; }
  /// Plots of these columns over samples: forces and moments of loops on their first ends, of couplings, of joints. A
  /// plot whose numbers are all zero, as of moments at spherical loops, is left out.
  std::vector<Plot> plots(const std::vector<Sample>& samples) const;
  /// Now, in the links' own axes, under what `function` (a Control or Forces) gives; NaN where forces are not
  /// determined.
  template <class Function>
  std::vector<double> of(Simulation& simulation, const Function& function) {
    if (loops_.size() > 0) (void)simulation.loop_forces(Axes::link, loops_, function);
    if (couplings_.size() > 0) (void)simulation.coupling_forces(couplings_, function);
    if (joints_.size() > 0) (void)simulation.joint_reactions(Axes::link, joints_, function);
    std::vector<double> all;
    for (const Eigen::VectorXd* part : {&loops_, &couplings_, &joints_})
      all.insert(all.end(), part->begin(), part->end());
    return all;
  }

 private:
  Eigen::VectorXd loops_, couplings_, joints_;  ///< empty where they are not wanted
  std::vector<std::string> columns_, absent_;

  struct Drawn {
    std::string title;
    std::vector<std::pair<std::string, std::size_t>> curves;  ///< names, columns
  };
  std::vector<Drawn> drawn_;
};

}  // namespace kinetree::bench
