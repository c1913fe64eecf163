#include "engine/algorithm/node/multipliers_shape.hpp"

#include "engine/model/loop_joint.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

MultiplierShape::MultiplierShape(const ModelData& model, const Aggregate& a) : aggregate(&a) {
  const auto place_of = [&](int body) {
    int place = static_cast<int>(a.bodies.size()) - 1;
    while (place >= 0 && a.bodies[at(place)] != body) --place;
    return place;
  };
  for (const int i : a.bodies) parent_place.push_back(place_of(model.parent[at(i)]));
  const auto hold = [&](int body) {  // from here to the aggregate's parent
    for (int place = place_of(body); place >= 0; place = parent_place[at(place)]) feels.back()[at(place)] = true;
  };
  const auto close = [&](int rows) {
    support.emplace_back();
    for (std::size_t place = a.bodies.size(); place-- > 0;)
      if (feels.back()[place]) support.back().push_back(static_cast<int>(place));
    first_row.push_back(first_row.back() + rows);
  };
  for (const int l : a.loops) {
    feels.emplace_back(a.bodies.size());
    hold(model.loops[at(l)].first), hold(model.loops[at(l)].second);
    close(row_count(model.loops[at(l)]));
  }
  for (const int c : a.couplings) {
    feels.emplace_back(a.bodies.size());
    for (const auto& term : model.couplings[at(c)].terms) hold(term.first);
    close(1);
  }
}

}  // namespace kinetree::inline inner
