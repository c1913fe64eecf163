#pragma once
// The mass matrix in independent coordinates that are named: column by column the momenta that a unit of each velocity
// gives to all of them.

#include <kinetree/export.hpp>
#include <vector>

#include "engine/model/independent_map.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Works on one model, in double; one per thread. Allocates when it is made alone.
class IndependentMass {
 public:
  KINETREE_EXPORT explicit IndependentMass(const ModelData& model);

  /// X_Sᵀ M X_S in the state that `map` was found in last, map.size() rows and columns, valid until the next call.
  KINETREE_EXPORT const std::vector<double>& find(const IndependentMap& map);

 private:
  const ModelData& m_;
  std::vector<Motion<double>> V_;  ///< over bodies
  std::vector<Force<double>> P_;
  std::vector<double> v_, p_, H_;  ///< velocities and momenta of joints
};

}  // namespace kinetree::inline inner
