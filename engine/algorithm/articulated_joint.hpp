#pragma once
// What one joint does to articulated inertias, biases and accelerations (Jain 2011, Alg. 6.1; Featherstone 2008,
// Sec. 7.3). `z` is Featherstone's pA, without P c.

#include "engine/algorithm/aggregate_node.hpp"
#include "engine/algorithm/handed.hpp"
#include "engine/model/model_data.hpp"
#include "engine/spatial/small_matrix.hpp"

namespace kinetree::inline inner {

template <class S>
struct ArticulatedBody {
  Handed<ArticulatedInertia<S>> P_up;  ///< what the body and all outboard of it add to the parent, its coordinates
  Handed<Force<S>> z_up;               ///< the bias that goes with it
  std::vector<Force<S>> U;             ///< over velocities: P S
  std::vector<S> D;                    ///< SᵀP S, factorized (ldl_factor), n x n per joint at d_index
  std::vector<S> u;                    ///< over velocities: tau - Sᵀz
  std::vector<Motion<S>> a;            ///< accelerations, gravity included
  std::vector<std::size_t> d_index;
  Aggregates<S> aggregates;

  /// `modules`: null where nothing is cut.
  explicit ArticulatedBody(const ModelData& m, const Modules* modules = nullptr)
      : ArticulatedBody(m, HandingPlaces(m, modules)) {}

 private:
  ArticulatedBody(const ModelData& m, const HandingPlaces& places)
      : P_up(places),
        z_up(places),
        U(at(m.v_index.back())),
        u(at(m.v_index.back())),
        a(m.parent.size()),
        d_index(m.parent.size()),
        aggregates(m) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      d_index[i] = count;
      const auto n = at(velocity_count(m.joint_type[i]));
      count += n * n;
    }
    D.resize(count);
  }
};

/// Whether the factor D of the joint that carries body i is positive and finite.
template <class S>
bool positive(const ArticulatedBody<S>& b, const Context<S>& x, int i) {
  const int n = velocity_count(x.type(i));
  for (int k = 0; k < n; ++k) {
    const double inverse = to_double(b.D[b.d_index[at(i)] + at(n * k + k)]);
    if (!(inverse > 0) || !(inverse < 1e300)) return false;
  }
  return true;
}

/// The inertia of body i and of all outboard of it.
template <class S>
KINETREE_INLINE ArticulatedInertia<S> gather_inertia(const Context<S>& x, const ArticulatedBody<S>& b, int i) {
  const std::span<const int> nodes = x.model->nodes_of(i);
  if (nodes.empty()) return ArticulatedInertia<S>(x.link[at(i)].I);
  ArticulatedInertia<S> P = sum_of(nodes, b.P_up);
  return P += x.link[at(i)].I;
}

/// The bias that goes with it.
template <class S>
KINETREE_INLINE Force<S> gather_bias(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b, int i) {
  Force<S> z = bias_of_body(x, k, i);
  if (const std::span<const int> nodes = x.model->nodes_of(i); !nodes.empty()) z += sum_of(nodes, b.z_up);
  return z;
}

/// One joint's factors: U and D from the inertia P of everything outboard of it; P becomes P - U D⁻¹ Uᵀ.
/// `rotor`: reflected inertias, n entries, or null.
template <class S, class Subspace>
KINETREE_INLINE void joint_factor(const Subspace& subspace, const S* rotor, ArticulatedInertia<S>& P, Force<S>* U,
                                  S* D) {
  constexpr int n = Subspace::freedoms;
  subspace.image(P, U);
  S factor[n * n];  // not in memory while it is worked on
  for (int k = 0; k < n; ++k) subspace.transpose_times(U[k], factor + n * k);
  if (rotor != nullptr)
    for (int k = 0; k < n; ++k) factor[n * k + k] += rotor[k];
  ldl_factor<n>(factor);
  for (int k = 0; k < n * n; ++k) D[k] = factor[k];
  if (n == 6 && rotor == nullptr) {
    P = ArticulatedInertia<S>{};  // a free joint passes no inertia on: exactly zero, whatever rounding says
    return;
  }
  if constexpr (is_turn<Subspace>) {
    if (rotor == nullptr) return subspace.downdate(P, U[0], D[0]);
  }
  Force<S> W[n];  // L⁻¹ Uᵀ, row by row
  for (int k = 0; k < n; ++k) {
    W[k] = U[k];
    for (int j = 0; j < k; ++j) W[k] -= D[n * k + j] * W[j];
    P.downdate(W[k], D[n * k + k] * W[k]);
  }
}

/// z += P c, of the P that joint_factor left and the joint's velocity-product acceleration.
template <class S, class Subspace>
KINETREE_INLINE void add_bias_inside(const Subspace& subspace, const S* rotor, const ArticulatedInertia<S>& P,
                                     const Motion<S>& c, Force<S>& z) {
  if constexpr (is_turn<Subspace>)
    if (rotor == nullptr) {
      const Force<S> f = Subspace::free_times_bias(P, c);
      z.moment.x += f.moment.x, z.moment.y += f.moment.y;
      z.force += f.force;
      return;
    }
  z += bias_force(subspace, P, c);
}

/// to := X_upᵀ P X_up, of the P that joint_factor left; uses P up.
template <class S, class Subspace>
KINETREE_INLINE void inertia_inside(const Subspace& subspace, const S* rotor, const JointTransform<S>& X_up,
                                    ArticulatedInertia<S>& P, ArticulatedInertia<S>& to) {
  if constexpr (is_turn<Subspace>)
    if (rotor == nullptr && X_up.placed != nullptr) return move_inside_free_turn(X_up, P, to);
  move_inside(transform_of(subspace, X_up), P, to);
}

/// One joint's bias: u = tau - Sᵀz, y = D⁻¹ u; z += U y. `rotor`: as in joint_factor. `asks_y`: whether the caller
/// wants y of a joint too that does not need it.
template <bool asks_y = true, class S, class Subspace>
KINETREE_INLINE void joint_bias(const Subspace& subspace, const S* rotor, const S* tau, const Force<S>* U, const S* D,
                                S* u, S* y, Force<S>& z) {
  constexpr int n = Subspace::freedoms;
  subspace.transpose_times(z, u);
  for (int k = 0; k < n; ++k) u[k] = tau[k] - u[k];
  const bool passes_tau = is_free<Subspace> && rotor == nullptr;  // S tau: U D⁻¹ is S
  if (asks_y || !passes_tau) {
    for (int k = 0; k < n; ++k) y[k] = u[k];
    ldl_solve<n>(D, y);
  }
  if constexpr (is_free<Subspace>) {
    if (passes_tau) {
      z = subspace.force(tau);
      return;
    }
  }
  if constexpr (is_turn<Subspace>)
    if (rotor == nullptr) return subspace.bear(y[0], U[0], tau[0], z);
  for (int k = 0; k < n; ++k) z += y[k] * U[k];
}

/// One joint's acceleration from a⁺ = X a_p + c: D⁻¹ (u - Uᵀ a⁺), added to a⁺. `x` holds u, or u plus more, on entry.
/// Of a free joint, where D = SᵀP S and SᵀS = 1, D⁻¹ Uᵀ is Sᵀ.
template <class S, class Subspace>
KINETREE_INLINE void joint_acceleration(const Subspace& subspace, const S* rotor, const Force<S>* U, const S* D, S* x,
                                        Motion<S>& a) {
  constexpr int n = Subspace::freedoms;
  if constexpr (is_free<Subspace>)
    if (rotor == nullptr) {
      S own[n];
      subspace.transpose_times(a, own);
      ldl_solve<n>(D, x);
      for (int k = 0; k < n; ++k) x[k] -= own[k];
      return subspace.add(x, a);
    }
  for (int k = 0; k < n; ++k)  // the linear part last: it waits longest for the parent's
    x[k] = (x[k] - dot(U[k].moment, a.angular)) - dot(U[k].force, a.linear);
  ldl_solve<n>(D, x);
  subspace.add(x, a);
}

}  // namespace kinetree::inline inner
