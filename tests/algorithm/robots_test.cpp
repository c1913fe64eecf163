// The robots of configs/models: sizes, and every algorithm against the oracle, fixed and floating.
#include <gtest/gtest.h>

#include <kinetree/scalar/reference.hpp>

#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

struct Robot {
  const char* name;
  int freedoms;
  double mass;  ///< kg, of what moves when it floats
  bool floats;
};

class Robots : public testing::TestWithParam<Robot> {};

/// The description with its root link freed, as LoadOptions::floating_base frees it.
Description freed(Description d) {
  d.bodies[0].joint.name = "floating_base";
  d.bodies[0].joint.type = "floating";
  return d;
}

TEST_P(Robots, EveryAlgorithmAgreesWithTheOracle) {
  const std::string file = std::string(KINETREE_MODELS) + "/" + GetParam().name + ".yaml";
  const Description fixed = read_yaml(file).description;
  for (const bool floating : {false, true}) {
    if (floating && !GetParam().floats) continue;
    const Model model = load_model(file, {.floating_base = floating});
    EXPECT_TRUE(model.findings().empty()) << to_string(model.findings()[0]);
    EXPECT_EQ(model.nv(), GetParam().freedoms + (floating ? 6 : 0));
    DenseOracle<Reference> oracle(floating ? freed(fixed) : fixed, model);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const TestState s = random_state(model, seed);
      oracle.set(s.q, s.v, s.f_ext);
      const std::vector<Reference> truth = oracle.accelerations(s.tau);
      for (const Options& options : all_plans(-1)) {
        ForwardDynamics dynamics(model, options);
        const Eigen::VectorXd a = accelerations(dynamics, s, true);
        EXPECT_LE(relative_difference(a, truth), 1e-10) << GetParam().name << ", " << describe(options);
        EXPECT_LE(residual(model, s, a, true), 1e-10) << GetParam().name << ", " << describe(options);
      }
    }
  }
}

TEST_P(Robots, WeighsWhatItsSourceSays) {
  const Description d = read_yaml(std::string(KINETREE_MODELS) + "/" + GetParam().name + ".yaml").description;
  double mass = 0;
  for (const BodyDescription& b : d.bodies) mass += b.inertial->mass;
  EXPECT_NEAR(mass, GetParam().mass, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Models, Robots,
                         testing::Values(Robot{"arm6", 6, 60.88, false}, Robot{"arm7", 7, 16.062132, false},
                                         Robot{"quadruped", 12, 8.252, true},
                                         Robot{"humanoid", 30, 73.0 + 15 * 0.2, true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace kinetree::oracle
