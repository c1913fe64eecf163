#pragma once
// Multipliers in place of embedding: the joints of an aggregate are swept as plain joints of the spanning tree, and its
// loops and couplings become constraint forces Kᵀ lambda. They are eliminated where the aggregate's last member has
// been gathered, so that towards its parent it is 6 x 6 like any node and the work stays linear in aggregates.
//
// With the parent's acceleration A held, H a = tau - h + Kᵀ lambda and K a = k inside the aggregate. By the factorized
// inverse of H (Jain 2011, Eq. 51) a row K_r costs one gather: u_r, what is left of it at each joint, and B_r, the
// force it puts on the parent. Then K H⁻¹ Kᵀ = sum over joints of u D⁻¹ uᵀ = Omega (Jain 2011, Eq. 59, 60), and
//   Omega lambda = k - K a_free + Bᵀ A,   P_parent += B Omega⁻¹ Bᵀ,   z_parent += B Omega⁻¹ (k - K a_free).

#include "engine/algorithm/aggregate_node.hpp"
#include "engine/algorithm/multipliers_factor.hpp"
#include "engine/algorithm/multipliers_shape.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// One aggregate by multipliers.
template <class S>
struct MultiplierGroup : MultiplierShape {
  ConstraintRows<S> rows;   ///< K and k
  std::vector<S> u, y;      ///< rows x columns: what is left of K_r at each joint, and D⁻¹ u
  std::vector<Force<S>> z;  ///< over members: scratch
  std::vector<Force<S>> B;  ///< over rows: L⁻¹ of the force on the parent, the parent's coordinates
  std::vector<S> kappa;     ///< over rows: L⁻¹ (k - K a_free)
  std::vector<S> lambda;    ///< over rows; zero where a row is left out
  std::vector<S> rest;      ///< over rows: scratch
  PivotedFactor<S> omega;
  bool consistent = true;  ///< whether what is left out asks for nothing that the rows taken do not give

  MultiplierGroup(const ModelData& m, const Aggregate& a)
      : MultiplierShape(m, a), rows(a), omega(a.rows, a.velocities - a.freedoms) {
    u.resize(at(a.rows * a.velocities)), y = u;
    z.resize(a.bodies.size()), B.resize(at(a.rows));
    kappa.resize(at(a.rows)), lambda = kappa, rest = kappa;
  }
};

/// The aggregates of a model that multipliers hold together. The context sweeps a model without them.
template <class S>
struct Multipliers {
  const ModelData* model;  ///< with all its aggregates
  std::vector<MultiplierGroup<S>> group;
  std::vector<int> index;   ///< over groups: index of the aggregate in `model`
  std::vector<int> closes;  ///< over bodies: the group it is the first member of; -1: of none

  /// Over bodies: where a segment must begin, so that a group is met behind its first member.
  std::vector<bool> first_members() const {
    std::vector<bool> first;
    for (const int group_closed : closes) first.push_back(group_closed >= 0);
    return first;
  }

  /// The group whose first member is body i; null: none.
  MultiplierGroup<S>* closed_by(int i) { return closes[at(i)] < 0 ? nullptr : &group[at(closes[at(i)])]; }

  /// `chosen`: over aggregates of m, whether by multipliers.
  Multipliers(const ModelData& m, const std::vector<bool>& chosen) : model(&m), closes(m.parent.size(), -1) {
    for (std::size_t a = 0; a < chosen.size(); ++a) {
      if (!chosen[a]) continue;
      closes[at(m.aggregates[a].bodies.front())] = static_cast<int>(group.size());
      index.push_back(static_cast<int>(a));
      group.emplace_back(m, m.aggregates[a]);
    }
  }
};

namespace multipliers_detail {

/// Calls use(place, body, first column, freedoms) for the members that a constraint is felt by.
template <class S, class Use>
void supporting(const Context<S>& x, const MultiplierGroup<S>& g, int constraint, Use&& use) {
  const Aggregate& a = *g.aggregate;
  for (const int p : g.support[at(constraint)])
    use(p, a.bodies[at(p)], a.column[at(p)], velocity_count(x.type(a.bodies[at(p)])));
}

/// u, y and B of every row: one gather each over the members that feel it. On the way kappa = k - K a_free with the
/// parent at rest: K_r a_free is the sum of y u over joints less that of z c over bodies, z with the joint's share in
/// it (virtual work of the row's forces on the free motion; Jain 2011, Eq. 51 with velocity terms).
template <class S>
void respond(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, MultiplierGroup<S>& g) {
  const int n = g.aggregate->velocities;
  for (int c = 0; c < g.constraints(); ++c)
    for (int r = g.first_row[at(c)]; r < g.first_row[at(c + 1)]; ++r) {
      for (const int p : g.support[at(c)]) g.z[at(p)] = Force<S>{};
      g.B[at(r)] = Force<S>{};
      S kappa = g.rows.k[at(r)];
      supporting(x, g, c, [&](int p, int i, int column, int freedoms) {
        const int j = x.v_index(i);
        const auto entry = at(r * n + column);
        with_joint(x, k, i, [&](const auto& joint) {
          joint.bias(&g.rows.K[entry], &b.U[at(j)], b.D_of(i), &g.u[entry], &g.y[entry], g.z[at(p)]);
        });
        for (int f = 0; f < freedoms; ++f) kappa -= g.y[entry + at(f)] * b.u[at(j + f)];
        kappa += dot(k.c[at(i)], g.z[at(p)]);
        const int above = g.parent_place[at(p)];
        (above < 0 ? g.B[at(r)] : g.z[at(above)]) += transpose_times(k.X_up[at(i)], g.z[at(p)]);
      });
      g.kappa[at(r)] = kappa;
    }
}

/// Omega.
template <class S>
void couple(const Context<S>& x, MultiplierGroup<S>& g) {
  const int n = g.aggregate->velocities;
  for (S& entry : g.omega.A) entry = S(0);
  for (int c = 0; c < g.constraints(); ++c) {
    supporting(x, g, c, [&](int p, int, int column, int freedoms) {
      for (int f = column; f < column + freedoms; ++f)
        for (int r = g.first_row[at(c)]; r < g.first_row[at(c + 1)]; ++r) {
          for (int d = 0; d <= c; ++d) {
            if (!g.feels[at(d)][at(p)]) continue;
            for (int s = g.first_row[at(d)]; s < g.first_row[at(d + 1)] && s <= r; ++s)
              g.omega.of(r, s) += g.u[at(r * n + f)] * g.y[at(s * n + f)];
          }
        }
    });
  }
}

/// How large each row of K is beside the largest: of a row that vanishes Omega alone can't tell, since any row's part
/// of it is relative to its own diagonal.
template <class S>
void measure(MultiplierGroup<S>& g) {
  const int n = g.aggregate->velocities;
  double largest = 0;
  for (int r = 0; r < g.aggregate->rows; ++r) {
    double& length = g.omega.length[at(r)];
    length = 0;
    for (int c = 0; c < n; ++c) length = std::max(length, std::abs(to_double(g.rows.K[at(r * n + c)])));
    largest = std::max(largest, length);
  }
  for (double& length : g.omega.length) length = largest > 0 ? length / largest : 0;
}

/// Whether the rows left out follow from those taken: k of both, measured by the velocity products k is made of and by
/// what the joint forces make of the rows.
template <class S>
bool follows(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b, MultiplierGroup<S>& g) {
  const Aggregate& a = *g.aggregate;
  if (g.omega.rank == a.rows) return true;
  const double speeds = squared_rate(x, k, a);
  double scale = 0;
  for (int r = 0; r < a.rows; ++r) {
    double reach = 0, forced = 0;
    for (std::size_t p = 0; p < a.bodies.size(); ++p)
      for (int f = 0; f < velocity_count(x.type(a.bodies[p])); ++f) {
        const auto entry = at(r * a.velocities + a.column[p] + f);
        reach += std::abs(to_double(g.rows.K[entry]));
        forced += std::abs(to_double(g.y[entry]) * to_double(b.u[at(x.v_index(a.bodies[p]) + f)]));
      }
    scale = std::max(scale, reach * speeds + forced + std::abs(to_double(g.rows.k[at(r)])));
    g.rest[at(r)] = g.rows.k[at(r)];
  }
  g.omega.forward(g.rest.data(), true);
  constexpr double most = PivotedFactor<S>::in_float ? 1e-2 : 1e-6;
  for (int t = g.omega.rank; t < a.rows; ++t)
    if (!(std::abs(to_double(g.rest[at(g.omega.taken(t))])) <= most * scale)) return false;
  return true;
}

}  // namespace multipliers_detail

/// The first aggregate, as `model` numbers them, whose constraints have lost rank or contradict each other in this
/// state; -1: none. `pivot`: the smallest pivot of Omega relative to its row's diagonal.
template <class S>
int singular_aggregate(const Multipliers<S>& all, double* pivot) {
  for (std::size_t n = 0; n < all.group.size(); ++n)
    if (const MultiplierGroup<S>& g = all.group[n]; g.omega.finite() && (!g.omega.regular() || !g.consistent)) {
      *pivot = g.omega.pivot;
      return all.index[n];
    }
  return -1;
}

/// Each: K and k of the aggregates of a module.
template <class S>
void constrain(const Context<S>& x, const Kinematics<S>& k, Multipliers<S>& all, int step) {
  if (!x.sweeps(step)) return;
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    MultiplierGroup<S>* const closed = all.closed_by(i);
    if (closed == nullptr) return;
    MultiplierGroup<S>& g = *closed;
    constraint_rows(*all.model, *g.aggregate, {k.X_up.data(), k.columns.data(), k.v.data(), k.c.data()}, g.rows);
  });
}

/// Gather, at the first member of an aggregate, after all others: eliminates its multipliers, and adds what they make
/// of its inertia and bias to what this body hands to the parent.
template <class S>
void eliminate_multipliers(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, MultiplierGroup<S>& g) {
  using namespace multipliers_detail;
  respond(x, k, b, g);
  couple(x, g);
  measure(g);
  g.omega.factor();
  if (!g.omega.regular()) return;  // the answer will be refused
  g.consistent = follows(x, k, b, g);
  g.omega.forward(g.kappa.data());
  g.omega.forward(g.B.data());
  if (g.aggregate->parent < 0) return;
  const int first = g.aggregate->bodies.front();
  for (int t = 0; t < g.omega.rank; ++t) {
    const int r = g.omega.taken(t);
    const Force<S> over_d = g.omega.of(r, r) * g.B[at(r)];
    b.P_up[at(first)].downdate(g.B[at(r)], -over_d);
    b.z_up[at(first)] += g.kappa[at(r)] * over_d;
  }
}

/// Scatter, at the first member of an aggregate, before all others: lambda, and what it adds to u of its joints.
template <class S>
void apply_multipliers(const Context<S>& x, ArticulatedBody<S>& b, MultiplierGroup<S>& g) {
  using namespace multipliers_detail;
  const Aggregate& a = *g.aggregate;
  const Motion<S>& A = a.parent < 0 ? x.ground_acceleration : b.a[at(a.parent)];
  for (S& l : g.lambda) l = S(0);
  for (int t = 0; t < g.omega.rank; ++t) {
    const int r = g.omega.taken(t);
    g.lambda[at(r)] = g.omega.of(r, r) * (g.kappa[at(r)] + dot(A, g.B[at(r)]));
  }
  g.omega.backward(g.lambda.data());
  for (int c = 0; c < g.constraints(); ++c)
    supporting(x, g, c, [&](int, int i, int column, int freedoms) {
      for (int r = g.first_row[at(c)]; r < g.first_row[at(c + 1)]; ++r)
        for (int f = 0; f < freedoms; ++f)
          b.u[at(x.v_index(i) + f)] += g.lambda[at(r)] * g.u[at(r * a.velocities + column + f)];
    });
}

}  // namespace kinetree::inline inner
