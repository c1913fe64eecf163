#pragma once
// A model of links as a model of modules, and the module-level DeNOC matrices (Shah, Saha & Dutt 2018, A.1-A.12).
//
// A module is one node whose velocity is the stack of its links' (module-twist), so that every operator and recursion
// of this layer is the paper's on the module level:
//
//   paper                     here, of module i (p = ℘(i))            meaning
//   A_k,k-1, p_k              A(℘(k), k)ᵀ, H(k)ᵀ of the links         twist propagation, joint motion (A.2); any n_k
//   N̄_i,l, N̄_i,d, N̄_i       A_Sᵀ, H_Sᵀ, (H_S A_S)ᵀ = H(i)ᵀ          links of one module (A.4, A.5, A.7)
//   Ā_i,β                     A(p, i)ᵀ, nonzero for p's last link     module-twist propagation (A.6, A.7)
//   N̄_l, N̄_d                 Aᵀ, Hᵀ                                  module-level DeNOC matrices (A.10-A.12)
//
// Twists are in the frames that the links' model has (for a rigid_body: each link's own, angular part first), where
// the paper takes one frame for all; the identities don't change. Stacks are tips first, the paper's base first.

#include <kinetree/export.hpp>
#include <kinetree/sko/aggregation.hpp>
#include <kinetree/sko/kinematic_modules.hpp>

namespace kinetree::sko {

/// The links of module i alone, as a chain on the ground; node r is links_of(i)[r]. Throws InvalidModules.
template <class S>
KINETREE_EXPORT SkoModel<S> chain_of(const SkoModel<S>& links, const KinematicModules& modules, int i);
/// That of every module.
template <class S>
KINETREE_EXPORT std::vector<SkoModel<S>> chains_of(const SkoModel<S>& links, const KinematicModules& modules);

/// The same mechanism with every module aggregated to one node (Jain 2012 I): node i is module i, its velocities are
/// the module-twist, its joint rows all its joints'. `regrouped` and `in_original_order` turn stacks over links into
/// stacks over modules and back.
template <class S>
struct ModuleModel : AggregatedModel<S> {
  KinematicModules modules;
  SkoModel<S> links;  ///< what it is made of
};
/// a, b: of the links, as in a RigidBody. Throws InvalidModules where the modules are of another tree.
template <class S>
KINETREE_EXPORT ModuleModel<S> module_model(const SkoModel<S>& links, const KinematicModules& modules,
                                            const Stacked<S>& a, const Stacked<S>& b);
/// The same with a = b = 0: for everything but dynamics.
template <class S>
ModuleModel<S> module_model(const SkoModel<S>& links, const KinematicModules& modules) {
  const auto none = Stacked<S>::zero(links.space, Kind::node);
  return module_model(links, modules, none, none);
}

/// N̄_i,l (A.5): unit lower triangular in the paper's order, here upper.
template <class S>
KINETREE_EXPORT Matrix<S> module_N_l(const ModuleModel<S>& m, int i);
/// N̄_i,d (A.5): the joint motions of module i, block-diagonal.
template <class S>
KINETREE_EXPORT Matrix<S> module_N_d(const ModuleModel<S>& m, int i);
/// N̄_i = N̄_i,l N̄_i,d (A.4, A.7).
template <class S>
Matrix<S> module_N(const ModuleModel<S>& m, int i) {
  return m.model.H(i).transpose();
}
/// Ā_i,j (A.7, A.12): twist of module i from that of j; zero unless i is at or below j.
template <class S>
KINETREE_EXPORT Matrix<S> module_propagation(const ModuleModel<S>& m, int i, int j);
/// N̄_l = (1 - Ā)⁻¹ and N̄_d of the whole mechanism (A.10-A.12): V = N̄_l N̄_d theta_dot.
template <class S>
KINETREE_EXPORT Explicit<S> N_l(const ModuleModel<S>& m);
template <class S>
KINETREE_EXPORT Explicit<S> N_d(const ModuleModel<S>& m);

/// An operator over modules as the one over links.
template <class S>
KINETREE_EXPORT Explicit<S> by_links(const ModuleModel<S>& m, const Explicit<S>& over_modules);
/// Rows and columns in the paper's order: modules base first, links of a module base first.
template <class S>
KINETREE_EXPORT Matrix<S> base_first(const ModuleModel<S>& m, const Explicit<S>& over_modules);

}  // namespace kinetree::sko
