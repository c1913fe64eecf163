// In float a joint is not cut beside a link that is too light for that.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/partition/modules.hpp"
#include "engine/scalar/worst.hpp"
#include "library/planner.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// Links that turn about x and y in turn. `light`: what link k has of the mass and moments of the others.
template <class Light>
Model chain_of(int links, Light&& light) {
  Description d;
  d.name = "chain";
  std::string inboard = "world";
  for (int k = 0; k < links; ++k) {
    BodyDescription body;
    body.name = "link" + std::to_string(k), body.parent = inboard;
    body.joint.name = "joint" + std::to_string(k), body.joint.type = "revolute";
    body.joint.axis = {k % 2 == 0 ? 1.0 : 0.0, k % 2 == 1 ? 1.0 : 0.0, 0};
    if (k > 0) body.joint.origin.xyz = {0, 0, 0.5};
    const double share = light(k);
    body.inertial = InertialDescription{share, {{0.02, 0, 0.2}}, {0.03 * share, 0.02 * share, 0.01 * share, 0, 0, 0}};
    inboard = body.name;
    d.bodies.push_back(body);
  }
  return make_model(d);
}

/// The largest error in float of states that are solved, relative to `ab` in double; the status of the last state.
double worst_error(const Model& model, const Options& options, Status& status) {
  ForwardDynamics in_float(model, options), yardstick(model, serial(Algorithm::ab));
  Eigen::VectorXf x(model.nv());
  Eigen::VectorXd exact(model.nv());
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TestState s = random_state(model, seed);
    const Eigen::VectorXf q = s.q.cast<float>(), v = s.v.cast<float>(), tau = s.tau.cast<float>();
    status = in_float.solve(q, v, tau, x);
    EXPECT_TRUE(
        yardstick.solve(q.cast<double>().eval(), v.cast<double>().eval(), tau.cast<double>().eval(), exact).ok());
    if (status.ok()) keep_worst(worst, largest_of(x.cast<double>() - exact) / largest_of(exact));
  }
  return worst;
}

TEST(FloatCuts, BesideLightLinksAreRefusedOrNotMade) {
  std::vector<Options> with_cuts{serial(Algorithm::cfa), serial(Algorithm::modular)};
  with_cuts.back().grain = 1;
  for (const int links : {16, 96})
    for (const double share : {1e-1, 1e-2, 1e-3, 2e-4, 5e-5, 1e-5, 1e-6}) {
      const Model models[]{chain_of(links, [&](int k) { return k == links / 2 ? share : 1; }),
                           chain_of(links, [&](int k) { return k % 2 == 1 ? share : 1; })};
      for (const Model& model : models)
        for (const Options& options : with_cuts) {
          Status status;
          const double error = worst_error(model, options, status);
          if (share >= 2e-4) {
            EXPECT_TRUE(status.ok()) << share << ": " << status.message(model);
            EXPECT_LT(error, 3e-4) << share;
          } else {
            EXPECT_EQ(status.code, StatusCode::cut_needs_double) << share;
            EXPECT_GE(status.body, 0);
            EXPECT_NE(status.message(model).find("take ab, or double"), std::string::npos);
          }
        }
      for (const Model& model : models) {
        Status status;
        Options options = serial(Algorithm::automatic);
        options.threads = 2, options.executor = ExecutorKind::team;
        EXPECT_LT(worst_error(model, options, status), 3e-5) << share;
        EXPECT_TRUE(status.ok()) << status.message(model);
      }
    }
}

TEST(FloatCuts, ARefusedCallWritesNothing) {
  const Model model = chain_of(16, [](int k) { return k == 8 ? 1e-6 : 1; });
  ForwardDynamics dynamics(model, serial(Algorithm::cfa));
  for (const Eigen::Index columns : {1, 5}) {
    const Eigen::MatrixXf x = Eigen::MatrixXf::Constant(16, columns, 0.1f);
    Eigen::MatrixXf a = Eigen::MatrixXf::Constant(16, columns, 7);
    EXPECT_EQ(dynamics.solve(x, x, x, a).code, StatusCode::cut_needs_double);
    EXPECT_TRUE((a.array() == 7).all());
    const Eigen::MatrixXd y = x.cast<double>();
    Eigen::MatrixXd b(16, columns);
    EXPECT_TRUE(dynamics.solve(y, y, y, b).ok());
  }
}

/// Also where modules go side by side: the light link is then in the dial's cuts of several columns, inboard of chains.
TEST(FloatCuts, BesideEndChainsColumnsAreRefusedToo) {
  const std::span<const int> widths = limb_widths(instruction_set());
  if (widths.empty() || widths.back() < 4) GTEST_SKIP() << "no end chains on this instruction set";
  const auto dynamics_of = [&](int light) {
    Options options = serial(Algorithm::modular);
    options.grain = 16, options.limbs = widths.back();
    return ForwardDynamics(chain_of(256, [&](int k) { return k == light ? 1e-6 : 1; }), options);
  };
  for (int light = 1; light < 255; ++light) {
    ForwardDynamics dynamics = dynamics_of(light);
    const Modules* modules = dynamics.modules();
    const auto beside = [&](const CutJoint& cut) {
      return cut.body == light || (cut.carried && cut.body == light + 1);
    };
    const bool cut = std::any_of(modules->cuts.begin(), modules->cuts.end(), beside);
    for (const Eigen::Index columns : {1, 5}) {
      const Eigen::MatrixXf x = Eigen::MatrixXf::Constant(256, columns, 0.1f);
      Eigen::MatrixXf a(256, columns);
      const StatusCode code = dynamics.solve(x, x, x, a).code;
      if (cut) {
        EXPECT_EQ(code, StatusCode::cut_needs_double) << light;
      }
      EXPECT_TRUE(code == StatusCode::ok || code == StatusCode::cut_needs_double) << light;
    }
  }
}

/// The plan of `automatic` keeps its cuts for double; in float one state goes as batches do.
TEST(FloatCuts, APlanThatCutsGoesByItsBatchesAlgorithm) {
  const Model model = chain_of(256, [](int k) { return k % 2 == 1 ? 1e-6 : 1; });
  Plan plan(Algorithm::modular);
  plan.grain = 1, plan.refinements = 1, plan.batch_algorithm = Algorithm::ab;
  ASSERT_EQ(plan_in_float(model, replay(model, plan)).planned.plan.algorithm, Algorithm::ab);
  ForwardDynamics dynamics(model, plan), articulated(model, serial(Algorithm::ab));
  const TestState s = random_state(model, 3);
  const Eigen::VectorXf q = s.q.cast<float>(), v = s.v.cast<float>(), tau = s.tau.cast<float>();
  Eigen::VectorXf a(256), b(256);
  ASSERT_TRUE(dynamics.solve(q, v, tau, a).ok());
  ASSERT_TRUE(articulated.solve(q, v, tau, b).ok());
  EXPECT_TRUE(a == b);
  plan.batch_algorithm = Algorithm::modular;
  EXPECT_EQ(ForwardDynamics(model, plan).solve(q, v, tau, a).code, StatusCode::cut_needs_double);
}

}  // namespace
}  // namespace kinetree::oracle
