#pragma once
// Joints and where they stand, as a Description or a caller names them.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <string_view>
#include <unordered_map>

#include "engine/model/number_checks.hpp"

namespace kinetree::inline inner {

class JointPositionChecks : NumberChecks {
 public:
  JointPositionChecks(const Description& description, std::vector<Finding>& findings);

  /// Names, counts and numbers; brings quaternions to unit length. `element` is what findings call the list.
  /// `optional`: a joint may stand there without positions.
  void check(const std::string& element, std::vector<JointPositions>& list, bool optional = false);

 private:
  void check_one(const std::string& element, JointPositions& joint, bool optional);

  const Description& description_;
  std::unordered_map<std::string_view, const JointDescription*> joints_;
};

}  // namespace kinetree::inline inner
