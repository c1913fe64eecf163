#pragma once
// Modules of parts that go side by side, one tree of steps each. Nothing is planned here: the parts are given.

#include <vector>

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// One step's bodies, ascending, and the step that uses its result; -1: the last step.
struct PartStep {
  std::vector<int> bodies;
  int parent = -1;
};

/// A module for each of some steps; then, as the last step, which others hang from, one for the bodies in none of them.
/// `bodies`: how many the model has.
Modules modules_of_parts(int bodies, const std::vector<PartStep>& steps);

/// One module of bodies [1, bodies): the pattern of a group, whose body 0 stands for what the parts hang from.
Modules module_of_pattern(int bodies);

/// One module of bodies [1, bodies - 1) between two cut joints, those of body 1 and of the last body, which stands for
/// the next module; and a step that closes what hangs from body 0. `velocities`: of each body's joint.
Modules module_between_cuts(const std::vector<int>& velocities);

}  // namespace kinetree::inline inner
