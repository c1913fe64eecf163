#include <kinetree/configuration.hpp>
#include <kinetree/model.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::boundary {

std::vector<double> neutral(const Model& model) {
  const ModelData& m = model.data();
  std::vector<double> q = m.assembled;
  Closure closure(m);
  for (const Aggregate& a : m.aggregates) closure.project(a, q.data());
  return q;
}

}  // namespace kinetree::boundary
