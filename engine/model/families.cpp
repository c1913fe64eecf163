// Regular families: chain, tree, star, comb. `random` stands in random_family.cpp, `rope` in rope_family.cpp, `geared`
// and `fourbars` in loop_families.cpp.
//
// Every body is the same solid cylinder along x: 1 kg, length 0.3 m, radius 0.03 m, joint at its near end (the body's
// origin), children at its far end. Joints are revolute, about z for even and y for odd distance from the ground, so
// that a chain moves in space. Bodies and joints are called body1, joint1, … in the order written here.
//
//   chain:N     body k + 1 at the end of body k
//   tree:BxD    complete B-ary tree of D levels, level by level; siblings fan out about z over 120 degrees
//   star:AxN    A chains of N bodies on a fixed hub (the ground), evenly around a circle of radius 0.5 m.
//               With a floating base the hub is one more body, `hub`
//   comb:N      a main chain of N bodies; at the middle of each hangs, at right angles, a chain of ceil(log2 N) bodies
//
//   :ratio=R      masses (with inertias) alternate between 1 and R times, by distance from the ground
//   :joints=TYPE  one type for all joints: axis as above; a pitch, where the type has one, 0.05 m/rad; a second axis
//   the
//                 other of y, z
//   :armature=A   the reflected inertia of a rotor of every joint, kg m²; a floating base has none
#include <cmath>
#include <kinetree/description.hpp>
#include <kinetree/model.hpp>
#include <numbers>
#include <string>

#include "engine/model/family_text.hpp"
#include "engine/model/loop_families.hpp"
#include "engine/model/random_family.hpp"
#include "engine/model/rope_family.hpp"

namespace kinetree {
namespace {

constexpr double link_length = 0.3, link_radius = 0.03;

class Regular {
 public:
  explicit Regular(const FamilyText& family) : family_(family) {
    d_.bodies.reserve(static_cast<std::size_t>(family.bodies) + 1);
    levels_.reserve(static_cast<std::size_t>(family.bodies) + 1);
  }

  Description run(bool floating) {
    if (family_.word == "chain") arm(-1, family_.first, {});
    if (family_.word == "tree") tree();
    if (family_.word == "star") star(floating);
    if (family_.word == "comb") comb();
    if (floating) {
      d_.bodies[0].joint.type = "floating";
      d_.bodies[0].joint.name = "floating_base";
      d_.bodies[0].joint.armature = 0;
    }
    return std::move(d_);
  }

 private:
  static Placement far_end() { return {{link_length, 0, 0}, {0, 0, 0, 1}}; }

  /// Returns the new body's index; parent -1 is the world.
  int add(int parent, const Placement& origin) {
    const int index = static_cast<int>(d_.bodies.size());
    const int level = parent < 0 ? 0 : levels_[static_cast<std::size_t>(parent)] + 1;
    const std::string number = std::to_string(index + 1);
    BodyDescription body;
    body.name = "body" + number;
    body.parent = parent < 0 ? "world" : d_.bodies[static_cast<std::size_t>(parent)].name;
    body.joint.name = "joint" + number;
    body.joint.type = family_.joints.empty() ? "revolute" : family_.joints;
    const Numbers3 y{0, 1, 0}, z{0, 0, 1};
    body.joint.axis = level % 2 == 0 ? z : y;
    const JointFacts& facts = facts_of(*joint_type_named(body.joint.type));
    if (facts.second_axis) body.joint.axis2 = level % 2 == 0 ? y : z;
    if (facts.pitch) body.joint.pitch = 0.05;
    body.joint.origin = origin;
    body.joint.armature = body.joint.type == "floating" ? 0 : family_.armature;
    const double mass = family_.ratio > 0 && level % 2 == 1 ? family_.ratio : 1;
    const double along = mass * link_radius * link_radius / 2;
    const double across = mass * (3 * link_radius * link_radius + link_length * link_length) / 12;
    body.inertial =
        InertialDescription{mass, {{link_length / 2, 0, 0}, {0, 0, 0, 1}}, {along, across, across, 0, 0, 0}, 0};
    d_.bodies.push_back(std::move(body));
    levels_.push_back(level);
    return index;
  }

  int arm(int parent, int count, Placement origin) {
    for (int k = 0; k < count; ++k, origin = far_end()) parent = add(parent, origin);
    return parent;
  }

  void tree() {
    const int B = family_.first;
    add(-1, {});
    for (int k = 1; k < family_.bodies; ++k) {
      const int place = (k - 1) % B;
      const double spread = 2 * std::numbers::pi / 3;
      Placement origin = far_end();
      if (B > 1) origin.quaternion = quaternion_from_rpy({0, 0, spread * (place / (B - 1.0) - 0.5)});
      add((k - 1) / B, origin);
    }
  }

  void star(bool floating) {
    int hub = -1;
    if (floating) {
      hub = add(-1, {});
      d_.bodies[0].name = "hub";
      d_.bodies[0].inertial->frame = {};
    }
    for (int k = 0; k < family_.first; ++k) {
      const double angle = 2 * std::numbers::pi * k / family_.first;
      arm(hub, family_.second, {{0.5 * std::cos(angle), 0.5 * std::sin(angle), 0}, quaternion_from_rpy({0, 0, angle})});
    }
  }

  void comb() {
    const int side = static_cast<int>(std::ceil(std::log2(family_.first)));
    const Placement middle{{link_length / 2, 0, 0}, quaternion_from_rpy({0, 0, std::numbers::pi / 2})};
    for (int k = 0, main = -1; k < family_.first; ++k) {
      main = add(main, k == 0 ? Placement{} : far_end());
      arm(main, side, middle);
    }
  }

  const FamilyText& family_;
  Description d_;
  std::vector<int> levels_;  ///< distance from the ground
};

}  // namespace

Description make_description(std::string_view text, const LoadOptions& options) {
  FamilyText family = parse_family(text);
  family.floating = family.floating || options.floating_base;
  Description d = family.word == "random" ? random_family(family)
                  : family.word == "rope" ? rope_family(family)
                  : family.word == "geared" || family.word == "fourbars" || family.word == "ring"
                      ? loop_family(family)
                      : Regular(family).run(family.floating);
  d.name = text;
  d.file = text;
  return d;
}

}  // namespace kinetree
