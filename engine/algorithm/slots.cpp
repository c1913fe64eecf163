#include "engine/algorithm/slots.hpp"

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

SlotIndex::SlotIndex(const ModelData& model, const Modules* modules) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int bodies = static_cast<int>(model.parent.size());
  const std::shared_ptr<int[]> slot(new int[at(bodies)]());
  const auto carried = [&](int i) {
    const int cut = modules != nullptr && modules->any_cut() ? modules->cut_of[at(i)] : -1;
    return cut >= 0 && modules->cuts[at(cut)].carried;
  };
  for (int i = bodies; i-- > 0;) {
    if (carried(i)) continue;
    // an aggregate gathers in the slot of one member while contributions outboard of the others are still to be read
    if (model.aggregate_of.empty() || model.aggregate_of[at(i)] < 0)
      for (const int node : model.nodes_of(i))
        if (slot[i] == 0) slot[i] = slot[node];
    if (slot[i] == 0) slot[i] = count++;
  }
  of_body = slot;
}

}  // namespace kinetree::inline inner
