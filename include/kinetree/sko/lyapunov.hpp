#pragma once
// Forward and backward Lyapunov equations (Jain 2011, Lemmas 3, 5, 6; Alg. 4.3).

#include <kinetree/export.hpp>
#include <kinetree/sko/operators.hpp>

namespace kinetree::sko {

/// Y of X = Y - E_A Y E_B*, a gather (Eq. 12, 14): the diagonal blocks of A X B*.
template <class S>
KINETREE_EXPORT BlockDiagonal<S> forward_lyapunov(const Spo<S>& A, const BlockDiagonal<S>& X, const Spo<S>& B);
/// Block (i, j) of A X B* from Y (Eq. 15): O(distance of i and j); zero for unrelated nodes.
template <class S>
KINETREE_EXPORT Matrix<S> forward_block(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B, int i, int j);
/// A X B* = Y + (A-1) Y + Y (B-1)*, written out (Eq. 11).
template <class S>
KINETREE_EXPORT Explicit<S> forward_decomposition(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B);

/// Y of X = Y - diagOf{E_A* Y E_B}, a scatter (Eq. 22, 24): the diagonal blocks of A* X B.
template <class S>
KINETREE_EXPORT BlockDiagonal<S> backward_lyapunov(const Spo<S>& A, const BlockDiagonal<S>& X, const Spo<S>& B);
/// Block (i, j) of A* X B from Y (Eq. 25, the four cases of Alg. 4.3): O(distance of i and j); zero only where the
/// nodes have no common ancestor.
template <class S>
KINETREE_EXPORT Matrix<S> backward_block(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B, int i, int j);
/// A* X B = Y + (A-1)* Y + Y (B-1) + R, written out (Eq. 21).
template <class S>
KINETREE_EXPORT Explicit<S> backward_decomposition(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B);

}  // namespace kinetree::sko
