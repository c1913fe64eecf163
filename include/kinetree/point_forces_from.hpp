#pragma once
// Forces between points as files have them; the functions stand in the component io.

#include <filesystem>
#include <kinetree/export.hpp>
#include <kinetree/point_forces.hpp>
#include <string>
#include <vector>

namespace kinetree {

/// What stands under `forces` in a YAML file, and every finding on it, errors among them.
struct PointForcesReading {
  std::vector<PointForceDescription> forces;
  std::vector<Finding> findings;
};

/// Reads `forces` of a YAML model, or of a file beside a model of any format that has loops, couplings or forces alone
/// (with_loops_from reads the others). Findings on other keys are those of read_yaml and with_loops_from.
///
///     Model model = load_model("robot.yaml");
///     PointForcesReading read = read_point_forces("robot.yaml");
///     PointForces springs(model, read.forces, "robot.yaml");
KINETREE_EXPORT PointForcesReading read_point_forces(const std::filesystem::path& file);
/// The same of `text`; findings call it `name`.
KINETREE_EXPORT PointForcesReading read_point_forces_text(const std::string& text, const std::string& name);
/// The forces as a list under `forces`, to stand behind what yaml_text (write_model.hpp) writes; empty for none.
KINETREE_EXPORT std::string yaml_text(const std::vector<PointForceDescription>& forces);

}  // namespace kinetree
