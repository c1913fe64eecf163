#include "engine/io/urdf_coupling.hpp"

#include <kinetree/description.hpp>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/model/known_names.hpp"

namespace kinetree::inline inner {
namespace {

using Path = std::vector<const BodyDescription*>;

/// From a link up to the world.
Path path_up(const std::unordered_map<std::string_view, const BodyDescription*>& bodies, const std::string& link) {
  Path path;
  for (auto at = bodies.find(link); at != bodies.end() && path.size() <= bodies.size();  // a cycle is told elsewhere
       at = bodies.find(at->second->parent))
    path.push_back(at->second);
  return path;
}

void add_coupling(const UrdfCoupling& c, const std::unordered_map<std::string_view, const BodyDescription*>& bodies,
                  Reading& reading) {
  Description& d = reading.description;
  const auto refuse = [&](std::string message) {
    reading.findings.push_back({Severity::error, d.file, c.line, "coupling \"" + c.name + "\"", std::move(message)});
  };
  for (const std::string& link : {c.predecessor, c.successor})
    if (link != "world" && bodies.count(link) == 0)
      return refuse("\"" + link + "\" is no link of this model; give a link's name" +
                    nearest_of(
                        link, d.bodies, [](const BodyDescription& b) { return b.name; }, reading.findings.size()));
  if (c.ratio == 0) return refuse("its <ratio> is 0; give another, or make the successor's joint fixed");

  Path one = path_up(bodies, c.predecessor), two = path_up(bodies, c.successor);
  while (!one.empty() && !two.empty() && one.back() == two.back()) one.pop_back(), two.pop_back();
  CouplingDescription coupling{c.name, {}, 0, c.line};
  for (const auto& [path, coefficient, link] :
       {std::tuple{&two, 1.0, &c.successor}, std::tuple{&one, -c.ratio, &c.predecessor}}) {
    const std::size_t before = coupling.terms.size();
    for (auto b = path->rbegin(); b != path->rend(); ++b)
      if ((*b)->joint.type != "fixed") coupling.terms.push_back({(*b)->joint.name, coefficient});
    if (coupling.terms.size() == before)
      return refuse("no joint moves \"" + *link +
                    "\" against the nearest link above both of its ends; name two links "
                    "that move against it");
  }
  d.couplings.push_back(std::move(coupling));
}

}  // namespace

void add_couplings(const std::vector<UrdfCoupling>& couplings, Reading& reading) {
  std::unordered_map<std::string_view, const BodyDescription*> bodies;
  for (const BodyDescription& b : reading.description.bodies) bodies.emplace(b.name, &b);
  for (const UrdfCoupling& c : couplings) add_coupling(c, bodies, reading);
}

}  // namespace kinetree::inline inner
