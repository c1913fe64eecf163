#pragma once
// Innovations factorization of the mass matrix, its inverse and determinant (Jain 2011, Lemma 11, Cor. 6.1).

#include <kinetree/export.hpp>
#include <kinetree/sko/riccati.hpp>

namespace kinetree::sko {

/// (1 + H A K) x, x in joint rows, by a gather (Eq. 49).
template <class S>
KINETREE_EXPORT Stacked<S> innovations_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x);
/// (1 + H A K)* x by a scatter.
template <class S>
KINETREE_EXPORT Stacked<S> innovations_transpose_times(const SkoModel<S>& model, const Riccati<S>& r,
                                                       const Stacked<S>& x);
/// (1 - H psi K) x = (1 + H A K)⁻¹ x by a gather (Eq. 50).
template <class S>
KINETREE_EXPORT Stacked<S> innovations_inverse_times(const SkoModel<S>& model, const Riccati<S>& r,
                                                     const Stacked<S>& x);
/// (1 - H psi K)* x by a scatter.
template <class S>
KINETREE_EXPORT Stacked<S> innovations_inverse_transpose_times(const SkoModel<S>& model, const Riccati<S>& r,
                                                               const Stacked<S>& x);
/// The mass matrix times x (Eq. 3): a scatter and a gather.
template <class S>
KINETREE_EXPORT Stacked<S> mass_matrix_times(const SkoModel<S>& model, const Stacked<S>& x);
/// Its inverse times x (Eq. 51): a gather and a scatter, O(nodes).
template <class S>
KINETREE_EXPORT Stacked<S> inverse_mass_matrix_times(const SkoModel<S>& model, const Riccati<S>& r,
                                                     const Stacked<S>& x);
/// det of the mass matrix (Eq. 53), and its logarithm, which neither overflows nor underflows.
template <class S>
KINETREE_EXPORT S determinant(const Riccati<S>& r);
KINETREE_EXPORT double log_determinant(const Riccati<double>& r);

}  // namespace kinetree::sko
