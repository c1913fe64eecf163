#include "parallel/weighed_operations.hpp"

#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/nodes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

// Measured on an EPYC with AVX-512: `ab` on tree:2xD 1.55, star:NxL 1.25 to 1.56, comb 1.46, random 1.42, geared 1.54;
// `modular` with grains of 1 to 64 on chain:64 to chain:1024, merges 2.9 to 3.8.
constexpr double first_of_node = 1.5;  ///< what hangs from elsewhere is read from memory, and written to it
constexpr double merge = 3.3;          ///< small matrices, each used once

}  // namespace

void add(Operations& sum, double times, const Operations& more) {
  for (std::size_t p = 0; p < Operations::phases; ++p) sum.of[p] += times * more.of[p];
}

WeighedOperations::WeighedOperations(const ModelData& model, const Modules& modules,
                                     const std::vector<bool>& multipliers)
    : modules_(modules), operations_(model, modules, multipliers), begins_(model.parent.size(), false) {
  for (const Node& node : find_nodes(model, modules, {.multipliers = multipliers}).nodes)
    if (node.kind != Node::Kind::base) begins_[at(node.segment.begin)] = true;
}

Operations WeighedOperations::of_node(int i) {
  Operations sum;
  add(sum, begins_[at(i)] ? first_of_node : 1, operations_.of_node(i));
  return sum;
}

Operations WeighedOperations::of(const Step& step) {
  Operations sum;
  add(sum, step.module < 0 ? merge : 1, operations_.of(step));
  if (step.module < 0) return sum;
  const Module& module = modules_.modules[at(step.module)];
  for (int r = module.first_range; r < module.last_range; ++r)
    for (int i = modules_.ranges[at(r)].begin; i < modules_.ranges[at(r)].end; ++i)
      if (begins_[at(i)]) add(sum, first_of_node - 1, operations_.of_node(i));
  return sum;
}

double WeighedOperations::all(int refinements) {
  double sum = of_solve;
  for (const Step& step : modules_.steps) sum += of(step).all(refinements);
  return sum;
}

double weighed_operations(const Model& model, const Method& method) {
  const Modules modules = make_modules(model.data(), method.modules);
  return WeighedOperations(modules.parts_of(model.data()), modules, multiplier_aggregates(model.data(), method.loops))
      .all(method.refinements);
}

}  // namespace kinetree::inline inner
