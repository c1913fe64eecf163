#pragma once
// Passive forces and limits of joints: what a Description may say of them, and how a model lays them out.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>

#include "engine/model/model_data.hpp"
#include "engine/model/number_checks.hpp"

namespace kinetree::inline inner {

/// Checks counts, signs and quaternions. Wrong passive forces are errors; wrong limits change no motion, so those that
/// no motion can keep are warnings and left out.
class JointNumberChecks : NumberChecks {
 public:
  using NumberChecks::NumberChecks;
  void check(JointDescription& joint, JointType type);
  /// Warns of the positions of a checked joint that no motion within its limits reaches.
  void warn_beyond_limits(const JointDescription& joint, const std::vector<double>& positions);

 private:
  bool counted(const JointDescription& j, const char* field, std::size_t count, std::size_t most);
  void not_negative(const JointDescription& j, const char* field, const PerFreedom& numbers, int count);
  void check_reference(JointDescription& joint, JointType type);
  void check_limits(JointDescription& joint, JointType type);
};

/// Appends a joint's numbers to the model's, as checked.
void take_joint_numbers(const JointDescription& joint, JointType type, ModelData& model);

}  // namespace kinetree::inline inner
