#pragma once
// A Model with loops, couplings and rotors as one SKO model: its spanning tree, its aggregates embedded (Jain 2012 II,
// Sec. 4.2, 4.3, 8).

#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/sko/constraint_embedding.hpp>
#include <kinetree/sko/rigid_body.hpp>

namespace kinetree::sko {

/// A constrained mechanism at one state.
template <class S>
struct ConstrainedBody {
  RigidBody<S> tree;            ///< the spanning tree; joint_rows and model_order carry v, tau and accelerations over
  EmbeddedModel<S> embedded;    ///< sets: the Model's aggregates; X: X_S; g: the time derivative of X_S times v_R
  std::vector<int> velocities;  ///< per joint row of embedded.model, the index of that independent velocity in v
};

/// q: nq, v: nv, f_ext: 6 per body (world axes, moment about the body's origin first) or null; in the Model's order.
/// Precondition, not checked: q and v satisfy the constraints; otherwise the result describes no mechanism. A model
/// without constraints is accepted. Throws std::invalid_argument where the constraints of an aggregate lose rank, with
/// their names and the smallest pivot.
template <class S>
KINETREE_EXPORT ConstrainedBody<S> constrained_body(const Model& model, const S* q, const S* v,
                                                    const S* f_ext = nullptr,
                                                    IndependentCoordinates which = IndependentCoordinates::users);

/// The independent ones of all velocities (nv, the Model's order), joint rows of embedded.model.
template <class S>
KINETREE_EXPORT Stacked<S> independent_velocities(const ConstrainedBody<S>& body, const S* v);

}  // namespace kinetree::sko
