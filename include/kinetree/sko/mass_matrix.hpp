#pragma once
// Composite inertias and the mass matrix of an SKO model (Jain 2011, Lemma 4, Alg. 4.1, 4.2).

#include <kinetree/export.hpp>
#include <kinetree/sko/model.hpp>

namespace kinetree::sko {

/// R, composite inertias (Alg. 4.1).
template <class S>
KINETREE_EXPORT BlockDiagonal<S> composite_inertias(const SkoModel<S>& model);
/// The mass matrix, joint rows and columns, exact zeros for unrelated nodes (Alg. 4.2).
template <class S>
KINETREE_EXPORT Explicit<S> mass_matrix(const SkoModel<S>& model);

}  // namespace kinetree::sko
