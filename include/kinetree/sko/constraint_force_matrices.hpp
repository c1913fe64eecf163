#pragma once
// Two expressions for the inverse of a mass matrix (Featherstone & Fijany 1999, Eq. 12-16), written out for free bodies
// that joints constrain. For checks and study of small models; large ones are solved by dynamics.hpp in O(nodes).
//
// Letters of that paper beside those of an SkoModel (Jain 2011): its I is M, its H is H*, its P is (1 - E_A)*, so that
// P⁻¹ is A*. The paper has a chain in absolute coordinates; with E_A the same equations hold on any tree, in body
// coordinates, and with nodes of any size.

#include <kinetree/export.hpp>
#include <kinetree/sko/model.hpp>

namespace kinetree {
class Model;
}

namespace kinetree::sko {

/// H^⊥ of each joint: a basis of its constraint forces, m_k x (m_k - n_k), reciprocal to the columns of H(k)*.
template <class S>
using ConstraintBases = std::vector<Matrix<S>>;

/// Any such bases of any model, by elimination.
template <class S>
KINETREE_EXPORT ConstraintBases<S> constraint_bases(const SkoModel<S>& model);
/// kinetree's own for its joint types, in the order of rigid_body's nodes: orthonormal (angular part first, moments in
/// N m, forces in N, body coordinates); after them one column per rotor, the torque by which the joint turns it and
/// its reaction on the body. q: nq.
template <class S>
KINETREE_EXPORT ConstraintBases<S> constraint_bases(const Model& model, const S* q);

/// P = (1 - E_A)*, node x node: P a = H* theta_ddot (Eq. 13, at rest), and the forces through the joints are
/// f_J = P⁻ᵀ f, with joint forces H f_J (Eq. 14).
template <class S>
KINETREE_EXPORT Explicit<S> propagation(const SkoModel<S>& model);

/// T_2 = Pᵀ H^⊥: what forces of constraint at the joints do to the bodies. Node rows; columns as in `bases`, node by
/// node. Its partner S_1 = P⁻¹ H is partial_velocities(model). Throws std::invalid_argument for bases of wrong shape or
/// not reciprocal to H.
template <class S>
KINETREE_EXPORT Matrix<S> constraint_force_space(const SkoModel<S>& model, const ConstraintBases<S>& bases);

/// T'_1 = Pᵀ I_X H (Hᵀ I_X H)⁻¹, node x joint: how forces at the joints act on the bodies. I_X: any symmetric positive
/// definite blocks, node x node; what it is changes T'_1, no acceleration. Throws std::invalid_argument naming the node
/// where H(k) I_X(k) H(k)* is not positive definite.
template <class S>
KINETREE_EXPORT Explicit<S> joint_force_space(const SkoModel<S>& model, const BlockDiagonal<S>& I_X);
/// The same with I_X = 1: in any coordinates a choice like any other, and the cheapest.
template <class S>
KINETREE_EXPORT Explicit<S> joint_force_space(const SkoModel<S>& model);

/// T_2ᵀ I⁻¹ T_2, the matrix of the constraint forces: zero where two joints share no body. Throws std::invalid_argument
/// naming the node where M(k) is not positive definite.
template <class S>
KINETREE_EXPORT Matrix<S> constraint_force_matrix(const SkoModel<S>& model, const ConstraintBases<S>& bases);

/// (Hᵀ P⁻ᵀ I P⁻¹ H)⁻¹, joint x joint (Eq. 15).
template <class S>
KINETREE_EXPORT Explicit<S> inverse_by_freedoms(const SkoModel<S>& model);
/// T'_1ᵀ (I⁻¹ - I⁻¹ T_2 (T_2ᵀ I⁻¹ T_2)⁻¹ T_2ᵀ I⁻¹) T'_1, joint x joint (Eq. 16). T_prime: from joint_force_space.
/// Throws std::invalid_argument naming the node where M(k) is not positive definite: a massless or thin body has no
/// free motion of its own; join it to its parent, or use Eq. 15.
template <class S>
KINETREE_EXPORT Explicit<S> inverse_by_constraint_forces(const SkoModel<S>& model, const Explicit<S>& T_prime,
                                                         const ConstraintBases<S>& bases);

/// The same mechanism in other coordinates of every node's velocity (X(k): new from old, so also new units or a moved
/// frame) and of every joint's (Y(k): theta_dot_new = Y theta_dot). Each quantity by its own rule (Sec. 2): M maps U to
/// V, the weights U to U. A model of its own: it refuses to combine with the old one.
/// Throws std::invalid_argument where a block is singular.
template <class S>
KINETREE_EXPORT SkoModel<S> in_coordinates(const SkoModel<S>& model, const BlockDiagonal<S>& X,
                                           const BlockDiagonal<S>& Y);
/// Constraint bases in those coordinates: X(k)⁻ᵀ H^⊥(k).
template <class S>
KINETREE_EXPORT ConstraintBases<S> in_coordinates(const ConstraintBases<S>& bases, const BlockDiagonal<S>& X);

}  // namespace kinetree::sko
