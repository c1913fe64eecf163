#pragma once
// SPO operators times stacked vectors, as recursions (Jain 2011, Lemmas 1, 2, Cor. 3.1).

#include <kinetree/export.hpp>
#include <kinetree/sko/operators.hpp>

namespace kinetree::sko {

/// A x by a gather (Lemma 1, Eq. 5). O(nodes). x: node rows.
template <class S>
KINETREE_EXPORT Stacked<S> operator*(const Spo<S>& A, const Stacked<S>& x);
/// A* x by a scatter (Lemma 2, Eq. 8).
template <class S>
KINETREE_EXPORT Stacked<S> transpose_times(const Spo<S>& A, const Stacked<S>& x);
/// (A - 1) x (Cor. 3.1, first part).
template <class S>
KINETREE_EXPORT Stacked<S> strict_times(const Spo<S>& A, const Stacked<S>& x);
/// (A - 1)* x (Cor. 3.1, second part).
template <class S>
KINETREE_EXPORT Stacked<S> strict_transpose_times(const Spo<S>& A, const Stacked<S>& x);
/// E_A x: to the parents, one step.
template <class S>
KINETREE_EXPORT Stacked<S> adjacency_times(const Spo<S>& A, const Stacked<S>& x);
/// E_A* x: from the parents, one step.
template <class S>
KINETREE_EXPORT Stacked<S> adjacency_transpose_times(const Spo<S>& A, const Stacked<S>& x);

}  // namespace kinetree::sko
