#pragma once
// The generalized inertia matrix as Ū D̄ Ūᵀ over modules, and its recursive block inverse (Shah, Saha & Dutt 2018, A.3).
//
// With modules for nodes the paper's quantities are those of composite_inertias and riccati on the module-level model:
//
//   paper            here                           meaning
//   M̃̄_i             composite_inertias(m.model)    composite module
//   M̂̄_i             r.P                            articulated module: M̄_i, but for its last link, which also
//                                                    carries the child modules
//   Î̄_i = block of D̄  r.D = N̄_iᵀ M̂̄_i N̄_i         n^i x n^i
//   Ψ̄_i, Ψ̄_i Î̄_i⁻¹   r.P Hᵀ, r.G
//   Φ̄_i             r.tau_bar                      articulated module transformation (A.17)
//   Ū               1 + H A K                      Ū_j,i = N̄_jᵀ Ā_i,jᵀ Ψ̄_i Î̄_i⁻¹
//   Ū⁻¹             1 - H psi K                    Û_j,i (A.13, A.17)

#include <kinetree/export.hpp>
#include <kinetree/sko/module_model.hpp>
#include <kinetree/sko/riccati.hpp>

namespace kinetree::sko {

/// Ū, by the elements N̄_jᵀ Ā_i,jᵀ Ψ̄_i Î̄_i⁻¹ of its columns (A.15), which are blocks of 1 + H A K (Jain 2011, Eq.
/// 49). Lower block triangular here (tips first), upper in the paper's order, see base_first.
template <class S>
KINETREE_EXPORT Explicit<S> block_U(const ModuleModel<S>& m, const Riccati<S>& r);
/// Ū_i of A.13 to A.15, the elementary block triangular matrix of module i: 1 with -Ū_j,i in column i.
template <class S>
KINETREE_EXPORT Explicit<S> elementary_U(const ModuleModel<S>& m, const Riccati<S>& r, int i);
/// Ū⁻¹ as the product of the elementary matrices, modules base first (A.13).
template <class S>
KINETREE_EXPORT Explicit<S> block_U_inverse_by_product(const ModuleModel<S>& m, const Riccati<S>& r);
/// The twist propagation Â_i,j of articulated modules between j and i (A.18): Ā_i,k Φ̄_kᵀ Ā_k,j ...; zero unless i is
/// at or below j, the identity where they are one.
template <class S>
KINETREE_EXPORT Matrix<S> articulated_propagation(const ModuleModel<S>& m, const Riccati<S>& r, int i, int j);
/// Ū⁻¹ by the recursive elements -N̄_jᵀ Â_i,jᵀ Ψ̄_i Î̄_i⁻¹ (A.16, A.17): one step up per block.
template <class S>
KINETREE_EXPORT Explicit<S> block_U_inverse(const ModuleModel<S>& m, const Riccati<S>& r);
/// I⁻¹ = Ū⁻ᵀ D̄⁻¹ Ū⁻¹ (before A.22, where the print has the transposes exchanged).
template <class S>
KINETREE_EXPORT Explicit<S> block_inverse(const ModuleModel<S>& m, const Riccati<S>& r);

}  // namespace kinetree::sko
