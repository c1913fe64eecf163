#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/sko/constrained_body.hpp>
#include <stdexcept>

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/number_text.hpp"
#include "engine/sko/body_kinematics.hpp"

namespace kinetree::sko {

namespace {

std::string constraints_of(const ModelData& m, const Aggregate& a) {
  std::string text;
  const auto add = [&](const char* kind, const std::string& name) {
    text += (text.empty() ? "" : ", ") + std::string(kind) + " \"" + name + "\"";
  };
  for (const int l : a.loops) add("loop", m.loops[at(l)].name);
  for (const int c : a.couplings) add("coupling", m.couplings[at(c)].name);
  return text;
}

/// X_S and g of every aggregate, as for the algorithms on bodies.
template <class S>
EmbeddedNodes<S> maps_at(const Model& model, const BodyKinematics<S>& at_state, IndependentCoordinates which) {
  const ModelData& m = model.data();
  EmbeddedNodes<S> all = embedded_nodes<S>(at_state.x, which);
  struct Run {
    const BodyKinematics<S>& at_state;
    EmbeddedNodes<S>& all;
  } run{at_state, all};
  const Pass pass{Direction::scatter, [](void* space, int step) {
                    const auto& r = *static_cast<Run*>(space);
                    embed(r.at_state.x, r.at_state.k, r.all, step);
                  }};
  run_serial({&pass, 1}, &run, static_cast<int>(at_state.modules.steps.size()));
  if (const auto lost = std::ranges::find_if(all, [](const EmbeddedNode<S>& node) { return !loop_fault(node).ok(); });
      lost != all.end())
    throw std::invalid_argument("constrained_body: model '" + model.name() +
                                "' is singular in this state: " + constraints_of(m, *lost->aggregate) +
                                " lose rank, smallest pivot " + number_text(loop_fault(*lost).value, 3) +
                                " of the largest, must be above 1e-10; move the state, or leave the choice of " +
                                "independent coordinates to the state");
  return all;
}

template <class S>
ConstraintMap<S> constraint_map(const Model& model, const Aggregate& a, const CoordinateMap<S>& map) {
  ConstraintMap<S> result{{}, Matrix<S>(a.velocities, map.freedoms), Vector<S>(a.velocities)};
  for (const int body : a.bodies) result.nodes.push_back(node_of_body(model, body));
  for (int r = 0; r < a.velocities; ++r) {
    result.g(r) = map.g[at(r)];
    for (int c = 0; c < map.freedoms; ++c) result.X(r, c) = map.X[at(r * map.freedoms + c)];
  }
  return result;
}

}  // namespace

template <class S>
ConstrainedBody<S> constrained_body(const Model& model, const S* q, const S* v, const S* f_ext,
                                    IndependentCoordinates which) {
  const ModelData& m = model.data();
  const BodyKinematics<S> at_state(model, q, v, f_ext);
  RigidBody<S> tree = spanning_tree_body(model, at_state);
  const EmbeddedNodes<S> all = maps_at(model, at_state, which);
  std::vector<ConstraintMap<S>> maps;
  for (std::size_t k = 0; k < m.aggregates.size(); ++k)
    maps.push_back(constraint_map(model, m.aggregates[k], all[k].map));
  EmbeddedModel<S> embedded = embed_constraints(tree.model, tree.a, tree.b, maps);
  std::vector<int> velocities;
  for (const std::vector<int>& members : embedded.aggregated.nodes.members) {
    const int body = node_of_body(model, members.front()), index = aggregate_of(m, body);
    if (index >= 0)
      for (const int column : all[at(index)].map.independent) velocities.push_back(all[at(index)].velocity[at(column)]);
    else
      for (int j = m.v_index[at(body)]; j < m.v_index[at(body + 1)]; ++j) velocities.push_back(j);
  }
  return {std::move(tree), std::move(embedded), std::move(velocities)};
}

template <class S>
Stacked<S> independent_velocities(const ConstrainedBody<S>& body, const S* v) {
  auto rows = Stacked<S>::zero(body.embedded.model.space, Kind::joint);
  for (std::size_t r = 0; r < body.velocities.size(); ++r)
    rows.value(static_cast<Eigen::Index>(r)) = v[body.velocities[r]];
  return rows;
}

#define INSTANTIATE(S)                                                                                              \
  template ConstrainedBody<S> constrained_body(const Model&, const S*, const S*, const S*, IndependentCoordinates); \
  template Stacked<S> independent_velocities(const ConstrainedBody<S>&, const S*);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
