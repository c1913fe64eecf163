// Joints of SDFormat in a URDF's <gazebo>: beside the tree's they close loops. Frames are SDFormat's (sdformat.org,
// "Pose frame semantics"): a joint's pose is in its child's frame, its axis in its own, unless an attribute names
// another.
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "engine/io/urdf_gazebo.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/placement.hpp"

namespace kinetree::inline inner {
namespace {

/// SDFormat's joint types that close loops here; empty: another.
std::string loop_word(const std::string& type) {
  if (type == "revolute" || type == "continuous") return "revolute";
  if (type == "prismatic" || type == "universal") return type;
  if (type == "ball") return "spherical";
  return type == "fixed" ? "weld" : "";
}

Placement inverse_of(const Placement& p) { return placement_of(inverse(transform_of(p))); }

}  // namespace

const Placement* UrdfGazebo::place_of(const std::string& name) {
  if (places_.empty()) {
    places_.emplace("world", Placement{});
    const std::vector<BodyDescription>& bodies = to_.description.bodies;
    std::unordered_map<std::string_view, const BodyDescription*> links;
    for (const BodyDescription& b : bodies) links.emplace(b.name, &b);
    std::unordered_set<const BodyDescription*> seen;  // placed, on the way, or below a cycle or what is no link
    for (const BodyDescription& b : bodies) {
      std::vector<const BodyDescription*> up;  // to what is placed; parents may stand after their children
      const BodyDescription* at = &b;
      while (at != nullptr && seen.insert(at).second) {
        up.push_back(at);
        const auto parent = links.find(at->parent);
        at = parent == links.end() ? nullptr : parent->second;
      }
      for (; !up.empty(); up.pop_back())
        if (const auto parent = places_.find(up.back()->parent); parent != places_.end())  // else none places it
          places_.emplace(up.back()->name, compose(parent->second, up.back()->joint.origin));
    }
    for (const BodyDescription& b : bodies)
      if (const auto link = places_.find(b.name); link != places_.end()) places_.emplace(b.joint.name, link->second);
    places_.emplace("__model__", Placement{});
  }
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &found->second;
}

void UrdfGazebo::read_loop(const XMLElement& e) {
  LoopDescription loop;
  loop.name = name_of_element(e);
  loop.line = e.GetLineNum();
  const std::string element = "<gazebo> joint \"" + loop.name + "\"",
                    type = e.Attribute("type") ? e.Attribute("type") : "";
  const auto refuse = [&](const std::string& fault) { say(Severity::error, loop.line, element, fault); };
  loop.type = loop_word(type);
  if (loop.type.empty())
    return refuse("its type \"" + type +
                  "\" can't close a loop; known are revolute, continuous, prismatic, universal, "
                  "ball, fixed");
  loop.first.body = text_of(e, "parent");
  loop.second.body = text_of(e, "child");
  for (const std::string& link : {loop.first.body, loop.second.body})
    if (link != "world" && link_named(link) == nullptr)
      return refuse(
          "\"" + link + "\" is no link of this model; give a link's name" +
          nearest_of(
              link, to_.description.bodies, [](const BodyDescription& b) { return b.name; }, reading_.findings.size()));
  const BodyDescription* child = link_named(loop.second.body);
  if (loop.first.body == "world" && child && child->parent == "world" && child->joint.type == "fixed") {
    if (loop.type == "weld")  // its pose places the joint's frame alone
      return say(Severity::notice, loop.line, element,
                 "holds \"" + child->name + "\" in the world, as it is held here");
    return refuse("moves the root link \"" + child->name + "\"; write it as a joint of URDF from a link \"world\"");
  }
  for (const std::string& link : {loop.first.body, loop.second.body})
    if (place_of(link) == nullptr) return;  // what it hangs from is none, which is said there
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    static constexpr std::array<std::string_view, 7> read{"parent", "child",   "pose",  "axis",
                                                          "axis2",  "physics", "sensor"};
    if (!is_among(c->Name(), read))
      return say(Severity::error, c->GetLineNum(), "<" + std::string(c->Name()) + ">",
                 "unknown in a <joint> of <gazebo>, which closes a loop" + if_meant(c->Name(), read) + "; take it out");
  }
  const XMLElement* pose = e.FirstChildElement("pose");
  double numbers[6] = {0, 0, 0, 0, 0, 0};
  if (pose && pose->GetText() && !number_of(*pose, element, numbers, 6)) return;
  std::string relative_to = loop.second.body;
  if (pose)
    for (const auto* a = pose->FirstAttribute(); a; a = a->Next()) {
      if (std::string_view(a->Name()) != "relative_to")
        return refuse("<pose " + std::string(a->Name()) + "> is not read; relative_to is, with angles in rad");
      relative_to = a->Value();
    }
  const Placement* outer = place_of(relative_to);
  if (outer == nullptr && (link_named(relative_to) || joint_named(relative_to))) return;  // hangs from none, too
  if (outer == nullptr) return refuse("its pose is relative to \"" + relative_to + "\", which is no link or joint");
  const Placement frame = compose(
      *outer, {{numbers[0], numbers[1], numbers[2]}, quaternion_from_rpy({numbers[3], numbers[4], numbers[5]})});
  if (loop.type == "revolute" || loop.type == "prismatic" || loop.type == "universal")
    if (!read_loop_axis(e, "axis", element, frame, loop.axis)) return;
  if (loop.type == "universal" && !read_loop_axis(e, "axis2", element, frame, loop.axis2.emplace())) return;
  for (LoopDescription::End* end : {&loop.first, &loop.second})
    end->frame = compose(inverse_of(*place_of(end->body)), frame);
  bool more = false;
  for (const char* tag : {"axis", "axis2"})
    if (const XMLElement* axis = e.FirstChildElement(tag))
      more = more || axis->FirstChildElement("limit") || axis->FirstChildElement("dynamics");
  say(Severity::notice, loop.line, element,
      more ? "closes a loop; its limits, damping and springs are left out" : "closes a loop");
  to_.description.loops.push_back(std::move(loop));
}

bool UrdfGazebo::read_loop_axis(const XMLElement& e, const char* tag, const std::string& element,
                                const Placement& frame, Numbers3& axis) {
  const XMLElement* given = e.FirstChildElement(tag);
  const std::string what = "<" + std::string(tag) + ">";
  const auto refuse = [&](const std::string& fault) {
    say(Severity::error, (given ? given : &e)->GetLineNum(), element, fault);
    return false;
  };
  if (given == nullptr)
    return refuse("has no " + what +
                  ", and joints of SDFormat, as those of <gazebo> are, have none by default; write <" + tag +
                  "><xyz>0 0 1</xyz></" + tag + ">, with the components in the joint's frame");
  if (is_true(text_of(*given, "use_parent_model_frame")))
    return refuse(what + " has <use_parent_model_frame>, which is not read; write <xyz expressed_in=\"__model__\">");
  const XMLElement* xyz = given->FirstChildElement("xyz");
  axis = {0, 0, 1};
  if (xyz == nullptr) return true;
  if (!number_of(*xyz, element, axis.data(), 3)) return false;
  const char* in = xyz->Attribute("expressed_in");
  if (in == nullptr || *in == '\0') return true;
  const Placement* outer = place_of(in);
  if (outer == nullptr && (link_named(in) || joint_named(in))) return false;  // hangs from none, which is said there
  if (outer == nullptr) return refuse(what + " is expressed in \"" + in + "\", which is no link or joint");
  // X.E turns components from the outer frame to the placed one
  const Vector3<double> world = transpose_times(transform_of(*outer).E, Vector3<double>{axis[0], axis[1], axis[2]});
  const Vector3<double> own = transform_of(frame).E * world;
  axis = {own.x, own.y, own.z};
  return true;
}

}  // namespace kinetree::inline inner
