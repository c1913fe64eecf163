#include "engine/io/mjcf_left_out.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace kinetree::inline inner {
namespace {

std::string times(int count) { return std::to_string(count) + (count == 1 ? " time" : " times"); }

/// How often a kind was met, and where first.
struct Met {
  int count = 0, line = 0;
  void operator()(const MjcfElement& e) {
    if (count++ == 0) line = e.line();
  }
};

class LeftOut {
 public:
  LeftOut(MjcfReading& r, const MjcfModel& model, const MjcfElements& springs) : r_(r), m_(model), springs_(springs) {}

  void run() {
    for (const MjcfUse& use : m_.uses) {
      source_ = use.source;
      for (const MjcfElement& section : use.source->document.root().children) take(section);
    }
    say_forces();
    say_kinds();
  }

 private:
  void take(const MjcfElement& section) {
    const std::string_view tag = section.tag();
    if (tag == "compiler" || tag == "default" || tag == "equality" || tag == "sensor") return;
    if (tag == "option") return option(section);
    if (tag == "worldbody") return each_element(section, [&](const MjcfElement& e) { body_element(e); });
    if (tag == "tendon") {
      for (const MjcfElement& e : section.children) tendon(e);
    } else if (tag == "actuator") {
      for (const MjcfElement& e : section.children) actuators_(e);
    } else if (tag == "asset") {
      for (const MjcfElement& e : section.children)
        if (e.tag() != "mesh" && e.tag() != "material" && e.tag() != "model") nothing_[std::string(e.tag())](e);
    } else if (tag == "contact" || tag == "keyframe") {
      for (const MjcfElement& e : section.children) (tag == "contact" ? contacts_ : keys_)(e);
    } else if (tag == "extension") {
      for (const MjcfElement& e : section.children) plugins_(e);
    } else if (tag == "deformable") {
      for (const MjcfElement& e : section.children) (e.tag() == "flex" ? flexes_ : nothing_[std::string(e.tag())])(e);
    } else {
      nothing_[std::string(tag)](section);
    }
  }

  void option(const MjcfElement& e) {
    for (const char* name : {"density", "viscosity"}) {
      double x = 0;
      if (r_.number({e}, name, x) && x != 0) fluids_(e);
    }
  }

  void body_element(const MjcfElement& e) {
    const std::string_view tag = e.tag();
    if (tag == "light" || tag == "camera" || tag == "site") nothing_[std::string(tag)](e);
    if (tag == "plugin") plugins_(e);
    if (tag == "body" && e.attribute("mocap") && std::string_view(e.attribute("mocap")) == "true") mocaps_(e);
    if (tag != "joint") return;
    // its own words alone: a class seldom says either
    const char* type = e.attribute("type");
    if (type && std::string_view(type) == "ball" && e.attribute("range")) cones_(e);
    if (e.attribute("springdamper")) springdampers_(e);
  }

  void tendon(const MjcfElement& e) {
    if (springs_.count(&e) > 0) return;
    const MjcfView view{e, source_->defaults.of(r_, e, "class", source_->defaults.main()).of("tendon")};
    bool acts = false;
    for (const char* name : {"stiffness", "damping", "frictionloss", "armature"})
      acts = acts || (view.get(name) && std::string_view(view.get(name)) != "0");
    (acts ? acting_tendons_ : tendons_)(e);
  }

  void force(const char* tag, const Met& met, const std::string& what) {
    if (met.count > 0)
      r_.say(Severity::notice, met.line, "<" + std::string(tag) + ">",
             "left out, " + times(met.count) + ": a force that kinetree does not apply: " + what);
  }

  void say_forces() {
    force("actuator", actuators_, "joint forces are given as tau");
    if (const int n = acting_tendons_.count; n > 0)
      r_.say(Severity::warning, acting_tendons_.line, "<tendon>",
             "springs, damping and friction of " + std::to_string(n) + (n == 1 ? " tendon" : " tendons") +
                 " are dynamics that is not read: a spring and a damper between two sites are, joints have their own");
    force("body gravcomp", {m_.compensated, m_.first_compensated}, "gravity acts in full here");
    force("option density viscosity", fluids_, "there are no forces of a fluid here");
    force("joint springdamper", springdampers_, "give stiffness and damping");
    force("plugin", plugins_, "what a plugin does is not known here");
    force("flex", flexes_, "the elasticity of flexible bodies");
  }

  void kind(const std::string& element, const Met& met, const std::string& why) {
    if (met.count > 0)
      r_.say(Severity::notice, met.line, "<" + element + ">", "left out, " + times(met.count) + ": " + why);
  }

  void say_kinds() {
    kind("tendon", tendons_, "only equalities of fixed tendons count");
    kind("keyframe", keys_, "states are given apart from the model");
    kind("contact", contacts_, "there are no contacts here");
    kind("joint range", cones_, "the angle of a ball joint has no limit here");
    if (mocaps_.count > 0)
      r_.say(Severity::notice, mocaps_.line, "<body mocap>",
             std::to_string(mocaps_.count) + (mocaps_.count == 1 ? " body stands" : " bodies stand") +
                 " still here, at the file's pose");
    std::string all;
    int line = 0;
    for (const auto& [tag, met] : nothing_) {
      all += (all.empty() ? "" : ", ") + ("<" + tag + ">") +
             (met.count > 1 ? " (" + std::to_string(met.count) + ")" : std::string());
      line = line == 0 ? met.line : std::min(line, met.line);
    }
    if (!all.empty()) r_.say(Severity::notice, line, "model", "left out, without a part in the dynamics: " + all);
  }

  MjcfReading& r_;
  const MjcfModel& m_;
  const MjcfElements& springs_;
  const MjcfSource* source_ = nullptr;
  Met actuators_, acting_tendons_, tendons_, fluids_, springdampers_, plugins_, flexes_, keys_, contacts_, cones_,
      mocaps_;
  std::map<std::string, Met> nothing_;
};

}  // namespace

void say_what_was_left_out(MjcfReading& r, const MjcfModel& model, const MjcfElements& springs) {
  LeftOut(r, model, springs).run();
}

}  // namespace kinetree::inline inner
