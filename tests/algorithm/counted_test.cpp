// Work and depth as counted facts: what grows linearly, with the square, with the logarithm.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

struct Cost {
  double work = 0, depth = 0;
  int bodies = 0;
};

/// Operations of one solve, and the longest chain of them behind any acceleration.
Cost cost(const Model& model, const Method& method) {
  const TestState s = random_state(model, 1);
  const auto counted = [](const Eigen::VectorXd& x) { return std::vector<Counted>(x.begin(), x.end()); };
  const std::vector<Counted> q = counted(s.q), v = counted(s.v), tau = counted(s.tau);
  std::vector<Counted> a(v.size());
  const auto solver = make_solver<Counted>(model, method);
  solver->set({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()});
  Counted::counts() = {};
  solver->run();
  Cost c{static_cast<double>(Counted::counts().total()), 0, model.body_count()};
  for (const Counted& x : a) c.depth = std::max(c.depth, static_cast<double>(x.depth()));
  return c;
}
Cost cost(const std::string& family, const Method& method) { return cost(make_model(family), method); }

Method articulated() { return {}; }
Method composite(Factorization factorization) {
  return {.algorithm = Algorithm::crb, .modules = {}, .factorization = factorization};
}
Method dial(int grain, Cuts cuts = Cuts::paths, int refinements = 0) {
  return {.algorithm = Algorithm::modular, .modules = {.grain = grain, .cuts = cuts}, .refinements = refinements};
}

std::string of(const char* word, int n, const char* tail = "") { return word + (":" + std::to_string(n)) + tail; }

TEST(Counted, ArticulatedBodiesOnAChainAreExactlyLinear) {
  const Cost a = cost("chain:10", articulated()), b = cost("chain:11", articulated());
  for (const int n : {12, 50, 51, 1000}) {
    const Cost c = cost(of("chain", n), articulated());
    EXPECT_EQ(c.work, b.work + (n - 11) * (b.work - a.work)) << n;
  }
  // depth: linear once the first bodies' start-up is behind
  const Cost d = cost("chain:100", articulated()), e = cost("chain:200", articulated());
  const double per_body = (e.depth - d.depth) / 100;
  EXPECT_GT(per_body, 5);
  for (const int n : {300, 1000, 3000})
    EXPECT_EQ(cost(of("chain", n), articulated()).depth, e.depth + (n - 200) * per_body) << n;
  const auto at_any_angle = [](int n) {
    return cost(of("random", n, ":seed=1:branching=1:joints=revolute"), articulated()).work;
  };
  const double general = at_any_angle(12) - at_any_angle(11);
  std::printf("ab: %.0f operations per body at any angle, %.0f and %.1f levels at right angles\n", general,
              b.work - a.work, per_body);
  EXPECT_LE(general, 224 + 205) << "McMillan & Orin 1995, the best published";
  EXPECT_LE(b.work - a.work, general - 100) << "right angles turn nothing";
}

TEST(Counted, StarIsLinearInItsBodies) {
  const Cost one = cost("star:10x3", articulated()), two = cost("star:20x3", articulated());
  for (const Method& method : {articulated(), dial(1), dial(2)}) {
    // four arms of each stand at right angles to the ground's axes, which take less
    const Cost few = cost("star:20x3", method), more = cost("star:40x3", method), many = cost("star:1000x3", method);
    EXPECT_EQ(many.work, more.work + 48 * (more.work - few.work));
  }
  EXPECT_EQ(two.depth, one.depth);  // arms of a fixed hub are independent
}

TEST(Counted, HubsAreSummedInALogarithmicTree) {
  const Cost few = cost("star:16x1", articulated());
  const Model hub = make_model("star:1024x1", {.floating_base = true});
  ASSERT_EQ(hub.body_count(), 1025);
  // branching at one body: a tree of one level
  const double small = cost("tree:16x2", articulated()).depth, large = cost("tree:1024x2", articulated()).depth;
  EXPECT_LE(large - small, 6 * 3) << "1024 children take six more additions in a row than 16, three times at most";
  EXPECT_EQ(few.depth, cost("star:1024x1", articulated()).depth);
}

/// Work of the passes up to the mass matrix, its factorization left out.
double mass_matrix_work(const std::string& family) {
  const Model model = make_model(family);
  const std::vector<Counted> x(static_cast<std::size_t>(model.nq()), Counted(0.3));
  std::vector<Counted> a(x.size());
  const auto solver = make_solver<Counted>(model, composite(Factorization::dense));
  solver->set({x.data(), x.data(), nullptr, x.data(), nullptr, a.data()});
  Counted::counts() = {};
  run_serial(solver->passes().first(solver->passes().size() - 1), solver->space(), solver->step_count());
  return static_cast<double>(Counted::counts().total());
}

TEST(Counted, MassMatrixOfAChainIsQuadratic) {
  double w[4];
  for (int k = 0; k < 4; ++k) w[k] = mass_matrix_work(of("chain", 20 + 10 * k));
  EXPECT_EQ(w[3] - 3 * w[2] + 3 * w[1] - w[0], 0);
  EXPECT_GT(w[2] - 2 * w[1] + w[0], 0);
  // on a star the branches do not couple: linear; four arms of each stand at right angles to the ground's axes
  EXPECT_EQ(mass_matrix_work("star:60x3") - mass_matrix_work("star:40x3"),
            mass_matrix_work("star:40x3") - mass_matrix_work("star:20x3"));
}

TEST(Counted, BranchInducedSparsityPays) {
  const Cost sparse = cost("star:40x3", composite(Factorization::sparse));
  const Cost dense = cost("star:40x3", composite(Factorization::dense));
  EXPECT_LT(sparse.work, dense.work / 5);
}

/// Least squares of depth against log2 N.
struct Fit {
  double a = 0, b = 0, worst = 0;
};
Fit fit(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
  Fit f;
  f.b = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  f.a = (sy - f.b * sx) / n;
  for (std::size_t i = 0; i < x.size(); ++i) keep_worst(f.worst, std::abs(y[i] - f.a - f.b * x[i]));
  return f;
}

TEST(Counted, DepthOfConstraintForcesOnAChainIsLogarithmic) {
  for (const Formulation formulation : {Formulation::direct, Formulation::literal})
    for (const int refinements : {0, 1}) {
      std::vector<double> levels, depth;
      for (int n = 16; n <= 4096; n *= 2) {
        Method method = dial(1, Cuts::paths, refinements);
        method.formulation = formulation;
        levels.push_back(std::log2(n));
        depth.push_back(cost(of("chain", n), method).depth);
      }
      const Fit f = fit(levels, depth);
      std::printf("cfa %s, %d refinements, chains 16 to 4096: depth %.1f + %.1f log2 N, residual at most %.1f\n",
                  formulation == Formulation::direct ? "direct" : "literal", refinements, f.a, f.b, f.worst);
      EXPECT_LE(f.worst, f.b);  // within one level's depth
      EXPECT_GT(f.b, 0);
    }
}

/// Doubling the mechanism adds a bounded depth: no family's depth may grow faster than the logarithm.
void expect_logarithmic(const std::vector<std::string>& families, const char* what) {
  std::vector<double> levels, depth;
  for (const std::string& family : families) {
    const Cost c = cost(family, dial(1));
    levels.push_back(std::log2(c.bodies));
    depth.push_back(c.depth);
  }
  const Fit f = fit(levels, depth);
  std::printf("cfa, %s: depth %.1f + %.1f log2 bodies, residual at most %.1f\n", what, f.a, f.b, f.worst);
  EXPECT_LE(depth.back() / levels.back(), 1.5 * depth.front() / levels.front()) << what;
  EXPECT_LE(depth.back(), 1000 * levels.back()) << what;
}

TEST(Counted, DepthOfConstraintForcesOnTreesIsLogarithmic) {
  expect_logarithmic({"tree:2x4", "tree:2x6", "tree:2x8", "tree:2x10", "tree:2x12"}, "binary trees");
  expect_logarithmic({"comb:8", "comb:32", "comb:128", "comb:512"}, "combs");
  std::vector<std::string> trees;
  for (const int n : {64, 256, 1024, 4096})
    trees.push_back(of("random", n, ":seed=3:branching=3:joints=revolute:floating=1"));
  expect_logarithmic(trees, "random trees of at most three children");
}

/// A binary tree of 2^h - 1 paths of 2^h bodies each, every path from the tip of the one it hangs from.
Model tree_of_paths(int h) {
  Random random(1);
  Description d;
  d.name = "tree of paths";
  const auto name = [](int path, int body) { return std::to_string(path) + "_" + std::to_string(body); };
  for (int path = 1; path < 1 << h; ++path)
    for (int body = 0; body < 1 << h; ++body) {
      const std::string on = body > 0 ? name(path, body - 1) : path > 1 ? name(path / 2, (1 << h) - 1) : "world";
      d.bodies.push_back(random_body(random, name(path, body), on, JointType::revolute));
    }
  return make_model(d);
}

TEST(Counted, DepthOfConstraintForcesOnATreeOfPathsIsLogarithmic) {
  for (const int refinements : {0, 1}) {
    std::vector<double> levels, depth;
    for (int h = 2; h <= 6; ++h) {
      const Cost c = cost(tree_of_paths(h), dial(1, Cuts::paths, refinements));
      levels.push_back(std::log2(c.bodies));
      depth.push_back(c.depth);
    }
    const Fit f = fit(levels, depth);
    std::printf(
        "cfa, %d refinements, trees of paths of 12 to 4032 bodies: depth %.1f + %.1f log2 N, residual at most %.1f\n",
        refinements, f.a, f.b, f.worst);
    EXPECT_LE(f.worst, f.b);  // within one level's depth
    EXPECT_GT(f.b, 0);
  }
}

/// Featherstone & Fijany (1999): cutting the main chain only costs less per body than basic CFA on a chain.
TEST(Counted, MainChainOfCombsCostsLessPerBodyThanAChain) {
  const Cost chain = cost("chain:256", dial(1));
  for (const int n : {16, 64, 256}) {
    const Cost comb = cost(of("comb", n), dial(1, Cuts::main));
    EXPECT_LT(comb.work / comb.bodies, chain.work / chain.bodies) << n;
  }
}

TEST(Counted, WorkOfTheDialFallsWithTheGrain) {
  const double ab = cost("chain:1024", articulated()).work;
  double before = 1e300;
  for (const int grain : {1, 2, 3, 7, 32, 128, 1024}) {
    const double ratio = cost("chain:1024", dial(grain)).work / ab;
    std::printf("chain:1024, grain %d: %.2f times the work of ab\n", grain, ratio);
    EXPECT_LT(ratio, before) << grain;
    before = ratio;
  }
  EXPECT_EQ(before, 1);  // one module: ab itself
}

}  // namespace
}  // namespace kinetree::oracle
