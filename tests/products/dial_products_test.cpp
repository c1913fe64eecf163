// Products of derivatives through the dial: against those by articulated bodies, cotangents against tangents, and work
// and depth as counted facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/dial_product_solver.hpp"
#include "engine/algorithm/solver/product_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/planner.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace dial_products {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::shared_ptr<const Modules> cut(const Model& model, int grain) {
  return std::make_shared<const Modules>(make_modules(model.data(), {.grain = grain}));
}
template <class S>
std::vector<S> numbers(const VectorXd& x) {
  return {x.begin(), x.end()};
}

/// A state with accelerations, a direction (dq, dv, dtau) and a cotangent of accelerations.
struct Case {
  Case(const Model& m, std::uint64_t seed) : model(m), state(random_state(m, seed)) {
    Random random(seed);
    const auto any = [&](int count) {
      VectorXd x(count);
      for (double& number : x) number = random.uniform(-1, 1);
      return x;
    };
    a = any(m.nv()), direction = any(3 * m.nv()), bar = any(m.nv());
  }
  template <class S>
  std::vector<S> by(Solver<S>& solver, const VectorXd& given, bool forced) const {
    const std::vector<S> q = numbers<S>(state.q), v = numbers<S>(state.v), f = numbers<S>(state.f_ext),
                         in = numbers<S>(given), own = numbers<S>(a);
    solver.ask({.points = {}, .axes = Axes::link, .directions = 1});
    std::vector<S> result(solver.result_count());
    solver.solve({q.data(), v.data(), forced ? f.data() : nullptr, in.data(), own.data(), result.data()});
    return result;
  }
  VectorXd numbers_by(Solver<double>& solver, const VectorXd& given, bool forced) const {
    const std::vector<double> all = by(solver, given, forced);
    return Eigen::Map<const VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
  }

  const Model& model;
  TestState state;
  VectorXd a, direction, bar;
};

constexpr Function tangent = Function::forward_dynamics_tangent, cotangent = Function::forward_dynamics_cotangent;

double relative(const VectorXd& x, const VectorXd& y) {
  return (x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff();
}

/// Largest error of push and of pull against articulated bodies, and how far the two are from <y_bar, dy> = <x_bar,
/// dx>.
struct Errors {
  double push = 0, pull = 0, balance = 0;
};
Errors errors(const Model& model, std::uint64_t seed, int grain, int refinements) {
  const Case c(model, seed);
  Errors worst;
  for (const bool forced : {false, true}) {
    MassProductSolver<double> by_bodies(model, cut(model, 0), tangent), back(model, cut(model, 0), cotangent);
    DialPushSolver<double> push(model, cut(model, grain), refinements);
    DialPullSolver<double> pull(model, cut(model, grain), refinements);
    const VectorXd da = c.numbers_by(push, c.direction, forced), bars = c.numbers_by(pull, c.bar, forced);
    worst.push = std::max(worst.push, relative(da, c.numbers_by(by_bodies, c.direction, forced)));
    worst.pull = std::max(worst.pull, relative(bars, c.numbers_by(back, c.bar, forced)));
    const double terms = c.bar.cwiseProduct(da).cwiseAbs().sum() + bars.cwiseProduct(c.direction).cwiseAbs().sum();
    worst.balance = std::max(worst.balance, std::abs(c.bar.dot(da) - bars.dot(c.direction)) / terms);
  }
  return worst;
}

void expect_agreement(const Model& model, std::uint64_t seed) {
  for (const int grain : {1, 2, 5}) {
    if (!cut(model, grain)->any_cut()) continue;  // a tree whose bodies all branch
    const Errors e = errors(model, seed, grain, 1);
    EXPECT_LE(e.push, 1e-13) << model.name() << ", grain " << grain << ", seed " << seed;
    EXPECT_LE(e.pull, 1e-13) << model.name() << ", grain " << grain << ", seed " << seed;
    EXPECT_LE(e.balance, 1e-14) << model.name() << ", grain " << grain << ", seed " << seed;
  }
}

TEST(DialProducts, AreThoseByArticulatedBodies) {
  for (const JointType type : {JointType::revolute, JointType::prismatic, JointType::helical, JointType::cylindrical,
                               JointType::universal, JointType::spherical, JointType::planar, JointType::floating})
    expect_agreement(make_model(around(type, false, 3)), 3);
  for (const char* family : {"chain:40", "comb:6", "tree:2x4", "star:3x3:armature=0.3", "geared:6",
                             "random:20:seed=1:floating=1", "random:20:seed=2"})
    expect_agreement(make_model(family), 2);
}

struct Cost {
  double work = 0, depth = 0;
};
Cost cost(const Model& model, Solver<Counted>& solver, const VectorXd& given) {
  const Case c(model, 1);
  Cost cost;
  Counted::counts() = {};
  for (const Counted& x : c.by(solver, given, false)) cost.depth = std::max(cost.depth, static_cast<double>(x.depth()));
  cost.work = static_cast<double>(Counted::counts().total());
  return cost;
}

/// Least squares of depth against log2 of the bodies, of push and of pull by the plan of `cfa`; work against one
/// forward dynamics by it.
void expect_logarithmic(const std::vector<Model>& models, const char* what) {
  for (const int refinements : {0, 1})
    for (const Function f : {tangent, cotangent}) {
      std::vector<double> x, depth, work;
      for (const Model& model : models) {
        const Case c(model, 1);
        Method method =
            one_method(ForwardDynamics(model, {.algorithm = Algorithm::cfa, .refinements = refinements}).plan());
        const auto forward = make_solver<Counted>(model, method);
        method.function = f;
        const auto product = make_dial_product_solver<Counted>(
            model, method, std::make_shared<const Modules>(make_modules(model.data(), method.modules)));
        const Cost own = cost(model, *product, f == tangent ? c.direction : c.bar);
        x.push_back(std::log2(model.body_count()));
        depth.push_back(own.depth);
        work.push_back(own.work / cost(model, *forward, c.state.tau).work);
      }
      const auto n = static_cast<double>(x.size());
      double sx = 0, sy = 0, sxx = 0, sxy = 0, off = 0;
      for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += depth[k], sxx += x[k] * x[k], sxy += x[k] * depth[k];
      const double b = (n * sxy - sx * sy) / (n * sxx - sx * sx), a = (sy - b * sx) / n;
      for (std::size_t k = 0; k < x.size(); ++k) off = std::max(off, std::abs(depth[k] - a - b * x[k]));
      std::printf("%s of %s, %d refinements: depth %.0f + %.0f log2 N, at most %.0f off; work %.2f to %.2f of cfa's\n",
                  f == tangent ? "push" : "pull", what, refinements, a, b, off, work.front(), work.back());
      EXPECT_LE(off, b) << what;  // within one level's depth
      EXPECT_GT(b, 0) << what;
      EXPECT_LE(*std::max_element(work.begin(), work.end()), 2.5) << what;
    }
}

std::vector<Model> models(const std::string& family, std::initializer_list<int> sizes) {
  std::vector<Model> all;
  for (const int n : sizes) all.push_back(make_model(family + ":" + std::to_string(n)));
  return all;
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

TEST(DialProducts, TakeLogarithmicDepthAndLinearWork) {
  expect_logarithmic(models("chain", {16, 32, 64, 128, 256, 512, 1024}), "chains");
  expect_logarithmic(models("comb", {8, 16, 32, 64, 128}), "combs");
  expect_logarithmic(models("geared", {16, 32, 64, 128, 256}), "geared chains");
  std::vector<Model> trees;
  for (int h = 2; h <= 5; ++h) trees.push_back(tree_of_paths(h));
  expect_logarithmic(trees, "trees of paths");
}

}  // namespace dial_products
}  // namespace kinetree::oracle
