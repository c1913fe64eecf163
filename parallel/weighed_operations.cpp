#include "parallel/weighed_operations.hpp"

#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/nodes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// Weighed operations of a node: `times` its counted ones, `more` in addition, and `of_body` for each of its bodies.
/// They are shared out over phases as its counted ones are.
struct Weight {
  double times = 1, more = 0, of_body = 0;
};

// Measured on an EPYC with AVX-512: `ab` on tree:2xD, star:NxL, comb, random, geared, on fourbars and on rings of 4 to
// 64 links; `modular` with grains of 1 to 64 on chain:64 to chain:1024, `cfa` on star:Nx3 and random trees.
// A node that does not go on a chain reads its parent body from memory, and writes to it. The search for independent
// coordinates and for redundant rows does no operation that is counted.
constexpr Weight first_of_node{.more = 160}, transmission{.times = 1.5}, loops{.times = 1.47, .of_body = 400},
    multipliers{.times = 2.05, .more = 1500};
constexpr double merge = 2.65;         ///< small matrices, each used once
constexpr double factorization = 500;  ///< of a small matrix: each pivot waits for the one before
constexpr double contribution = 80;    ///< of many to one body, which are summed one by one (star:NxL, tree:4xD)

const Weight& weight_of(const ModelData& model, const NodeTable& nodes, const Node& node) {
  if (node.kind == Node::Kind::multipliers) return multipliers;
  if (node.kind != Node::Kind::embedded) return first_of_node;
  return model.aggregates[at(nodes.embedded[at(node.index)])].constant() ? transmission : loops;
}

}  // namespace

void add(Operations& sum, double times, const Operations& more) {
  for (std::size_t p = 0; p < Pass::phases; ++p) sum.of[p] += times * more.of[p];
}

WeighedOperations::WeighedOperations(const ModelData& model, const Modules& modules,
                                     const std::vector<bool>& multipliers)
    : modules_(modules),
      operations_(model, modules, multipliers),
      weight_(model.parent.size(), 1),
      uncounted_(model.parent.size(), 0) {
  const NodeTable nodes = find_nodes(model, modules, {.multipliers = multipliers});
  for (const Node& node : nodes.nodes) {
    if (node.kind == Node::Kind::base) continue;
    const std::size_t first = at(node.segment.begin);
    const Weight& weight = weight_of(model, nodes, node);
    int bodies = 0;
    for (const Segment& segment : nodes.segments_of(node)) bodies += segment.end - segment.begin;
    if (const double counted = operations_.of_node(node.segment.begin).all(0); counted > 0)
      weight_[first] = weight.times + (weight.more + weight.of_body * bodies) / counted;
    const int parent = model.parent[first];
    if (parent >= 0 && nodes.contributions_to(parent).size() > 2) uncounted_[first] = contribution;
  }
}

Operations WeighedOperations::of_node(int i) {
  Operations sum;
  add(sum, weight_[at(i)], operations_.of_node(i));
  sum.of[Pass::articulate] += uncounted_[at(i)];
  return sum;
}

Operations WeighedOperations::of(const Step& step) {
  Operations sum;
  add(sum, step.module < 0 ? merge : 1, operations_.of(step));
  double& gathered = sum.of[Pass::articulate];
  if (step.closes >= 0) gathered += factorization;
  if (step.module < 0 || modules_.modules[at(step.module)].cut >= 0) gathered += factorization;
  if (step.module < 0) return sum;
  const Module& module = modules_.modules[at(step.module)];
  for (int r = module.first_range; r < module.last_range; ++r)
    for (int i = modules_.ranges[at(r)].begin; i < modules_.ranges[at(r)].end; ++i)
      if (weight_[at(i)] > 1) {
        add(sum, weight_[at(i)] - 1, operations_.of_node(i));
        gathered += uncounted_[at(i)];
      }
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
