#include <kinetree/algorithm/handed.hpp>

namespace kinetree {

HandingPlaces::HandingPlaces(const ModelData& model, const Modules* modules) {
  const std::size_t bodies = model.parent.size();
  const std::shared_ptr<int[]> place(new int[bodies]());
  const auto carried = [&](std::size_t i) {
    const int cut = modules != nullptr && modules->any_cut() ? modules->cut_of[i] : -1;
    return cut >= 0 && modules->cuts[static_cast<std::size_t>(cut)].carried;
  };
  for (std::size_t i = bodies; i-- > 0;) {
    if (carried(i)) continue;
    // an aggregate gathers in the place of one member while bodies outboard of all members are still handing on
    if (model.aggregate_of.empty() || model.aggregate_of[i] < 0)
      for (const int node : model.nodes_of(static_cast<int>(i)))
        if (place[i] == 0) place[i] = place[node];
    if (place[i] == 0) place[i] = count++;
  }
  of_body = place;
}

}  // namespace kinetree
