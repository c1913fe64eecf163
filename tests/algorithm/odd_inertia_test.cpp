// Inertias that no distribution of mass has, a moment beyond the sum of the others: the equations of motion are the
// oracle's all the same.
#include <gtest/gtest.h>

#include <kinetree/scalar/reference.hpp>

#include "model/describe.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

void agree(const Description& description, double tolerance) {
  const Model model = make_model(description);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const TestState s = random_state(model, seed);
    DenseOracle<Reference> oracle(description, model);
    oracle.set(s.q, s.v);
    const std::vector<Reference> truth = oracle.accelerations(s.tau);
    for (const Options& options : all_plans(-1)) {
      ForwardDynamics dynamics(model, options);
      EXPECT_LE(relative_difference(accelerations(dynamics, s, false), truth), tolerance)
          << describe(options) << ", seed " << seed;
    }
  }
}

/// Of `description`, each body's moments as given in turn, in axes of its own.
Description with_moments(Description description, const std::vector<Numbers3>& moments) {
  Random random(5);
  for (std::size_t k = 0; k < description.bodies.size(); ++k) {
    InertialDescription& i = *description.bodies[k].inertial;
    const Numbers3& m = moments[k % moments.size()];
    i.inertia = {m[0], m[1], m[2], 0, 0, 0};
    i.frame.quaternion = quaternion_from_rpy({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
  }
  return description;
}

TEST(OddInertia, TreesMoveByTheEquationsOfMotion) {
  for (const char* family : {"chain:8", "tree:2x3", "random:12:seed=3:floating=1"}) {
    const Description d = with_moments(make_description(family), {{0.1, 0.01, 0.5}, {0.2, 0.2, 0.2}, {2, 0.1, 0.3}});
    const Model model = make_model(d);
    std::size_t odd = 0;
    for (const Finding& f : model.findings()) odd += f.message.find("exceed the sum") != std::string::npos;
    EXPECT_GE(2 * odd, d.bodies.size()) << family;
    agree(d, 1e-11);
  }
}

/// Bodies in a plane, of which only izz is given.
TEST(OddInertia, PlanarBodiesMayHaveIzzAlone) {
  std::vector<BodyDescription> bodies;
  for (int k = 0; k < 6; ++k) {
    const std::string parent = k == 0 ? "world" : k == 4 ? "b1" : "b" + std::to_string(k - 1);
    bodies.push_back(test::body("b" + std::to_string(k), parent, k == 3 ? "prismatic" : "revolute",
                                k == 3 ? Numbers3{1, 0, 0} : Numbers3{0, 0, 1}, {{0.4, 0, 0}, {0, 0, 0, 1}}));
    bodies.back().inertial = InertialDescription{1.5, {{0.2, 0, 0}, {0, 0, 0, 1}}, {0, 0, 0.03, 0, 0, 0}, 0};
  }
  agree(test::mechanism(bodies), 1e-11);
}

}  // namespace
}  // namespace kinetree::oracle
