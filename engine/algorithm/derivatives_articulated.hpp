#pragma once
// Derivatives of forward dynamics by articulated bodies: every column of da/dq, da/dv and da/dtau is a gather of forces
// and a scatter of accelerations through the same inertias, the columns side by side in rows.
//
// Forces ride along body by body and are never put together to joint forces: M⁻¹ times dtau/dq would multiply the
// rounding of joint forces by M⁻¹, which costs a chain of 100 links four digits. What a displacement does to the bodies
// outboard, 2 B eta, depends on the angular part of eta alone, which is the same for all of them; so one gather of the
// 6x3 maps Z (of turned external forces: E) through the articulated bodies serves every column. xi enters as an
// acceleration at the column's own joint. A joint of several freedoms is eliminated velocity by velocity.

#include <algorithm>

#include "engine/algorithm/derivatives_rows.hpp"

namespace kinetree::inline inner {

/// A force that depends on a turn: 6x3.
template <class S>
struct TurnMap {
  Matrix3<S> moment, force;

  KINETREE_INLINE Force<S> operator*(const Vector3<S>& w) const { return {moment * w, force * w}; }
  KINETREE_INLINE TurnMap& operator+=(const TurnMap& b) { return moment += b.moment, force += b.force, *this; }
  /// sᵀ of it
  KINETREE_INLINE Vector3<S> row(const Motion<S>& s) const {
    return transpose_times(moment, s.angular) + transpose_times(force, s.linear);
  }
  /// Adds f rowᵀ.
  KINETREE_INLINE void add(const Force<S>& f, const Vector3<S>& row) {
    const auto onto = [&](const Vector3<S>& a, Matrix3<S>& A) KINETREE_INLINE_LAMBDA {
      A.xx += a.x * row.x, A.xy += a.x * row.y, A.xz += a.x * row.z;
      A.yx += a.y * row.x, A.yy += a.y * row.y, A.yz += a.y * row.z;
      A.zx += a.z * row.x, A.zy += a.z * row.y, A.zz += a.z * row.z;
    };
    onto(f.moment, moment), onto(f.force, force);
  }
  /// Adds b, moments about a point that is -r from where b's are about.
  KINETREE_INLINE void add_moved(const Vector3<S>& r, const TurnMap& b) {
    *this += b;
    const auto column = [&](const S& x, const S& y, const S& z, S& to_x, S& to_y, S& to_z) KINETREE_INLINE_LAMBDA {
      const Vector3<S> n = cross(r, Vector3<S>{x, y, z});
      to_x += n.x, to_y += n.y, to_z += n.z;
    };
    const Matrix3<S>& F = b.force;
    column(F.xx, F.yx, F.zx, moment.xx, moment.yx, moment.zx);
    column(F.xy, F.yy, F.zy, moment.xy, moment.yy, moment.zy);
    column(F.xz, F.yz, F.zz, moment.xz, moment.yz, moment.zz);
  }
};

/// Of w -> c p x w, and 2 G w in the moment.
template <class S>
KINETREE_INLINE TurnMap<S> turn_map(const S& g, const Matrix3<S>& G, const S& c, const Vector3<S>& p) {
  const S z(0);
  const Vector3<S> a = c * p;
  return {{g * G.xx, g * G.xy, g * G.xz, g * G.yx, g * G.yy, g * G.yz, g * G.zx, g * G.zy, g * G.zz},
          {z, -a.z, a.y, a.z, z, -a.x, -a.y, a.x, z}};
}

template <class S>
struct ArticulatedDerivatives {
  enum Kind { by_q, by_v, by_tau, kinds };

  int stride = 0;
  std::vector<ArticulatedInertia<S>> P;  ///< over groups: before the group is eliminated
  // over bodies
  std::vector<ArticulatedInertia<S>> rest;  ///< once its joint is eliminated
  std::vector<TurnMap<S>> Z, E;             ///< E only where external forces act
  std::vector<int> place;  ///< where a body's accelerations are kept for its children; -1: they follow it
  // over velocities
  std::vector<Force<S>> U;
  std::vector<S> u, D_inverse;
  std::vector<Vector3<S>> Z_row, E_row;  ///< -sᵀZ / D
  // rows over columns
  std::vector<S> force;         ///< 6 of each kind
  std::vector<S> acceleration;  ///< 6 of each kind for each place
  std::vector<S> turn;          ///< angular parts of eta and of s, 3 each, zero but for columns inboard
  std::vector<S> result;        ///< of each kind a row for each velocity: D⁻¹u, then its acceleration

  ArticulatedDerivatives(const ModelData& m, std::size_t groups)
      : stride(whole_registers<S>(m.v_index.back())),
        P(groups),
        rest(m.parent.size()),
        Z(rest.size()),
        place(rest.size(), -1) {
    const std::size_t nv = at(m.v_index.back()), all = at(stride);
    U.resize(nv), u.resize(nv), D_inverse.resize(nv), Z_row.resize(nv);
    int places = 0;
    std::vector<int> above(rest.size());  // branching bodies on the way to the ground
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const int p = m.parent[i];
      above[i] = p < 0 ? 0 : above[at(p)] + (place[at(p)] >= 0 ? 1 : 0);
      if (m.children_of(static_cast<int>(i)).size() > 1) place[i] = above[i], places = std::max(places, above[i] + 1);
    }
    force.resize(6 * kinds * all), turn.resize(6 * all);
    acceleration.resize(6 * kinds * all * at(places + 1));
    result.resize(kinds * nv * all);
  }
  void expect_external_forces() { E.resize(rest.size()), E_row.resize(U.size()); }

  S* row(Kind kind, int v) { return result.data() + (at(kind) * U.size() + at(v)) * at(stride); }
  S* force_row(int kind) { return force.data() + 6 * kind * stride; }
  /// `place`: -1: of the body that is being worked on.
  S* acceleration_row(int kind, int place = -1) {
    return acceleration.data() + 6 * (kinds * (place + 1) + kind) * stride;
  }
  std::size_t bytes() const {
    return bytes_of(P, rest, Z, E, place, U, u, D_inverse, Z_row, E_row, force, acceleration, turn, result);
  }
};

namespace articulated_detail {

/// Eliminates velocity k from the maps.
template <bool forced, class S>
void eliminate_maps(const Derivatives<S>& d, ArticulatedDerivatives<S>& w, int i, int k) {
  const Motion<S>& s = d.s[at(k)];
  w.Z_row[at(k)] = -w.D_inverse[at(k)] * w.Z[at(i)].row(s);
  w.Z[at(i)].add(w.U[at(k)], w.Z_row[at(k)]);
  if constexpr (forced) {
    w.E_row[at(k)] = -w.D_inverse[at(k)] * w.E[at(i)].row(s);
    w.E[at(i)].add(w.U[at(k)], w.E_row[at(k)]);
  }
}

/// u and z of velocity k, in the columns from c on; moments go on to the parent where it moves.
template <bool turns, class B, class S>
KINETREE_INLINE void gather_columns(const Derivatives<S>& d, ArticulatedDerivatives<S>& w, int k, bool moves,
                                    const Vector3<S>& r, int c) {
  using N = typename B::Number;
  const std::ptrdiff_t stride = w.stride;
  const Motion<N> s = spread<B>(d.s[at(k)]);
  const Force<N> U = spread<B>(w.U[at(k)]);
  const N minus_inverse = -B::spread(w.D_inverse[at(k)]);
  const Vector3<N> arm = spread<B>(r);
  for (int kind = 0; kind < ArticulatedDerivatives<S>::kinds; ++kind) {
    S* from = w.force_row(kind) + c;
    Force<N> z = load6<B>(from, stride);
    const N x = minus_inverse * (turns ? dot(s.angular, z.moment) : dot(s, z));
    B::store(x, w.row(static_cast<typename ArticulatedDerivatives<S>::Kind>(kind), k) + c);
    z += x * U;
    if (moves) z.moment += cross(arm, z.force);
    store6<B>(z, from, stride);
  }
}

/// Where accelerations come from on arriving at a body, and the arm to there.
template <class S>
struct Arrival {
  const S* from;  ///< by_q's first row; null: the ground's, zero
  Vector3<S> r;
};

/// The acceleration of velocity k and what it adds, in the columns from c on. `kinds`: 2, or 3: by_tau too.
template <bool turns, class B, class S>
KINETREE_INLINE void scatter_columns(const Derivatives<S>& d, ArticulatedDerivatives<S>& w, int k, int kinds,
                                     const Arrival<S>* arrival, int c) {
  using N = typename B::Number;
  const std::ptrdiff_t stride = w.stride;
  const Motion<N> s = spread<B>(d.s[at(k)]);
  const Force<N> U = spread<B>(w.D_inverse[at(k)] * w.U[at(k)]);
  for (int kind = 0; kind < kinds; ++kind) {
    S* own = w.row(static_cast<typename ArticulatedDerivatives<S>::Kind>(kind), k) + c;
    S* rows = w.acceleration_row(kind) + c;
    Force<N> a{};  // a motion, angular part first
    if (arrival == nullptr) {
      a = load6<B>(rows, stride);
    } else if (arrival->from != nullptr) {
      a = load6<B>(arrival->from + 6 * kind * stride + c, stride);
      a.force += cross(a.moment, spread<B>(arrival->r));
    }
    const N x = B::load(own) - (dot(a.moment, U.moment) + dot(a.force, U.force));
    B::store(x, own);
    a.moment += x * s.angular;
    if constexpr (!turns) a.force += x * s.linear;
    store6<B>(a, rows, stride);
  }
}

/// D⁻¹u of velocity k in the columns inboard, which ride along as maps; zero in the columns beside the way to the
/// ground.
template <bool forced, class S>
void fill_row(const Derivatives<S>& d, ArticulatedDerivatives<S>& w, const ColumnGroup& g, int k) {
  using Kind = ArticulatedDerivatives<S>;
  const std::ptrdiff_t stride = w.stride;
  S *by_q = w.row(Kind::by_q, k), *by_v = w.row(Kind::by_v, k);
  for_columns<S>(0, g.begin, static_cast<int>(d.s.size()), [&]<class B>(B, int c) KINETREE_INLINE_LAMBDA {
    using N = typename B::Number;
    const S* turn = w.turn.data() + c;
    const Vector3<N> Z = spread<B>(w.Z_row[at(k)]), rate = load3<B>(turn + 3 * stride, stride);
    N q = dot(Z, load3<B>(turn, stride));
    if constexpr (forced) q -= dot(spread<B>(w.E_row[at(k)]), rate);
    B::store(q, by_q + c), B::store(dot(Z, rate), by_v + c);
  });
  for (const auto kind : {Kind::by_q, Kind::by_v, Kind::by_tau})
    std::fill(w.row(kind, k) + g.subtree_end, w.row(kind, k) + stride, S(0));
}

}  // namespace articulated_detail

/// After derivative_velocities: forward dynamics of the state by articulated bodies, a gather and a scatter; the forces
/// through joints.
template <class S>
void articulated_accelerations(const Context<S>& x, const Kinematics<S>& k, Derivatives<S>& d,
                               ArticulatedDerivatives<S>& w) {
  using derivatives_detail::moved;
  for (int i = 0; i < x.bodies(); ++i) w.rest[at(i)] = ArticulatedInertia<S>(d.I[at(i)]);
  Force<S> z{};
  for (std::size_t n = d.group.size(); n-- > 0;) {
    const ColumnGroup& g = d.group[n];
    const int p = x.parent(g.body);
    ArticulatedInertia<S>& P = w.rest[at(g.body)];
    if (d.last_group[at(g.body)] == static_cast<int>(n)) z = d.f[at(g.body)];
    w.P[n] = P;
    z += P * d.c[n];
    for (int v = g.end - 1; v >= g.begin; --v) {
      const Motion<S>& s = d.s[at(v)];
      const Force<S> U = P * s;
      S D = dot(s, U);
      if (!x.rotors.empty()) D += x.rotors[at(v)];
      const S inverse = S(1) / D, u = x.state.tau[v] - dot(s, z);
      w.U[at(v)] = U, w.D_inverse[at(v)] = inverse, w.u[at(v)] = u;
      P.downdate(U, inverse * U);
      z += (inverse * u) * U;
    }
    if (!g.innermost || p < 0) continue;
    const Vector3<S>& r = d.arm[at(g.body)].r;
    w.rest[at(p)] += moved(r, P);
    d.f[at(p)] += moved(r, z);
  }
  derivative_accelerations(
      x, k, d,
      [&](const ColumnGroup& g, Motion<S>& a) {
        for (int v = g.begin; v < g.end; ++v)
          a += (w.D_inverse[at(v)] * (w.u[at(v)] - dot(a, w.U[at(v)]))) * d.s[at(v)];
      },
      [&](int i) { d.f[at(i)] += w.P[at(d.last_group[at(i)])] * d.a[at(i)]; });
}

/// Gather: maps and forces.
template <bool forced, class S>
void articulated_derivative_forces(const Context<S>& x, const Derivatives<S>& d, ArticulatedDerivatives<S>& w) {
  using namespace articulated_detail;
  using derivatives_detail::moved;
  using Kind = ArticulatedDerivatives<S>;
  const std::ptrdiff_t stride = w.stride;
  const int nv = static_cast<int>(d.s.size());
  for (int i = 0; i < x.bodies(); ++i) {
    w.Z[at(i)] = turn_map(S(2), d.B[at(i)].G, S(-2), d.B[at(i)].p);
    if constexpr (forced) w.E[at(i)] = turn_map(S(1), d.turned[at(i)].G, S(1), d.turned[at(i)].F);
  }
  for (std::size_t n = d.group.size(); n-- > 0;) {
    const ColumnGroup& g = d.group[n];
    const int i = g.body, p = x.parent(i);
    const bool moves = g.innermost && p >= 0;
    const Vector3<S>& r = d.arm[at(i)].r;
    for (int c = g.begin; c < g.end; ++c) {
      const Motion<S>& s = d.s[at(c)];
      Force<S> by_q = w.P[n] * d.xi[at(c)] + w.Z[at(i)] * d.eta[at(c)].angular;
      if constexpr (forced) by_q -= w.E[at(i)] * s.angular;
      put(by_q, w.force_row(Kind::by_q) + c, stride);
      put(w.P[n] * d.xi_v[at(c)] + w.Z[at(i)] * s.angular, w.force_row(Kind::by_v) + c, stride);
      put(Force<S>{}, w.force_row(Kind::by_tau) + c, stride);
    }
    for (int k = g.end - 1; k >= g.begin; --k) {
      eliminate_maps<forced>(d, w, i, k);
      const bool last = moves && k == g.begin;
      if (g.turns)
        for_columns<S>(g.begin, g.subtree_end, nv,
                       [&]<class B>(B, int c) KINETREE_INLINE_LAMBDA { gather_columns<true, B>(d, w, k, last, r, c); });
      else
        for_columns<S>(g.begin, g.subtree_end, nv, [&]<class B>(B, int c) KINETREE_INLINE_LAMBDA {
          gather_columns<false, B>(d, w, k, last, r, c);
        });
      w.row(Kind::by_tau, k)[k] = w.D_inverse[at(k)];
      Force<S> z = w.D_inverse[at(k)] * w.U[at(k)];
      if (last) z = moved(r, z);
      put(z, w.force_row(Kind::by_tau) + k, stride);
    }
    // what is inboard feels the force through the joint turn as well
    for (int c = g.begin; c < g.end; ++c) {
      Force<S> turned = cross(d.s[at(c)], d.f[at(i)]);
      if (moves) turned = moved(r, turned);
      S* row = w.force_row(Kind::by_q) + c;
      put(load6<OneBeside<S>>(row, stride) + turned, row, stride);
    }
    if (!moves) continue;
    w.Z[at(p)].add_moved(r, w.Z[at(i)]);
    if constexpr (forced) w.E[at(p)].add_moved(r, w.E[at(i)]);
  }
}

/// Scatter: accelerations of every velocity; by_tau in the upper triangle.
template <bool forced, class S>
void articulated_derivative_accelerations(const Context<S>& x, const Derivatives<S>& d, ArticulatedDerivatives<S>& w) {
  using namespace articulated_detail;
  using Kind = ArticulatedDerivatives<S>;
  const std::ptrdiff_t stride = w.stride;
  const int nv = static_cast<int>(d.s.size()), width = Wide<S>::width;
  for (const ColumnGroup& g : d.group) {
    const int i = g.body, p = x.parent(i);
    Arrival<S> arrival{p < 0 ? nullptr : w.acceleration_row(0, p == i - 1 ? -1 : w.place[at(p)]), d.arm[at(i)].r};
    if (g.innermost && p != i - 1)
      for (int n = 0; n < 6; ++n)
        std::fill(&w.turn[at(n * w.stride + x.v_index(p + 1))], &w.turn[at(n * w.stride)] + x.v_index(i), S(0));
    for (int k = g.begin; k < g.end; ++k) {
      fill_row<forced>(d, w, g, k);
      const Arrival<S>* arrives = g.innermost && k == g.begin ? &arrival : nullptr;
      const int both = k / width * width;
      if (g.turns) {
        for (int c = 0; c < both; c += width) scatter_columns<true, Wide<S>>(d, w, k, 2, arrives, c);
        for (int c = both; c < nv; c += width) scatter_columns<true, Wide<S>>(d, w, k, 3, arrives, c);
      } else {
        for (int c = 0; c < both; c += width) scatter_columns<false, Wide<S>>(d, w, k, 2, arrives, c);
        for (int c = both; c < nv; c += width) scatter_columns<false, Wide<S>>(d, w, k, 3, arrives, c);
      }
    }
    for (int c = g.begin; c < g.end; ++c) {
      const auto add = [&](int kind, const Motion<S>& m) {
        S* rows = w.acceleration_row(kind) + c;
        put(load6<OneBeside<S>>(rows, stride) + Force<S>{m.angular, m.linear}, rows, stride);
      };
      add(Kind::by_q, d.xi[at(c)]), add(Kind::by_v, d.xi_v[at(c)]);
      put(d.eta[at(c)].angular, w.turn.data() + c, stride);
      put(d.s[at(c)].angular, w.turn.data() + 3 * stride + c, stride);
    }
    if (g.end == x.v_index(i + 1) && w.place[at(i)] >= 0)
      std::copy_n(w.acceleration_row(0), 6 * Kind::kinds * stride, w.acceleration_row(0, w.place[at(i)]));
  }
}

}  // namespace kinetree::inline inner
