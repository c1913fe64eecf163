#include "bench/sweep/copies.hpp"

#include <fmt/format.h>

#include <kinetree/compose.hpp>

namespace kinetree::bench {

Description welded(Description d) {
  for (BodyDescription& b : d.bodies) {
    if (b.parent != "world" || b.joint.type != "floating") continue;
    b.joint.type = "fixed";
    std::erase_if(d.assembled, [&](const JointPositions& a) { return a.joint == b.joint.name; });
  }
  return d;
}

Description on_platform(const Description& d, int copies, bool floats) {
  constexpr double apart = 2, mass = 100;  // m, kg
  const double length = apart * copies, width = apart, height = 0.1;
  Description all;
  all.name = fmt::format("{} of {} on a platform", copies, d.name);
  all.gravity = d.gravity;
  BodyDescription platform;
  platform.name = "platform", platform.parent = "world";
  platform.joint.name = floats ? "floating_base" : "platform_joint";
  platform.joint.type = floats ? "floating" : "fixed";
  const auto square = [](double x) { return x * x; };
  platform.inertial = InertialDescription{mass,
                                          {},
                                          {mass / 12 * (square(width) + square(height)),
                                           mass / 12 * (square(length) + square(height)),
                                           mass / 12 * (square(length) + square(width)), 0, 0, 0},
                                          0};
  all.bodies.push_back(std::move(platform));
  const Description one = welded(d);
  for (int k = 1; k <= copies; ++k)
    all = attached(all, one,
                   {.link = "platform",
                    .placement = {.xyz = {apart * (k - 0.5 * (copies + 1)), 0, 0}},
                    .prefix = fmt::format("copy {} of ", k)});
  return all;
}

}  // namespace kinetree::bench
