// The outward recursion of positions, velocities and accelerations (Jain 2011, Alg. 3.1).
#include "engine/model/link_motion.hpp"

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

LinkMotion::LinkMotion(const ModelData& model)
    : m_(model),
      X_up_(model.parent.size()),
      general_(model.parent.size()),
      X_world_(model.parent.size()),
      columns_(at(model.v_index.back()) + 1),
      v_(model.parent.size()),
      c_(model.parent.size()),
      a_(model.parent.size()),
      zeros_(at(model.v_index.back())) {
  for (std::size_t i = 0; i < X_up_.size(); ++i) X_up_[i].general = &general_[i];
}

void LinkMotion::set(const double* q, const double* v, const double* a) {
  q_ = q, rates_ = v != nullptr ? v : zeros_.data();
  const Motion<double> ground{{0, 0, 0}, {-m_.gravity[0], -m_.gravity[1], -m_.gravity[2]}};
  for (std::size_t i = 0; i < X_up_.size(); ++i) {
    const int p = m_.parent[i];
    const double* rate = rates_ + m_.v_index[i];
    Motion<double> own{};
    c_[i] = {};
    joint_at(m_.joint_type[i], m_.link[i], q + m_.q_index[i], rate, X_up_[i], &columns_[at(m_.v_index[i])], c_[i]);
    const auto X = static_cast<Transform<double>>(X_up_[i]);
    X_world_[i] = p < 0 ? X : X * X_world_[at(p)];
    with_joint(static_cast<int>(i), [&](auto subspace) {
      subspace.add(rate, own);
      v_[i] = (p < 0 ? Motion<double>{} : X * v_[at(p)]) + own;
      c_[i] += cross(v_[i], own);
      a_[i] = X * (p < 0 ? ground : a_[at(p)]) + c_[i];
      if (a != nullptr) subspace.add(a + m_.v_index[i], a_[i]);
    });
  }
}

}  // namespace kinetree::inline inner
