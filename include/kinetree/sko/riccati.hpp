#pragma once
// The Riccati equation and what comes of it: articulated inertias and the operators psi, K (Jain 2011, Lemmas 7, 8).

#include <kinetree/export.hpp>
#include <kinetree/sko/model.hpp>

namespace kinetree::sko {

/// All block-diagonal; names as in Eq. 32.
template <class S>
struct Riccati {
  BlockDiagonal<S> P;  ///< articulated inertias
  BlockDiagonal<S> D;  ///< H P H*
  std::vector<SymmetricFactor<S>> D_factor;
  BlockDiagonal<S> G;             ///< P H* D⁻¹
  BlockDiagonal<S> tau, tau_bar;  ///< G H, 1 - tau
  BlockDiagonal<S> P_plus;        ///< tau_bar P
  Spo<S> psi;                     ///< weights A(℘(k), k) tau_bar(k) (Eq. 35); its adjacency is E_psi
  std::vector<Matrix<S>> K;       ///< A(℘(k), k) G(k), m_℘(k) x n_k: K's one block per edge; empty at base nodes
};

/// Gather of Eq. 33.
template <class S>
KINETREE_EXPORT Riccati<S> riccati(const SkoModel<S>& model);
/// K = E_A G (Eq. 37; printed there as E_psi G, which vanishes), written out.
template <class S>
KINETREE_EXPORT Explicit<S> shifted_gain(const SkoModel<S>& model, const Riccati<S>& r);
/// D⁻¹ written as a block diagonal.
template <class S>
KINETREE_EXPORT BlockDiagonal<S> inverse_D(const Riccati<S>& r);

}  // namespace kinetree::sko
