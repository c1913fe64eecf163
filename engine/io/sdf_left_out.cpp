#include "engine/io/sdf_left_out.hpp"

#include <set>

#include "engine/io/urdf_words.hpp"

namespace kinetree::inline inner {
namespace {

double decay(const sdf::ElementPtr& e, const std::string& of) { return e->HasElement(of) ? e->Get<double>(of) : 0; }

}  // namespace

void note_what_is_left_out(const sdf::ElementPtr& e, const std::map<std::string, SdfLoad::Unknown>& unknown,
                           std::map<std::string, SdfLoad::Unknown>& left_out) {
  static const std::set<std::string> inside{"sdf",  "world", "model",    "link", "joint",
                                            "axis", "axis2", "dynamics", "limit"};
  static const std::set<std::string> read{"pose",
                                          "inertial",
                                          "static",
                                          "frame",
                                          "parent",
                                          "child",
                                          "gearbox_ratio",
                                          "gearbox_reference_body",
                                          "xyz",
                                          "include",
                                          "thread_pitch",
                                          "spring_reference",
                                          "damping",
                                          "friction",
                                          "spring_stiffness",
                                          "lower",
                                          "upper",
                                          "velocity",
                                          "effort",
                                          "drake:rotor_inertia",
                                          "drake:gear_ratio"};
  if (!e || !inside.count(e->GetName())) return;
  if (e->GetName() == "model" && e->Get<bool>("static")) return;
  for (auto c = e->GetFirstElement(); c; c = c->GetNextElement()) {
    const std::string tag = c->GetName();
    if (!c->GetExplicitlySetInFile() || unknown.count(tag)) continue;
    if (inside.count(tag)) {
      note_what_is_left_out(c, unknown, left_out);
      continue;
    }
    if (e->GetName() == "link" && (tag == "visual" || tag == "collision" || tag == "sensor")) continue;
    if (read.count(tag) || (tag == "gravity" && e->GetName() == "world")) continue;
    if (tag == "velocity_decay" && decay(c, "linear") == 0 && decay(c, "angular") == 0) continue;
    const bool flag = tag == "gravity" || tag == "kinematic";
    if (flag && c->Get<bool>() == (tag == "gravity")) continue;  // as it is here
    SdfLoad::Unknown& seen = left_out[tag];
    if (seen.count++ == 0) seen.line = line_of(c);
  }
}

std::string sdf_reason(const std::string& tag) {
  static const std::map<std::string, std::string> because{{"limit", "one of them has a fault"},
                                                          {"stiffness", "of a limit its place alone counts"},
                                                          {"dissipation", "of a limit its place alone counts"},
                                                          {"plugin", "plugins do not run here"},
                                                          {"gravity", "gravity acts on every link here"},
                                                          {"kinematic", "every link moves by its dynamics here"},
                                                          {"velocity_decay", "links have no damping here"}};
  const auto reason = because.find(tag);
  if (reason != because.end()) return reason->second;
  return sdf_dynamics(tag) ? "it is dynamics, and is not read" : "it has no part in the dynamics";
}

bool sdf_dynamics(const std::string& tag) {
  static const std::set<std::string> words{"gravity", "kinematic", "velocity_decay", "drake:joint"};
  return words.count(tag) > 0 || (tag.find(':') != std::string::npos && speaks_of_dynamics(tag));
}

}  // namespace kinetree::inline inner
