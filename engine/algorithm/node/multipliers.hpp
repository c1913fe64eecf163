#pragma once
// Aggregates by multipliers, in place of embedding: the joints of an aggregate are swept as segments of the spanning
// tree, and its loops and couplings become constraint forces Kᵀ lambda. They are eliminated when all members have been
// gathered, so that towards its parent the node is 6 x 6 like any other and the work stays linear in aggregates.
//
// With the parent's acceleration A given, H a = tau - h + Kᵀ lambda and K a = k; a_free is a for lambda = 0 and A = 0.
// By the factorized inverse of H (Jain 2011, Eq. 51) a row K_r costs one gather: u_r, its part at each joint, and B_r,
// its force on the parent. Then K H⁻¹ Kᵀ = sum over joints of u D⁻¹ uᵀ = Omega (Jain 2011, Eq. 59, 60), and
//   Omega lambda = k - K a_free + Bᵀ A,   P_parent += B Omega⁻¹ Bᵀ,   z_parent += B Omega⁻¹ (k - K a_free).

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/algorithm/node/multipliers_factor.hpp"
#include "engine/algorithm/node/multipliers_shape.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

template <class S>
struct MultiplierNode : MultiplierShape {
  int index;                ///< of the aggregate in its model
  ConstraintRows<S> rows;   ///< K and k
  std::vector<S> u, y;      ///< rows x columns: what is left of K_r at each joint, and D⁻¹ u
  std::vector<Force<S>> z;  ///< over members: scratch
  std::vector<Force<S>> B;  ///< over rows: L⁻¹ of the force on the parent, the parent's coordinates
  std::vector<S> kappa;     ///< over rows: L⁻¹ (k - K a_free)
  std::vector<S> lambda;    ///< over rows; zero where a row is left out
  std::vector<S> total;     ///< over rows: lambda of all right-hand sides so far, where there are several
  std::vector<S> push;      ///< over columns: Kᵀ total
  std::vector<S> rest;      ///< over rows: scratch
  PivotedFactor<S> omega;
  bool consistent = true;              ///< whether what is left out asks for nothing that the rows taken do not give
  std::unique_ptr<Branches> branches;  ///< where their ranks differ, else null
  FoundRank found;                     ///< then

  MultiplierNode(const ModelData& m, int index_)
      : MultiplierShape(m, m.aggregates[at(index_)]),
        index(index_),
        rows(m, *aggregate),
        omega(aggregate->rows, aggregate->velocities - aggregate->freedoms) {
    const Aggregate& a = *aggregate;
    u.resize(at(a.rows * a.velocities)), y = u;
    z.resize(a.bodies.size()), B.resize(at(a.rows));
    kappa.resize(at(a.rows)), lambda = kappa, total = kappa, rest = kappa;
    push.resize(at(a.velocities));
    if (a.branches())
      branches = std::make_unique<Branches>(m, a, omega.in_float ? Branches::off_in_float : Branches::off);
  }
  std::size_t bytes() const {
    return bytes_of(parent_place, support, feels, first_row, rows, u, y, z, B, kappa, lambda, total, push, rest,
                    omega.A, omega.order, omega.scale, omega.length) +
           (branches ? branches->bytes() : 0);
  }
};

/// The aggregates of a model that the table of nodes leaves to multipliers.
template <class S>
using MultiplierNodes = std::vector<MultiplierNode<S>>;

template <class S>
MultiplierNodes<S> multiplier_nodes(const ModelData& m, const NodeTable& nodes) {
  MultiplierNodes<S> all;
  for (const int index : nodes.multipliers) all.emplace_back(m, index);
  return all;
}

namespace multipliers_detail {

/// Calls use(place, body, first column, freedoms) for the members that a constraint is felt by.
template <class S, class Use>
void supporting(const Context<S>& x, const MultiplierNode<S>& g, int constraint, Use&& use) {
  const Aggregate& a = *g.aggregate;
  for (const int p : g.support[at(constraint)])
    use(p, a.bodies[at(p)], a.column[at(p)], velocity_count(x.type(a.bodies[at(p)])));
}

/// u, y and B of every row: one gather each over the members that feel it. On the way kappa = k - K a_free with the
/// parent at rest: K_r a_free is the sum of y u over joints less that of z c over bodies, z with the joint's share in
/// it (virtual work of the row's forces on the free motion; Jain 2011, Eq. 51 with velocity terms).
template <class S>
void respond(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, MultiplierNode<S>& g) {
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

/// Omega = K H⁻¹ Kᵀ, not yet factorized: writes its lower triangle to omega.A, from the u and y that `respond` found.
template <class S>
void couple(const Context<S>& x, MultiplierNode<S>& g) {
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

/// Sets omega.length: the largest entry of each row of K, relative to that of all rows. Omega does not show a row
/// of K that vanishes, since each pivot is taken relative to the row's own diagonal.
template <class S>
void measure(MultiplierNode<S>& g) {
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

/// Omega's factor, to the rank of the state's branch.
template <class S>
void factor(const Context<S>& x, MultiplierNode<S>& g) {
  const Aggregate& a = *g.aggregate;
  g.omega.rank = a.velocities - a.freedoms;
  g.omega.factor();
  if (!g.branches) return;
  g.found = find_branch(x, *g.branches, a,
                        {std::sqrt(g.omega.least_pivot), std::sqrt(g.omega.part), std::sqrt(g.omega.left), 0});
  if (!g.found.ok() || g.found.rank == g.omega.rank) return;
  couple(x, g);
  g.omega.rank = g.found.rank;
  g.omega.factor();
}

/// Whether the rows left out follow from those taken: k of both, measured by the velocity products k is made of and by
/// what the joint forces make of the rows.
template <class S>
bool follows(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b, MultiplierNode<S>& g) {
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
  const double most = std::max(PivotedFactor<S>::in_float ? 1e-2 : 1e-6, a.rounding.contradiction);
  for (int t = g.omega.rank; t < a.rows; ++t)
    if (!(std::abs(to_double(g.rest[at(g.omega.taken(t))])) <= most * scale)) return false;
  return true;
}

}  // namespace multipliers_detail

/// The first fault: constraints that lost rank, stand on another branch or contradict each other; else ok.
template <class S>
Status loop_fault(const MultiplierNodes<S>& all) {
  for (const MultiplierNode<S>& g : all) {
    if (!g.omega.finite()) continue;  // a joint's own inertia is at fault
    if (g.branches)
      if (const Status s = fault_of_rank(*g.aggregate, g.found, g.omega.rank); !s.ok()) return s;
    if (!g.omega.regular() || !g.consistent)
      return {StatusCode::singular_loop, 0, g.aggregate->bodies.front(), std::sqrt(std::max(0.0, g.omega.part))};
  }
  return {};
}

/// Each: K and k of an aggregate.
template <class S>
void constrain(const Context<S>& x, const Kinematics<S>& k, MultiplierNode<S>& g) {
  constraint_rows(*x.model, *g.aggregate,
                  {k.X_up.data(), k.columns.data(), k.v.data(), k.c.data(), x.state.q, x.state.v}, g.rows);
}

/// Gather, after all members: eliminates the multipliers, and adds their share to the inertia and bias that the first
/// member contributes to the parent.
template <class S>
void eliminate_multipliers(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, MultiplierNode<S>& g) {
  using namespace multipliers_detail;
  respond(x, k, b, g);
  couple(x, g);
  measure(g);
  factor(x, g);
  if (!g.omega.regular()) return;  // the answer will be refused
  g.consistent = follows(x, k, b, g);
  g.omega.forward(g.kappa.data());
  g.omega.forward(g.B.data());
  if (g.aggregate->parent < 0) return;
  const std::size_t slot = x.slot(g.aggregate->bodies.front());
  for (int t = 0; t < g.omega.rank; ++t) {
    const int r = g.omega.taken(t);
    const Force<S> over_d = g.omega.of(r, r) * g.B[at(r)];
    b.P_up[slot].downdate(g.B[at(r)], -over_d);
    b.z_up[slot] += g.kappa[at(r)] * over_d;
  }
}

/// Gather of a refinement, with the factors kept: kappa for the residual k - K a of the accelerations so far, and z_up.
template <class S>
void eliminate_bias(const Context<S>& x, ArticulatedBody<S>& b, MultiplierNode<S>& g) {
  using namespace multipliers_detail;
  const int n = g.aggregate->velocities;
  for (int c = 0; c < g.constraints(); ++c)
    for (int r = g.first_row[at(c)]; r < g.first_row[at(c + 1)]; ++r) {
      S kappa = g.rows.k[at(r)];
      supporting(x, g, c, [&](int, int i, int column, int freedoms) {
        for (int f = 0; f < freedoms; ++f) {
          const auto entry = at(r * n + column + f), j = at(x.v_index(i) + f);
          kappa -= g.rows.K[entry] * x.state.result[j] + g.y[entry] * b.u[j];
        }
      });
      g.kappa[at(r)] = kappa;
    }
  g.omega.forward(g.kappa.data());
  if (g.aggregate->parent < 0) return;
  Force<S>& z = b.z_up[x.slot(g.aggregate->bodies.front())];
  for (int t = 0; t < g.omega.rank; ++t) {
    const int r = g.omega.taken(t);
    z += (g.omega.of(r, r) * g.kappa[at(r)]) * g.B[at(r)];
  }
}

/// What the multipliers so far do at the node's joints.
template <class S>
void push_joints(MultiplierNode<S>& g) {
  const int n = g.aggregate->velocities;
  for (S& sum : g.push) sum = S(0);
  for (int t = 0; t < g.omega.rank; ++t) {
    const int r = g.omega.taken(t);
    for (int c = 0; c < n; ++c) g.push[at(c)] += g.rows.K[at(r * n + c)] * g.total[at(r)];
  }
}

/// Scatter, before all members: lambda, and its share of u of the node's joints. `A`: the parent's acceleration.
/// prepare(r, x): adds to L⁻¹ (k - K a) of row r.
template <class S, class Prepare>
void apply_multipliers(const Context<S>& x, ArticulatedBody<S>& b, MultiplierNode<S>& g, const Motion<S>& A,
                       Prepare&& prepare) {
  using namespace multipliers_detail;
  const Aggregate& a = *g.aggregate;
  for (S& l : g.lambda) l = S(0);
  for (int t = 0; t < g.omega.rank; ++t) {
    const int r = g.omega.taken(t);
    S asked = g.kappa[at(r)] + dot(A, g.B[at(r)]);
    prepare(r, asked);
    g.lambda[at(r)] = g.omega.of(r, r) * asked;
  }
  g.omega.backward(g.lambda.data());
  for (int c = 0; c < g.constraints(); ++c)
    supporting(x, g, c, [&](int, int i, int column, int freedoms) {
      for (int r = g.first_row[at(c)]; r < g.first_row[at(c + 1)]; ++r)
        for (int f = 0; f < freedoms; ++f)
          b.u[at(x.v_index(i) + f)] += g.lambda[at(r)] * g.u[at(r * a.velocities + column + f)];
    });
}

/// Gather: inertia and bias.
template <class S>
void articulate_with_multipliers(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, const Node& node,
                                 MultiplierNode<S>& g) {
  const std::span<const Segment> members = x.nodes.segments_of(node);
  for (std::size_t s = members.size(); s-- > 0;) articulate(x, k, b, members[s]);
  eliminate_multipliers(x, k, b, g);
}

/// Scatter: accelerations of joints and bodies.
template <class S>
void accelerate_with_multipliers(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, const Node& node,
                                 MultiplierNode<S>& g) {
  apply_multipliers(x, b, g, parent_acceleration(x, b, g.aggregate->bodies.front()), [](int, S&) {});
  for (const Segment& members : x.nodes.segments_of(node)) accelerate(x, k, b, members);
}

}  // namespace kinetree::inline inner
