#include "bench/study/twice.hpp"

#include <kinetree/compose.hpp>
#include <string>
#include <unordered_map>

#include "bench/sweep/copies.hpp"

namespace kinetree::bench {
namespace {

const std::string world = "world";

/// The body with the most moving joints between it and the world; of several the first.
std::string tip_of(const Description& d) {
  std::unordered_map<std::string, const BodyDescription*> body;
  for (const BodyDescription& b : d.bodies) body.emplace(b.name, &b);
  std::string tip = world;
  std::size_t most = 0;
  for (const BodyDescription& b : d.bodies) {
    std::size_t joints = 0, steps = 0;
    for (const BodyDescription* at = &b; at && steps <= d.bodies.size(); ++steps) {  // a circle is found later
      joints += at->joint.type != "fixed";
      const auto parent = body.find(at->parent);
      at = parent == body.end() ? nullptr : parent->second;
    }
    if (joints > most || tip == world) most = joints, tip = b.name;
  }
  return tip;
}

}  // namespace

Description twice(const Description& d) {
  Description two = attached(d, welded(d), {.link = tip_of(d), .prefix = "copy of "});
  two.name = d.name + " twice";
  return two;
}

}  // namespace kinetree::bench
