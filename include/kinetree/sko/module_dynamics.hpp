#pragma once
// Inverse and forward dynamics between and within modules (Shah, Saha & Dutt 2018, A.5): an outer recursion over the
// tree of modules whose step is a recursion over the links of one, so the work is linear in the links however they are
// cut. Nothing larger than a link's matrices is formed; module_model and riccati are the same with blocks written out.
//
// A module hands over at two links only: child modules hang from its last link, its first hangs from the last of ℘(i).

#include <kinetree/export.hpp>
#include <kinetree/sko/module_model.hpp>
#include <kinetree/sko/riccati.hpp>

namespace kinetree::sko {

/// What forward dynamics needs of every module. Shared by all T, a, b of one state.
template <class S>
struct ArticulatedModules {
  KinematicModules modules;
  SkoModel<S> links;
  std::vector<SkoModel<S>> chain;  ///< module i alone; its last link's inertia includes the child modules', so that M
                                   ///< is the articulated module M̂̄_i and the chain's mass matrix is Î̄_i
  std::vector<Riccati<S>> within;  ///< of that chain: Î̄_i = U D Uᵀ link by link, P of its links
};

/// A gather over modules, each step a gather over links. Throws InvalidModules where the modules are of another tree.
template <class S>
KINETREE_EXPORT ArticulatedModules<S> articulate(const SkoModel<S>& links, const KinematicModules& modules);

/// Î̄_i⁻¹ x by the chain's recursion, O(n^i), without forming Î̄_i. x: the module's joint rows, tips first.
template <class S>
KINETREE_EXPORT Vector<S> solve_module(const ArticulatedModules<S>& articulated, int i, const Vector<S>& x);

/// T of theta_ddot, with a and b of the links (as in a RigidBody). All over links.
template <class S>
KINETREE_EXPORT Stacked<S> modular_inverse_dynamics(const SkoModel<S>& links, const KinematicModules& modules,
                                                    const Stacked<S>& theta_ddot, const Stacked<S>& a,
                                                    const Stacked<S>& b);
/// theta_ddot of T. All over links; a = b = 0 gives I⁻¹ T.
template <class S>
KINETREE_EXPORT Stacked<S> modular_forward_dynamics(const ArticulatedModules<S>& articulated, const Stacked<S>& T,
                                                    const Stacked<S>& a, const Stacked<S>& b);

}  // namespace kinetree::sko
