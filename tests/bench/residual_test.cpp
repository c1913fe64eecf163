// The residual of right and of wrong answers, where constraints or forces on bodies take up all there is.
#include "bench/residual.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <kinetree/configuration.hpp>
#include <kinetree/forces.hpp>
#include <kinetree/load_model.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::bench {
namespace residuals {

using Eigen::VectorXd;

/// A puck on a plane whose frame is turned by `turn` about an axis in general position.
Model puck(double turn, bool gravity = true) {
  Description d;
  d.name = "puck";
  if (!gravity) d.gravity = {0, 0, 0};
  BodyDescription& b = d.bodies.emplace_back();
  b.name = "puck", b.parent = "world", b.joint.name = "free", b.joint.type = "floating";
  b.inertial = InertialDescription{1, {{.1, 0, 0}}, {.01, .02, .025, 0, 0, 0}};
  LoopDescription ground;
  ground.name = "ground", ground.type = "planar";
  ground.first.body = "world", ground.second.body = "puck";
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, .5).normalized() * std::sin(turn / 2);
  ground.first.frame.quaternion = {axis.x(), axis.y(), axis.z(), std::cos(turn / 2)};
  ground.second.frame.quaternion = ground.first.frame.quaternion;
  d.loops.push_back(ground);
  return make_model(d);
}

struct Solved {
  VectorXd q, v, tau, f_ext, a;
};

void expect_right_and_wrong(const Model& model, Solved s, const std::string& what, double most = 1e-13) {
  Workspace workspace(model);
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab, .loops = loops});
    s.a.resize(model.nv());
    const Status status =
        s.f_ext.size() > 0 ? dynamics.solve(s.q, s.v, s.tau, s.f_ext, s.a) : dynamics.solve(s.q, s.v, s.tau, s.a);
    ASSERT_TRUE(status.ok()) << what << ": " << status.message(model);
    EXPECT_LE(residual(model, workspace, s.q, s.v, s.tau, s.f_ext, s.a), most) << what;
    const double size = std::max(1.0, s.a.cwiseAbs().maxCoeff());
    for (int k = 0; k < model.nv(); ++k)
      for (const double by : {1e-6, 1e-2}) {
        VectorXd wrong = s.a;
        wrong[k] += by * size;
        const double found = residual(model, workspace, s.q, s.v, s.tau, s.f_ext, wrong);
        EXPECT_GE(found, 1e-4 * by) << what << ", " << k;
      }
  }
}

/// Held motions stand still: nothing of K a, k, X_Sᵀ bias is left but rounding.
TEST(Residual, HoldsWhereConstraintsTakeUpAllForces) {
  for (const double turn : {0.0, 0.3, 1.0}) {
    const Model model = puck(turn);
    Solved s{neutral(model), VectorXd::Zero(6), VectorXd::Zero(6), {}, {}};
    expect_right_and_wrong(model, s, "at rest");
    Closure closure(model.data());
    for (const double spin : {0.0, .5}) {
      s.v << 5, 1, 2, .1, .2, spin;
      closure.project_velocity(model.data().aggregates[0], s.q.data(), s.v.data());
      expect_right_and_wrong(model, s, "on the move");
    }
    // far from where the plane's frame stands: its forces have a lever of 13 m
    const Eigen::Quaterniond plane(Eigen::AngleAxisd(turn, Eigen::Vector3d(1, -2, .5).normalized()));
    s.q.head<3>() = plane * Eigen::Vector3d(13, -4, 0);
    expect_right_and_wrong(model, s, "far away", 1e-11);
    const Model weightless = puck(turn, false);
    s.v.setZero();
    s.tau.head<3>() = 100 * (plane * Eigen::Vector3d::UnitZ());
    expect_right_and_wrong(weightless, s, "pushed against the plane", 1e-11);
  }
}

/// What f_ext holds up is at rest, and its residual is no ratio of rounding errors.
TEST(Residual, HoldsWhereForcesOnBodiesBalance) {
  for (const char* family : {"chain:5", "random:6:seed=3"}) {
    const Description d = make_description(family);
    const Model model = make_model(d);
    Workspace workspace(model);
    Solved s{oracle::random_state(model, 2).q, VectorXd::Zero(model.nv()), VectorXd::Zero(model.nv()), {}, {}};
    s.f_ext = VectorXd::Zero(6 * model.body_count());
    std::vector<LinkPoint> centres;
    VectorXd weights = VectorXd::Zero(6 * static_cast<Eigen::Index>(d.bodies.size()));
    for (std::size_t i = 0; i < d.bodies.size(); ++i) {
      const InertialDescription inertial = d.bodies[i].inertial.value_or(InertialDescription{});
      centres.emplace_back(frame_index(model, d.bodies[i].name), inertial.frame.xyz);
      weights[6 * static_cast<Eigen::Index>(i) + 5] = 9.81 * inertial.mass;
    }
    ASSERT_TRUE(add_forces(model, workspace, s.q, centres, Axes::world_aligned, weights, s.f_ext).ok());
    VectorXd a(model.nv());
    ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab});
    ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, s.f_ext, a).ok());
    EXPECT_LE(residual(model, workspace, s.q, s.v, s.tau, s.f_ext, a), 1e-13);
    a[0] += 1e-3;
    EXPECT_GE(residual(model, workspace, s.q, s.v, s.tau, s.f_ext, a), 1e-8);
  }
}

/// Geared, embedded or not, right answers of random states, and each acceleration wrong by a millionth.
TEST(Residual, SeesWrongAnswersOfLoopsAndGears) {
  for (const char* family : {"fourbars:3", "geared:4", "ring:5"}) {
    const Model model = make_model(family);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Solved s{VectorXd(model.nq()), VectorXd(model.nv()), oracle::random_state(model, seed).tau, {}, {}};
      ASSERT_TRUE(random_state(model, seed, s.q, s.v).ok());
      expect_right_and_wrong(model, s, family);
    }
  }
}

}  // namespace residuals
}  // namespace kinetree::bench
