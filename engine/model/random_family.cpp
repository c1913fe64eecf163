// random:N:seed=K: a random tree of N moving bodies, the same for a seed on every platform.
//
//   topology    half the bodies hang from one of the three bodies before them, half from any; none has more than
//               `branching` (3) children. One body in 25 hangs from the ground, unless the base floats
//   joints      `mixed` (default): revolute 30 %, continuous 10, prismatic 12, helical 8, cylindrical 8, universal 10,
//               spherical 10, planar 8, floating 4; one body in five carries a link by a fixed joint, from which its
//               children may hang, and the first body may hang from a link fixed to the ground. A type's name: that
//               type only
//   placement   origins within a cube of +-0.3 m, orientations uniform; axes along ±x, ±y, ±z or uniform, half each;
//               a universal joint's axes at 45 to 135 degrees; pitch ±(0.02 to 0.2) m/rad
//   inertia     masses log-uniform in [1, ratio] kg (ratio 10), centre of mass within ±0.1 m, principal axes uniform,
//               principal moments of a box's kind: sums of two of three second moments, 0.001 to 0.02 m² per kg
//   special=1   gravity along a uniform direction; a tenth of the bodies on joints of one or two freedoms are thin
//               rods, a tenth of those on joints of one freedom are massless and carry a body on a joint of
//               one freedom
//   floating=1  the first body's joint is `floating_base`
#include "engine/model/random_family.hpp"

#include <cmath>
#include <kinetree/joint_type.hpp>
#include <string>

#include "engine/model/random.hpp"

namespace kinetree::inline inner {
namespace {

class Generator {
 public:
  explicit Generator(const FamilyText& family) : family_(family), random_(family.seed), mixed_(is_mixed(family)) {}

  Description run() {
    if (family_.special) {
      d_.gravity = direction();
      for (double& g : d_.gravity) g *= 9.81;
    }
    bool forced = false;  // the body before is massless and needs this one
    for (int k = 0; k < family_.first; ++k) {
      const bool floating_base = k == 0 && family_.floating;
      const int parent = forced ? k - 1 : choose_parent(k);
      BodyDescription body;
      body.name = "body" + std::to_string(k + 1);
      body.parent = parent < 0 ? ground_link() : choose_link(parent);
      body.joint = joint(k, forced, floating_base);
      const int freedoms = velocity_count(*joint_type_named(body.joint.type));
      const bool massless = family_.special && !forced && freedoms == 1 && k + 1 < family_.first && chance(0.1);
      const bool rod = family_.special && !forced && freedoms <= 2 && chance(0.1);
      if (!massless) body.inertial = inertial(rod);
      forced = massless;
      links_.push_back({body.name});
      children_.push_back(0);
      if (parent >= 0) ++children_[static_cast<std::size_t>(parent)];
      d_.bodies.push_back(std::move(body));
      if (mixed_ && chance(0.2)) add_fixed_link(k);
    }
    return std::move(d_);
  }

 private:
  static bool is_mixed(const FamilyText& family) { return family.joints.empty() || family.joints == "mixed"; }
  bool chance(double p) { return random_.uniform(0, 1) < p; }

  int choose_parent(int k) {
    if (k == 0 || (!family_.floating && chance(0.04))) return -1;
    const bool near = chance(0.5);
    for (int tries = 0; tries < 64; ++tries) {
      const int p = near && tries < 8 ? k - 1 - random_.below(k < 3 ? k : 3) : random_.below(k);
      if (children_[static_cast<std::size_t>(p)] < family_.branching) return p;
    }
    return k - 1;  // the newest body has no child yet
  }

  std::string choose_link(int body) {
    const auto& links = links_[static_cast<std::size_t>(body)];
    return links[static_cast<std::size_t>(random_.below(static_cast<int>(links.size())))];
  }

  std::string ground_link() {
    if (!mixed_ || family_.floating || !d_.bodies.empty() || !chance(0.5)) return "world";
    add_fixed("ground_link", "world");
    return "ground_link";
  }

  void add_fixed_link(int body) {
    auto& links = links_[static_cast<std::size_t>(body)];
    const std::string name = "link" + std::to_string(body + 1);
    add_fixed(name, links[0]);
    links.push_back(name);
  }

  void add_fixed(const std::string& name, const std::string& parent) {
    BodyDescription link;
    link.name = name;
    link.parent = parent;
    link.joint.name = "fixed_" + name;
    link.joint.type = "fixed";
    link.joint.origin = placement();
    if (chance(0.7)) link.inertial = inertial(false);
    d_.bodies.push_back(std::move(link));
  }

  JointDescription joint(int k, bool one_freedom, bool floating_base) {
    JointDescription j;
    j.name = "joint" + std::to_string(k + 1);
    j.origin = placement();
    const double draw = random_.uniform(0, 100);
    if (floating_base) {
      j.name = "floating_base";
      j.type = "floating";
      return j;
    }
    if (!mixed_)
      j.type = family_.joints;
    else if (one_freedom)
      j.type = draw < 50 ? "revolute" : draw < 60 ? "continuous" : draw < 80 ? "prismatic" : "helical";
    else
      j.type = draw < 30   ? "revolute"
               : draw < 40 ? "continuous"
               : draw < 52 ? "prismatic"
               : draw < 60 ? "helical"
               : draw < 68 ? "cylindrical"
               : draw < 78 ? "universal"
               : draw < 88 ? "spherical"
               : draw < 96 ? "planar"
                           : "floating";
    j.axis = axis(one_freedom);
    const JointFacts& facts = facts_of(*joint_type_named(j.type));
    if (facts.pitch) j.pitch = random_.uniform(0.02, 0.2) * (chance(0.5) ? 1 : -1);
    if (facts.second_axis) {
      double c = 1;
      while (std::abs(c) > 0.7) {
        j.axis2 = axis(false);
        c = j.axis[0] * (*j.axis2)[0] + j.axis[1] * (*j.axis2)[1] + j.axis[2] * (*j.axis2)[2];
      }
    }
    return j;
  }

  Numbers3 axis(bool off_axis) {
    if (off_axis || chance(0.5)) return direction();
    Numbers3 a{0, 0, 0};
    a[static_cast<std::size_t>(random_.below(3))] = chance(0.5) ? 1 : -1;
    return a;
  }

  /// Uniform on the sphere, by rejection: no function whose last digit a platform may choose.
  Numbers3 direction() {
    for (;;) {
      Numbers3 a{random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1)};
      const double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
      if (square > 1 || square < 0.01) continue;
      for (double& x : a) x /= std::sqrt(square);
      return a;
    }
  }

  std::array<double, 4> quaternion() {
    for (;;) {
      std::array<double, 4> q{};
      double square = 0;
      for (double& x : q) x = random_.uniform(-1, 1), square += x * x;
      if (square > 1 || square < 0.01) continue;
      for (double& x : q) x /= std::sqrt(square);
      return q;
    }
  }

  Numbers3 within(double size) {
    Numbers3 p{};
    for (double& x : p) x = random_.uniform(-size, size);
    return p;
  }

  Placement placement() {
    Placement p;
    p.xyz = within(0.3);
    p.quaternion = quaternion();
    return p;
  }

  InertialDescription inertial(bool rod) {
    InertialDescription i;
    i.mass = std::exp(random_.uniform(0, 1) * std::log(family_.ratio > 0 ? family_.ratio : 10));
    i.frame.xyz = within(0.1);
    i.frame.quaternion = quaternion();
    double moment[3];
    for (double& x : moment) x = i.mass * random_.uniform(0.001, 0.02);
    if (rod) moment[0] = moment[1] = 0;
    i.inertia = {moment[1] + moment[2], moment[0] + moment[2], moment[0] + moment[1], 0, 0, 0};
    return i;
  }

  const FamilyText& family_;
  Random random_;
  bool mixed_;
  Description d_;
  std::vector<std::vector<std::string>> links_;  ///< over moving bodies: the links a child may hang from
  std::vector<int> children_;                    ///< over moving bodies
};

}  // namespace

Description random_family(const FamilyText& family) { return Generator(family).run(); }

}  // namespace kinetree::inline inner
