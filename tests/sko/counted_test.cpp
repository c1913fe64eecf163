// The cost of the operator layer, counted: linear where Jain 2011 says linear, exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/operational_space.hpp>

#include "sko/models.hpp"

namespace kinetree::sko {
namespace {

/// Operations that `work` takes, those of making its model left out.
template <class Work>
double operations(Work&& work) {
  Counted::counts() = {};
  work();
  return static_cast<double>(Counted::counts().total());
}

std::string chain(int n) { return "chain:" + std::to_string(n); }

/// Exactly a line through n = 10 and 11.
template <class Cost>
void expect_linear(const char* what, Cost&& cost) {
  const double ten = cost(10), eleven = cost(11);
  EXPECT_GT(eleven, ten);
  for (const int n : {12, 30, 31, 100, 250})
    EXPECT_EQ(cost(n), eleven + (n - 11) * (eleven - ten)) << what << ", " << n;
  std::printf("%s: %.0f operations per body of a chain\n", what, eleven - ten);
}

TEST(SkoCounted, ArticulatedInertiasAreLinear) {
  expect_linear("Riccati equation (Eq. 33)", [](int n) {
    const RigidBody<Counted> body = resting_family<Counted>(chain(n));
    return operations([&] { riccati(body.model); });
  });
}

TEST(SkoCounted, InverseMassMatrixTimesAVectorIsLinear) {
  expect_linear("inverse mass matrix times a vector (Eq. 51)", [](int n) {
    const RigidBody<Counted> body = resting_family<Counted>(chain(n));
    const Riccati<Counted> r = riccati(body.model);
    auto x = Stacked<Counted>::zero(body.model.space, Kind::joint);
    for (Counted& entry : x.value) entry = Counted(0.7);
    return operations([&] { inverse_mass_matrix_times(body.model, r, x); });
  });
}

TEST(SkoCounted, ForwardAndInverseDynamicsAreLinear) {
  const auto cost = [](int n, bool forward) {
    const RigidBody<Counted> body = resting_family<Counted>(chain(n));
    const Riccati<Counted> r = riccati(body.model);
    const auto x = Stacked<Counted>::zero(body.model.space, Kind::joint);
    return operations([&] {
      forward ? forward_dynamics(body.model, r, x, body.a, body.b) : inverse_dynamics(body.model, x, body.a, body.b);
    });
  };
  expect_linear("forward dynamics after Eq. 33 (Alg. 6.1)", [&](int n) { return cost(n, true); });
  expect_linear("inverse dynamics (Alg. 3.1)", [&](int n) { return cost(n, false); });
}

TEST(SkoCounted, CompositeInertiasAreLinear) {
  expect_linear("composite inertias (Alg. 4.1)", [](int n) {
    const RigidBody<Counted> body = resting_family<Counted>(chain(n));
    return operations([&] { composite_inertias(body.model); });
  });
}

TEST(SkoCounted, NodesAndEdgesAreAllThatCounts) {
  // the same prices on trees as on chains: so much a node, so much an edge, whatever the branching
  struct Work {
    const char* what;
    std::function<void(const RigidBody<Counted>&, const Riccati<Counted>&, const Stacked<Counted>&)> run;
  };
  const auto zero = [](const RigidBody<Counted>& body) {
    return Stacked<Counted>::zero(body.model.space, Kind::joint);
  };
  for (const Work& work :
       {Work{"Riccati equation", [](const auto&body, const auto&, const auto&) { riccati(body.model); }},
        {"composite inertias", [](const auto&body, const auto&, const auto&) { composite_inertias(body.model); }},
        {"inverse mass matrix times a vector",
         [](const auto&body, const auto&r, const auto&x) { inverse_mass_matrix_times(body.model, r, x); }},
        {"diagonal of Omega", [](const auto&body, const auto&r, const auto&) { compliance_diagonal(body.model, r); }},
        {"forward dynamics",
         [](const auto&body, const auto&r, const auto&x) { forward_dynamics(body.model, r, x, body.a, body.b); }}}) {
    const auto cost = [&](const std::string& family) {
      const RigidBody<Counted> body = resting_family<Counted>(family);
      const Riccati<Counted> r = riccati(body.model);
      return operations([&] { work.run(body, r, zero(body)); });
    };
    const double node_and_edge = cost("chain:21") - cost("chain:20"), node = cost("chain:20") - 19 * node_and_edge,
                 edge = node_and_edge - node;
    EXPECT_GT(edge, 0) << work.what;
    for (const char* family : {"tree:2x4", "tree:3x4", "tree:2x7", "star:9x5", "comb:40", "chain:400"}) {
      const RigidBody<Counted> body = resting_family<Counted>(family);
      const int nodes = body.model.tree().size(), bases = static_cast<int>(body.model.tree().roots().size());
      EXPECT_EQ(cost(family), nodes * node + (nodes - bases) * edge) << work.what << ", " << family;
    }
  }
}

TEST(SkoCounted, MassMatrixIsQuadratic) {
  double w[4];
  for (int k = 0; k < 4; ++k) {
    const RigidBody<Counted> body = resting_family<Counted>(chain(10 + 10 * k));
    w[k] = operations([&] { mass_matrix(body.model); });
  }
  EXPECT_EQ(w[3] - 3 * w[2] + 3 * w[1] - w[0], 0);
  EXPECT_GT(w[2] - 2 * w[1] + w[0], 0);
}

TEST(SkoCounted, DiagonalOfOmegaIsLinear) {
  expect_linear("diagonal of Omega (Eq. 24)", [](int n) {
    const RigidBody<Counted> body = resting_family<Counted>(chain(n));
    const Riccati<Counted> r = riccati(body.model);
    return operations([&] { compliance_diagonal(body.model, r); });
  });
}

TEST(SkoCounted, BlockOfOmegaIsLinearInItsPath) {
  // on a chain, one node above the other; the length of the chain outside the path costs nothing
  const auto cost = [](int n, int below, int above) {
    const RigidBody<Counted> body = resting_family<Counted>(chain(n));
    const Riccati<Counted> r = riccati(body.model);
    const BlockDiagonal<Counted> diagonal = compliance_diagonal(body.model, r);
    return operations([&] { compliance_block(r, diagonal, below, above); });
  };
  const double step = cost(40, 5, 7) - cost(40, 5, 6);
  EXPECT_LE(std::abs(step - 6 * 6 * 11), 2);  // one product of 6x6 matrices, of 11 operations an entry
  for (const int path : {1, 2, 3, 10, 30}) {
    EXPECT_EQ(cost(40, 5, 5 + path), path * step);
    EXPECT_EQ(cost(40, 5 + path, 5), path * step);
    EXPECT_EQ(cost(300, 5, 5 + path), path * step);
  }
  EXPECT_EQ(cost(40, 5, 5), 0);
}

TEST(SkoCounted, BlockOfOmegaAcrossBranchesIsLinearInItsPath) {
  // arms of a floating hub: down one arm and down the other
  const auto cost = [](int length, int there, int here) {
    const Model model = make_model("star:4x" + std::to_string(length), {.floating_base = true});
    const std::vector<Counted> q(static_cast<std::size_t>(model.nq()), Counted(0.3)),
        v(static_cast<std::size_t>(model.nv()), Counted(0.));
    const RigidBody<Counted> body = rigid_body<Counted>(model, q.data(), v.data());
    const Riccati<Counted> r = riccati(body.model);
    const BlockDiagonal<Counted> diagonal = compliance_diagonal(body.model, r);
    // bodies are numbered arm by arm behind the hub
    const int i = node_of_body(model, there), j = node_of_body(model, 1 + length + here - 1);
    return operations([&] { compliance_block(r, diagonal, i, j); });
  };
  const double step = cost(10, 2, 1) - cost(10, 1, 1);
  EXPECT_LE(std::abs(step - 6 * 6 * 11), 2);
  for (const int length : {10, 20})
    for (const int there : {1, 4, 10})
      for (const int here : {1, 7})
        EXPECT_EQ(cost(length, there, here), (there + here) * step) << there << ", " << here;
}

}  // namespace
}  // namespace kinetree::sko
