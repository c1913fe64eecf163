#pragma once
// The rigid-body Model as one instance of an SKO model: node k is body n - 1 - k, weights X_upᵀ, H = Sᵀ.
//
// A rotor that a joint's rate turns is one more entry of its body's velocity, armature one more of the node's inertia:
// H = [Sᵀ 1], M = diag(I, armature), and no weight, since nothing else moves a rotor. So D = SᵀPS + armature, and every
// recursion holds as it stands (Jain 2011, Sec. 8.1, where nodes have velocities of any size).

#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/sko/model.hpp>

namespace kinetree::sko {

template <class S>
struct BodyKinematics;

/// A mechanism at one state. Node velocities and forces are in body coordinates (of the Model's internal frames),
/// angular part first, then one entry per rotor of the node's joint (rates in rad/s or m/s, forces in N m or N). Joint
/// rows are the model's v of that joint, in the order of nodes.
template <class S>
struct RigidBody {
  SkoModel<S> model;
  Stacked<S> a;  ///< Coriolis accelerations; those of base nodes hold the upward acceleration that stands for gravity
  Stacked<S> b;  ///< gyroscopic forces less external ones
};

/// q: nq, v: nv, f_ext: 6 per body (world axes, moment about the body's origin first) or null; in the Model's order.
/// Throws std::invalid_argument for a model with loop joints or couplings: those are for constrained_body.
template <class S>
KINETREE_EXPORT RigidBody<S> rigid_body(const Model& model, const S* q, const S* v, const S* f_ext = nullptr);

/// Of a model's spanning tree, without loop joints and couplings, from what kinematics found (Jain 2012 II, Sec. 4.2,
/// step 1). For this component alone: BodyKinematics is private.
template <class S>
KINETREE_EXPORT RigidBody<S> spanning_tree_body(const Model& model, const BodyKinematics<S>& at_state);

/// The node that is body i, and back.
inline int node_of_body(const Model& model, int body) { return model.body_count() - 1 - body; }

/// The freedoms of body i's joint that turn a rotor (armature > 0), ascending: its node's entries after the first six.
KINETREE_EXPORT std::vector<int> rotors_of(const Model& model, int body);

/// Joint rows in the Model's order of v, and back.
template <class S>
KINETREE_EXPORT Stacked<S> joint_rows(const RigidBody<S>& body, const Model& model, const S* v);
template <class S>
KINETREE_EXPORT std::vector<S> model_order(const Model& model, const Stacked<S>& rows);

}  // namespace kinetree::sko
