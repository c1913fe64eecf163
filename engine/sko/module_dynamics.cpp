#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/module_dynamics.hpp>
#include <kinetree/sko/products.hpp>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

constexpr int last = 0;  // node of a chain that is its last link

/// Node of a chain that is its first link.
template <class S>
int first_of(const SkoModel<S>& chain) {
  return chain.space->nodes() - 1;
}

/// The rows of module i's links, as a stack over its chain.
template <class S>
Stacked<S> part(const Stacked<S>& over_links, const KinematicModules& modules, const SkoModel<S>& chain, int i) {
  auto result = Stacked<S>::zero(chain.space, over_links.kind);
  const auto links = modules.links_of(i);
  for (int r = 0; r < chain.space->nodes(); ++r) result(r) = over_links(links[at(r)]);
  return result;
}

template <class S>
void put_back(const Stacked<S>& part, const KinematicModules& modules, int i, Stacked<S>& over_links) {
  const auto links = modules.links_of(i);
  for (int r = 0; r < part.space->nodes(); ++r) over_links(links[at(r)]) = part(r);
}

template <class S>
void expect_over_links(const SkoModel<S>& links, const Stacked<S>& joints, const Stacked<S>& a, const Stacked<S>& b) {
  for (const Stacked<S>* x : {&joints, &a, &b}) expect_same(links.space, x->space, "modular dynamics");
  expect_same(joints.kind, Kind::joint, "modular dynamics");
  expect_same(a.kind, Kind::node, "modular dynamics");
  expect_same(b.kind, Kind::node, "modular dynamics");
}

/// What the last link of ℘(i) gives the first link of i: A(℘(k), k)ᵀ alpha(℘(k)); nothing at the ground.
template <class S>
Vector<S> from_parent(const SkoModel<S>& links, const KinematicModules& modules, int i,
                      const std::vector<Stacked<S>>& alpha) {
  const int p = modules.tree().parent(i), k = modules.first_link(i);
  if (p < 0) return Vector<S>::Zero(links.space->size(Kind::node, k));
  return links.A(k).transpose() * alpha[at(p)](last);
}

}  // namespace

template <class S>
ArticulatedModules<S> articulate(const SkoModel<S>& links, const KinematicModules& modules) {
  ArticulatedModules<S> result{modules, links, chains_of(links, modules), std::vector<Riccati<S>>(at(modules.size()))};
  gather(modules.tree(), [&](int i) {
    SkoModel<S>& chain = result.chain[at(i)];
    for (const int c : modules.tree().children(i)) {
      const Matrix<S>& A = links.A(modules.first_link(c));
      const Riccati<S>& child = result.within[at(c)];
      chain.M(last) += (A * child.P_plus(first_of(result.chain[at(c)]))).eval() * A.transpose();
    }
    result.within[at(i)] = riccati(chain);
  });
  return result;
}

template <class S>
Vector<S> solve_module(const ArticulatedModules<S>& articulated, int i, const Vector<S>& x) {
  const SkoModel<S>& chain = articulated.chain[at(i)];
  if (x.size() != chain.freedoms())
    throw std::invalid_argument("module '" + articulated.modules.tree().name(i) + "' has " +
                                std::to_string(chain.freedoms()) + " joint rows, the vector given has " +
                                std::to_string(x.size()));
  return inverse_mass_matrix_times(chain, articulated.within[at(i)], Stacked<S>{chain.space, Kind::joint, x}).value;
}

template <class S>
Stacked<S> modular_inverse_dynamics(const SkoModel<S>& links, const KinematicModules& modules,
                                    const Stacked<S>& theta_ddot, const Stacked<S>& a, const Stacked<S>& b) {
  expect_over_links(links, theta_ddot, a, b);
  const std::vector<SkoModel<S>> chain = chains_of(links, modules);
  std::vector<Stacked<S>> alpha(chain.size()), f(chain.size());
  scatter(modules.tree(), [&](int i) {
    const SkoModel<S>& own = chain[at(i)];
    Stacked<S> given = transpose_times(own.H, part(theta_ddot, modules, own, i)) + part(a, modules, own, i);
    given(first_of(own)) += from_parent(links, modules, i, alpha);
    alpha[at(i)] = transpose_times(own.A, given);
  });
  auto T = Stacked<S>::zero(links.space, Kind::joint);
  gather(modules.tree(), [&](int i) {
    const SkoModel<S>& own = chain[at(i)];
    Stacked<S> given = own.M * alpha[at(i)] + part(b, modules, own, i);
    for (const int c : modules.tree().children(i))
      given(last) += links.A(modules.first_link(c)) * f[at(c)](first_of(chain[at(c)]));
    f[at(i)] = own.A * given;
    put_back(own.H * f[at(i)], modules, i, T);
  });
  return T;
}

template <class S>
Stacked<S> modular_forward_dynamics(const ArticulatedModules<S>& articulated, const Stacked<S>& T, const Stacked<S>& a,
                                    const Stacked<S>& b) {
  const SkoModel<S>& links = articulated.links;
  const KinematicModules& modules = articulated.modules;
  expect_over_links(links, T, a, b);
  const std::size_t s = at(modules.size());
  std::vector<Stacked<S>> nu(s), alpha(s);
  std::vector<Vector<S>> z_plus(s);  // the force with which a module's first link pulls at a held ℘(i)
  // z = psi (P a + b + K T + what the child modules hand over), epsilon = T - H z, nu = D⁻¹ epsilon (Jain 2011, Eq. 54)
  gather(modules.tree(), [&](int i) {
    const SkoModel<S>& own = articulated.chain[at(i)];
    const Riccati<S>& r = articulated.within[at(i)];
    const Stacked<S> own_T = part(T, modules, own, i);
    Stacked<S> given = r.P * part(a, modules, own, i) + part(b, modules, own, i);
    for (const int c : modules.tree().children(i)) given(last) += links.A(modules.first_link(c)) * z_plus[at(c)];
    const Stacked<S> z = r.psi * (given + adjacency_times(own.A, r.G * own_T));
    nu[at(i)] = own_T - own.H * z;
    const int first = first_of(own);
    z_plus[at(i)] = z(first) + r.G(first) * nu[at(i)](first);
    for (int k = 0; k < own.space->nodes(); ++k) nu[at(i)](k) = r.D_factor[at(k)].solve(Matrix<S>(nu[at(i)](k)));
  });
  // alpha = psi* (H* nu + a) and theta_ddot = nu - K* alpha (Jain 2011, Eq. 54), the parent's acceleration entering
  // at the first link
  auto theta_ddot = Stacked<S>::zero(links.space, Kind::joint);
  scatter(modules.tree(), [&](int i) {
    const SkoModel<S>& own = articulated.chain[at(i)];
    const Riccati<S>& r = articulated.within[at(i)];
    const int first = first_of(own);
    const Vector<S> base = from_parent(links, modules, i, alpha);
    Stacked<S> given = transpose_times(own.H, nu[at(i)]) + part(a, modules, own, i);
    given(first) += r.tau_bar(first).transpose() * base;
    alpha[at(i)] = transpose_times(r.psi, given);
    Stacked<S> alpha_plus = adjacency_transpose_times(own.A, alpha[at(i)]);
    alpha_plus(first) = base;
    put_back(nu[at(i)] - transpose_times(r.G, alpha_plus), modules, i, theta_ddot);
  });
  return theta_ddot;
}

#define INSTANTIATE(S)                                                                                             \
  template ArticulatedModules<S> articulate(const SkoModel<S>&, const KinematicModules&);                          \
  template Vector<S> solve_module(const ArticulatedModules<S>&, int, const Vector<S>&);                            \
  template Stacked<S> modular_inverse_dynamics(const SkoModel<S>&, const KinematicModules&, const Stacked<S>&,     \
                                               const Stacked<S>&, const Stacked<S>&);                              \
  template Stacked<S> modular_forward_dynamics(const ArticulatedModules<S>&, const Stacked<S>&, const Stacked<S>&, \
                                               const Stacked<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
