#include "engine/io/added_mimic.hpp"

#include <utility>

#include "engine/model/known_names.hpp"
#include "engine/scalar/lower.hpp"

namespace kinetree::inline inner {

bool is_mimic_plugin(std::string_view file, std::string_view name) {
  return lower(file).find("mimic") != std::string::npos || lower(name).find("mimic") != std::string::npos;
}

void add_mimic(const AddedMimic& m, Reading& reading,
               const std::function<JointDescription*(const std::string&)>& joint_named) {
  const Description& d = reading.description;
  const auto say = [&](Severity severity, std::string message) {
    reading.findings.push_back({severity, d.file, m.line, m.element, std::move(message)});
  };
  JointDescription* const follower = joint_named(m.joint);
  const bool has_leader = joint_named(m.leader) != nullptr;
  for (const auto& [name, is_there] : {std::pair{&m.joint, follower != nullptr}, std::pair{&m.leader, has_leader}})
    if (!is_there)
      say(Severity::error,
          "\"" + *name + "\" is no joint of this model; give a joint's name" +
              nearest_of(
                  *name, d.bodies, [](const BodyDescription& b) { return b.joint.name; }, reading.findings.size()));
  if (!follower || !has_leader) return;
  if (!follower->mimic) {
    follower->mimic = MimicDescription{m.leader, m.multiplier, m.offset};
    say(Severity::notice, "makes joint \"" + m.joint + "\" follow \"" + m.leader +
                              "\"; it is a coupling here, as <mimic> is, and holds exactly");
    return;
  }
  const MimicDescription& has = *follower->mimic;
  if (has.joint != m.leader || has.multiplier != m.multiplier || has.offset != m.offset)
    say(Severity::warning,
        "makes joint \"" + m.joint + "\" follow otherwise than its <mimic>, which counts; give both the same");
}

}  // namespace kinetree::inline inner
