// Families with gears and closed loops, for studies of what those cost as their number grows.
//
//   geared:N    a chain of N links, each turned by a motor of ratio 50 that sits on the link before. Axes alternate
//               between y and (0.6, 0, 0.8). Bodies link1, rotor1, link2, …; couplings gear1, …
//     :rotors=bodies     the motors' rotors are bodies of their own (default), coupled to the links' joints
//     :rotors=armature   they are reflected inertias of the links' joints: 50² times a rotor's 1e-4 kg m²
//     :rotors=none       there are none; nothing is coupled
//   fourbars:N  N four-bars, each on the coupler of the one before, all in one plane: pivots 0.4 m apart, crank 0.2 m,
//               rocker 0.4 m, both upright at zero, where the loops are closed. The crank turns fully and no
//               configuration is singular (Grashof). Bodies crank1, coupler1, rocker1, …; loops loop1, …
//     :comb=1    on each of those rockers stands a chain of ceil(log2 N) four-bars more, numbered on
//   ring:N      N links of 0.4 m that close a ring over the ground, in one plane: at zero a regular polygon of N + 1
//   sides,
//               of which the ground is the last. N - 2 degrees of freedom. Bodies link1, …; loop1
//
// Links are rods along x of 2 kg/m, joints are called after their bodies. With a floating base what would be the ground
// is one more body, `base`.
#include "engine/model/loop_families.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace kinetree::inline inner {
namespace {

constexpr double ratio = 50, rotor_inertia = 1e-4;                       // kg m²
constexpr double link_length = 0.4;                                      // m
constexpr double pivots = 0.4, crank_length = 0.2, rocker_length = 0.4;  // m
constexpr double rise = rocker_length - crank_length;                    // of the coupler at zero
const double coupler_length = std::hypot(pivots, rise);
constexpr double first_pivot = 0.02;  // along the coupler below

class LoopFamily {
 public:
  explicit LoopFamily(const FamilyText& family) : family_(family) {
    d_.bodies.reserve(static_cast<std::size_t>(family.bodies) + 1);
  }

  Description run() {
    if (family_.floating) {
      add(rod("base", "world", {}, pivots));
      d_.bodies[0].joint.type = "floating";
      d_.bodies[0].joint.name = "floating_base";
      ground_ = "base";
    }
    for (int k = 1; k <= family_.first; ++k)
      if (family_.word == "geared")
        geared_joint(k);
      else if (family_.word == "fourbars")
        four_bar(k, k == 1 ? ground_ : numbered("coupler", k - 1));
      else
        add(rod(numbered("link", k), k == 1 ? ground_ : numbered("link", k - 1), side_of_polygon(k), link_length));
    if (family_.word == "ring") close_ring();
    if (family_.comb) combs();
    return std::move(d_);
  }

 private:
  static std::string numbered(const char* what, int k) { return what + std::to_string(k); }
  static Placement along(double x) { return {{x, 0, 0}, {0, 0, 0, 1}}; }
  /// Turned about y, so that x points up by the angle.
  static Placement raised(double x, double angle) { return {{x, 0, 0}, quaternion_from_rpy({0, -angle, 0})}; }

  static BodyDescription rod(std::string name, std::string parent, Placement origin, double length) {
    BodyDescription b;
    b.joint.name = name + "_joint";
    b.joint.type = "revolute";
    b.joint.axis = {0, 1, 0};
    b.joint.origin = origin;
    b.name = std::move(name), b.parent = std::move(parent);
    const double mass = 2 * length, across = mass * length * length / 12;
    b.inertial = InertialDescription{mass, along(length / 2), {0.1 * across, across, across, 0, 0, 0}, 0};
    return b;
  }

  void add(BodyDescription body) { d_.bodies.push_back(std::move(body)); }

  void geared_joint(int k) {
    const std::string parent = k == 1 ? ground_ : numbered("link", k - 1);
    const Numbers3 axis = k % 2 == 1 ? Numbers3{0, 1, 0} : Numbers3{0.6, 0, 0.8};
    BodyDescription link = rod(numbered("link", k), parent, along(k == 1 ? 0 : link_length), link_length);
    link.joint.axis = axis;
    if (family_.rotors == "armature") link.joint.armature = ratio * ratio * rotor_inertia;
    const std::string joint = link.joint.name;
    add(std::move(link));
    if (!family_.rotors.empty() && family_.rotors != "bodies") return;
    BodyDescription rotor;
    rotor.name = numbered("rotor", k), rotor.parent = parent;
    rotor.joint.name = rotor.name + "_joint", rotor.joint.type = "continuous", rotor.joint.axis = axis;
    rotor.joint.origin.xyz = {k == 1 ? 0 : 0.3, 0.05, 0};
    rotor.inertial = InertialDescription{0.2, {}, {rotor_inertia, rotor_inertia, rotor_inertia, 0, 0, 0}, 0};
    d_.couplings.push_back({numbered("gear", k), {{rotor.joint.name, 1}, {joint, -ratio}}, 0, 0});
    add(std::move(rotor));
  }

  void combs() {
    const int side = static_cast<int>(std::ceil(std::log2(family_.first)));
    for (int k = 1, next = family_.first + 1; k <= family_.first; ++k)
      for (int on = 0; on < side; ++on, ++next)
        four_bar(next, on == 0 ? numbered("rocker", k) : numbered("coupler", next - 1));
  }

  void four_bar(int k, const std::string& base) {
    const double upright = std::numbers::pi / 2, start = k == 1 ? 0 : first_pivot;
    add(rod(numbered("crank", k), base, raised(start, upright), crank_length));
    // seen from the upright crank the coupler leans forward
    add(rod(numbered("coupler", k), numbered("crank", k), raised(crank_length, std::atan2(rise, pivots) - upright),
            coupler_length));
    add(rod(numbered("rocker", k), base, raised(start + pivots, upright), rocker_length));
    LoopDescription loop;
    loop.name = numbered("loop", k), loop.type = "revolute", loop.axis = {0, 1, 0};
    loop.first = {numbered("coupler", k), along(coupler_length)};
    loop.second = {numbered("rocker", k), along(rocker_length)};
    d_.loops.push_back(loop);
  }

  /// From the ground's side, which lies along x, back and then down at each corner.
  Placement side_of_polygon(int k) const {
    const double corner = 2 * std::numbers::pi / (family_.first + 1);
    return k == 1 ? raised(0, std::numbers::pi - corner) : raised(link_length, -corner);
  }

  void close_ring() {
    LoopDescription loop;
    loop.name = "loop1", loop.type = "revolute", loop.axis = {0, 1, 0};
    loop.first = {numbered("link", family_.first), along(link_length)};
    loop.second = {ground_, along(link_length)};
    d_.loops.push_back(loop);
  }

  const FamilyText& family_;
  Description d_;
  std::string ground_ = "world";
};

}  // namespace

Description loop_family(const FamilyText& family) { return LoopFamily(family).run(); }

}  // namespace kinetree::inline inner
