#include "engine/io/sdf_left_out.hpp"

#include <set>
#include <utility>

#include "engine/io/added_mimic.hpp"
#include "engine/io/sdf_newer.hpp"
#include "engine/io/urdf_words.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

double decay(const sdf::ElementPtr& e, const std::string& of) { return e->HasElement(of) ? e->Get<double>(of) : 0; }

/// Whether it may change the dynamics.
bool sdf_dynamics(const std::string& tag) {
  static const std::set<std::string> words{"gravity", "kinematic", "velocity_decay", "drake:joint", "fluid_added_mass"};
  return words.count(tag) > 0 || (tag.find(':') != std::string::npos && speaks_of_dynamics(tag));
}

/// Why elements of a tag are left out.
std::string sdf_reason(const std::string& tag) {
  static const std::map<std::string, std::string> because{
      {"stiffness", "of a limit its place alone counts"},
      {"dissipation", "of a limit its place alone counts"},
      {"plugin", "plugins do not run here"},
      {"gravity", "gravity acts on every link here"},
      {"kinematic", "every link moves by its dynamics here"},
      {"fluid_added_mass", "fluids have no mass here"},
      {"auto_inertia_params", "no calculator of a simulator runs here"},
      {"velocity_decay", "links have no damping here"}};
  const auto reason = because.find(tag);
  if (reason != because.end()) return reason->second;
  return sdf_dynamics(tag) ? "it is dynamics, and is not read" : "it has no part in the dynamics";
}

void say(Reading& reading, Severity severity, int line, const std::string& tag, std::string message,
         const std::string& included = {}) {
  reading.findings.push_back(
      {severity, included.empty() ? reading.description.file : included, line, "<" + tag + ">", std::move(message)});
}

}  // namespace

void note_what_is_left_out(const sdf::ElementPtr& e, const std::map<std::string, SdfLoad::Unknown>& unknown,
                           const SdfPlaces& places, std::map<std::string, SdfLoad::Unknown>& left_out) {
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
                                          "screw_thread_pitch",
                                          "mimic",
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
      note_what_is_left_out(c, unknown, places, left_out);
      continue;
    }
    if (e->GetName() == "link" && (tag == "visual" || tag == "collision" || tag == "sensor")) continue;
    if (read.count(tag) || (tag == "gravity" && e->GetName() == "world")) continue;
    if (tag == "plugin" && e->GetName() == "model" &&
        is_mimic_plugin(c->Get<std::string>("filename"), c->Get<std::string>("name")))
      continue;
    if (tag == "velocity_decay" && decay(c, "linear") == 0 && decay(c, "angular") == 0) continue;
    const bool flag = tag == "gravity" || tag == "kinematic";
    if (flag && c->Get<bool>() == (tag == "gravity")) continue;  // as it is here
    SdfLoad::Unknown& seen = left_out[tag];
    if (seen.count++ == 0) seen.line = places.line_of(c);
  }
}

void say_what_is_unknown(const std::map<std::string, SdfLoad::Unknown>& unknown, Reading& reading) {
  for (const auto& [tag, seen] : unknown)
    say(reading, Severity::warning, seen.line, tag,
        "unknown to SDFormat " + std::string(newest_sdf) + " and left out, " + count_of(seen.count, "time") +
            (seen.meant.empty() ? "; check its spelling" : "; write <" + seen.meant + "> if that is meant"),
        seen.file);
}

void say_what_was_left_out(const std::map<std::string, SdfLoad::Unknown>& left_out, const LeftOutOfSdf& counts,
                           const XmlLines& xml, Reading& reading) {
  for (const auto& [tag, seen] : left_out)
    say(reading, sdf_dynamics(tag) ? Severity::warning : Severity::notice, seen.line > 0 ? seen.line : xml.first(tag),
        tag, "left out, " + count_of(seen.count, "time") + ": " + sdf_reason(tag), seen.file);
  const auto tell = [&](int count, const std::string& tag, const std::string& before, const std::string& after) {
    if (count > 0) say(reading, Severity::notice, xml.first(tag), tag, before + count_of(count, "time") + after);
  };
  tell(counts.loops_with_forces, "dynamics", "left out at joints that close loops, ",
       ": they have no passive forces here");
  tell(counts.still, "static", "models that stand still are left out, ", ": there are no contacts here");
  tell(counts.without_inertial, "link", "without <inertial>, ",
       ": SDFormat's default counts, 1 kg with unit moments of inertia");
}

}  // namespace kinetree::inline inner
