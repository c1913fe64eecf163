// SDFormat by libsdformat: frames are resolved by it, then links and joints are hung into a tree, and what does not fit
// into one closes loops. Everything is placed in the world first, at the file's pose, where every q is 0.
#include <algorithm>
#include <cmath>
#include <ignition/math/Pose3.hh>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <kinetree/sdf.hpp>
#include <set>
#include <string>

#include "engine/io/anchoring.hpp"
#include "engine/io/hang_links.hpp"
#include "engine/io/plain_locale.hpp"
#include "engine/io/sdf_auto_inertia.hpp"
#include "engine/io/sdf_extensions.hpp"
#include "engine/io/sdf_joint_numbers.hpp"
#include "engine/io/sdf_left_out.hpp"
#include "engine/io/sdf_load.hpp"
#include "engine/io/sdf_mimic.hpp"
#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_screw.hpp"
#include "engine/io/sdf_shapes.hpp"
#include "engine/model/included_lines.hpp"
#include "engine/model/known_names.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree {
namespace {

using ignition::math::Pose3d;
using ignition::math::Vector3d;

Numbers3 three(const Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
Placement placement(const Pose3d& p) { return {three(p.Pos()), {p.Rot().X(), p.Rot().Y(), p.Rot().Z(), p.Rot().W()}}; }
std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

class SdfReader {
 public:
  explicit SdfReader(const std::string& name) { d_.file = name; }

  Reading read(const std::string& text) {
    const PlainLocale plain;
    take(text);
    place_lines(reading_.findings, d_);
    return std::move(reading_);
  }

 private:
  void take(const std::string& text) {
    if (!xml_.parse(text, "sdf", d_.file, reading_.findings)) return;
    check_sdf(*xml_.document().RootElement(), d_.file, reading_.findings);
    std::set<std::string> faulty;  // of which libsdformat has nothing to add, but of others
    for (const Finding& finding : reading_.findings) faulty.insert(finding.element);
    if (faulty.count("file")) return;
    SdfLoad loaded = load_sdf(text, d_.file, xml_);
    places_ = std::move(loaded.places);
    d_.included = places_.included();
    for (Finding& finding : loaded.findings)
      if (faulty.empty() || (finding.element != "file" && !faulty.count(finding.element)))
        reading_.findings.push_back(std::move(finding));
    if (has_error(reading_.findings)) return;
    unknown_ = std::move(loaded.unknown);
    left_out_ = std::move(loaded.left_out);
    say_what_is_unknown(unknown_, reading_);
    place(loaded.root);
    if (has_error(reading_.findings)) return;
    newer_ = is_newer_sdf(*xml_.document().RootElement());
    hang_all();
    std::vector<SdfJointPlace> joints;
    for (const Edge& e : edges_) joints.push_back({e.name, e.scope, e.joint, e.line, e.in_tree});
    read_sdf_mimics(joints, reading_);
    read_sdf_plugins(loaded.root, places_, reading_);
    for (const Edge& edge : edges_)
      if (edge.joint->Type() == sdf::JointType::GEARBOX) gearbox(edge);
    note_what_is_left_out(loaded.root.Element(), unknown_, places_, left_out_);
    say_what_was_left_out(left_out_, counts_, xml_, reading_);
    auto_inertias_.say_what_counts();
  }

  struct Node {
    std::string name;
    Pose3d pose;  ///< in the world
    const sdf::Link* link;
    int line;
  };
  struct Edge {
    std::string name, scope;
    Pose3d pose;  ///< of the joint's frame in the world
    const sdf::Joint* joint;
    std::string parent, child;  ///< links, or world
    int line;
    bool in_tree = false;
    bool turned = false;  ///< parent and child are those of the file exchanged
  };

  void say(Severity severity, int line, std::string element, std::string message) {
    reading_.findings.push_back({severity, d_.file, line, std::move(element), std::move(message)});
  }
  void fault(const Edge& edge, std::string message) {
    say(Severity::error, edge.line, "joint " + in_quotes(edge.name), std::move(message));
  }

  /// Every movable model of the file, its links and joints, in the world.
  void place(const sdf::Root& root) {
    std::vector<const sdf::Model*> models;
    if (root.WorldCount() > 1)
      return say(Severity::error, xml_.first("world"), "file",
                 "has " + std::to_string(root.WorldCount()) + " worlds; give one file for each");
    if (root.WorldCount() == 1) {
      const sdf::World& world = *root.WorldByIndex(0);
      for (std::uint64_t k = 0; k < world.ModelCount(); ++k) models.push_back(world.ModelByIndex(k));
      d_.gravity = three(world.Gravity());
      d_.name = world.Name();
    } else if (root.Model()) {
      models.push_back(root.Model());
    }
    const auto still = std::stable_partition(models.begin(), models.end(), [](auto* m) { return !m->Static(); });
    counts_.still = static_cast<int>(models.end() - still);
    models.erase(still, models.end());
    if (models.empty())
      return say(Severity::error, xml_.first("model"), "file",
                 counts_.still > 0 ? "nothing moves: every <model> is <static>; take that out of one"
                                   : "has no <model>; give one");
    if (models.size() == 1) d_.name = models[0]->Name();
    for (const sdf::Model* model : models) place(*model, models.size() == 1 ? "" : model->Name() + "::", {});
    if (models.size() > 1 || nested_)
      say(Severity::notice, 0, "file",
          "has several models: links and joints are named model::name, as SDFormat's scopes are");
    for (const Edge& edge : edges_)
      for (const std::string* link : {&edge.parent, &edge.child})
        if (!node(*link) && (link == &edge.child || *link != "world"))
          fault(edge, "its " + std::string(link == &edge.child ? "child " : "parent ") + in_quotes(*link) +
                          " is no link of a model that moves; give a link's name");
  }

  void place(const sdf::Model& model, const std::string& scope, const Pose3d& outer) {
    Pose3d pose;
    if (!model.SemanticPose().Resolve(pose).empty()) pose = model.RawPose();
    pose = outer * pose;
    for (std::uint64_t k = 0; k < model.LinkCount(); ++k) {
      const sdf::Link& link = *model.LinkByIndex(k);
      Node node{scope + link.Name(), {}, &link, places_.line_of(link.Element())};
      resolve(link.SemanticPose(), "link " + in_quotes(node.name), node.line, node.pose);
      node.pose = pose * node.pose;
      links_.take(node.name);
      index_.emplace(node.name, nodes_.size());
      nodes_.push_back(std::move(node));
    }
    for (std::uint64_t k = 0; k < model.JointCount(); ++k) {
      const sdf::Joint& joint = *model.JointByIndex(k);
      Edge edge{scope + joint.Name(), scope, {}, &joint, {}, {}, places_.line_of(joint.Element())};
      resolve(joint.SemanticPose(), "joint " + in_quotes(edge.name), edge.line, edge.pose);
      edge.pose = pose * edge.pose;
      joint.ResolveParentLink(edge.parent);
      joint.ResolveChildLink(edge.child);
      if (edge.parent != "world") edge.parent = scope + edge.parent;
      edge.child = scope + edge.child;
      joints_.take(edge.name);
      edges_.push_back(std::move(edge));
    }
    for (std::uint64_t k = 0; k < model.ModelCount(); ++k) {
      nested_ = true;
      place(*model.ModelByIndex(k), scope + model.ModelByIndex(k)->Name() + "::", pose);
    }
  }

  void resolve(const sdf::SemanticPose& semantic, const std::string& element, int line, Pose3d& pose) {
    for (const sdf::Error& error : semantic.Resolve(pose, "__model__"))
      say(Severity::error, line, element, "its pose can't be resolved: " + error.Message());
  }

  const Node* node(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &nodes_[found->second];
  }
  Pose3d pose_of(const std::string& link) const { return node(link) ? node(link)->pose : Pose3d(); }

  /// Links that nothing holds first, then what hangs from joints, in the joints' order; joints that hang_links leaves
  /// close loops.
  void hang_all() {
    std::vector<Edge*> joints;
    std::vector<LinkEdge> ends;
    const auto index_of = [&](const std::string& link) {
      const auto found = index_.find(link);  // not there: the world
      return found == index_.end() ? -1 : static_cast<int>(found->second);
    };
    for (Edge& edge : edges_) {
      if (edge.joint->Type() == sdf::JointType::GEARBOX) continue;
      joints.push_back(&edge);
      ends.push_back({index_of(edge.parent), index_of(edge.child)});
    }
    const std::vector<int> held_by = hang_links(ends, static_cast<int>(nodes_.size()));
    for (std::size_t k = 0; k < joints.size(); ++k) {
      Edge& edge = *joints[k];
      edge.in_tree = ends[k].in_tree, edge.turned = ends[k].turned;
      if (!edge.in_tree) loop(edge);
      if (!edge.turned) continue;
      std::swap(edge.parent, edge.child);
      say_turned(edge);
    }
    const auto floating = std::ranges::count(held_by, -1);
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (held_by[k] < 0) let_float(nodes_[k], floating == 1);
    for (const Edge& edge : edges_)
      if (edge.in_tree) hang_by(edge);
    if (apart_ > 0)
      say(Severity::notice, 0, "model",
          std::to_string(apart_) + (apart_ == 1 ? " joint is" : " joints are") +
              " off the link's origin: massless links named <joint>_link stand there");
  }

  /// Joints of one axis keep every number: parent and child exchanged, the axis reversed. The others'
  /// positions change.
  void say_turned(const Edge& edge) {
    std::string numbers = "its axis is reversed, so that positions, velocities and forces keep their meaning";
    if (edge.joint->Type() == sdf::JointType::BALL)
      numbers =
          "its positions and velocities are those of " + in_quotes(edge.child) + " against " + in_quotes(edge.parent);
    else if (sdf_joint_word(*edge.joint, false) == "universal")
      numbers =
          "its axes are reversed and exchanged, so that positions, velocities and forces keep their meaning, but "
          "those about <axis2> come first";
    else if (edge.joint->Type() == sdf::JointType::FIXED)
      numbers = "nothing else changes";
    say(Severity::notice, edge.line, "joint " + in_quotes(edge.name),
        "is turned round, since a link hangs from one joint alone: here its parent is " + in_quotes(edge.parent) +
            ", its child " + in_quotes(edge.child) + "; " + numbers);
  }

  BodyDescription body_of(const Node& n) {
    BodyDescription body;
    body.name = n.name;
    body.line = n.line;
    const auto& inertial = n.link->Inertial();
    const auto& m = inertial.MassMatrix();
    if (!n.link->Element()->HasElement("inertial")) ++counts_.without_inertial;
    const std::size_t scope = n.name.size() - n.link->Name().size();
    read_shapes(*n.link, body, n.name.substr(0, scope), places_, reading_);
    if (SdfAutoInertias::asked_for(*n.link)) {
      auto_inertias_.take(*n.link, body);
      return body;
    }
    if (m.Mass() == 0 && m.DiagonalMoments() == Vector3d::Zero && m.OffDiagonalMoments() == Vector3d::Zero) return body;
    body.inertial = InertialDescription{
        m.Mass(), placement(inertial.Pose()), {m.Ixx(), m.Iyy(), m.Izz(), m.Ixy(), m.Ixz(), m.Iyz()}, n.line};
    return body;
  }

  void let_float(const Node& n, bool alone) {
    BodyDescription body = body_of(n);
    body.parent = "world";
    body.joint.name = joints_.make(alone ? "floating_base" : n.name + "_floating");
    body.joint.type = "floating";
    body.joint.line = n.line;
    const Placement p = placement(n.pose);
    std::string q;
    for (const double x : p.xyz) q += number_text(x, 6) + ' ';
    for (std::size_t k = 0; k < 4; ++k) q += number_text(p.quaternion[k], 6) + (k < 3 ? " " : "");
    say(Severity::notice, n.line, "link " + in_quotes(n.name),
        "no joint holds it, so it floats by " + in_quotes(body.joint.name) + "; the file's pose is its q = [" + q +
            "]; a fixed joint with the parent world would hold it");
    d_.bodies.push_back(std::move(body));
  }

  /// The motion of a joint that is turned round is the inverse one: about the axes in reverse order, each reversed.
  Numbers3 axis(const Edge& edge, unsigned which, const Pose3d& frame) {
    Vector3d xyz(0, 0, 1);
    if (edge.turned && sdf_joint_word(*edge.joint, false) == "universal") which = 1 - which;
    const sdf::JointAxis* given = edge.joint->Axis(which);
    if (!given) {  // in an included file; check_sdf sees only the first
      fault(edge, "has no <axis" + std::string(which ? "2" : "") + ">; give it");
      return three(xyz);
    }
    for (const sdf::Error& error : given->ResolveXyz(xyz))
      fault(edge, "its axis can't be resolved: " + error.Message());
    if (edge.turned) xyz = -xyz;
    return three(frame.Rot().Inverse() * (edge.pose.Rot() * xyz));
  }

  /// Our joint frame stands at the joint and lies as the link lies: the axis turns, not the link.
  void hang_by(const Edge& edge) {
    const Node& child = *node(edge.child);
    BodyDescription body = body_of(child);
    body.parent = edge.parent;
    JointDescription& joint = body.joint;
    joint.name = edge.name;
    joint.line = edge.line;
    Pose3d frame = child.pose;
    Numbers3 anchor{0, 0, 0};
    const Vector3d apart = child.pose.Rot().Inverse() * (edge.pose.Pos() - child.pose.Pos());
    const auto type = edge.joint->Type();
    const bool anywhere = type == sdf::JointType::FIXED || type == sdf::JointType::PRISMATIC;
    if (!anywhere && apart.Length() > 1e-13) {
      anchor = three(apart);
      frame.Pos() = edge.pose.Pos();
    }
    joint.origin = placement(pose_of(edge.parent).Inverse() * frame);
    joint.type = sdf_joint_word(*edge.joint, false);
    if (type != sdf::JointType::FIXED && type != sdf::JointType::BALL) joint.axis = axis(edge, 0, frame);
    if (joint.type == "universal") joint.axis2 = axis(edge, 1, frame);
    const auto say_here = [&](Severity severity, std::string message) {
      say(severity, edge.line, "joint " + in_quotes(edge.name), std::move(message));
    };
    if (type == sdf::JointType::SCREW) joint.pitch = screw_pitch(*edge.joint, newer_, say_here);
    take_joint_numbers(*edge.joint, joint, edge.turned);
    joint.armature = reflected_inertia(*edge.joint, say_here);
    apart_ += hang(d_, std::move(body), anchor, links_, joints_);
  }

  void loop(const Edge& edge) {
    if (edge.joint->Type() == sdf::JointType::SCREW)
      return fault(edge, "a screw can't close a loop; put it before the other joint whose child is " +
                             in_quotes(edge.child) + ", which closes it then");
    LoopDescription loop;
    loop.name = edge.name;
    loop.line = edge.line;
    loop.type = sdf_joint_word(*edge.joint, true);
    for (const unsigned k : {0u, 1u})
      if (const sdf::JointAxis* axis = edge.joint->Axis(k)) counts_.loops_with_forces += has_passive_forces(*axis);
    if (edge.joint->Element()->HasElement("drake:rotor_inertia"))
      say(Severity::warning, edge.line, "joint " + in_quotes(edge.name), "its rotor is left out: it closes a loop");
    if (loop.type != "weld" && loop.type != "spherical") loop.axis = axis(edge, 0, edge.pose);
    if (loop.type == "universal") loop.axis2 = axis(edge, 1, edge.pose);
    loop.first = {edge.parent, placement(pose_of(edge.parent).Inverse() * edge.pose)};
    loop.second = {edge.child, placement(pose_of(edge.child).Inverse() * edge.pose)};
    d_.loops.push_back(std::move(loop));
  }

  /// The joint whose angle is that from `reference` to `link` about an axis in the world, and its sign there.
  std::pair<const Edge*, double> hinge(const std::string& reference, const std::string& link, const Vector3d& about) {
    for (const Edge& e : edges_) {
      const bool along = e.parent == reference && e.child == link, against = e.parent == link && e.child == reference;
      const auto type = e.joint->Type();
      if (!e.in_tree || (!along && !against) ||
          (type != sdf::JointType::REVOLUTE && type != sdf::JointType::CONTINUOUS))
        continue;
      const Numbers3 a = axis(e, 0, Pose3d());
      const double cosine = (a[0] * about.X() + a[1] * about.Y() + a[2] * about.Z()) / about.Length();
      if (std::abs(std::abs(cosine) - 1) < 1e-6) return {&e, (along ? 1 : -1) * (cosine > 0 ? 1.0 : -1.0)};
    }
    return {nullptr, 0};
  }

  /// theta_child = -ratio theta_parent, angles from the reference body about axis and axis2: SDFormat's joint.sdf.
  void gearbox(const Edge& edge) {
    const auto element = edge.joint->Element();
    if (!element->HasElement("gearbox_reference_body"))
      return fault(edge, "has no <gearbox_reference_body>; give the link that both of its links turn against");
    const std::string body = edge.scope + element->Get<std::string>("gearbox_reference_body");
    if (!node(body))
      return fault(edge, "its <gearbox_reference_body> " + in_quotes(body) + " is no link; give a link's name" +
                             nearest_of(body, nodes_, [](const Node& n) { return n.name; }));
    const double ratio = element->Get<double>("gearbox_ratio");
    CouplingDescription coupling{edge.name, {}, 0, edge.line};
    for (const bool second : {true, false}) {
      const std::string& link = second ? edge.child : edge.parent;
      const Numbers3 about = axis(edge, second, Pose3d());
      const auto [joint, sign] = hinge(body, link, {about[0], about[1], about[2]});
      if (!joint)
        return fault(edge, std::string("no revolute joint of the tree about its <axis") + (second ? "2" : "") +
                               "> connects " + in_quotes(link) + " with its reference body " + in_quotes(body) +
                               "; give one");
      coupling.terms.push_back({joint->name, second ? sign : ratio * sign});
    }
    d_.couplings.push_back(std::move(coupling));
  }

  Reading reading_;
  Description& d_ = reading_.description;
  XmlLines xml_;
  SdfPlaces places_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> index_;
  std::vector<Edge> edges_;
  Names links_, joints_;
  std::map<std::string, SdfLoad::Unknown> unknown_, left_out_;
  LeftOutOfSdf counts_;
  SdfAutoInertias auto_inertias_{places_, reading_};
  int apart_ = 0;
  bool nested_ = false, newer_ = false;
};

}  // namespace

Reading read_sdf_text(const std::string& text, const std::string& name) { return SdfReader(name).read(text); }

}  // namespace kinetree
