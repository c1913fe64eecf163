#pragma once
// The rigid-body Model as one instance of an SKO model: node k is body n - 1 - k, weights X_upᵀ, H = Sᵀ.

#include <kinetree/model/model.hpp>
#include <kinetree/sko/model.hpp>

namespace kinetree::sko {

/// A mechanism at one state. Node velocities and forces are in body coordinates (of the Model's internal frames),
/// angular part first; joint rows are the model's v of that joint, in the order of nodes.
template <class S>
struct RigidBody {
  SkoModel<S> model;
  Stacked<S> a;  ///< Coriolis accelerations; those of base nodes hold the upward acceleration that stands for gravity
  Stacked<S> b;  ///< gyroscopic forces less external ones
};

/// q: nq, v: nv, f_ext: 6 per body (world axes, moment about the body's origin first) or null; in the Model's order.
/// Throws std::invalid_argument for a model with loop joints, couplings or rotor inertias, which are no part of this.
template <class S>
RigidBody<S> rigid_body(const Model& model, const S* q, const S* v, const S* f_ext = nullptr);

/// The node that is body i, and back.
inline int node_of_body(const Model& model, int body) { return model.body_count() - 1 - body; }

/// Joint rows in the Model's order of v, and back.
template <class S>
Stacked<S> joint_rows(const RigidBody<S>& body, const Model& model, const S* v);
template <class S>
std::vector<S> model_order(const Model& model, const Stacked<S>& rows);

}  // namespace kinetree::sko
