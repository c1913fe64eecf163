#pragma once
// What one joint does to articulated inertias, biases and accelerations (Jain 2011, Alg. 6.1; Featherstone 2008,
// Sec. 7.3). `z` is Featherstone's pA, without P c.

#include <kinetree/algorithm/aggregate_node.hpp>
#include <kinetree/spatial/small_matrix.hpp>

namespace kinetree {

template <class S>
struct ArticulatedBody {
  std::vector<ArticulatedInertia<S>> P_up;  ///< what the body and all outboard of it add to the parent, its coordinates
  std::vector<Force<S>> z_up;               ///< the bias that goes with it
  std::vector<Force<S>> U;                  ///< over velocities: P S
  std::vector<S> D;                         ///< SᵀP S, factorized (ldl_factor), n x n per joint at d_index
  std::vector<S> u;                         ///< over velocities: tau - Sᵀz
  std::vector<Motion<S>> a;                 ///< accelerations, gravity included
  std::vector<std::size_t> d_index;
  Aggregates<S> aggregates;

  explicit ArticulatedBody(const ModelData& m)
      : P_up(m.parent.size()),
        z_up(m.parent.size()),
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

/// The inertia of body i and of all outboard of it, and the bias that goes with it.
template <class S>
KINETREE_INLINE void gather_body(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b, int i,
                                 ArticulatedInertia<S>& P, Force<S>& z) {
  const std::span<const int> nodes = x.model->nodes_of(i);
  if (nodes.empty()) {
    P = ArticulatedInertia<S>(x.link[at(i)].I);
    z = k.p[at(i)];
    return;
  }
  P = sum_of(nodes, b.P_up);
  z = sum_of(nodes, b.z_up);
  P += x.link[at(i)].I;
  z += k.p[at(i)];
}

/// One joint's factors: U and D from the inertia P of everything outboard of it; P becomes P - U D⁻¹ Uᵀ.
/// `rotor`: reflected inertias, n entries, or null.
template <class S, class Subspace>
KINETREE_INLINE void joint_factor(const Subspace& subspace, const S* rotor, ArticulatedInertia<S>& P, Force<S>* U,
                                  S* D) {
  constexpr int n = Subspace::freedoms;
  subspace.image(P, U);
  for (int k = 0; k < n; ++k) subspace.transpose_times(U[k], D + n * k);
  if (rotor != nullptr)
    for (int k = 0; k < n; ++k) D[n * k + k] += rotor[k];
  ldl_factor<n>(D);
  if (n == 6 && rotor == nullptr) {
    P = ArticulatedInertia<S>{};  // a free joint passes no inertia on: exactly zero, whatever rounding says
    return;
  }
  if constexpr (is_turn<Subspace>) {
    if (rotor == nullptr) return subspace.downdate(P, U[0], D[0] * U[0]);
  }
  Force<S> W[n];  // L⁻¹ Uᵀ, row by row
  for (int k = 0; k < n; ++k) {
    W[k] = U[k];
    for (int j = 0; j < k; ++j) W[k] -= D[n * k + j] * W[j];
    P.downdate(W[k], D[n * k + k] * W[k]);
  }
}

/// P c, of the P that joint_factor left and the joint's velocity-product acceleration.
template <class S, class Subspace>
KINETREE_INLINE Force<S> bias_inside(const Subspace& subspace, const S* rotor, const ArticulatedInertia<S>& P,
                                     const Motion<S>& c) {
  if constexpr (is_turn<Subspace>)
    if (rotor == nullptr) return Subspace::free_times_bias(P, c);
  return bias_force(subspace, P, c);
}

/// P := X_upᵀ P X_up, of the P that joint_factor left.
template <class S, class Subspace>
KINETREE_INLINE void inertia_inside(const Subspace&, const S* rotor, const JointTransform<S>& X_up,
                                    ArticulatedInertia<S>& P) {
  if constexpr (is_turn<Subspace>)
    if (rotor == nullptr && X_up.placed != nullptr) {
      move_inside_free_turn(X_up.outer, P);
      return move_inside(*X_up.placed, P);
    }
  move_inside(X_up, P);
}

/// One joint's bias: u = tau - Sᵀz and y = D⁻¹ u; returns U y.
template <class S, class Subspace>
KINETREE_INLINE Force<S> joint_bias(const Subspace& subspace, const Force<S>& z, const S* tau, const Force<S>* U,
                                    const S* D, S* u, S* y) {
  constexpr int n = Subspace::freedoms;
  subspace.transpose_times(z, y);
  for (int k = 0; k < n; ++k) y[k] = u[k] = tau[k] - y[k];
  ldl_solve<n>(D, y);
  Force<S> f = y[0] * U[0];
  for (int k = 1; k < n; ++k) f += y[k] * U[k];
  return f;
}

/// One joint's acceleration from a⁺ = X a_p + c: D⁻¹ (u - Uᵀ a⁺), added to a⁺. `x` holds u, or u plus more, on entry.
template <class S, class Subspace>
KINETREE_INLINE void joint_acceleration(const Subspace& subspace, const Force<S>* U, const S* D, S* x, Motion<S>& a) {
  constexpr int n = Subspace::freedoms;
  for (int k = 0; k < n; ++k) x[k] -= dot(a, U[k]);
  ldl_solve<n>(D, x);
  subspace.add(x, a);
}

}  // namespace kinetree
