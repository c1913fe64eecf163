// A million bodies in a row: nothing is recursive, nothing overflows, memory stays in proportion.
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/algorithm/solver/solver.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

void solve_large(const std::string& family) {
  const Model model = make_model(family);
  const TestState s = random_state(model, 1);
  std::vector<Options> plans{serial(Algorithm::ab), serial(Algorithm::cfa), serial(Algorithm::modular)};
  plans.push_back({.algorithm = Algorithm::modular, .executor = ExecutorKind::tbb, .threads = 2, .grain = 1000});
  plans.push_back({.algorithm = Algorithm::ab, .executor = ExecutorKind::openmp, .threads = 2});
  for (const Options& options : plans) {
    ForwardDynamics dynamics(model, options);
    Eigen::VectorXd a(model.nv());
    const Status status = dynamics.solve(s.q, s.v, s.tau, a);
    EXPECT_TRUE(status.ok()) << status.message(model);
    const double rest = residual(model, s, a);
    std::printf("%s, %s on %s: residual %.2g\n", family.c_str(), describe(options).c_str(), name_of(options.executor),
                rest);
    EXPECT_LE(rest, 1e-10) << describe(options);
  }
  for (const int grain : {0, 1}) {
    const Method method{.algorithm = grain == 0 ? Algorithm::ab : Algorithm::modular, .modules = {.grain = grain}};
    const auto solver = make_solver<double>(model, method);
    const double bytes = static_cast<double>(solver->memory()) / model.body_count();
    std::printf("%s, grain %d: %.0f bytes per body\n", family.c_str(), grain, bytes);
    EXPECT_LT(bytes, 8000);
  }
}

TEST(SizeLong, AMillionBodiesInAChain) { solve_large("chain:1000000"); }
TEST(SizeLong, AMillionBodiesInAStar) { solve_large("star:1000000x1"); }
TEST(Size, TenThousandBodiesInAChain) { solve_large("chain:10000"); }

TEST(Size, CompositeBodiesRefuseWhatDoesNotFit) {
  const Model model = make_model("chain:100000");
  ForwardDynamics dynamics(model, serial(Algorithm::crb));
  Eigen::VectorXd x = Eigen::VectorXd::Zero(model.nv()), a(model.nv());
  const Status status = dynamics.solve(x, x, x, a);
  EXPECT_EQ(status.code, StatusCode::too_large);
  EXPECT_NE(status.message(model).find("GB"), std::string::npos);
}

}  // namespace
}  // namespace kinetree::oracle
