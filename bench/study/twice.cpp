#include "bench/study/twice.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

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
  const std::string tip = tip_of(d);
  const auto of_copy = [](const std::string& name) { return name.empty() ? name : name + " (copy)"; };
  const auto carrier = [&](const std::string& body) { return body == world ? tip : of_copy(body); };
  Description two = d;
  two.name = d.name + " twice";
  for (BodyDescription b : d.bodies) {
    if (b.parent == world && b.joint.type == "floating") b.joint.type = "fixed";
    b.name = of_copy(b.name), b.parent = carrier(b.parent), b.joint.name = of_copy(b.joint.name);
    if (b.joint.mimic) b.joint.mimic->joint = of_copy(b.joint.mimic->joint);
    two.bodies.push_back(std::move(b));
  }
  for (LoopDescription loop : d.loops) {
    loop.name = of_copy(loop.name);
    for (LoopDescription::End* end : {&loop.first, &loop.second}) end->body = carrier(end->body);
    two.loops.push_back(std::move(loop));
  }
  for (CouplingDescription coupling : d.couplings) {
    coupling.name = of_copy(coupling.name);
    for (CouplingDescription::Term& term : coupling.terms) term.joint = of_copy(term.joint);
    two.couplings.push_back(std::move(coupling));
  }
  for (const std::string& joint : d.independent) two.independent.push_back(of_copy(joint));
  const auto floats = [&](const AssembledDescription& a) {  // the copy's joint has no positions any more
    return std::any_of(d.bodies.begin(), d.bodies.end(), [&](const BodyDescription& b) {
      return b.joint.name == a.joint && b.parent == world && b.joint.type == "floating";
    });
  };
  for (AssembledDescription a : d.assembled) {
    if (floats(a)) continue;
    a.joint = of_copy(a.joint);
    two.assembled.push_back(std::move(a));
  }
  return two;
}

}  // namespace kinetree::bench
