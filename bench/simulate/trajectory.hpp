#pragma once
// What a simulation leaves behind: samples in time, as CSV and as a picture of energy and constraint errors.

#include <Eigen/Core>
#include <kinetree/model.hpp>
#include <kinetree/workspace.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

struct Sample {
  double time = 0;  ///< s
  Eigen::VectorXd q, v;
  Energy energy;
  double closure_error = 0;
  Eigen::VectorXd tau;          ///< empty where no torques are computed
  std::vector<double> holding;  ///< of HoldingForces, then of Tensions
};

/// time, one column per position and velocity ("q:joint" or "q:joint[k]"), and per joint force ("tau:joint") where
/// samples have them, kinetic, potential, energy, constraint_residual; 17 significant digits. `comment`: a line of its
/// own before all, after a `#`; empty: none. `holding`: names of the columns of Sample::holding, which come last.
std::string to_csv(const Model& model, const std::vector<Sample>& samples, const std::string& comment = {},
                   const std::vector<std::string>& holding = {});

/// One sample's line of that.
std::string csv_line(const Sample& sample);

/// What --hold held, in one line: the rate and every joint's positions. Commas in names become spaces.
std::string held_words(const Model& model, const Eigen::VectorXd& pose, double rate);

/// The energy's change since the start over time and, where there are constraints, their largest error (log scale).
std::string to_svg(const Model& model, const std::vector<Sample>& samples);

}  // namespace kinetree::bench
