#pragma once
// Operational space compliance of frames on a model with aggregates: J_R H_R⁻¹ J_Rᵀ with J_R = J X_S and H_R = X_Sᵀ H
// X_S, the Jacobian and mass matrix of the independent coordinates (Jain 2012 II, Eq. 32; Jain 2011, Sec. 6.2). It is
// the same whichever coordinates are independent.

#include "engine/algorithm/node/embedded_mass_matrix.hpp"
#include "engine/algorithm/node/idle_motion.hpp"
#include "engine/algorithm/operational_space.hpp"

namespace kinetree::inline inner {

template <class S>
struct EmbeddedCompliance {
  std::vector<S> J;         ///< 6 rows per frame x independent velocities, row by row; then L⁻¹ of the rows
  std::vector<S> diagonal;  ///< of H_R, before it is factorized
  std::vector<S> scaled;    ///< a row of J times D⁻¹

  /// Allocates only for more rows than ever before.
  void resize(std::size_t rows, std::size_t independent) {
    if (J.size() < rows * independent) J.resize(rows * independent);
    diagonal.resize(independent), scaled.resize(independent);
  }
};

/// The six rows of J X_S for a point, in its link's axes, angular part first: each is what a unit force on it does at
/// the joints between it and the ground (Sᵀf), seen from the independent coordinates.
template <class S>
void independent_jacobian(const Context<S>& x, const Kinematics<S>& k, const IndependentVelocities<S>& map,
                          const BodyPoint<S>& point, S* J) {
  const int n = static_cast<int>(map.velocity.size());
  for (int c = 0; c < 6; ++c) {
    S* row = J + c * n;
    for (int r = 0; r < n; ++r) row[r] = S(0);
    Force<S> f = transpose_times(point.X, unit_force<S>(c));
    for (int i = point.body; i >= 0; i = x.parent(i)) {
      with_subspace(x, k, i, [&](auto subspace) {
        constexpr int freedoms = decltype(subspace)::freedoms;
        S share[freedoms];
        subspace.transpose_times(f, share);
        for (int j = 0; j < freedoms; ++j)
          map.row(x.v_index(i) + j, [&](int r, const S& X_S) { row[r] += share[j] * X_S; });
      });
      f = transpose_times(k.X_up[at(i)], f);
    }
  }
}

/// From J (`rows` rows, destroyed) and H_R (row by row, destroyed) both triangles of the result. Returns the index in v
/// of an independent velocity that moves no inertia of its own, to rounding, and then writes nothing; else -1.
template <class S>
int embedded_compliance(const IndependentVelocities<S>& map, S* H_R, EmbeddedCompliance<S>& e, int rows, S* result,
                        std::ptrdiff_t stride) {
  const int n = static_cast<int>(map.velocity.size());
  for (int r = 0; r < n; ++r) e.diagonal[at(r)] = H_R[r * n + r];
  ldl_factor(H_R, n);
  for (int r = 0; r < n; ++r)
    if (!is_resisted<S>(1 / to_double(H_R[r * n + r]), to_double(e.diagonal[at(r)]))) return map.velocity[at(r)];
  for (int i = 0; i < rows; ++i) {
    S* own = &e.J[at(i) * at(n)];
    ldl_forward(H_R, n, own);
    for (int r = 0; r < n; ++r) e.scaled[at(r)] = own[r] * H_R[r * n + r];
    for (int j = 0; j <= i; ++j) {
      const S* other = &e.J[at(j) * at(n)];
      S sum(0);
      for (int r = 0; r < n; ++r) sum += e.scaled[at(r)] * other[r];
      result[i + j * stride] = result[j + i * stride] = sum;
    }
  }
  return -1;
}

}  // namespace kinetree::inline inner
