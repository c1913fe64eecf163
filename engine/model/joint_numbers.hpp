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

/// Fills the model's passive forces and limits from a checked description of its bodies. A model of a million joints
/// that say nothing of limits or of passive forces would hold 64 MB of zeros and infinities, so that each of the
/// limits' arrays stays empty where it would be infinite, and those of passive forces where all four say nothing.
void take_joint_numbers(const Description& description, ModelData& model);

/// An entry of a limits' array; `none` where the array is empty.
inline double limit_of(const std::vector<double>& limits, int entry, double none) {
  return limits.empty() ? none : limits[static_cast<std::size_t>(entry)];
}

}  // namespace kinetree::inline inner
