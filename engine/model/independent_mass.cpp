#include "engine/model/independent_mass.hpp"

#include <algorithm>

#include "engine/scalar/index.hpp"
#include "engine/spatial/rigid_inertia.hpp"

namespace kinetree::inline inner {

IndependentMass::IndependentMass(const ModelData& model)
    : m_(model), V_(model.parent.size()), P_(model.parent.size()), v_(at(model.v_index.back())), p_(v_.size()) {
  const auto freedoms = at(independent_count(model));
  H_.resize(freedoms * freedoms);
}

const std::vector<double>& IndependentMass::find(const IndependentMap& map) {
  const LinkMotion& motion = map.motion();
  const int nv = m_.v_index.back(), n = map.size();
  for (int k = 0; k < n; ++k) {
    std::fill(v_.begin(), v_.end(), 0);
    for (int v = 0; v < nv; ++v)
      map.row(v, [&](int r, double entry) {
        if (r == k) v_[at(v)] = entry;
      });
    for (std::size_t i = 0; i < V_.size(); ++i) {
      const auto body = static_cast<int>(i);
      V_[i] = m_.parent[i] < 0 ? Motion<double>{} : motion.X_up(body) * V_[at(m_.parent[i])];
      motion.with_joint(body, [&](auto subspace) { subspace.add(&v_[at(m_.v_index[i])], V_[i]); });
      P_[i] = m_.link[i].I * V_[i];
    }
    for (std::size_t i = P_.size(); i-- > 0;) {
      const auto body = static_cast<int>(i);
      motion.with_joint(body, [&](auto subspace) { subspace.transpose_times(P_[i], &p_[at(m_.v_index[i])]); });
      if (m_.parent[i] >= 0) P_[at(m_.parent[i])] += transpose_times(motion.X_up(body), P_[i]);
    }
    double* const column = &H_[at(n * k)];
    std::fill_n(column, n, 0);
    for (int v = 0; v < nv; ++v) {
      const double momentum = p_[at(v)] + m_.armature[at(v)] * v_[at(v)];
      map.row(v, [&](int r, double entry) { column[r] += entry * momentum; });
    }
    for (int r = 0; r < k; ++r) column[r] = H_[at(n * r + k)];  // the same to rounding
  }
  return H_;
}

}  // namespace kinetree::inline inner
