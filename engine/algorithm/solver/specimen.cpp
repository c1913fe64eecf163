#include "engine/algorithm/solver/specimen.hpp"

#include <cmath>
#include <kinetree/scalar/counted.hpp>
#include <memory>
#include <utility>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/tree.hpp"
#include "engine/partition/module_offsets.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

Operations& Operations::operator+=(const Operations& more) {
  for (std::size_t p = 0; p < Pass::phases; ++p) of[p] += more.of[p];
  return *this;
}

double Operations::all(int refinements) const {
  double sum = 0;
  for (std::size_t p = 0; p < Pass::phases; ++p) sum += runs(p, refinements) * of[p];
  return sum;
}

Specimen::Specimen(const ModelData& m, const LaneGroup& group, bool on_ground) : model(pattern_of(m, group)) {
  if (on_ground) stand_on_ground();
  for (const std::vector<int>& body : group.body)
    for (int k = m.q_index[at(body.front())]; k < m.q_index[at(body.front() + 1)]; ++k)
      q.push_back(m.assembled.empty() ? std::sin(k + 1.0) : m.assembled[at(k)]);
  modules.module_of.assign(model.parent.size(), 1);
  modules.modules = {{.base = 1, .step = 0}, {.base = 1, .step = 1}};
  modules.steps = {{.module = 0, .top_module = 0}, {.module = 1, .top_module = 1}};
}

void Specimen::stand_on_ground() {
  const auto move = [](int& body) { body = body == 0 ? -1 : body; };
  for (int& parent : model.parent) move(parent);
  for (Loop& loop : model.loops) move(loop.first), move(loop.second), move(loop.meet);
  for (Aggregate& aggregate : model.aggregates) move(aggregate.parent);
  model.roots.clear();
  connect(model);
}

void Specimen::use_dial() {
  modules.cut_of.assign(model.parent.size(), -1);
  modules.passing.assign(model.parent.size(), {});
  cut(0, 0, false);
}

int Specimen::cut(int body, int rows, bool carried) {
  const int index = static_cast<int>(modules.cuts.size());
  modules.cut_of[at(body)] = index;
  modules.cuts.push_back({.body = body, .rows = rows, .carried = carried, .lambda = modules.lambda_count});
  modules.lambda_count += rows;
  return index;
}

void Specimen::carry(int columns) {
  modules.modules.front().columns = columns;
  modules.omega_count = at(columns) * at(columns);
}

void Specimen::open(int step, const std::vector<int>& cuts) {
  Step& s = modules.steps[at(step)];
  s.first_boundary = static_cast<int>(modules.boundary.size());
  for (const int c : cuts) modules.boundary.push_back(c), s.size += modules.cuts[at(c)].rows;
  s.last_boundary = static_cast<int>(modules.boundary.size());
  give_offsets(modules, s);
}

Operations Specimen::count(Loops loops, bool lower) {
  for (const int k : {0, 1}) {
    Module& module = modules.modules[at(k)];
    module.first_range = module.last_range = static_cast<int>(modules.ranges.size());
    for (int i = 1; !lower && i < static_cast<int>(model.parent.size()); ++i)
      if (modules.module_of[at(i)] == k) modules.ranges.push_back({i, i + 1}), ++module.last_range;
  }
  const OperationCounts callers = Counted::counts();
  const bool dial = modules.any_cut();
  Method method;
  method.algorithm = dial ? Algorithm::modular : Algorithm::ab, method.refinements = dial, method.loops = loops;
  const auto solver = make_solver<Counted>(Model(std::make_shared<const ModelData>(model)), method,
                                           std::make_shared<const Modules>(modules));
  std::vector<Counted> positions, numbers, result(at(model.v_index.back()));
  for (const double x : q) positions.emplace_back(x);
  for (std::size_t k = 0; k < result.size(); ++k) numbers.emplace_back(std::cos(static_cast<double>(k)));
  solver->set({positions.data(), numbers.data(), nullptr, numbers.data(), nullptr, result.data()});
  Operations sum;
  const std::span<const Pass> passes = solver->passes();
  for (std::size_t p = 0; !lower && p < (dial ? 2u : 1u); ++p) passes[p].kernel(solver->space(), 1);
  for (std::size_t p = 0; p < passes.size(); ++p) {
    Counted::counts() = {};
    passes[p].kernel(solver->space(), 0);
    if (lower && p == 1) passes[p].kernel(solver->space(), 1);
    sum.of[passes[p].phase] += static_cast<double>(Counted::counts().total());
  }
  Counted::counts() = callers;
  return sum;
}

}  // namespace kinetree::inline inner
