#pragma once
// The change-of-basis technique (Featherstone & Fijany 1999, Sec. 2, 3): two dual vector spaces, a symmetric positive
// definite map between them and a constraint, split in a part that moves freely and a part that is immobilized.
// Nothing here is about rigid bodies, and no inner product is used: U and V meet in the scalar product u·v only.

#include <kinetree/export.hpp>
#include <kinetree/sko/matrix.hpp>

namespace kinetree::sko {

// ---- dual bases ----------------------------------------------------------------------------------------------------

/// The two spaces of a dual system: of motions and of forces, for example.
enum class DualSpace { U, V };

/// A basis of one space, and its reciprocal in the other (columns): d_i · e_j = 1 where i = j, else 0. The basis of one
/// space may be any; the other is then unique. Throws std::invalid_argument where `d` is not square or singular.
template <class S>
KINETREE_EXPORT Matrix<S> reciprocal_basis(const Matrix<S>& d);

/// From one reciprocal basis-pair to another: u_2 = X_U u_1, v_2 = X_V v_1 with X_V = X_U⁻ᵀ, so that u·v stays.
template <class S>
struct CoordinateChange {
  Matrix<S> X_U, X_U_inverse;

  Matrix<S> X(DualSpace space) const { return space == DualSpace::U ? X_U : Matrix<S>(X_U_inverse.transpose()); }
  Matrix<S> X_inverse(DualSpace space) const {
    return space == DualSpace::U ? X_U_inverse : Matrix<S>(X_U.transpose());
  }
};

/// The change to the basis of U whose vectors are the columns of `d`, in old coordinates, and to its reciprocal in V.
/// Throws std::invalid_argument where `d` is not square or singular.
template <class S>
KINETREE_EXPORT CoordinateChange<S> change_to_basis(const Matrix<S>& d);

/// New coordinates of vectors of one space, one per column.
template <class S>
KINETREE_EXPORT Matrix<S> new_coordinates(const CoordinateChange<S>& change, DualSpace space, const Matrix<S>& vectors);
/// New coordinates of a linear map: X_to A X_from⁻¹, the four transformation rules in one.
template <class S>
KINETREE_EXPORT Matrix<S> new_coordinates(const CoordinateChange<S>& change, DualSpace from, DualSpace to,
                                          const Matrix<S>& map);

// ---- subspaces -----------------------------------------------------------------------------------------------------

/// A basis of S^⊥, the largest subspace of the other space that is reciprocal to Range(S): n x (n - r) for S n x r.
/// Throws std::invalid_argument where the columns of S are not independent.
template <class S>
KINETREE_EXPORT Matrix<S> reciprocal_complement(const Matrix<S>& subspace);

/// The one matrix T' with Range(T') = Range(C) and S_1ᵀ T' = 1: C (S_1ᵀ C)⁻¹ (before Eq. 10). C: n x r.
/// Throws std::invalid_argument where Range(C) and T_2 = S_1^⊥ do not sum to V, that is, where S_1ᵀ C is singular.
template <class S>
KINETREE_EXPORT Matrix<S> normalized_complement(const Matrix<S>& S1, const Matrix<S>& C);

/// Eq. 1, 2: U = S_1 ⊕ S_2 and V = T_1 ⊕ T_2, with T_1 = M S_1, T_2 = M S_2 and [S_1 S_2]ᵀ [T_1 T_2] = 1.
template <class S>
struct Decomposition {
  Matrix<S> S1, S2;  ///< in U, n x r and n x (n - r): what the constraint allows, and what it prevents
  Matrix<S> T1, T2;  ///< in V: what drives motion in S_1, and the forces of constraint
  Matrix<S> free;    ///< S_1ᵀ M S_1, r x r: maps S_1 to T_1
  Matrix<S> held;    ///< T_2ᵀ M⁻¹ T_2, (n - r) x (n - r): maps T_2 to S_2

  /// To the special basis-pair, in which M is diag(free, held⁻¹).
  KINETREE_EXPORT CoordinateChange<S> change() const;
};

enum class Subspace { S1, S2, T1, T2 };

/// The decomposition for M (n x n, symmetric positive definite, U to V) that one of the four subspaces determines; the
/// given basis is kept as it is where it is S_1 or T_2. Throws std::invalid_argument: sizes that do not fit, a basis
/// without full column rank, M not symmetric or not positive definite.
template <class S>
KINETREE_EXPORT Decomposition<S> decompose(const Matrix<S>& M, Subspace which, const Matrix<S>& basis);
/// The same with both bases chosen; throws also where S_1 and T_2 are not reciprocal complements.
template <class S>
KINETREE_EXPORT Decomposition<S> decompose(const Matrix<S>& M, const Matrix<S>& S1, const Matrix<S>& T2);

// ---- the two sides of Eq. 8 ----------------------------------------------------------------------------------------
// Functions of S_1 know nothing of T_2 and the other way round, so that each side of an identity is found by a road of
// its own. They throw std::invalid_argument as decompose does; those of S_1 need only S_1ᵀ M S_1 positive definite.

/// M S_1 (S_1ᵀ M S_1)⁻¹ S_1ᵀ M: the part of M that maps S_1 to T_1 and S_2 to zero.
template <class S>
KINETREE_EXPORT Matrix<S> free_part(const Matrix<S>& M, const Matrix<S>& S1);
/// T_2 (T_2ᵀ M⁻¹ T_2)⁻¹ T_2ᵀ: the part of M that maps S_2 to T_2 and S_1 to zero.
template <class S>
KINETREE_EXPORT Matrix<S> held_part(const Matrix<S>& M, const Matrix<S>& T2);

/// S_1 (S_1ᵀ M S_1)⁻¹ S_1ᵀ (Eq. 7): u = this times v, of the system held to u in S_1.
template <class S>
KINETREE_EXPORT Matrix<S> constrained_inverse(const Matrix<S>& M, const Matrix<S>& S1);
/// M⁻¹ T_2 (T_2ᵀ M⁻¹ T_2)⁻¹ T_2ᵀ M⁻¹ (last term of Eq. 3): the immobilized dynamics.
template <class S>
KINETREE_EXPORT Matrix<S> immobilized_inverse(const Matrix<S>& M, const Matrix<S>& T2);
/// M⁻¹ less the immobilized dynamics (Eq. 8, 9): the same as constrained_inverse.
template <class S>
KINETREE_EXPORT Matrix<S> unconstrained_less_immobilized(const Matrix<S>& M, const Matrix<S>& T2);
/// v_c = -T_2 (T_2ᵀ M⁻¹ T_2)⁻¹ T_2ᵀ M⁻¹ v: the input that keeps u = M⁻¹ (v + v_c) in S_1 and does no work there.
template <class S>
KINETREE_EXPORT Matrix<S> constraint_input(const Matrix<S>& M, const Matrix<S>& T2, const Matrix<S>& v);

/// (S_1ᵀ M S_1)⁻¹ (Eq. 6): coordinates of u in S_1 by those of v in T_1.
template <class S>
KINETREE_EXPORT Matrix<S> reduced_inverse(const Matrix<S>& M, const Matrix<S>& S1);
/// The same by Eq. 10, for any T' with S_1ᵀ T' = 1 (see normalized_complement).
template <class S>
KINETREE_EXPORT Matrix<S> reduced_inverse(const Matrix<S>& M, const Matrix<S>& T_prime, const Matrix<S>& T2);
/// Eq. 10 from products already at hand: W' = M⁻¹ T' and W_2 = M⁻¹ T_2. Nothing is checked but the sizes.
template <class S>
KINETREE_EXPORT Matrix<S> reduced_inverse(const Matrix<S>& T_prime, const Matrix<S>& W_prime, const Matrix<S>& T2,
                                          const Matrix<S>& W2);

}  // namespace kinetree::sko
