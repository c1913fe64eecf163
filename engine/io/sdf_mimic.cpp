#include "engine/io/sdf_mimic.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <sdf/Element.hh>
#include <utility>

#include "engine/io/sdf_user_text.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

class SdfMimics {
 public:
  SdfMimics(const std::vector<SdfJointPlace>& joints, Reading& reading) : reading_(reading) {
    for (const SdfJointPlace& j : joints) joints_.emplace(j.name, &j);
    for (BodyDescription& b : reading.description.bodies) hung_.emplace(b.joint.name, &b.joint);
  }

  void read(const SdfJointPlace& at) {
    for (const char* axis : {"axis", "axis2"}) {
      const sdf::ElementPtr e = at.joint->Element()->FindElement(axis);
      const sdf::ElementPtr mimic = e ? e->FindElement("mimic") : nullptr;
      if (mimic) return take(at, mimic);
    }
  }

 private:
  void take(const SdfJointPlace& at, const sdf::ElementPtr& e) {
    const auto refuse = [&](std::string message) {
      reading_.findings.push_back(
          {Severity::error, reading_.description.file, at.line, "joint \"" + at.name + "\"", std::move(message)});
    };
    const std::string joint = user_attribute(e, "joint"), axis = user_attribute(e, "axis");
    if (joint.empty()) return refuse("its <mimic> names no joint; give it joint=\"…\"");
    const std::string leader = at.scope + joint;
    if (!axis.empty() && axis != "axis" && axis != "axis2")
      return refuse("its <mimic> follows axis \"" + axis + "\" of \"" + leader + "\"; give axis or axis2");
    if (axis == "axis2")
      return refuse("its <mimic> follows <axis2> of \"" + leader +
                    "\"; joints of one freedom, which have <axis> alone, are mimicked");
    bool sound = true;
    const auto number = [&](const char* tag, double otherwise) {
      const double x = user_number(e, tag, otherwise, [&](std::string message) {
        sound = false;
        refuse("in its <mimic> " + std::move(message));
      });
      if (sound && !std::isfinite(x)) {
        sound = false;
        refuse("in its <mimic> <" + std::string(tag) + "> is " + number_text(x) + "; give a finite number");
      }
      return x;
    };
    const double multiplier = number("multiplier", 1), offset = number("offset", 0), reference = number("reference", 0);
    if (!sound) return;
    if (!at.in_tree)
      return refuse("has a <mimic>, but no position here: it closes a loop or is a gearbox; let another joint follow");
    if (const auto other = joints_.find(leader); other != joints_.end() && !other->second->in_tree)
      return refuse("mimics \"" + leader +
                    "\", which has no position here: it closes a loop or is a gearbox; give another joint");
    hung_.at(at.name)->mimic = MimicDescription{leader, multiplier, offset - multiplier * reference};
  }

  Reading& reading_;
  std::map<std::string, const SdfJointPlace*> joints_;
  std::map<std::string, JointDescription*> hung_;
};

}  // namespace

void read_sdf_mimics(const std::vector<SdfJointPlace>& joints, Reading& reading) {
  SdfMimics mimics(joints, reading);
  for (const SdfJointPlace& joint : joints) mimics.read(joint);
}

}  // namespace kinetree::inline inner
