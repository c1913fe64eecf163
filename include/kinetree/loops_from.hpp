#pragma once
// Loops, couplings and forces between points that stand in a file of their own, beside a model whose format can't say
// them.

#include <filesystem>
#include <kinetree/export.hpp>
#include <kinetree/load_model.hpp>

namespace kinetree {

/// The reading of a model, with what a YAML file adds to it: `loops`, `couplings`, `forces`, `independent` and
/// `assembled`, in the words of YAML models. Findings on these have that file and its lines, those of make_model too.
/// Links and joints go by their names; a loop, a coupling or a force whose name the model has already, a joint whose
/// position it says already, is an error of make_model. Any other key is an error of the reading.
///
///     Reading robot = with_loops_from(read_urdf("robot.urdf"), "robot_loops.yaml");
///     Model model = make_model(robot.description, {}, robot.findings);
KINETREE_EXPORT Reading with_loops_from(Reading model, const std::filesystem::path& file);
/// The same of `text`; findings call it `name`.
KINETREE_EXPORT Reading with_loops_from_text(Reading model, const std::string& text, const std::string& name);

}  // namespace kinetree
