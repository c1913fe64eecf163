// URDF by tinyxml2: line numbers, file order, every finding. What has no part in dynamics is left out and said once.
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <kinetree/description.hpp>
#include <kinetree/load_model.hpp>
#include <map>
#include <set>

#include "engine/io/urdf_control.hpp"
#include "engine/io/urdf_coupling.hpp"
#include "engine/io/urdf_gazebo.hpp"
#include "engine/io/urdf_left_out.hpp"
#include "engine/io/urdf_reading.hpp"
#include "engine/io/urdf_shapes.hpp"
#include "engine/io/urdf_transmissions.hpp"
#include "engine/io/xml_text.hpp"
#include "engine/model/known_names.hpp"

namespace kinetree {
namespace {

using tinyxml2::XMLElement;

class UrdfReader : UrdfReading {
 public:
  explicit UrdfReader(const std::string& name) { reading_.description.file = name; }

  Reading read(const std::string& text) {
    tinyxml2::XMLDocument document;
    if (!parse_xml(text, reading_.description.file, document, reading_.findings)) return std::move(reading_);
    const XMLElement* robot = document.RootElement();
    if (robot == nullptr || std::string_view(robot->Name()) != "robot") {
      say(Severity::error, robot ? robot->GetLineNum() : 1, "file",
          robot ? "the root element is <" + std::string(robot->Name()) + ">; a URDF has <robot>"
                : "has no root element");
      return std::move(reading_);
    }
    if (const XMLElement* macro = first_macro(*robot)) {
      say(Severity::error, macro->GetLineNum(), "<" + std::string(macro->Name()) + ">",
          "is xacro's, not URDF's; run xacro first (xacro FILE > robot.urdf) and give what it wrote");
      return std::move(reading_);
    }
    left_out_.check(*robot);
    if (const char* name = robot->Attribute("name")) reading_.description.name = name;
    for (const XMLElement* e = robot->FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view tag = e->Name();
      if (tag == "link")
        link(*e);
      else if (tag == "joint")
        joint(*e);
      else if (tag == "loop")
        loop(*e);
      else if (tag == "coupling")
        coupling(*e);
      else if (tag == "material")
        shapes_.take_material(*e);
      else if (tag == "gazebo")
        gazebo_.take(*e);
      else if (tag == "transmission")
        transmissions_.take(*e);
      else if (tag == "ros2_control")
        control_.take(*e);
    }
    shapes_.give_materials();
    hang();
    if (!has_error(reading_.findings)) add_couplings(couplings_, reading_);
    if (all_hang_) gazebo_.read_all(), transmissions_.read_all(), control_.read_all();
    left_out_.tell();
    return std::move(reading_);
  }

 private:
  /// An element that xacro would have replaced; null: none.
  static const XMLElement* first_macro(const XMLElement& e) {
    if (std::string_view(e.Name()).starts_with("xacro:")) return &e;
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
      if (const XMLElement* macro = first_macro(*c)) return macro;
    return nullptr;
  }
  void link(const XMLElement& e) {
    BodyDescription b;
    b.name = name_of_element(e);
    b.line = e.GetLineNum();
    const std::string element = "link \"" + b.name + "\"";
    if (const XMLElement* inertial = only(e, "inertial", element)) {
      InertialDescription i;
      i.line = inertial->GetLineNum();
      i.frame = origin(only(*inertial, "origin", element), element);
      if (const XMLElement* mass = only(*inertial, "mass", element))
        numbers(*mass, "value", element, &i.mass, 1, true);
      else
        say(Severity::error, i.line, element, "<inertial> has no <mass>");
      if (const XMLElement* inertia = only(*inertial, "inertia", element)) {
        static constexpr const char* entries[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
        for (std::size_t k = 0; k < 6; ++k) numbers(*inertia, entries[k], element, &i.inertia[k], 1, true);
      } else {
        say(Severity::error, i.line, element, "<inertial> has no <inertia>");
      }
      b.inertial = i;
    }
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
      if (const std::string_view tag = c->Name(); tag == "visual" || tag == "collision")
        shapes_.take(*c, element, tag == "visual" ? b.visuals : b.collisions);
    reading_.description.bodies.push_back(std::move(b));
  }

  struct Edge {
    std::string child, parent;
    JointDescription joint;
  };

  void joint(const XMLElement& e) {
    Edge edge;
    JointDescription& j = edge.joint;
    j.name = name_of_element(e);
    j.line = e.GetLineNum();
    const std::string element = "joint \"" + j.name + "\"";
    j.type = "fixed";
    if (const char* type = e.Attribute("type"))
      j.type = type;
    else
      say(Severity::error, j.line, element,
          "has no type attribute; known types are revolute, continuous, prismatic, fixed, floating, planar");
    static const std::set<std::string_view> of_urdf{"revolute", "continuous", "prismatic",
                                                    "fixed",    "floating",   "planar"};
    if (joint_type_named(j.type) && of_urdf.count(j.type) == 0) {
      say(Severity::error, j.line, element, "type \"" + j.type + "\" is not one of URDF's; a YAML model can have it");
      j.type = "fixed";
    }
    if (j.name.empty() && j.type == "fixed")
      say(Severity::error, j.line, "joint", "has no name attribute; give it one");
    edge.parent = end_of(e, "parent", element).body;
    edge.child = end_of(e, "child", element).body;
    j.origin = origin(only(e, "origin", element), element);
    j.axis = {1, 0, 0};
    if (const XMLElement* axis = only(e, "axis", element)) numbers(*axis, "xyz", element, j.axis.data(), 3, true);
    if (const XMLElement* mimic = only(e, "mimic", element)) {
      MimicDescription m;
      const char* name = mimic->Attribute("joint");
      if (name == nullptr) say(Severity::error, mimic->GetLineNum(), element, "<mimic joint> is missing");
      m.joint = name ? name : "";
      numbers(*mimic, "multiplier", element, &m.multiplier, 1, false);
      numbers(*mimic, "offset", element, &m.offset, 1, false);
      j.mimic = m;
    }
    if (const XMLElement* dynamics = only(e, "dynamics", element)) {
      number(*dynamics, "damping", element, j.passive.damping);
      number(*dynamics, "friction", element, j.passive.friction);
    }
    if (const XMLElement* limit = only(e, "limit", element)) limits(*limit, element, j);
    edges_.push_back(std::move(edge));
  }

  /// One number, where the attribute is given.
  void number(const XMLElement& e, const char* attribute, const std::string& element, PerFreedom& out) {
    if (e.Attribute(attribute) == nullptr) return;
    double x = 0;
    numbers(e, attribute, element, &x, 1, false);
    out = {x};
  }

  /// URDF has limits of joints of one degree of freedom, of positions only where type and file both give them. One of
  /// `lower` and `upper` alone: the other is 0.
  void limits(const XMLElement& e, const std::string& element, JointDescription& j) {
    LimitsDescription l;
    for (const auto& [attribute, out] : {std::pair<const char*, PerFreedom*>{"lower", &l.lower},
                                         {"upper", &l.upper},
                                         {"velocity", &l.velocity},
                                         {"effort", &l.effort}})
      number(e, attribute, element, *out);
    const bool ranged = j.type == "revolute" || j.type == "prismatic";
    if (ranged && l.lower.empty() != l.upper.empty()) (l.lower.empty() ? l.lower : l.upper) = {0};
    if (!ranged) l.lower.clear(), l.upper.clear();
    if (ranged || j.type == "continuous") j.limits = std::move(l);
  }

  /// The link that a child element names, and, where it may have one, its <origin>.
  LoopDescription::End end_of(const XMLElement& e, const char* which, const std::string& element, bool placed = false) {
    LoopDescription::End end;
    const XMLElement* c = only(e, which, element);
    const char* name = c ? c->Attribute("link") : nullptr;
    if (name == nullptr)
      say(Severity::error, c ? c->GetLineNum() : e.GetLineNum(), element,
          std::string("<") + which + " link> is missing");
    else
      end.body = name;
    if (c && placed) end.frame = origin(only(*c, "origin", element), element);
    return end;
  }

  /// URDF+: a joint that closes a loop, by its frame in either link.
  void loop(const XMLElement& e) {
    LoopDescription l;
    l.name = name_of_element(e);
    l.line = e.GetLineNum();
    const std::string element = "loop \"" + l.name + "\"";
    const std::string type = e.Attribute("type") ? e.Attribute("type") : "";
    if (type.empty())
      say(Severity::error, l.line, element,
          "has no type attribute; known types are revolute, continuous, prismatic, planar, fixed");
    else if (type == "universal")
      say(Severity::error, l.line, element, "type \"universal\" is not one of URDF+'s; a YAML model can have it");
    l.type = type == "fixed" ? "weld" : type == "continuous" || type.empty() || type == "universal" ? "revolute" : type;
    l.first = end_of(e, "predecessor", element, true);
    l.second = end_of(e, "successor", element, true);
    l.axis = {1, 0, 0};
    if (const XMLElement* axis = only(e, "axis", element)) numbers(*axis, "xyz", element, l.axis.data(), 3, true);
    if (!l.first.body.empty() && !l.second.body.empty()) reading_.description.loops.push_back(std::move(l));
  }

  void coupling(const XMLElement& e) {
    UrdfCoupling c;
    c.name = name_of_element(e);
    c.line = e.GetLineNum();
    const std::string element = "coupling \"" + c.name + "\"";
    c.predecessor = end_of(e, "predecessor", element).body;
    c.successor = end_of(e, "successor", element).body;
    if (const XMLElement* ratio = only(e, "ratio", element))
      numbers(*ratio, "value", element, &c.ratio, 1, true);
    else
      say(Severity::warning, c.line, element, "has no <ratio>; URDF+'s default of 1 counts");
    couplings_.push_back(std::move(c));
  }

  std::string nearest_link(const std::string& name, const std::vector<BodyDescription>& links) const {
    return nearest_of(
        name, links, [](const BodyDescription& b) { return b.name; }, reading_.findings.size());
  }

  /// Gives every link its joint; a link without one is the root. Bodies stand in the order of their joints, the root
  /// first.
  void hang() {
    std::vector<BodyDescription> links = std::move(reading_.description.bodies);
    std::map<std::string, std::size_t> index;
    for (std::size_t k = 0; k < links.size(); ++k) index.emplace(links[k].name, k);
    std::vector<BodyDescription> bodies;
    std::set<std::size_t> hung;
    for (Edge& edge : edges_) {
      const std::string element = "joint \"" + edge.joint.name + "\"";
      const auto child = index.find(edge.child);
      if (edge.child.empty() || edge.parent.empty()) {  // said already
        broken_ = true;
        continue;
      }
      if (child == index.end()) {
        say(Severity::error, edge.joint.line, element,
            "child link \"" + edge.child + "\" does not exist; give a link's name" + nearest_link(edge.child, links));
        if (!index.count(edge.parent))
          say(Severity::error, edge.joint.line, element,
              "parent link \"" + edge.parent + "\" does not exist; give a link's name" +
                  nearest_link(edge.parent, links));
        broken_ = true;
        continue;
      }
      if (!hung.insert(child->second).second) {
        say(Severity::error, edge.joint.line, element,
            "link \"" + edge.child + "\" hangs from another joint already; a link has one parent");
        continue;
      }
      BodyDescription b = links[child->second];
      b.parent = edge.parent;
      b.joint = std::move(edge.joint);
      bodies.push_back(std::move(b));
    }
    all_hang_ = bodies.size() == edges_.size();
    std::vector<std::size_t> roots;
    for (std::size_t k = 0; k < links.size(); ++k)
      if (!hung.count(k)) roots.push_back(k);
    if (roots.size() > 1 && !broken_) {
      // a duplicate of a hung link is a duplicate, not a root
      std::string names;
      int count = 0;
      constexpr int most_names = 8;  // more are counted
      for (std::size_t r : roots)
        if (index[links[r].name] == r && count++ < most_names)
          names += (count > 1 ? ", \"" : "\"") + links[r].name + "\"";
      if (count > most_names) names += ", ...";
      if (count > 1)
        say(Severity::error, links[roots[1]].line, "robot",
            "has " + std::to_string(count) + " root links: " + names + "; all but one need a joint to a parent");
    }
    std::vector<BodyDescription> all;
    for (std::size_t root : roots) {
      BodyDescription b = links[root];
      b.parent = "world";
      b.joint.name = "world_to_" + b.name;
      b.joint.type = "fixed";
      b.joint.line = b.line;
      // "world" as a root link's name is custom in URDF: it is the ground
      if (b.name == "world") {
        if (b.inertial)
          say(Severity::notice, b.line, "link \"world\"", "its inertia rests on the ground and is left out");
        if (!b.visuals.empty() || !b.collisions.empty())
          say(Severity::notice, b.line, "link \"world\"", "its visuals and collisions are left out: it is the ground");
        continue;
      }
      all.push_back(std::move(b));
    }
    std::move(bodies.begin(), bodies.end(), std::back_inserter(all));
    reading_.description.bodies = std::move(all);
  }

  std::vector<Edge> edges_;
  std::vector<UrdfCoupling> couplings_;
  UrdfLeftOut left_out_{reading_};
  UrdfGazebo gazebo_{reading_, left_out_};
  UrdfTransmissions transmissions_{reading_, left_out_};
  UrdfControl control_{reading_, left_out_};
  UrdfShapes shapes_{reading_};
  bool all_hang_ = false;  ///< every joint carries its link
  bool broken_ = false;    ///< a joint could not be placed, so links may look like roots that are none
};

}  // namespace

Reading read_urdf_text(const std::string& text, const std::string& name) { return UrdfReader(name).read(text); }

}  // namespace kinetree
