// Springs, dampers and constant forces between points, against closed forms, Lagrange's equations and virtual work.
#include <gtest/gtest.h>

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/point_forces.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <limits>

#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

BodyDescription block(const std::string& name, const std::string& type, double mass) {
  BodyDescription b;
  b.name = name, b.parent = "world";
  b.joint.name = name, b.joint.type = type, b.joint.axis = {1, 0, 0};
  b.inertial = InertialDescription{};
  b.inertial->mass = mass, b.inertial->inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  return b;
}

Forces of(const PointForces& forces, Workspace& workspace) {
  return [&](double, const VectorXd& q, const VectorXd& v, VectorXd&, VectorXd& f_ext) {
    EXPECT_TRUE(forces.add(workspace, q, v, f_ext).ok());
  };
}

/// Springs, dampers and a constant force between links here and there, off their origins, and the ground.
std::vector<PointForceDescription> some_forces(const Model& model, double damping) {
  const auto link = [&](int k) { return std::string(model.frame_name(k % model.frame_count())); };
  return {{"a", {link(0), {0.1, 0.2, -0.1}}, {link(3), {0, 0.1, 0.2}}, 20, 0.3, damping, 0},
          {"b", {"world", {1, 2, 3}}, {link(2), {0.3, 0, 0}}, 5, 1, 0, 0},
          {"c", {link(4), {0, 0.2, 0}}, {"world", {-1, 0, 1}}, 0, 0, damping, -2}};
}

/// Of two bodies on a spring: w^2 = k (1/m1 + 1/m2).
TEST(PointForces, TwoBodiesOnASpringSwingAtTheirFrequency) {
  Description d;
  d.bodies = {block("left", "prismatic", 2), block("right", "prismatic", 0.5)};
  const Model model = make_model(d);
  const PointForces spring(model, {{"spring", {"left", {0.25, 0, 0}}, {"right", {-0.25, 0, 0}}, 40, 1, 0, 0}});
  Workspace workspace(model);
  Simulation simulation(model, {}, {.tolerance = 1e-12});
  VectorXd q(2), v = VectorXd::Zero(2);
  q << 0, 1.8;  // the spring is 1.3 m long
  ASSERT_TRUE(simulation.reset(q, v).ok());
  ASSERT_TRUE(simulation.advance_to(2, of(spring, workspace)).ok());
  const double w = std::sqrt(40 * (1 / 2.0 + 1 / 0.5)), x = 0.3 * std::cos(2 * w);
  EXPECT_NEAR(simulation.q()[0], 0.3 / 5 - x / 5, 1e-10);  // the centre of mass stays
  EXPECT_NEAR(simulation.q()[1] - simulation.q()[0], 1.5 + x, 1e-10);
  EXPECT_NEAR(simulation.work(), 0.5 * 40 * (0.09 - x * x), 1e-9);
}

/// In polar coordinates: r'' = r p'^2 + g cos p - (k (r - l) + c r' + F) / m, p'' = -(2 r' p' + g sin p) / r.
TEST(PointForces, APendulumOnASpringMovesByLagrangesEquations) {
  Description d;
  d.bodies = {block("bob", "floating", 0.7)};
  const Model model = make_model(d);
  for (const double damping : {0.0, 0.4}) {
    const PointForces forces(model, {{"spring", {"world", {0, 0, 2}}, {"bob", {}}, 30, 0.8, damping, 1.5}});
    Workspace workspace(model);
    Simulation simulation(model, {}, {.tolerance = 1e-12});
    VectorXd q = neutral(model), v = VectorXd::Zero(6);
    q.head(3) << std::sin(0.9), 0, 2 - std::cos(0.9);
    ASSERT_TRUE(simulation.reset(q, v).ok());
    const double before = simulation.energy().total();
    ASSERT_TRUE(simulation.advance_to(3, of(forces, workspace)).ok());

    using State = std::array<double, 4>;  // r, p, r', p'
    State s{1, 0.9, 0, 0};
    namespace odeint = boost::numeric::odeint;
    odeint::integrate_adaptive(
        odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(1e-14, 1e-14),
        [&](const State& x, State& rate, double) {
          const auto& [r, p, dr, dp] = x;
          const double tension = 30 * (r - 0.8) + damping * dr + 1.5;
          rate = {dr, dp, r * dp * dp + 9.81 * std::cos(p) - tension / 0.7, -(2 * dr * dp + 9.81 * std::sin(p)) / r};
        },
        s, 0.0, 3.0, 1e-3);
    EXPECT_NEAR(simulation.q()[0], s[0] * std::sin(s[1]), 1e-9);
    EXPECT_NEAR(simulation.q()[2], 2 - s[0] * std::cos(s[1]), 1e-9);
    EXPECT_NEAR(simulation.energy().total() - before, simulation.work(), 1e-9);
    VectorXd now(3);
    ASSERT_TRUE(forces.tensions(workspace, simulation.q(), simulation.v(), now).ok());
    EXPECT_NEAR(now[0], s[0], 1e-9);
    EXPECT_NEAR(now[1], s[2], 1e-8);
    const VectorXd begin = VectorXd::Constant(1, 1.0), end = now.head(1);
    const double lost = forces.potential(begin) - forces.potential(end) - simulation.work();
    if (damping == 0) {
      EXPECT_NEAR(lost, 0, 1e-9);
    } else {
      EXPECT_GT(lost, 0.1);
    }
  }
}

/// The power of f_ext is minus tension times dl/dt, dl/dt the rate of the distance along v; every joint type, a loop.
TEST(PointForces, DoVirtualWorkAlongTheirLine) {
  for (const char* family : {"random:14:seed=6:special=1", "fourbars:2"}) {
    const Model model = make_model(family);
    const PointForces forces(model, some_forces(model, 3));
    Workspace w(model);
    const TestState s = random_state(model, 9);
    MatrixXd now(9, 1), there(9, 2);
    ASSERT_TRUE(forces.tensions(w, s.q, s.v, now).ok());
    MatrixXd q(model.nq(), 2), v(model.nv(), 2);
    const double h = 1e-6;
    VectorXd moved(model.nq());
    for (const int side : {0, 1}) {
      ASSERT_TRUE(integrate(model, s.q, (side == 0 ? -h : h) * s.v, moved).ok());
      q.col(side) = moved, v.col(side) = s.v;
    }
    ASSERT_TRUE(forces.tensions(w, q, v, there).ok());
    double power = 0;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(now(3 * k + 1), (there(3 * k, 1) - there(3 * k, 0)) / (2 * h), 1e-7) << family << k;
      power -= now(3 * k + 1) * now(3 * k + 2);
    }
    VectorXd f_ext = VectorXd::Zero(6 * model.body_count()), with(model.nv()), without(model.nv()), a = s.v;
    ASSERT_TRUE(forces.add(w, s.q, s.v, f_ext).ok());
    ASSERT_TRUE(inverse_dynamics(model, w, s.q, s.v, a, f_ext, with).ok());
    ASSERT_TRUE(inverse_dynamics(model, w, s.q, s.v, a, without).ok());
    EXPECT_NEAR((without - with).dot(s.v), power, 1e-11 * (1 + std::abs(power))) << family;
    EXPECT_GT(std::abs(power), 0.1);
  }
}

TEST(PointForces, EnergyGrowsByTheirWork) {
  for (const char* family : {"random:8:seed=3:floating=1", "fourbars:2"}) {
    const Model model = make_model(family);
    for (const double damping : {0.0, 1.0}) {
      const PointForces forces(model, some_forces(model, damping));
      Workspace w(model);
      const TestState s = random_state(model, 4);
      Simulation simulation(model);
      ASSERT_TRUE(simulation.assemble(s.q, 0.3 * s.v).ok());
      VectorXd first(9), last(9);
      ASSERT_TRUE(forces.tensions(w, simulation.q(), simulation.v(), first).ok());
      const double before = simulation.energy().total();
      ASSERT_TRUE(simulation.advance_to(0.5, of(forces, w)).ok());
      ASSERT_TRUE(forces.tensions(w, simulation.q(), simulation.v(), last).ok());
      const double work = simulation.work();
      EXPECT_NEAR(simulation.energy().total() - before, work, 1e-8 * (1 + std::abs(work))) << family;
      const auto distances = [](const VectorXd& x) -> VectorXd { return x(Eigen::seq(0, 8, 3)); };
      const double stored = forces.potential(distances(first)) - forces.potential(distances(last));
      if (damping == 0) {
        EXPECT_NEAR(work, stored, 1e-8 * (1 + std::abs(work))) << family;
      } else {
        EXPECT_LT(work, stored - 1e-3) << family;
      }
    }
  }
}

/// A batch's columns are single calls, in double and in float; nothing is allocated after the first.
TEST(PointForces, ColumnsAreStatesOfTheirOwn) {
  const Model model = make_model("random:9:seed=2");
  const PointForces forces(model, some_forces(model, 2));
  Workspace w(model);
  const int n = 5;
  MatrixXd q(model.nq(), n), v(model.nv(), n), all = MatrixXd::Zero(6 * model.body_count(), n), again = all;
  for (int c = 0; c < n; ++c) {
    const TestState s = random_state(model, static_cast<unsigned>(c));
    q.col(c) = s.q, v.col(c) = s.v;
  }
  ASSERT_TRUE(forces.add(w, q, v, all).ok());
  for (int c = 0; c < n; ++c) {
    VectorXd one = VectorXd::Zero(all.rows());
    ASSERT_TRUE(forces.add(w, q.col(c), v.col(c), one).ok());
    EXPECT_LE((one - all.col(c)).norm(), 1e-13 * all.col(c).norm());
  }
  Eigen::MatrixXf in_float = Eigen::MatrixXf::Zero(all.rows(), n);
  ASSERT_TRUE(forces.add(w, q.cast<float>().eval(), v.cast<float>().eval(), in_float).ok());
  EXPECT_LE((in_float.cast<double>() - all).norm(), 1e-5 * all.norm());
  start_counting();
  const Status status = forces.add(w, q, v, again);
  const std::size_t made = stop_counting().ours;
  ASSERT_TRUE(status.ok());
  EXPECT_TRUE(made == 0 || !can_count_allocations()) << made;
  EXPECT_EQ(again, all);
}

/// Rollouts take them by the same call, and come to where a simulation comes.
TEST(PointForces, ActInRolloutsToo) {
  const Model model = make_model("chain:4");
  const PointForces forces(model, some_forces(model, 2));
  Rollouts rollouts(model, 3);
  std::vector<Workspace> spaces;
  for (int k = 0; k < rollouts.threads(); ++k) spaces.emplace_back(model);
  MatrixXd q = MatrixXd::Random(4, 3), v = MatrixXd::Zero(4, 3);
  ASSERT_TRUE(rollouts.reset(q, v).ok());
  const RolloutForces function = [&](RolloutColumns& c) {
    EXPECT_TRUE(forces.add(spaces[static_cast<std::size_t>(c.worker)], c.q, c.v, c.f_ext).ok());
  };
  ASSERT_TRUE(rollouts.step(1e-3, function, 200).ok());
  Workspace w(model);
  Simulation simulation(model, {}, {.integrator = Integrator::semi_implicit_euler});
  ASSERT_TRUE(simulation.reset(q.col(1), v.col(1)).ok());
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(simulation.step(1e-3, of(forces, w)).ok());
  EXPECT_LE((rollouts.q().col(1) - simulation.q()).norm(), 1e-11);
}

TEST(PointForces, PointsThatCoincideAreToldNotNaN) {
  Description d;
  d.bodies = {block("left", "prismatic", 2), block("right", "prismatic", 0.5)};
  const Model model = make_model(d);
  const PointForceDescription far{"far", {"left", {}}, {"world", {0, 5, 0}}, 1, 0, 0, 0};
  const PointForces forces(model, {far, {"spring", {"left", {0.3, 0, 0}}, {"right", {}}, 40, 1, 0, 0}});
  Workspace w(model);
  MatrixXd q(2, 3), v = MatrixXd::Zero(2, 3), f_ext = MatrixXd::Zero(12, 3), lines(6, 3);
  q << 0, 0, 1, 1, 0.3, 2;
  const Status status = forces.add(w, q, v, f_ext);
  EXPECT_EQ(status.code, StatusCode::not_positive);
  EXPECT_EQ(status.column, 1);
  EXPECT_NE(forces.message(status).find("column 1: force \"spring\": its two points coincide"), std::string::npos)
      << forces.message(status);
  EXPECT_NE(status.message(model).find("the two points of force 1"), std::string::npos) << status.message(model);
  EXPECT_TRUE(f_ext.col(1).hasNaN());
  EXPECT_TRUE(f_ext.col(0).allFinite() && f_ext.col(2).allFinite());
  EXPECT_EQ(forces.tensions(w, q, v, lines).code, StatusCode::not_positive);
  EXPECT_NEAR(lines(3, 1), 0, 1e-15);
  EXPECT_TRUE(std::isnan(lines(5, 1)) && std::isfinite(lines(2, 1)));
  // a spring without length, damping or force pulls by nothing there, whatever its direction
  const PointForces ideal(model, {{"spring", {"left", {0.3, 0, 0}}, {"right", {}}, 40, 0, 0, 0}});
  f_ext.setZero();
  EXPECT_TRUE(ideal.add(w, q, v, f_ext).ok());
  EXPECT_TRUE(f_ext.col(1).isZero(0));
  EXPECT_NEAR(f_ext(3, 0), 40 * 0.7, 1e-12);
  // through a simulation
  Simulation simulation(model);
  ASSERT_TRUE(simulation.reset(q.col(1), v.col(1)).ok());
  const Forces function = [&](double, const VectorXd& at, const VectorXd& rate, VectorXd&, VectorXd& f) {
    (void)forces.add(w, at, rate, f);
  };
  EXPECT_EQ(simulation.step(0.1, function).code, StatusCode::not_finite);
}

TEST(PointForces, WrongCallsAndNumbersHaveAStatus) {
  const Model model = make_model("chain:3"), other = make_model("chain:3");
  const PointForces forces(model, {{"f", {std::string(model.frame_name(0)), {}}, {"world", {3, 3, 3}}, 1, 0, 1, 0}});
  Workspace w(model), foreign(other);
  VectorXd q = VectorXd::Zero(3), v = q, f_ext = VectorXd::Zero(18);
  EXPECT_EQ(forces.add(w, q.head(2), v, f_ext).code, StatusCode::wrong_size);
  EXPECT_EQ(forces.add(w, q, v, f_ext.head(12)).code, StatusCode::wrong_size);
  EXPECT_EQ(forces.tensions(w, q, v, f_ext).code, StatusCode::wrong_size);
  EXPECT_EQ(forces.add(foreign, q, v, f_ext).code, StatusCode::other_model);
  EXPECT_TRUE(f_ext.isZero(0));
  q[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(forces.add(w, q, v, f_ext).code, StatusCode::not_finite);
  EXPECT_TRUE(f_ext.hasNaN());
}

}  // namespace
}  // namespace kinetree::oracle
