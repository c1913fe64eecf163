#include "engine/partition/end_chain_modules.hpp"

#include "engine/model/model_data.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

Modules end_chain_modules(const ModelData& model, const EndChains& chains) {
  Modules all;
  all.cut_of.assign(model.parent.size(), -1);
  for (const EndChain& chain : chains.all)  // by ascending body
    for (int k = 0; k < chain.packs * chains.width; ++k) {
      const int base = chain.first + k * chain.length;
      all.cut_of[at(base)] = static_cast<int>(all.cuts.size());
      all.cuts.push_back({.body = base, .rows = 6 - velocity_count(model.joint_type[at(base)]), .carried = k > 0});
    }
  list_modules(model, std::vector<bool>(model.parent.size(), false), all);
  return all;
}

}  // namespace kinetree::inline inner
