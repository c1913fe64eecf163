// Semi-implicit Euler's steps of floating joints: free bodies keep their linear momentum to rounding, at the root and
// carried by others; spins and accelerated motions to the order of the method; work is what forces do along the way.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <string>

#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace floating_steps {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Centres of mass of all bodies of a description, which are in the model's order.
std::vector<LinkPoint> centres(const Description& d) {
  std::vector<LinkPoint> points;
  for (const BodyDescription& b : d.bodies)
    points.push_back({static_cast<int>(points.size()), b.inertial ? b.inertial->frame.xyz : Numbers3{}});
  return points;
}

/// Angular, then linear velocities of points, in world axes, a column a point.
MatrixXd velocities(const Model& model, Workspace& w, const std::vector<LinkPoint>& points, const VectorXd& q,
                    const VectorXd& v) {
  const auto n = static_cast<Eigen::Index>(points.size());
  VectorXd poses(12 * n), all(6 * n);
  EXPECT_TRUE(point_kinematics(model, w, q, v, points, Axes::world_aligned, poses, all).ok());
  return all.reshaped(6, n);
}

VectorXd places(const Model& model, Workspace& w, const std::vector<LinkPoint>& points, const VectorXd& q) {
  VectorXd poses(12 * static_cast<Eigen::Index>(points.size()));
  EXPECT_TRUE(kinetree::poses(model, w, q, points, poses).ok());
  return poses.reshaped(12, poses.size() / 12).bottomRows(3).reshaped();
}

/// Without gravity; a body without a parent of its own hangs on the one before.
Description weightless(Random& random, const std::vector<JointType>& chain) {
  Description d;
  d.name = "weightless";
  d.gravity = {0, 0, 0};
  for (const JointType type : chain) {
    const std::string parent = d.bodies.empty() ? "world" : d.bodies.back().name;
    d.bodies.push_back(random_body(random, "b" + std::to_string(d.bodies.size()), parent, type));
  }
  return d;
}

/// 10^3 free bodies, of which each of ten columns has 100, and 10^4 steps of lengths from 1e-4 to 3e-3 s.
TEST(FloatingSteps, FreeBodiesKeepTheirMomentum) {
  constexpr int bodies = 100, columns = 10;
  Random random(7);
  Description d;
  d.name = "thrown";
  d.gravity = {0, 0, 0};
  for (int k = 0; k < bodies; ++k)
    d.bodies.push_back(random_body(random, "b" + std::to_string(k), "world", JointType::floating));
  const Model model = make_model(d);
  const std::vector<LinkPoint> points = centres(d);
  MatrixXd q(model.nq(), columns), v(model.nv(), columns);
  for (int c = 0; c < columns; ++c) {
    const TestState s = random_state(model, static_cast<std::uint64_t>(c) + 1);
    q.col(c) = s.q, v.col(c) = (c % 2 == 0 ? 1 : 10) * s.v;
  }
  Rollouts rollouts(model, columns, {.threads = 1}, {Integrator::semi_implicit_euler, false});
  ASSERT_TRUE(rollouts.reset(q, v).ok());
  for (const double step : {1e-4, 3e-4, 1e-3, 3e-3}) ASSERT_TRUE(rollouts.step(step, {}, 2500).ok());
  Workspace w(model);
  double worst = 0;
  for (int c = 0; c < columns; ++c) {
    const MatrixXd before = velocities(model, w, points, q.col(c), v.col(c));
    const MatrixXd after = velocities(model, w, points, rollouts.q().col(c), rollouts.v().col(c));
    for (int b = 0; b < bodies; ++b) {
      const auto& com = d.bodies[at(b)].inertial->frame.xyz;
      const double scale = v.col(c).segment<3>(6 * b).norm() +
                           v.col(c).segment<3>(6 * b + 3).norm() * std::hypot(com[0], com[1], com[2]);
      keep_worst(worst, (after - before).col(b).tail<3>().norm() / scale);
    }
  }
  std::printf("momentum of free bodies within %.1e after 10^4 steps\n", worst);
  EXPECT_LE(worst, 1e-12);
}

/// A ball that flies and spins, fast or slowly, in both classes: 10 s of 1 ms.
TEST(FloatingSteps, AThrownBallKeepsItsSpeedAndSpin) {
  Description d;
  d.name = "thrown";
  d.gravity = {0, 0, 0};
  d.bodies.resize(1);
  d.bodies[0].name = "ball", d.bodies[0].parent = "world";
  d.bodies[0].joint.name = "free", d.bodies[0].joint.type = "floating";
  d.bodies[0].inertial = InertialDescription{1, {}, {0.01, 0.01, 0.01, 0, 0, 0}};
  const Model model = make_model(d);
  for (const double spin : {30.0, 0.1}) {
    VectorXd q = VectorXd::Unit(7, 6), v(6);
    v << 10, 0, 0, 0, 0, spin;
    Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 1e-3});
    Rollouts rollouts(model, 3);
    ASSERT_TRUE(simulation.reset(q, v).ok() && rollouts.reset(q.replicate(1, 3), v.replicate(1, 3)).ok());
    ASSERT_TRUE(simulation.advance_to(10).ok() && rollouts.step(1e-3, {}, 10000).ok());
    EXPECT_NEAR(simulation.energy().total(), 50 + 0.005 * spin * spin, 1e-11);
    for (const auto& [end_q, end_v] :
         {std::pair<VectorXd, VectorXd>(simulation.q(), simulation.v()), {rollouts.q().col(1), rollouts.v().col(1)}}) {
      EXPECT_NEAR(end_v.head(3).norm(), 10, 1e-11);
      EXPECT_NEAR(end_v[5], spin, 1e-12);
      EXPECT_NEAR(std::abs(end_q[5] * std::cos(5 * spin) - end_q[6] * std::sin(5 * spin)), 0, 2e-12) << spin;
    }
    EXPECT_NEAR(simulation.q()[0], 100, 1e-10);
    EXPECT_NEAR(rollouts.q()(0, 2), 100, 1e-10);
  }
}

/// Carried by a body that turns, slides and is driven, and by another that floats: still free.
TEST(FloatingSteps, CarriedBodiesAreFreeToo) {
  Random random(11);
  for (const std::vector<JointType>& chain :
       {std::vector{JointType::revolute, JointType::floating},
        {JointType::planar, JointType::universal, JointType::floating},
        {JointType::floating, JointType::floating},
        {JointType::helical, JointType::floating, JointType::spherical, JointType::floating}}) {
    const Description d = weightless(random, chain);
    const Model model = make_model(d);
    const int last = model.body_count() - 1;
    const TestState s = random_state(model, 5);
    VectorXd tau = s.tau;
    tau.tail(6).setZero();
    Workspace w(model);
    const std::vector<LinkPoint> points = centres(d);
    Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 1e-3});
    Rollouts rollouts(model, 2);
    ASSERT_TRUE(simulation.reset(s.q, s.v).ok());
    ASSERT_TRUE(rollouts.reset(s.q.replicate(1, 2), s.v.replicate(1, 2)).ok());
    const Vector3d before = velocities(model, w, points, simulation.q(), simulation.v()).col(last).tail<3>();
    const Vector3d start = places(model, w, points, simulation.q()).tail<3>();
    const VectorXd parent = velocities(model, w, points, simulation.q(), simulation.v()).col(last - 1);
    ASSERT_TRUE(simulation.advance_to(1, [&](double, const auto&, const auto&, auto& out) { out = tau; }).ok());
    ASSERT_TRUE(rollouts
                    .step(
                        1e-3, [&](RolloutColumns& c) { c.tau.colwise() = tau; }, 1000)
                    .ok());
    for (const auto& [q, v] :
         {std::pair<VectorXd, VectorXd>(simulation.q(), simulation.v()), {rollouts.q().col(1), rollouts.v().col(1)}}) {
      const MatrixXd after = velocities(model, w, points, q, v);
      EXPECT_LE((after.col(last).tail<3>() - before).norm(), 1e-11 * (1 + largest_of(after))) << chain.size();
      EXPECT_LE((places(model, w, points, q).tail<3>() - start - before).norm(), 1e-11 * (1 + largest_of(after)));
      EXPECT_GT((after.col(last - 1) - parent).norm(), 0.1) << "its parent is pushed";
    }
  }
}

/// One step, long or so long that bodies turn more than once, of trees with floating joints at the root and further
/// out, driven, pushed and in gravity: of every floating body the centre of mass gains h times its acceleration and
/// goes on by h times the velocity that it then has, and the absolute angular velocity gains h times its rates in the
/// body's axes.
TEST(FloatingSteps, OneStepIsNewtonsLaw) {
  for (int seed = 1; seed <= 20; ++seed) {
    Description d = around(JointType::floating, false, static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 100);
    if (seed % 2 == 0) d.bodies[0].joint.type = "floating";
    for (BodyDescription& b : d.bodies)
      if (b.joint.type == "fixed") b.joint.type = "revolute";  // centres of mass are those of the links alone
    d.bodies.push_back(random_body(random, "rider", "behind", JointType::floating));
    const Model model = make_model(d);
    const TestState s = random_state(model, static_cast<std::uint64_t>(seed));
    std::vector<LinkPoint> points;
    for (const BodyDescription& b : d.bodies)
      if (b.joint.type == "floating") points.push_back({frame_index(model, b.name), b.inertial->frame.xyz});
    ASSERT_GE(points.size(), 3u);
    const auto n = static_cast<Eigen::Index>(points.size());
    const double h = seed % 3 == 0 ? 1.5 : 0.1;
    Simulation simulation(model, {}, {Integrator::semi_implicit_euler, h});
    ASSERT_TRUE(simulation.reset(s.q, s.v).ok());
    const VectorXd q = simulation.q();
    ASSERT_TRUE(
        simulation
            .step(h, [&](double, const auto&, const auto&, auto& tau, auto& f_ext) { tau = s.tau, f_ext = s.f_ext; })
            .ok());
    ForwardDynamics dynamics(model);
    VectorXd a(model.nv());
    ASSERT_TRUE(dynamics.solve(q, s.v, s.tau, s.f_ext, a).ok());
    Workspace w(model);
    VectorXd poses(12 * n), speeds(6 * n), rates(6 * n), in_link(6 * n), link_rates(6 * n), poses_then(12 * n),
        speeds_then(6 * n), in_link_then(6 * n);
    const auto at_start = [&](Axes axes, VectorXd& velocities, VectorXd& accelerations) {
      return point_kinematics(model, w, q, s.v, a, points, axes, poses, velocities, accelerations).ok();
    };
    ASSERT_TRUE(at_start(Axes::world_aligned, speeds, rates) && at_start(Axes::link, in_link, link_rates));
    const VectorXd end_q = simulation.q(), end_v = simulation.v();
    ASSERT_TRUE(point_kinematics(model, w, end_q, end_v, points, Axes::world_aligned, poses_then, speeds_then).ok() &&
                point_kinematics(model, w, end_q, end_v, points, Axes::link, poses_then, in_link_then).ok());
    for (Eigen::Index k = 0; k < n; ++k) {
      const Vector3d before = speeds.segment<3>(6 * k + 3), rate = rates.segment<3>(6 * k + 3),
                     after = speeds_then.segment<3>(6 * k + 3);
      const double scale = 1 + h * largest_of(rates);
      EXPECT_LE((after - before - h * rate).norm(), 1e-12 * scale) << seed;
      EXPECT_LE((poses_then.segment<3>(12 * k + 9) - poses.segment<3>(12 * k + 9) - h * after).norm(), 1e-12 * scale);
      const Vector3d spin = in_link.segment<3>(6 * k) + h * link_rates.segment<3>(6 * k);
      EXPECT_LE((in_link_then.segment<3>(6 * k) - spin).norm(), 1e-12 * scale) << seed;
    }
  }
}

/// Trees of every joint with floating ones among them, driven and in gravity: halving the step divides the error by 2,
/// with Runge and Kutta's weights by 16.
TEST(FloatingSteps, ConvergeWithTheirOrders) {
  for (const JointType type : {JointType::floating, JointType::revolute, JointType::planar}) {
    Description d = around(type, false, 3);
    Random random(9);
    d.bodies.push_back(random_body(random, "rider", "behind", JointType::floating));
    d.bodies.push_back(random_body(random, "top", "rider", JointType::revolute));
    const Model model = make_model(d);
    const TestState s = random_state(model, 4);
    const double seconds = 0.2;
    const auto end = [&](Integrator integrator, double step) {
      Simulation simulation(model, {}, {integrator, step, 1e-12});
      EXPECT_TRUE(simulation.reset(s.q, s.v).ok());
      EXPECT_TRUE(simulation
                      .advance_to(seconds, [&](double t, const auto&, const auto& v,
                                               auto& tau) { tau = 0.1 * std::cos(3 * t) * s.tau - 0.1 * v; })
                      .ok());
      VectorXd x(model.nq() + model.nv());
      x << simulation.q(), simulation.v();
      return x;
    };
    const VectorXd exact = end(Integrator::adaptive, 1e-3);
    const auto order = [&](Integrator integrator, int steps) {
      return std::log2((end(integrator, seconds / steps) - exact).norm() /
                       (end(integrator, seconds / steps / 2) - exact).norm());
    };
    EXPECT_NEAR(order(Integrator::semi_implicit_euler, 800), 1, 0.1) << name_of(type);
    EXPECT_NEAR(order(Integrator::rk4, 40), 4, 0.3) << name_of(type);
  }
}

/// rk4 on free bodies whose centres of mass stand off their origins: of fourth order, momentum and spin.
void expect_fourth_order(int bodies) {
  Random random(2);
  for (int k = 0; k < bodies; ++k) {
    const Description d = weightless(random, {JointType::floating});
    const Model model = make_model(d);
    const TestState s = random_state(model, static_cast<std::uint64_t>(k));
    Workspace w(model);
    const VectorXd v = 3 * s.v;
    const auto momenta = [&](const VectorXd& q, const VectorXd& rates) {
      VectorXd all(12);
      EXPECT_TRUE(momentum(model, w, q, rates, all).ok());
      return VectorXd(all.tail(6));
    };
    const VectorXd before = momenta(s.q, v);
    const auto error = [&](int steps) {
      Simulation simulation(model, {}, {Integrator::rk4, 1.0 / steps});
      EXPECT_TRUE(simulation.reset(s.q, v).ok() && simulation.advance_to(1).ok());
      return (momenta(simulation.q(), simulation.v()) - before).norm() / before.norm();
    };
    EXPECT_GE(std::log2(error(50) / error(100)), 3.7) << k;
    EXPECT_LE(error(200), 1e-6) << k;
  }
}
TEST(FloatingSteps, RungeAndKuttaAreOfFourthOrderOnFreeBodies) { expect_fourth_order(20); }
TEST(FloatingStepsLong, RungeAndKuttaAreOfFourthOrderOnAThousandFreeBodies) { expect_fourth_order(1000); }

/// A constant force at the centre of mass of a body that turns about it: force times way, to rounding. The moment of
/// the same force at the link's origin is of the way too.
TEST(FloatingSteps, WorkIsForceTimesWay) {
  Random random(4);
  const Description d = weightless(random, {JointType::floating});
  const Model model = make_model(d);
  const TestState s = random_state(model, 1);
  const std::vector<LinkPoint> points = centres(d);
  Workspace w(model), own(model);
  VectorXd force(6);
  force << 0, 0, 0, 1, -2, 3;
  Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 0.01});
  ASSERT_TRUE(simulation.reset(s.q, 2 * s.v).ok());
  const VectorXd start = places(model, w, points, simulation.q());
  for (int k = 0; k < 100; ++k)
    ASSERT_TRUE(simulation
                    .step(0.01,
                          [&](double, const auto& q, const auto&, auto&, auto& f_ext) {
                            EXPECT_TRUE(add_forces(model, own, q, points, Axes::world_aligned, force, f_ext).ok());
                          })
                    .ok());
  const double work = force.tail(3).dot(places(model, w, points, simulation.q()) - start);
  EXPECT_GT(std::abs(work), 1);
  EXPECT_NEAR(simulation.work(), work, 1e-12 * std::abs(work));
}

/// Of a body on a joint that floats inside a tree it is the absolute way, of the forces of this joint the way relative
/// to its parent: the work of a force on the body is that of the same force as joint forces of all that carry it.
TEST(FloatingSteps, WorkOnCarriedBodiesIsForceTimesWay) {
  Random random(5);
  for (const std::vector<JointType>& chain : {std::vector{JointType::revolute, JointType::floating},
                                              {JointType::floating, JointType::planar, JointType::floating},
                                              {JointType::universal, JointType::cylindrical, JointType::floating}}) {
    const Description d = weightless(random, chain);
    const Model model = make_model(d);
    const TestState s = random_state(model, 2);
    const std::vector<LinkPoint> last{centres(d).back()};
    Workspace w(model), own(model);
    VectorXd force(6);
    force << 0, 0, 0, 1, -2, 3;
    const auto work_of = [&](bool by_joints) {
      Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 0.01});
      EXPECT_TRUE(simulation.reset(s.q, s.v).ok());
      const VectorXd start = places(model, w, last, simulation.q());
      for (int k = 0; k < 50; ++k)
        EXPECT_TRUE(simulation
                        .step(0.01,
                              [&](double, const auto& q, const auto& v, auto& tau, auto& f_ext) {
                                EXPECT_TRUE(add_forces(model, own, q, last, Axes::world_aligned, force, f_ext).ok());
                                if (!by_joints) return;
                                VectorXd still(model.nv()), pushed(model.nv());
                                const VectorXd rest = VectorXd::Zero(model.nv()), free = VectorXd::Zero(f_ext.size());
                                EXPECT_TRUE(inverse_dynamics(model, own, q, v, rest, free, still).ok());
                                EXPECT_TRUE(inverse_dynamics(model, own, q, v, rest, f_ext, pushed).ok());
                                tau = still - pushed, f_ext.setZero();
                              })
                        .ok());
      const double expected = force.tail(3).dot(places(model, w, last, simulation.q()) - start);
      EXPECT_GT(std::abs(expected), 0.01);
      EXPECT_NEAR(simulation.work(), expected, 1e-11 * std::abs(expected)) << chain.size() << by_joints;
    };
    work_of(false);
    work_of(true);
  }
}

/// A joint's force times the way that it moves: velocities of the step's end, not of its start.
TEST(FloatingSteps, WorkOfJointForcesIsForceTimesWay) {
  const Model model = make_model("chain:3");
  const VectorXd tau = VectorXd::LinSpaced(3, 5, 20);
  Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 0.01});
  const VectorXd q = VectorXd::Constant(3, 0.3);
  ASSERT_TRUE(simulation.reset(q, VectorXd::Zero(3)).ok());
  ASSERT_TRUE(simulation.advance_to(0.5, [&](double, const auto&, const auto&, auto& out) { out = tau; }).ok());
  const double work = tau.dot(simulation.q() - q);
  EXPECT_GT(std::abs(work), 0.1);
  EXPECT_NEAR(simulation.work(), work, 1e-12 * std::abs(work));
}

/// A base without mass has no centre of mass: its step is one of the method's order all the same.
TEST(FloatingSteps, ABaseWithoutMassConverges) {
  Random random(6);
  Description d = weightless(random, {JointType::floating, JointType::revolute, JointType::revolute});
  d.bodies[0].inertial.reset();
  d.bodies[2].parent = d.bodies[0].name;
  const Model model = make_model(d);
  const TestState s = random_state(model, 4);
  const auto end = [&](Integrator integrator, double step) {
    Simulation simulation(model, {}, {integrator, step, 1e-12});
    EXPECT_TRUE(simulation.reset(s.q, s.v).ok());
    const Status status = simulation.advance_to(0.2);
    EXPECT_TRUE(status.ok()) << status.message(model);
    VectorXd x(model.nq() + model.nv());
    x << simulation.q(), simulation.v();
    return x;
  };
  const VectorXd exact = end(Integrator::adaptive, 1e-3);
  const double coarse = (end(Integrator::semi_implicit_euler, 2e-4) - exact).norm();
  const double fine = (end(Integrator::semi_implicit_euler, 1e-4) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.1);
}

}  // namespace floating_steps
}  // namespace kinetree::oracle
