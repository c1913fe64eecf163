#pragma once
// Where all links of a model are and how they move, in double, one body after another: for what needs whole states
// outside the kernels (constraint forces, independent coordinates).

#include <kinetree/export.hpp>
#include <vector>

#include "engine/joint/joint.hpp"
#include "engine/model/loop_jacobian.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Of one model and one thread. Allocates when it is made alone.
class LinkMotion {
 public:
  KINETREE_EXPORT explicit LinkMotion(const ModelData& model);

  /// Places joints and links, and finds velocities and the accelerations that they ask for. `v`, `a` null: zeros.
  /// Weights are an upward acceleration of the ground.
  KINETREE_EXPORT void set(const double* q, const double* v, const double* a);

  /// What constraints see of it. Valid until the next set().
  AggregateState<double> state() const {
    return {X_up_.data(), columns_.data(), v_.data(), c_.data(), q_, rates_};
  }
  const Motion<double>& velocity(int body) const { return v_[at(body)]; }
  const Motion<double>& acceleration(int body) const { return a_[at(body)]; }
  const JointTransform<double>& X_up(int body) const { return X_up_[at(body)]; }
  /// From the world's frame to the body's; the ground's is the identity.
  Transform<double> X_world(int body) const { return body < 0 ? Transform<double>::identity() : X_world_[at(body)]; }
  /// Calls use(S) with the subspace of the joint that carries a body.
  template <class Use>
  void with_joint(int body, Use&& use) const {
    with_subspace(m_.joint_type[at(body)], &columns_[at(m_.v_index[at(body)])], use);
  }

 private:
  const ModelData& m_;
  std::vector<JointTransform<double>> X_up_;
  std::vector<Transform<double>> general_, X_world_;
  std::vector<Motion<double>> columns_, v_, c_, a_;
  std::vector<double> zeros_;
  const double *q_ = nullptr, *rates_ = nullptr;
};

}  // namespace kinetree::inline inner
