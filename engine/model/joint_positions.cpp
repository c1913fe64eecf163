#include "engine/model/joint_positions.hpp"

#include <unordered_set>

#include "engine/joint/advance.hpp"
#include "engine/model/known_names.hpp"

namespace kinetree::inline inner {

JointPositionChecks::JointPositionChecks(const Description& d, std::vector<Finding>& findings)
    : NumberChecks(d.file, findings), description_(d) {
  for (const BodyDescription& b : d.bodies) joints_.emplace(b.joint.name, &b.joint);
}

void JointPositionChecks::check(const std::string& element, std::vector<JointPositions>& list, bool optional) {
  std::unordered_set<std::string_view> seen;
  for (JointPositions& one : list) {
    if (!seen.insert(one.joint).second)
      say(Severity::error, one.line, element, "joint \"" + one.joint + "\" stands in it twice; keep one");
    check_one(element, one, optional);
  }
}

void JointPositionChecks::check_one(const std::string& element, JointPositions& a, bool optional) {
  const std::string joint = "joint \"" + a.joint + "\"";
  const auto found = joints_.find(a.joint);
  if (found == joints_.end()) {
    NamesOf joints{"joint", {}}, links{"link", {}};
    for (const BodyDescription& b : description_.bodies) {
      if (b.joint.type != name_of(JointType::fixed)) joints.names.push_back(b.joint.name);
      links.names.push_back(b.name);
    }
    return say(Severity::error, a.line, element, joint + " " + is_none_of(joints, links, a.joint));
  }
  const auto type = joint_type_named(found->second->type);
  if (!type) return;  // said where the joint stands
  const std::size_t count = *type == JointType::fixed ? 0 : static_cast<std::size_t>(position_count(*type));
  if (count == 0) return say(Severity::error, a.line, element, joint + " is fixed; leave it out");
  if (optional && a.positions.empty()) return;
  if (a.positions.size() != count)
    return say(Severity::error, a.line, element,
               joint + " is " + found->second->type + " and takes " +
                   (count == 1 ? "a number" : "a list of " + std::to_string(count) + " numbers") + "; it has " +
                   std::to_string(a.positions.size()));
  if (!finite(a.line, element, (joint + ": position").c_str(), a.positions.data(), static_cast<int>(count)) ||
      quaternion_at(*type) < 0)
    return;
  double* x = a.positions.data() + count - 4;
  const double norm = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  if (!(std::abs(norm - 1) <= 1e-6))
    return say(Severity::error, a.line, element,
               joint + ": its quaternion [x, y, z, w] has length " + number(norm) + "; give one of length 1");
  for (int k = 0; k < 4; ++k) x[k] /= norm;
}

}  // namespace kinetree::inline inner
