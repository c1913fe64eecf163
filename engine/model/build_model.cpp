// From a checked Description to a Model: fixed joints merged, bodies numbered, frames turned so that kernels see z.
#include <algorithm>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/model/aggregates.hpp"
#include "engine/model/appearance.hpp"
#include "engine/model/body_frames.hpp"
#include "engine/model/check_description.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/cut_rule.hpp"
#include "engine/model/family_text.hpp"
#include "engine/model/idle_directions.hpp"
#include "engine/model/included_lines.hpp"
#include "engine/model/joint_frames.hpp"
#include "engine/model/joint_numbers.hpp"
#include "engine/model/lock_joints.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/out_of_memory.hpp"
#include "engine/model/passive_notice.hpp"
#include "engine/model/placement.hpp"
#include "engine/model/rigid_body_check.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree {
namespace {

/// Builds in two stages, since a body's description takes more memory than what a model keeps of it: places the bodies,
/// and then, when their descriptions are released, makes what the algorithms read.
class Builder {
 public:
  /// Takes the description's bodies.
  Builder(Description& d, const Topology& topology, ModelData& data) : d_(d), topology_(topology), data_(data) {}

  void run() {
    data_.name = d_.name;
    data_.gravity = d_.gravity;
    data_.frames.resize(d_.bodies.size());
    make_room();
    for (int k : topology_.order) place(k);
    appearance_->sensors = std::move(d_.sensors), appearance_->forces = std::move(d_.forces);
    data_.appearance = std::move(appearance_);
    data_.q_index.push_back(nq_);
    data_.v_index.push_back(nv_);
    take_joint_numbers(d_, data_);
    if (data_.parent.empty())
      say(Severity::error, -1,
          "every link is fixed to the world, so nothing moves; give a movable joint or a floating base");
    weigh_parts();
    release_bodies();
    make_links();
    connect(data_);
    weigh();
    choose_body_frames(data_);
    take_hint();
    if (!d_.loops.empty() || !d_.couplings.empty()) make_aggregates(d_, data_);
    keep_joints_whole();
    if (!has_error(data_.findings)) look_for_idle_joints();
    if (data_.passive.any) say(Severity::notice, -1, std::string(passive_notice));
    if (!data_.appearance->forces.empty()) say(Severity::notice, -1, std::string(point_force_notice));
  }

 private:
  /// What a Link begins with; its other numbers, a third of it, follow from these.
  struct Placed {
    Transform<double> X_tree;
    double constant[2]{};
    RigidInertia<double> I;
  };
  /// Where the user's file has what findings name.
  struct Lines {
    int link = 0, joint = 0;
  };

  /// Arrays that grow take twice what they hold, and three times while they move: of the largest models most memory.
  void make_room() {
    std::size_t bodies = 0;
    for (const BodyDescription& b : d_.bodies) bodies += b.joint.type != "fixed";
    data_.parent.reserve(bodies), data_.joint_type.reserve(bodies), data_.joint_name.reserve(bodies);
    data_.body_frame.reserve(bodies), placed_.reserve(bodies), links_on_.reserve(bodies);
    data_.q_index.reserve(bodies + 1), data_.v_index.reserve(bodies + 1), data_.armature.reserve(bodies);
    lines_.resize(d_.bodies.size());
  }

  void say(Severity severity, int k, std::string message) {
    Finding f{severity, d_.file, 0, "model", std::move(message)};
    if (k >= 0) {
      f.line = lines_[at(k)].link;
      f.element = "link \"" + data_.frames[at(k)].name + "\"";
    }
    data_.findings.push_back(std::move(f));
  }

  /// Gives a link its body (a new one, or its parent's where the joint is fixed) and its frame there.
  void place(int k) {
    BodyDescription& b = d_.bodies[at(k)];
    const JointType type = *joint_type_named(b.joint.type);
    Frame& frame = data_.frames[at(k)];
    frame.name = std::move(b.name);
    lines_[at(k)] = {b.inertial && b.inertial->line > 0 ? b.inertial->line : b.line, b.joint.line};
    if (!b.visuals.empty() || !b.collisions.empty()) {
      appearance_->links.resize(d_.bodies.size());
      appearance_->links[at(k)] = {std::move(b.visuals), std::move(b.collisions)};
    }
    int parent = -1;
    Transform<double> X = transform_of(b.joint.origin);  // from the parent's body frame to the link's at q = 0
    if (topology_.parent[at(k)] >= 0) {
      const Frame& outer = data_.frames[at(topology_.parent[at(k)])];
      parent = outer.body;
      X = X * outer.X_frame_body;
    }
    if (type == JointType::fixed) {
      frame.body = parent;
      frame.X_frame_body = X;
    } else {
      const JointFrames frames = joint_frames(type, b.joint);
      frame.body = static_cast<int>(data_.parent.size());
      frame.X_frame_body = {transpose(frames.body), {0, 0, 0}};
      Placed placed;
      placed.X_tree = {frames.first * X.E, X.r};
      placed.constant[0] = frames.constant[0], placed.constant[1] = frames.constant[1];
      data_.parent.push_back(parent);
      data_.joint_type.push_back(type);
      data_.joint_name.push_back(std::move(b.joint.name));
      data_.body_frame.push_back(k);
      placed_.push_back(placed);
      data_.q_index.push_back(nq_);
      data_.v_index.push_back(nv_);
      nq_ += position_count(type);
      nv_ += velocity_count(type);
      data_.armature.resize(at(nv_), b.joint.armature);
      links_on_.push_back(0);
    }
    if (frame.body >= 0) ++links_on_[at(frame.body)];
    if (!b.inertial || frame.body < 0) return;
    placed_[at(frame.body)].I += congruence(frame.X_frame_body, rigid_inertia(*b.inertial));
  }

  /// The rule of `weigh` holds for the rigid body; a link that is only a part of one, or of the ground, may break it.
  void weigh_parts() {
    for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
      const int body = data_.frames[k].body;
      if (!d_.bodies[k].inertial || (body >= 0 && links_on_[at(body)] == 1)) continue;
      const InertiaVerdict verdict = check_inertia(rigid_inertia(*d_.bodies[k].inertial));
      if (!verdict.message.empty())
        say(Severity::warning, static_cast<int>(k),
            "on its own its " + verdict.message +
                (body < 0 ? "; it is fixed to the world" : "; what counts is the rigid body it is a part of"));
    }
  }

  void release_bodies() { std::vector<BodyDescription>().swap(d_.bodies); }

  void make_links() {
    data_.link.reserve(placed_.size());
    for (const Placed& placed : placed_) {
      Link<double> link;
      link.X_tree = placed.X_tree;
      link.constant[0] = placed.constant[0], link.constant[1] = placed.constant[1];
      link.I = placed.I;
      data_.link.push_back(link);
    }
    std::vector<Placed>().swap(placed_);
  }

  void weigh() {
    const std::size_t n = data_.parent.size();
    for (std::size_t i = 0; i < n; ++i) {
      const RigidInertia<double>& I = data_.link[i].I;
      const InertiaVerdict verdict = check_inertia(I);
      if (!verdict.message.empty())
        say(verdict.severity, data_.body_frame[i],
            (links_on_[i] > 1 ? "with the links fixed to it, its " : "its ") + verdict.message +
                (verdict.severity == Severity::error ? "; correct the inertia"
                                                     : "; it is taken as it stands: check it") +
                " (a URDF's stands about the centre of mass, in the axes of its origin)");
    }
    CutRule rule = bodies_that_allow_cuts(data_);
    data_.allows_cuts = std::move(rule.whole), data_.may_split = std::move(rule.half);
  }

  /// Where the user says that loops are about to close.
  void take_hint() {
    data_.assembled = zero_configuration(data_);
    std::unordered_map<std::string_view, const JointPositions*> hint;
    for (const JointPositions& a : d_.assembled) hint.emplace(a.joint, &a);
    if (hint.empty()) return;
    for (std::size_t i = 0; i < data_.parent.size(); ++i)
      if (const auto found = hint.find(data_.joint_name[i]); found != hint.end())
        std::copy(found->second->positions.begin(), found->second->positions.end(),
                  data_.assembled.begin() + data_.q_index[i]);
  }

  /// The dial cuts around aggregates, and not where a rotor ties what is on both sides of its joint together; there it
  /// splits bodies.
  void keep_joints_whole() {
    data_.may_cut = data_.allows_cuts;
    for (int i = 0; i < static_cast<int>(data_.parent.size()); ++i)
      if (aggregate_of(data_, i) >= 0 || data_.has_rotor(i)) data_.may_cut[at(i)] = false;
  }

  void look_for_idle_joints() {
    for (const IdleDirection& idle : idle_directions(data_)) {
      const int k = data_.body_frame[at(idle.body)];
      const JointFacts& facts = facts_of(data_.joint_type[at(idle.body)]);
      const std::string direction = facts.motion.empty()
                                        ? "the direction of its velocity " + std::to_string(idle.direction + 1) +
                                              " of " + std::to_string(facts.velocities)
                                        : "its " + std::string(facts.motion);
      data_.findings.push_back(
          {Severity::error, d_.file, lines_[at(k)].joint, "joint \"" + data_.joint_name[at(idle.body)] + "\"",
           direction + " moves no inertia, so a force would have no finite acceleration (link \"" +
               data_.frames[at(k)].name +
               "\" with what is fixed to it: " + number_text(data_.link[at(idle.body)].I.mass, 6) +
               " kg); give it mass and inertia there, make the joint fixed, or lock it when loading "
               "(LoadOptions::lock, --lock)"});
    }
  }

  Description& d_;
  const Topology& topology_;
  ModelData& data_;
  std::shared_ptr<Appearance> appearance_ = std::make_shared<Appearance>();
  std::vector<Placed> placed_;  ///< over bodies
  std::vector<int> links_on_;   ///< over bodies: links merged in it
  std::vector<Lines> lines_;    ///< over links
  int nq_ = 0, nv_ = 0;
};

/// The order of the file; what has no line comes last.
void by_line(std::vector<Finding>& findings) {
  const auto line = [](const Finding& f) { return f.line > 0 ? f.line : std::numeric_limits<int>::max(); };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return line(a) < line(b); });
}

Model build(Description checked, const LoadOptions& options, std::vector<Finding> findings) {
  if (has_error(findings) && checked.bodies.empty()) throw InputError(std::move(findings));  // nothing could be read
  const Topology topology = check_description(checked, options, findings);
  lock_joints(checked, topology, options.lock, findings);
  auto data = std::make_shared<ModelData>();
  const bool refused = has_error(findings);
  data->findings = std::move(findings);
  if (!refused) Builder(checked, topology, *data).run();
  by_line(data->findings);
  place_lines(data->findings, checked);
  if (has_error(data->findings)) throw InputError(std::move(data->findings));
  return Model(std::move(data));
}

}  // namespace

Model make_model(const Description& description, const LoadOptions& options, std::vector<Finding> findings) try {
  return build(description, options, std::move(findings));
} catch (const std::bad_alloc&) {
  throw OutOfMemory(description.bodies.size());
}

Model make_model(std::string_view family, const LoadOptions& options) try {
  LoadOptions rest = options;
  rest.floating_base = false;  // the description has it already
  return build(make_description(family, options), rest, {});
} catch (const std::bad_alloc&) {
  throw OutOfMemory(at(parse_family(family).bodies));
}

}  // namespace kinetree
