#pragma once
// What the kernels of the dial work on. Notation of the design: Z, beta, Omega, lambda, P⁻¹, T, S'.

#include <array>

#include "engine/algorithm/elimination.hpp"
#include "engine/algorithm/node/nodes.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/own_choice.hpp"

namespace kinetree::inline inner {

/// L⁻¹ f of a spatial force f, where P = L D Lᵀ: six numbers, such that gᵀ P⁻¹ f = (L⁻¹ g)ᵀ D⁻¹ (L⁻¹ f).
template <class S>
using ScaledForce = std::array<S, 6>;

/// The terms of the modules' equations (design: The module equations), kept between passes.
template <class S>
struct ModuleEquations {
  // over lambda: a cut joint's rows, consecutive
  std::vector<Force<S>> T;             ///< constraint-force basis, child's coordinates
  std::vector<Force<S>> Z;             ///< columns of carried joints, in the end at the module's base
  std::vector<ScaledForce<S>> LZ, LT;  ///< L⁻¹ Z and L⁻¹ T, where L D Lᵀ is P at a cut base
  std::vector<S> beta;
  std::vector<S> lambda;  ///< constraint forces so far; CutSystem::lambda are those of the last right-hand side
  // over modules
  std::vector<S> P;               ///< 6 x 6, factorized: the articulated inertia at a cut base
  std::vector<Force<S>> z;        ///< bias at a cut base, less its active force
  std::vector<S> omega, epsilon;  ///< laid out by Modules
  // over bodies
  std::vector<Motion<S>> change;  ///< of accelerations, by the last refinement
  std::vector<Motion<S>> kappa;   ///< over cut joints: c of the next right-hand side
  std::vector<Force<S>> f_up;     ///< force through an uncut joint, parent's coordinates, for residuals
  std::vector<char> opens;        ///< whether a child's joint is cut
  bool refined;                   ///< whether refinements follow, which ask for every body's acceleration

  ModuleEquations(const ModelData& model, const Modules& m, bool to_be_refined)
      : T(at(m.lambda_count)),
        Z(at(m.lambda_count)),
        LZ(at(m.lambda_count)),
        LT(at(m.lambda_count)),
        beta(at(m.lambda_count)),
        lambda(at(m.lambda_count)),
        P(36 * m.modules.size()),
        z(m.modules.size()),
        omega(m.omega_count),
        epsilon(m.epsilon_count),
        change(model.parent.size()),
        kappa(m.cuts.size()),
        f_up(model.parent.size()),
        opens(model.parent.size()),
        refined(to_be_refined) {
    for (const CutJoint& cut : m.cuts)
      if (const int parent = model.parent[at(cut.body)]; parent >= 0) opens[at(parent)] = 1;
  }
  std::size_t bytes() const {
    return bytes_of(T, Z, LZ, LT, beta, lambda, P, z, omega, epsilon, change, kappa, f_up, opens);
  }
};

/// Everything a kernel of the dial works on.
template <class S>
struct Dial {
  const Context<S>& x;    ///< the model, its modules, and the state
  Kinematics<S>& k;       ///< of all bodies
  Nodes<S>& b;            ///< articulated bodies inside the modules
  ModuleEquations<S>& f;  ///< what the boundary constraints do to each module
  CutSystem<S>& e;        ///< the constraint forces between the modules
};

/// How far the bodies on both sides of the joint that carries body i are from agreeing on acceleration.
template <class S>
Motion<S> disagreement(const Dial<S>& d, int i) {
  return d.k.X_up[at(i)] * parent_acceleration(d.x, d.b, i) + d.k.c[at(i)] - d.b.a[at(i)];
}

namespace dial_detail {

/// L⁻¹ f, where L D Lᵀ is P.
template <class S>
KINETREE_INLINE ScaledForce<S> forward(const S* P, const Force<S>& f) {
  ScaledForce<S> y{f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
  ldl_forward(P, Size<6>(), y.data());
  return y;
}

template <class S>
void to_matrix(const ArticulatedInertia<S>& a, S* A) {
  const S rows[36] = {a.I.xx, a.I.xy, a.I.xz, a.H.xx, a.H.xy, a.H.xz, a.I.xy, a.I.yy, a.I.yz, a.H.yx, a.H.yy, a.H.yz,
                      a.I.xz, a.I.yz, a.I.zz, a.H.zx, a.H.zy, a.H.zz, a.H.xx, a.H.yx, a.H.zx, a.M.xx, a.M.xy, a.M.xz,
                      a.H.xy, a.H.yy, a.H.zy, a.M.xy, a.M.yy, a.M.yz, a.H.xz, a.H.yz, a.H.zz, a.M.xz, a.M.yz, a.M.zz};
  for (int i = 0; i < 36; ++i) A[i] = rows[i];
}

/// P⁻¹ f
template <class S>
Motion<S> response(const S* P, const Force<S>& f) {
  S y[6] = {f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
  ldl_solve(P, Size<6>(), y);
  return {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

/// S' tau of the joint that carries body i, body coordinates.
template <class S>
Force<S> active(const Dial<S>& d, int i) {
  return active_force(d.x.type(i), d.x.link[at(i)], &d.k.columns[at(d.x.v_index(i))], d.x.state.tau + d.x.v_index(i));
}

/// T lambda of a cut joint, body coordinates.
template <class S>
Force<S> constraint(const Dial<S>& d, const CutJoint& cut, const std::vector<S>& lambda) {
  Force<S> f{};
  for (int j = cut.lambda; j < cut.lambda + cut.rows; ++j) f += lambda[at(j)] * d.f.T[at(j)];
  return f;
}

/// Calls use(cut joint) for the cut children of body i, ascending.
template <class S, class Use>
void for_cut_children(const Dial<S>& d, int i, Use&& use) {
  const ModelData& model = *d.x.model;
  for (const int child : model.children_of(i))
    if (const int cut = d.x.modules->cut_of[at(child)]; cut >= 0) use(d.x.modules->cuts[at(cut)]);
}

}  // namespace dial_detail

}  // namespace kinetree::inline inner
