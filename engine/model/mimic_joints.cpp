#include "engine/model/mimic_joints.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "engine/model/known_names.hpp"
#include "engine/model/lock_joints.hpp"
#include "engine/model/number_checks.hpp"

namespace kinetree::inline inner {
namespace {

class MimicJoints : NumberChecks {
 public:
  MimicJoints(Description& d, const LoadOptions& options, std::vector<Finding>& findings)
      : NumberChecks(d.file, findings), d_(d), options_(options), findings_(findings) {
    for (BodyDescription& b : d_.bodies) {
      bodies_.emplace(b.name, &b);
      joints_.emplace(b.joint.name, &b.joint);
    }
  }

  void run() {
    for (BodyDescription& b : d_.bodies)
      if (b.joint.mimic) look_at(b.joint);
    if (followers_.empty()) return;
    for (Follower& f : followers_) by_name_.emplace(f.joint->name, &f);
    for (Follower& f : followers_) decide(f);
    find_what_else_ties();
    name_independent();
    for (const Follower& f : followers_)
      if (!f.fixed && has_one_freedom(f))
        d_.couplings.push_back({"mimic of " + f.joint->name,
                                {{f.joint->name, 1}, {f.mimic.joint, -f.mimic.multiplier}},
                                f.mimic.offset,
                                f.joint->line});
  }

 private:
  struct Follower {
    JointDescription* joint;
    MimicDescription mimic;
    enum { unseen, on_the_way, decided } state = unseen;
    std::string first{};  ///< the joint that it follows in the end; empty: joints follow each other in a circle
    bool fixed = false;   ///< what it follows stands still, and so does it,
    double position = 0;  ///< here
  };

  static std::string called(const JointDescription& j) { return "joint \"" + j.name + "\""; }
  static std::string mimics(const Follower& f) { return "mimics \"" + f.mimic.joint + "\""; }

  void look_at(JointDescription& j) {
    const Follower f{&j, *j.mimic};
    j.mimic.reset();
    if (j.type == "fixed") return say(Severity::notice, j.line, called(j), "mimic on a fixed joint has no effect");
    if (options_.ignore_mimic)
      return say(Severity::notice, j.line, called(j), mimics(f) + "; made independent as asked");
    if (f.mimic.joint == j.name)
      return say(Severity::error, j.line, called(j), mimics(f) + ", which is itself; give another joint's name");
    if (joints_.count(f.mimic.joint) == 0)
      return say(Severity::error, j.line, called(j),
                 mimics(f) + ", which is no joint of this model; give a joint's name" +
                     nearest_of(f.mimic.joint, d_.bodies, [](const BodyDescription& b) { return b.joint.name; }));
    if (finite(j.line, called(j), "mimic's multiplier", &f.mimic.multiplier, 1) &&
        finite(j.line, called(j), "mimic's offset", &f.mimic.offset, 1))
      followers_.push_back(f);
  }

  /// The freedoms of a joint; -1: its type is unknown, which is said elsewhere.
  static int freedoms(const JointDescription& j) {
    const auto type = joint_type_named(j.type);
    return type ? velocity_count(*type) : -1;
  }

  /// Finds what a joint follows in the end, and fixes it where that stands still; after all those between.
  void decide(Follower& given) {
    std::vector<Follower*> way;
    const auto followed = [&](const Follower& f) {
      const auto found = by_name_.find(f.mimic.joint);
      return found == by_name_.end() ? nullptr : found->second;
    };
    for (Follower* f = &given; f != nullptr && f->state == Follower::unseen; f = followed(*f)) {
      f->state = Follower::on_the_way;
      way.push_back(f);
    }
    for (; !way.empty(); way.pop_back()) {
      Follower& f = *way.back();
      const Follower* leader = followed(f);
      if (leader == nullptr)
        f.first = f.mimic.joint;
      else if (leader->state == Follower::decided)
        f.first = leader->fixed ? f.mimic.joint : leader->first;
      else
        say(Severity::warning, f.joint->line, called(*f.joint),
            mimics(f) +
                ", which follows it: joints that mimic in a circle hold each other, unless their multipliers "
                "cancel; let one of them move by itself");
      f.state = Follower::decided;
      const bool leader_is_fixed = joints_.at(f.mimic.joint)->type == "fixed";
      if ((!leader_is_fixed && f.mimic.multiplier != 0) || freedoms(*f.joint) != 1) continue;
      f.fixed = true;
      f.position = f.mimic.offset + (leader != nullptr && leader->fixed ? f.mimic.multiplier * leader->position : 0);
      say(Severity::notice, f.joint->line, called(*f.joint),
          mimics(f) + (leader_is_fixed ? ", which is fixed" : " by a multiplier of 0") + ", so it is fixed, at " +
              number(f.position));
      fix_joint(*f.joint, {f.position}, d_.file, findings_);
    }
  }

  bool has_one_freedom(const Follower& f) {
    for (const JointDescription* j : {f.joint, joints_.at(f.mimic.joint)})
      if (const int count = freedoms(*j); count > 1) {
        say(Severity::error, f.joint->line, called(*f.joint),
            mimics(f) + ", and " + (j == f.joint ? "" : "that ") + "is " + j->type + " with " + std::to_string(count) +
                " freedoms; joints of one freedom mimic and are mimicked");
        return false;
      }
    return true;
  }

  /// Joints of other couplings, and those from a loop's ends up to the world.
  void find_what_else_ties() {
    for (const CouplingDescription& c : d_.couplings)
      for (const CouplingDescription::Term& term : c.terms) tied_.insert(term.joint);
    for (const LoopDescription& loop : d_.loops)
      for (const LoopDescription::End* end : {&loop.first, &loop.second}) {
        std::size_t steps = 0;  // a cycle of parents is told elsewhere
        for (auto b = bodies_.find(end->body); b != bodies_.end() && steps <= d_.bodies.size(); ++steps) {
          tied_.insert(b->second->joint.name);
          b = bodies_.find(b->second->parent);
        }
      }
    tied_.insert(d_.independent.begin(), d_.independent.end());
  }

  void name_independent() {
    std::vector<std::string> firsts;
    std::unordered_set<std::string> seen, refused;
    for (const Follower& f : followers_) {
      if (f.fixed || f.first.empty()) continue;
      if (tied_.count(f.first) || tied_.count(f.joint->name)) refused.insert(f.first);
      if (seen.insert(f.first).second) firsts.push_back(f.first);
    }
    for (std::string& first : firsts)
      if (!refused.count(first)) d_.independent.push_back(std::move(first));
  }

  Description& d_;
  const LoadOptions& options_;
  std::vector<Finding>& findings_;
  std::unordered_map<std::string, BodyDescription*> bodies_;
  std::unordered_map<std::string, JointDescription*> joints_;
  std::vector<Follower> followers_;
  std::unordered_map<std::string, Follower*> by_name_;
  std::unordered_set<std::string> tied_;  ///< joints that something else ties or names
};

}  // namespace

void take_mimic_joints(Description& description, const LoadOptions& options, std::vector<Finding>& findings) {
  const auto mimics = [](const BodyDescription& b) { return b.joint.mimic.has_value(); };
  if (std::ranges::any_of(description.bodies, mimics)) MimicJoints(description, options, findings).run();
}

}  // namespace kinetree::inline inner
