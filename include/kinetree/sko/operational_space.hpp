#pragma once
// The extended operational space compliance Omega = psi* H* D⁻¹ H psi (Jain 2011, Eq. 60) and its blocks.

#include <kinetree/export.hpp>
#include <kinetree/sko/lyapunov.hpp>
#include <kinetree/sko/riccati.hpp>

namespace kinetree::sko {

/// Diagonal blocks of Omega by a scatter (Lemma 5 with X = H* D⁻¹ H, A = B = psi).
template <class S>
KINETREE_EXPORT BlockDiagonal<S> compliance_diagonal(const SkoModel<S>& model, const Riccati<S>& r);
/// Block (i, j) of Omega, O(distance of i and j).
template <class S>
Matrix<S> compliance_block(const Riccati<S>& r, const BlockDiagonal<S>& diagonal, int i, int j) {
  return backward_block(r.psi, diagonal, r.psi, i, j);
}
/// J M⁻¹ J* for the velocities of some nodes, in the order given (Eq. 59, 60).
template <class S>
KINETREE_EXPORT Matrix<S> compliance_of(const Riccati<S>& r, const BlockDiagonal<S>& diagonal,
                                        const std::vector<int>& nodes);
/// (J M⁻¹ J*)⁻¹, the operational space inertia of those nodes together (Sec. 6.2): the forces on them that one more
/// unit of their accelerations takes. Throws std::invalid_argument where they can't all accelerate in every direction
/// on their own (too few freedoms, a node given twice, a singular configuration): then only the compliance exists.
template <class S>
KINETREE_EXPORT Matrix<S> operational_space_inertia(const Riccati<S>& r, const BlockDiagonal<S>& diagonal,
                                                    const std::vector<int>& nodes);

}  // namespace kinetree::sko
