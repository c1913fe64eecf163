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
#include "engine/algorithm/turn_map.hpp"

namespace kinetree::inline inner {

template <class S>
struct ArticulatedDerivatives {
  enum Kind { by_q, by_v, by_tau, kinds };

  int stride = 0;
  int ground = 0;                        ///< place of the ground's accelerations, zero
  std::vector<ArticulatedInertia<S>> P;  ///< over groups: before the group is eliminated
  // over bodies
  std::vector<ArticulatedInertia<S>> branches;  ///< sum over children but the next body
  std::vector<TurnMap<S>> Z;                    ///< the same of 6x3 maps
  std::vector<TurnMap<S>> E;                    ///< only where external forces act
  std::vector<int> place;  ///< where a body's accelerations are kept for its children; -1: they follow it
  // over velocities
  std::vector<Force<S>> U;
  std::vector<S> u, D_inverse;
  std::vector<Vector3<S>> Z_row, E_row;  ///< -sᵀZ / D
  // rows over columns
  std::vector<S> force;         ///< 6 of each kind: on entry to the gather what each column begins with
  std::vector<S> begins;        ///< accelerations that it begins with in the scatter, 6 of by_q and by_v
  std::vector<S> acceleration;  ///< 6 of each kind for each place
  std::vector<S> turn;          ///< angular parts of eta and of s, 3 each, zero but for columns inboard
  std::vector<S> result;        ///< of each kind a row for each velocity: D⁻¹u, then its acceleration

  ArticulatedDerivatives(const ModelData& m, std::size_t groups)
      : stride(whole_registers<S>(m.v_index.back())),
        P(groups),
        branches(m.parent.size()),
        Z(branches.size()),
        place(branches.size(), -1) {
    const std::size_t nv = at(m.v_index.back()), all = at(stride);
    U.resize(nv), u.resize(nv), D_inverse.resize(nv), Z_row.resize(nv);
    int places = 0;
    std::vector<int> above(branches.size());  // branching bodies on the way to the ground
    for (std::size_t i = 0; i < branches.size(); ++i) {
      const int p = m.parent[i];
      above[i] = p < 0 ? 0 : above[at(p)] + (place[at(p)] >= 0 ? 1 : 0);
      if (m.children_of(static_cast<int>(i)).size() > 1) place[i] = above[i], places = std::max(places, above[i] + 1);
    }
    force.resize(6 * kinds * all), begins.resize(12 * all), turn.resize(6 * all);
    ground = places;
    acceleration.resize(6 * kinds * all * at(places + 2));
    result.resize(kinds * nv * all);
  }
  void expect_external_forces() { E.resize(branches.size()), E_row.resize(U.size()); }

  S* row(int kind, int v) { return result.data() + (at(kind) * U.size() + at(v)) * at(stride); }
  S* force_row(int kind) { return force.data() + 6 * kind * stride; }
  S* begins_row(int kind) { return begins.data() + 6 * kind * stride; }
  /// `place`: -1: of the body that is being worked on.
  S* acceleration_row(int kind, int place = -1) {
    return acceleration.data() + 6 * (kinds * (place + 1) + kind) * stride;
  }
  std::size_t bytes() const {
    return bytes_of(P, branches, Z, E, place, U, u, D_inverse, Z_row, E_row, force, begins, acceleration, turn, result);
  }
};

namespace articulated_detail {

/// What velocity k is to all columns, spread before any is reached.
template <class B, class S>
struct Velocity {
  using N = typename B::Number;
  Motion<N> s;
  Force<N> U, U_over_D;
  N minus_inverse;
  Vector3<N> r;  ///< to the parent, or from it

  KINETREE_INLINE Velocity(const Derivatives<S>& d, const ArticulatedDerivatives<S>& w, int k, const Vector3<S>& arm)
      : s(spread<B>(d.s[at(k)])),
        U(spread<B>(w.U[at(k)])),
        U_over_D(spread<B>(w.D_inverse[at(k)] * w.U[at(k)])),
        minus_inverse(-B::spread(w.D_inverse[at(k)])),
        r(spread<B>(arm)) {}
  template <bool turns>
  KINETREE_INLINE N felt(const Force<N>& z) const {
    return turns ? dot(s.angular, z.moment) : dot(s, z);
  }
};

/// Of z, numbers [begin, end) of a register; the others of `old`.
template <class B>
KINETREE_INLINE Force<typename B::Number> between(int begin, int end, const Force<typename B::Number>& z,
                                                  const Force<typename B::Number>& old) {
  const auto choose = [&](const auto& a, const auto& b)
                          KINETREE_INLINE_LAMBDA { return B::first(begin, b, B::first(end, a, b)); };
  return {{choose(z.moment.x, old.moment.x), choose(z.moment.y, old.moment.y), choose(z.moment.z, old.moment.z)},
          {choose(z.force.x, old.force.x), choose(z.force.y, old.force.y), choose(z.force.z, old.force.z)}};
}

/// Columns [begin, end) of a row, which have been begun with and go through velocity k: u and z, whose moments go on to
/// the parent where it moves. Columns beside them in a register keep their forces.
template <bool turns, bool moves, class S>
[[gnu::noinline]] void gather_columns(const Derivatives<S>& d, ArticulatedDerivatives<S>& w, int k, int begin, int end,
                                      const Vector3<S>& r) {
  using Kind = ArticulatedDerivatives<S>;
  using B = Wide<S>;
  using N = typename B::Number;
  // read once: after each store of a register they would be again
  const std::ptrdiff_t stride = w.stride;
  S *const rows = w.force_row(0), *const result[] = {w.row(0, k), w.row(1, k), w.row(2, k)};
  const Velocity<B, S> velocity(d, w, k, r);
  const auto through = [&](auto kind, int c, Force<N>& z, bool unit) KINETREE_INLINE_LAMBDA {
    N x = velocity.minus_inverse * velocity.template felt<turns>(z);
    if (kind == Kind::by_tau && unit)  // a force of one on velocity k itself
      x = B::first(k - c, x, B::first(k - c + 1, -velocity.minus_inverse, x));
    B::store(x, result[kind] + c);
    z += x * velocity.U;
    if constexpr (moves) z.moment += cross(velocity.r, z.force);
  };
  const auto beside = [&](int c) KINETREE_INLINE_LAMBDA {
    straight<0, Kind::kinds>([&](auto kind) KINETREE_INLINE_LAMBDA {
      S* from = rows + 6 * kind * stride + c;
      const Force<N> old = load6<B>(from, stride);
      Force<N> z = old;
      through(kind, c, z, true);
      store6<B>(between<B>(begin - c, end - c, z, old), from, stride);
    });
  };
  int c = begin / B::width * B::width;
  beside(c);
  for (c += B::width; c + B::width <= end; c += B::width)
    straight<0, Kind::kinds>([&](auto kind) KINETREE_INLINE_LAMBDA {
      S* from = rows + 6 * kind * stride + c;
      Force<N> z = load6<B>(from, stride);
      through(kind, c, z, c <= k);
      store6<B>(z, from, stride);
    });
  if (c < end) beside(c);
}

/// The accelerations of velocity k in all columns, and what they add to those of the body. `from`: by_q's first row of
/// those that come from the parent, r away where `moves`, or of the velocity before.
template <bool turns, bool moves, bool forced, class S>
[[gnu::noinline]] void scatter_columns(const Derivatives<S>& d, ArticulatedDerivatives<S>& w, const ColumnGroup& g,
                                       int k, const S* from, const Vector3<S>& r) {
  using Kind = ArticulatedDerivatives<S>;
  using B = Wide<S>;
  using N = typename B::Number;
  // read once: after each store of a register they would be again
  const std::ptrdiff_t stride = w.stride;
  const int nv = static_cast<int>(d.s.size()), begin = g.begin, end = g.subtree_end, group_end = g.end;
  S *const to = w.acceleration_row(0), *const result[] = {w.row(0, k), w.row(1, k), w.row(2, k)};
  const S *const turns_of = w.turn.data(), *const begins = w.begins_row(0);
  const Velocity<B, S> velocity(d, w, k, r);
  const Vector3<N> Z = spread<B>(w.Z_row[at(k)]);
  Vector3<N> E{};
  if constexpr (forced) E = spread<B>(w.E_row[at(k)]);
  // D⁻¹u of columns inboard, which ride along as maps
  const auto inboard = [&](auto kind, int c) KINETREE_INLINE_LAMBDA {
    const S* turn = turns_of + c;
    N u = dot(Z, load3<B>(turn + 3 * kind * stride, stride));
    if constexpr (forced && kind == Kind::by_q) u -= dot(E, load3<B>(turn + 3 * stride, stride));
    return u;
  };
  const auto accelerate = [&](auto kind, int c, const N& u) KINETREE_INLINE_LAMBDA {
    Force<N> a = load6<B>(from + 6 * kind * stride + c, stride);  // a motion, angular part first
    if constexpr (moves) a.force += cross(a.moment, velocity.r);
    const N x = u - (dot(a.moment, velocity.U_over_D.moment) + dot(a.force, velocity.U_over_D.force));
    B::store(x, result[kind] + c);
    a.moment += x * velocity.s.angular;
    if constexpr (!turns) a.force += x * velocity.s.linear;
    return a;
  };
  const auto put6 = [&](auto kind, int c, const Force<N>& a)
                        KINETREE_INLINE_LAMBDA { store6<B>(a, to + 6 * kind * stride + c, stride); };
  int c = 0;
  for (; c + B::width <= begin; c += B::width)
    straight<0, 2>([&](auto kind) KINETREE_INLINE_LAMBDA { put6(kind, c, accelerate(kind, c, inboard(kind, c))); });
  for (; c < end; c += B::width)
    straight<0, Kind::kinds>([&](auto kind) KINETREE_INLINE_LAMBDA {
      N u = B::load(result[kind] + c);
      if (c + B::width > end) u = B::first(end - c, u, N{});
      if constexpr (kind != Kind::by_tau)
        if (c < begin) u = B::first(begin - c, inboard(kind, c), u);
      Force<N> a = accelerate(kind, c, u);
      if constexpr (kind != Kind::by_tau)
        if (k == group_end - 1 && c < group_end)  // columns that begin here
          a += between<B>(begin - c, group_end - c, load6<B>(begins + 6 * kind * stride + c, stride), Force<N>{});
      put6(kind, c, a);
    });
  for (; c < nv; c += B::width)
    straight<0, Kind::kinds>([&](auto kind) KINETREE_INLINE_LAMBDA { put6(kind, c, accelerate(kind, c, N{})); });
}

/// -sᵀ map / D, and velocity k eliminated from the map.
template <class S>
KINETREE_INLINE Vector3<S> eliminate(const Derivatives<S>& d, const ArticulatedDerivatives<S>& w, int k,
                                     TurnMap<S>& map) {
  const Vector3<S> row = -w.D_inverse[at(k)] * map.row(d.s[at(k)]);
  map.add(w.U[at(k)], row);
  return row;
}

}  // namespace articulated_detail

/// After derivative_velocities: forward dynamics of the state by articulated bodies, a gather and a scatter; the forces
/// through joints.
template <class S>
void articulated_accelerations(const Context<S>& x, const Kinematics<S>& k, Derivatives<S>& d,
                               ArticulatedDerivatives<S>& w) {
  using derivatives_detail::moved;
  ArticulatedInertia<S> P{};  // of the body that is being worked on, then what the next one's parent gets of it
  Force<S> z{};
  for (int i = 0; i < x.bodies(); ++i)
    if (w.place[at(i)] >= 0) w.branches[at(i)] = ArticulatedInertia<S>{};
  for (std::size_t n = d.group.size(); n-- > 0;) {
    const ColumnGroup& g = d.group[n];
    const int i = g.body, p = x.parent(i);
    if (d.last_group[at(i)] == static_cast<int>(n)) {
      if (i + 1 < x.bodies() && x.parent(i + 1) == i)
        P += d.I[at(i)], z += d.f[at(i)];
      else
        P = ArticulatedInertia<S>(d.I[at(i)]), z = d.f[at(i)];
      if (w.place[at(i)] >= 0) P += w.branches[at(i)];
      d.f[at(i)] = z;
    }
    w.P[n].take(P);
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
    const Vector3<S>& r = d.arm[at(i)].r;
    P = moved(r, P), z = moved(r, z);
    if (p != i - 1) w.branches[at(p)] += P, d.f[at(p)] += z;
  }
  derivative_accelerations(
      x, k, d,
      [&](const ColumnGroup& g, Motion<S>& a) KINETREE_INLINE_LAMBDA {
        for (int v = g.begin; v < g.end; ++v)
          a += (w.D_inverse[at(v)] * (w.u[at(v)] - dot(a, w.U[at(v)]))) * d.s[at(v)];
      },
      [&](int i) KINETREE_INLINE_LAMBDA { d.f[at(i)] += w.P[at(d.last_group[at(i)])] * d.a[at(i)]; });
}

/// Gather: maps, and what columns begin with.
template <bool forced, class S>
void articulated_derivative_maps(const Context<S>& x, const Derivatives<S>& d, ArticulatedDerivatives<S>& w) {
  using namespace articulated_detail;
  using Kind = ArticulatedDerivatives<S>;
  const std::ptrdiff_t stride = w.stride;
  TurnMap<S> Z{};  // of the body that is being worked on, then what the next one's parent gets of it
  for (int i = 0; i < x.bodies(); ++i) {
    if (w.place[at(i)] >= 0) w.Z[at(i)] = TurnMap<S>{};
    if constexpr (forced) w.E[at(i)] = turn_map(S(1), d.turned[at(i)].G, S(1), d.turned[at(i)].F);
  }
  for (std::size_t n = d.group.size(); n-- > 0;) {
    const ColumnGroup& g = d.group[n];
    const int i = g.body, p = x.parent(i);
    if (d.last_group[at(i)] == static_cast<int>(n)) {
      const TurnMap<S> own = turn_map(S(2), d.B[at(i)].G, S(-2), d.B[at(i)].p);
      if (i + 1 < x.bodies() && x.parent(i + 1) == i)
        Z += own;
      else
        Z = own;
      if (w.place[at(i)] >= 0) Z += w.Z[at(i)];
    }
    for (int c = g.begin; c < g.end; ++c) {
      const Motion<S>& s = d.s[at(c)];
      const auto row = [&](S* rows) { return rows + c; };
      Force<S> by_q = w.P[n] * d.xi[at(c)] + Z * d.eta[at(c)].angular;
      if constexpr (forced) by_q -= w.E[at(i)] * s.angular;
      put(by_q, row(w.force_row(Kind::by_q)), stride);
      put(w.P[n] * d.xi_v[at(c)] + Z * s.angular, row(w.force_row(Kind::by_v)), stride);
      put(Force<S>{}, row(w.force_row(Kind::by_tau)), stride);
      put(d.xi[at(c)], row(w.begins_row(Kind::by_q)), stride);
      put(d.xi_v[at(c)], row(w.begins_row(Kind::by_v)), stride);
    }
    for (int v = g.end - 1; v >= g.begin; --v) {
      w.Z_row[at(v)] = eliminate(d, w, v, Z);
      if constexpr (forced) w.E_row[at(v)] = eliminate(d, w, v, w.E[at(i)]);
    }
    if (!g.innermost || p < 0) continue;
    const Vector3<S>& r = d.arm[at(i)].r;
    Z.move(r);
    if (p != i - 1) w.Z[at(p)] += Z;
    if constexpr (forced) w.E[at(i)].move(r), w.E[at(p)] += w.E[at(i)];
  }
}

/// Gather: forces of every column through every velocity.
template <class S>
void articulated_derivative_forces(const Context<S>& x, const Derivatives<S>& d, ArticulatedDerivatives<S>& w) {
  using namespace articulated_detail;
  using derivatives_detail::moved;
  const std::ptrdiff_t stride = w.stride;
  for (std::size_t n = d.group.size(); n-- > 0;) {
    const ColumnGroup& g = d.group[n];
    const Vector3<S>& r = d.arm[at(g.body)].r;
    const bool moves = g.innermost && x.parent(g.body) >= 0;
    for (int k = g.end - 1; k >= g.begin; --k) {
      const auto gather = [&](auto turns) {
        moves&& k == g.begin ? gather_columns<turns, true>(d, w, k, g.begin, g.subtree_end, r)
                             : gather_columns<turns, false>(d, w, k, g.begin, g.subtree_end, r);
      };
      g.turns ? gather(std::true_type()) : gather(std::false_type());
    }
    // what is inboard feels the force through the joint turn as well
    for (int c = g.begin; c < g.end; ++c) {
      Force<S> turned = cross(d.s[at(c)], d.f[at(g.body)]);
      if (moves) turned = moved(r, turned);
      S* row = w.force_row(ArticulatedDerivatives<S>::by_q) + c;
      put(load6<OneBeside<S>>(row, stride) + turned, row, stride);
    }
  }
}

/// Scatter: accelerations of every velocity; by_tau in the upper triangle.
template <bool forced, class S>
void articulated_derivative_accelerations(const Context<S>& x, const Derivatives<S>& d, ArticulatedDerivatives<S>& w) {
  using namespace articulated_detail;
  using Kind = ArticulatedDerivatives<S>;
  const std::ptrdiff_t stride = w.stride;
  for (const ColumnGroup& g : d.group) {
    const int i = g.body, p = x.parent(i);
    if (g.innermost && p != i - 1)  // no column of the branch before is inboard
      for (int n = 0; n < 6; ++n)
        std::fill(&w.turn[at(n * w.stride + x.v_index(p + 1))], &w.turn[at(n * w.stride)] + x.v_index(i), S(0));
    for (int c = g.begin; c < g.end; ++c) {  // not read before the group is done, by when it stands in memory
      put(d.eta[at(c)].angular, w.turn.data() + c, stride);
      put(d.s[at(c)].angular, w.turn.data() + 3 * stride + c, stride);
    }
    for (int k = g.begin; k < g.end; ++k) {
      const auto scatter = [&](auto turns) {
        if (g.innermost && k == g.begin) {
          const int place = p < 0 ? w.ground : p == i - 1 ? -1 : w.place[at(p)];
          scatter_columns<turns, true, forced>(d, w, g, k, w.acceleration_row(0, place), d.arm[at(i)].r);
        } else {
          scatter_columns<turns, false, forced>(d, w, g, k, w.acceleration_row(0), d.arm[at(i)].r);
        }
      };
      g.turns ? scatter(std::true_type()) : scatter(std::false_type());
    }
    if (g.end == x.v_index(i + 1) && w.place[at(i)] >= 0)
      std::copy_n(w.acceleration_row(0), 6 * Kind::kinds * stride, w.acceleration_row(0, w.place[at(i)]));
  }
}

}  // namespace kinetree::inline inner
