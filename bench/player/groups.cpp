#include "bench/player/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <kinetree/options.hpp>

#include "bench/quantity.hpp"
#include "bench/show/colours.hpp"
#include "bench/show/mechanism.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/index.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {
namespace {

/// The modules of the planned grain, or of the largest below with which a joint with a constraint force is cut.
Modules modules_that_cut(const Model& model, int& grain) {
  ModuleOptions options = one_method(make_plan(model, {.algorithm = Algorithm::modular}).plan).modules;
  for (; options.grain >= 1; --options.grain) {
    Modules modules = make_modules(model.data(), options);
    if (std::ranges::any_of(modules.cuts, [](const CutJoint& cut) { return cut.rows > 0; })) {
      grain = options.grain;
      return modules;
    }
  }
  grain = 0;
  return {};
}

std::vector<int> module_colours(const Model& model, std::string& words) {
  std::vector<int> colour(at(model.body_count()), 0);
  int grain = 0;
  const Modules modules = modules_that_cut(model, grain);
  if (grain == 0) return colour;
  words = fmt::format("grain {}, {}", grain, counted(modules.modules.size(), "module"));
  const ModelData& parts = modules.parts_of(model.data());
  const int count = static_cast<int>(modules.modules.size());
  std::vector<int> parent;  // tips first, as trees of the operator layer are numbered
  for (int k = count - 1; k >= 0; --k) {
    const int above = parts.parent[at(modules.modules[at(k)].base)];
    parent.push_back(above < 0 ? -1 : count - 1 - modules.module_of[at(above)]);
  }
  const std::vector<std::size_t> palette_of = tell_apart(sko::Tree(std::move(parent)));
  for (int i = static_cast<int>(parts.parent.size()) - 1; i >= 0; --i)  // of a split body the inner half counts
    if (const int module = modules.module_of[at(i)]; module >= 0)
      colour[at(parts.whole_of(i))] = static_cast<int>(palette_of[at(count - 1 - module)]);
  return colour;
}

}  // namespace

Groups groups_of(const Model& model) {
  Groups groups;
  const Mechanism mechanism(model);
  const ModelData& m = model.data();
  for (int b = 0; b < model.body_count(); ++b) {
    const int node = mechanism.node_of[at(mechanism.number(b))];
    groups.segment.push_back(static_cast<int>(mechanism.segment_colour[at(mechanism.segments.segment_of[at(node)])]));
    const int aggregate = aggregate_of(m, b);
    groups.aggregate.push_back(aggregate < 0 ? -1 : aggregate % static_cast<int>(palette.size()));
  }
  groups.module = module_colours(model, groups.modules_words);
  return groups;
}

}  // namespace kinetree::bench
