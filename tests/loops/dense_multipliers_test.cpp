// What embedding saves, in counted operations, against the textbook's way with constraints: the spanning tree's dense
// mass matrix, its Cholesky factor, and a dense system for the multipliers. Every symmetry is used there, no sparsity.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/inverse_dynamics.hpp"
#include "engine/algorithm/mass_solve.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/regular_mechanisms.hpp"

namespace kinetree::oracle {
namespace {

using Numbers = std::vector<Counted>;

struct Motions {
  Numbers q, v, tau;
};

/// Lower triangle of a symmetric positive definite matrix, row by row with a full stride.
struct Cholesky {
  int n;
  Numbers A;
  Counted& operator()(int r, int c) { return A[at(r * n + c)]; }

  void factorize() {  // L Lᵀ
    for (int j = 0; j < n; ++j) {
      Counted d = (*this)(j, j);
      for (int k = 0; k < j; ++k) d -= (*this)(j, k) * (*this)(j, k);
      const Counted inverse = Counted(1) / Counted(std::sqrt(d.value()));
      (*this)(j, j) = inverse;  // of the factor's diagonal
      for (int i = j + 1; i < n; ++i) {
        Counted s = (*this)(i, j);
        for (int k = 0; k < j; ++k) s -= (*this)(i, k) * (*this)(j, k);
        (*this)(i, j) = s * inverse;
      }
    }
  }
  void forward(Counted* b) {
    for (int r = 0; r < n; ++r) {
      for (int k = 0; k < r; ++k) b[r] -= (*this)(r, k) * b[k];
      b[r] = b[r] * (*this)(r, r);
    }
  }
  void backward(Counted* b) {
    for (int r = n - 1; r >= 0; --r) {
      b[r] = b[r] * (*this)(r, r);
      for (int k = 0; k < r; ++k) b[k] -= (*this)(r, k) * b[r];
    }
  }
};

/// M and bias of a tree by the library's kernels, the passes of its composite bodies.
struct Tree {
  Model model;
  Modules modules;
  Context<Counted> x;
  Kinematics<Counted> k;
  InverseDynamics<Counted> inverse;
  CompositeBody<Counted> composite;
  MassMatrix<Counted> mass;
  Numbers bias;

  explicit Tree(const Description& d)
      : model(make_model(d)),
        modules(make_modules(model.data(), {})),
        x(model.data(), modules),
        k(model.data()),
        inverse(model.data()),
        composite(model.data()),
        mass(model.data()),
        bias(at(model.nv())) {}

  void run(const Motions& s) {
    static constexpr auto of = [](void* space) -> Tree& { return *static_cast<Tree*>(space); };
    x.state = {.q = s.q.data(), .v = s.v.data()};
    const Pass passes[]{
        {Direction::scatter,
         [](void* t, int step) {
           kinematics(of(t).x, of(t).k, step);
           root_arms(of(t).x, of(t).k, of(t).mass, step);
           accelerations(of(t).x, of(t).k, of(t).inverse, step);
         }},
        {Direction::gather,
         [](void* t, int step) {
           joint_forces(of(t).x, of(t).k, of(t).inverse, of(t).bias.data(), step);
           composite_inertias(of(t).x, of(t).k, of(t).composite, step);
         }},
        {Direction::each, [](void* t, int step) { mass_rows(of(t).x, of(t).k, of(t).composite, of(t).mass, step); }}};
    run_serial(passes, this, static_cast<int>(modules.steps.size()));
  }
};

/// M a + bias = tau + Kᵀ lambda, K a = 0: gears have no velocity terms.
Numbers dense_multipliers(Tree& tree, const Numbers& K, int m, const Motions& s) {
  const int n = tree.model.nv();
  tree.run(s);
  Cholesky M{n, Numbers(at(n * n))};
  dense_mass_matrix(tree.x, tree.mass, M.A.data());
  M.factorize();
  Numbers a(at(n)), W = K, r(at(m));  // W: a row per constraint, M's factor's inverse times Kᵀ
  for (int i = 0; i < n; ++i) a[at(i)] = s.tau[at(i)] - tree.bias[at(i)];
  M.forward(a.data());
  Cholesky A{m, Numbers(at(m * m))};
  for (int i = 0; i < m; ++i) {
    M.forward(&W[at(i * n)]);
    for (int j = 0; j <= i; ++j)
      for (int c = 0; c < n; ++c) A(i, j) += W[at(i * n + c)] * W[at(j * n + c)];
    for (int c = 0; c < n; ++c) r[at(i)] -= W[at(i * n + c)] * a[at(c)];
  }
  A.factorize();
  A.forward(r.data());
  A.backward(r.data());
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < n; ++c) a[at(c)] += W[at(i * n + c)] * r[at(i)];
  M.backward(a.data());
  return a;
}

struct Costs {
  double embedded, dense;
};

Costs compare(int n) {
  Description d = geared_chain(n, Rotors::bodies);
  const Model model = make_model(d);
  const ModelData& m = model.data();
  Motions s;
  for (int k = 0; k < model.nv(); ++k)
    s.q.emplace_back(std::sin(1.0 + k)), s.v.emplace_back(std::cos(2.0 * k)), s.tau.emplace_back(std::sin(0.3 + 2 * k));
  Numbers K(at(n * model.nv()));
  for (int row = 0; row < n; ++row) {
    const auto& terms = m.couplings[at(row)].terms;
    for (const auto& [body, coefficient] : terms) K[at(row * model.nv() + m.v_index[at(body)])] = Counted(coefficient);
    for (Numbers* x : {&s.q, &s.v})  // the motor follows
      (*x)[at(m.v_index[at(terms[0].first)])] =
          Counted(-terms[1].second * (*x)[at(m.v_index[at(terms[1].first)])].value());
  }
  const auto solver = make_solver<Counted>(model, {});
  Numbers a(s.v.size());
  solver->set({s.q.data(), s.v.data(), nullptr, s.tau.data(), nullptr, a.data()});
  solver->run();  // the first run finds the constant maps
  Costs costs{};
  Counted::counts() = {};
  solver->run();
  costs.embedded = static_cast<double>(Counted::counts().total());
  d.couplings.clear();
  Tree tree(d);
  Counted::counts() = {};
  const Numbers dense = dense_multipliers(tree, K, n, s);
  costs.dense = static_cast<double>(Counted::counts().total());
  double largest = 0;
  for (const Counted& x : a) keep_worst(largest, std::abs(x.value()));
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k].value(), dense[k].value(), 1e-9 * largest) << n;
  return costs;
}

TEST(DenseMultipliers, CostAGearedChainMoreThanEmbedding) {
  double before = 0;
  for (const int n : {4, 12, 16, 24, 48}) {
    const Costs c = compare(n);
    const double ratio = c.dense / c.embedded;
    std::printf("geared chain of %d: %.0f operations embedded, %.0f with dense multipliers (%.2f x)\n", n, c.embedded,
                c.dense, ratio);
    EXPECT_GT(ratio, before);
    before = ratio;
    // the bare chain alone is 5348 operations at 12, so that four times would leave a rotor 235; it comes from 16 on
    if (n == 12) {
      EXPECT_GE(ratio, 3);
    }
    if (n >= 16) {
      EXPECT_GE(ratio, 4) << n;
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
