// Platforms on legs of one length between two equal regular polygons, after Sir Christopher Wren's hyperboloid.
#include <Eigen/Geometry>
#include <cmath>
#include <kinetree/scalar/reference.hpp>

#include "loops/branching_mechanisms.hpp"
#include "loops/linkage_parts.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;
namespace mp = boost::multiprecision;

constexpr double radius = 0.5, length = 0.8;  ///< m, of polygons; of legs

/// Where the corners of a polygon stand, rad.
std::vector<double> around(int corners) {
  std::vector<double> angles;
  for (int k = 0; k < corners; ++k) angles.push_back(2 * M_PI * k / corners + 0.2);
  return angles;
}

Numbers3 corner(double angle) { return {radius * std::cos(angle), radius * std::sin(angle), 0}; }

BodyDescription leg(int k, double angle, const Numbers3& axis, const Numbers3& axis2) {
  BodyDescription b;
  b.name = "leg" + std::to_string(k + 1), b.parent = "world";
  b.joint.name = b.name + "_joint", b.joint.type = "universal";
  b.joint.axis = axis, b.joint.axis2 = axis2;
  b.joint.origin.xyz = corner(angle);
  b.inertial = InertialDescription{0.4, {{0, 0, length / 2}}, {0.02, 0.02, 0.001, 0, 0, 0}};
  return b;
}

BodyDescription plate(const std::string& parent) {
  BodyDescription b;
  b.name = "plate", b.parent = parent, b.joint.name = "plate_joint";
  b.inertial = InertialDescription{2, {{0.05, 0.02, 0.01}}, {0.1, 0.12, 0.2, 0.01, 0, 0.02}};
  return b;
}

}  // namespace

BranchingMechanism wren_platform(int legs) {
  BranchingMechanism x;
  x.name = "Wren platform on " + std::to_string(legs) + " legs";
  Description& d = x.description;
  d.name = "wren_platform";
  d.bodies.push_back(plate("world"));
  d.bodies.back().joint.type = "floating";
  const std::vector<double> at = around(legs);
  for (int k = 0; k < legs; ++k) {
    const double angle = at[static_cast<std::size_t>(k)];
    const std::string n = std::to_string(k + 1);
    d.bodies.push_back(leg(k, angle, {1, 0, 0}, {0, 1, 0}));
    d.loops.push_back(joined("ball" + n, "spherical", "leg" + n, {0, 0, length}, "plate", corner(angle)));
  }
  // a leg along (x, y, z) of the world: turned about x, then about its own y
  const auto place = [=](double turn, const Eigen::Vector3d& centre) {
    VectorXd q(7 + 2 * legs);
    q.head(3) = centre;
    q.segment(3, 4) << 0, 0, std::sin(turn / 2), std::cos(turn / 2);
    for (int k = 0; k < legs; ++k) {
      const double from = at[static_cast<std::size_t>(k)];
      const Eigen::Vector3d along = (centre + radius * Eigen::Vector3d(std::cos(from + turn) - std::cos(from),
                                                                       std::sin(from + turn) - std::sin(from), 0)) /
                                    length;
      q[7 + 2 * k] = std::atan2(-along.y(), along.z());
      q[8 + 2 * k] = std::asin(along.x());
    }
    return q;
  };
  const auto shifted = [=](double a, double b) {
    return place(0, length * Eigen::Vector3d(std::sin(a), std::cos(a) * std::sin(b), std::cos(a) * std::cos(b)));
  };
  const auto twisted = [=](double turn) {
    const double chord = 2 * radius * std::sin(turn / 2);
    return place(turn, {0, 0, std::sqrt(length * length - chord * chord)});
  };
  x.branches.push_back(
      {"in parallel", 2, [=](Random& random) { return shifted(random.uniform(0.2, 0.9), random.uniform(0.2, 0.9)); }});
  x.branches.push_back({"screw", 1, [=](Random& random) { return twisted(random.uniform(0.3, 1.2)); }});
  x.ways.push_back({"in parallel to screw", 2, [=](double s) { return shifted(s, 0.7 * s); }});
  x.ways.push_back({"screw to parallel", 1, [=](double s) { return twisted(s); }});
  const VectorXd start = shifted(0.5, 0.3);
  d.assembled.push_back({"plate_joint", {start.data(), start.data() + 7}});
  for (int k = 0; k < legs; ++k)
    d.assembled.push_back({"leg" + std::to_string(k + 1) + "_joint", {start[7 + 2 * k], start[8 + 2 * k]}});
  x.freedoms = 2;
  return x;
}

BranchingMechanism universal_platform(int legs) {
  BranchingMechanism x;
  x.name = "universal platform on " + std::to_string(legs) + " legs";
  Description& d = x.description;
  d.name = "universal_platform";
  const std::vector<double> at = around(legs);
  const Numbers3 first = corner(at[0]), vertical{0, 0, 1}, level{0, 1, 0};
  for (int k = 0; k < legs; ++k) {
    const double angle = at[static_cast<std::size_t>(k)];
    const std::string n = std::to_string(k + 1);
    d.bodies.push_back(leg(k, angle, vertical, level));
    if (k == 0) {  // the plate's frame is in its corner on the first leg
      d.bodies.push_back(plate("leg1"));
      JointDescription& joint = d.bodies.back().joint;
      joint.type = "universal", joint.axis = level, joint.axis2 = vertical, joint.origin.xyz = {0, 0, length};
      continue;
    }
    const Numbers3 here = corner(angle);
    LoopDescription cross = joined("cross" + n, "universal", "leg" + n, {0, 0, length}, "plate",
                                   {here[0] - first[0], here[1] - first[1], 0});
    cross.axis = level, cross.axis2 = vertical;
    d.loops.push_back(cross);
  }
  // legs turned about the vertical, then down; the plate is level, turned about the vertical
  const auto place = [=](const std::vector<Reference>& turns, const Reference& down, const Reference& turn) {
    VectorXd q(2 + 2 * legs);
    q.segment(2, 2) << static_cast<double>(Reference(-down)), static_cast<double>(Reference(turn - turns[0]));
    for (int k = 0; k < legs; ++k)
      q.segment(k == 0 ? 0 : 2 + 2 * k, 2) << static_cast<double>(turns[static_cast<std::size_t>(k)]),
          static_cast<double>(down);
    return q;
  };
  const auto in_parallel = [=](const Reference& turn, const Reference& down) {
    return place(std::vector<Reference>(static_cast<std::size_t>(legs), turn), down, 0);
  };
  /// Corners move along chords; `more`: by what legs are turned farther.
  const auto across = [=](const Reference& turn, const std::vector<double>& more) {
    std::vector<Reference> turns;
    for (std::size_t k = 0; k < at.size(); ++k)
      turns.push_back(boost::math::constants::half_pi<Reference>() + at[k] + turn / 2 + (more.empty() ? 0 : more[k]));
    return turns;
  };
  const auto screw = [=](const Reference& turn) {
    return place(across(turn, {}), mp::asin(Reference(2 * radius / length * mp::sin(turn / 2))), turn);
  };
  const auto upright = [=](const std::vector<Reference>& turns) { return place(turns, 0, 0); };
  const auto drawn = [=](Random& random, double least, double most) {
    std::vector<double> some;
    for (int k = 0; k < legs; ++k) some.push_back(random.uniform(least, most));
    return some;
  };
  x.branches.push_back(
      {"in parallel", 2, [=](Random& random) { return in_parallel(random.uniform(-3, 3), random.uniform(0.3, 0.9)); }});
  x.branches.push_back({"screw", 1, [=](Random& random) { return screw(random.uniform(0.4, 1.2)); }});
  x.branches.push_back({"legs spin upright", legs, [=](Random& random) {
                          std::vector<Reference> turns;
                          for (const double turn : drawn(random, 0.3, 1))
                            turns.push_back(turn + 1.5 * static_cast<double>(turns.size()));
                          return upright(turns);
                        }});
  x.ways.push_back({"in parallel to upright", 2, [=](double s) { return in_parallel(0.7, s); }});
  x.ways.push_back({"screw to upright", 1, [=](double s) { return screw(s); }});
  x.ways.push_back({"upright to parallel", legs, [=](double s) {
                      std::vector<Reference> turns;
                      for (int k = 0; k < legs; ++k) turns.push_back(0.4 + Reference(s) * (k - 0.6));
                      return upright(turns);
                    }});
  const VectorXd start = in_parallel(0.5, 0.6);
  for (std::size_t k = 0; k < d.bodies.size(); ++k) {
    const auto of = static_cast<Eigen::Index>(2 * k);
    d.assembled.push_back({d.bodies[k].joint.name, {start[of], start[of + 1]}});
  }
  x.freedoms = 2;
  return x;
}

}  // namespace kinetree::oracle
