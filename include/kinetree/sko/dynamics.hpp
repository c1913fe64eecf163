#pragma once
// Inverse and forward dynamics of any SKO model (Jain 2011, Alg. 3.1, 6.1).

#include <kinetree/export.hpp>
#include <kinetree/sko/riccati.hpp>

namespace kinetree::sko {

/// T = H A (M A*(H* theta_ddot + a) + b) (Alg. 3.1, accelerations and forces).
template <class S>
KINETREE_EXPORT Stacked<S> inverse_dynamics(const SkoModel<S>& model, const Stacked<S>& theta_ddot, const Stacked<S>& a,
                                            const Stacked<S>& b);
/// theta_ddot from T by articulated bodies (Alg. 6.1, Eq. 58).
template <class S>
KINETREE_EXPORT Stacked<S> forward_dynamics(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& T,
                                            const Stacked<S>& a, const Stacked<S>& b);

}  // namespace kinetree::sko
