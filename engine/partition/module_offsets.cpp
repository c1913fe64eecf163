#include "engine/partition/module_offsets.hpp"

#include <utility>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// The next `amount` of an array that has so many so far.
std::size_t take(std::size_t& count, int amount) { return std::exchange(count, count + at(amount)); }

}  // namespace

void give_epsilon(const ModelData& model, Modules& m) {
  const auto give = [&](Passing& passing, int freedoms) {
    passing.epsilon = take(m.epsilon_count, passing.width() * freedoms);
  };
  for (std::size_t i = 0; i < m.passing.size(); ++i) give(m.passing[i], velocity_count(model.joint_type[i]));
  for (const Aggregate& a : model.aggregates) {
    Passing& through = m.through.emplace_back();
    for (const int i : a.bodies) through.include(m.passing[at(i)]);
    give(through, coordinates_or_rows(a));
  }
}

void give_offsets(Modules& modules, Step& step) {
  const int rows = step.cut >= 0 ? modules.cuts[at(step.cut)].rows : 0;  // that a merge eliminates
  step.matrix = take(modules.matrix_count, step.size * step.size);
  step.vector = take(modules.vector_count, step.size);
  step.factor = take(modules.factor_count, rows * (rows + step.size));
  step.factor_vector = take(modules.vector_count, rows);
}

}  // namespace kinetree::inline inner
