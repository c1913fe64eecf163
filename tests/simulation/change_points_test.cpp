// Mechanisms of equal lengths, spun through their change points: they stay on the branch that their velocity is tangent
// to, or stop with a status that says where.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <kinetree/simulation/simulation.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "loops/branching_mechanisms.hpp"
#include "parallel/allocations.hpp"
#include "simulation/change_point_mechanisms.hpp"
#include "simulation/collocation.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

struct Spun {
  Status status;
  double drift = 0;  ///< of energy less work, over the largest kinetic energy
  double seconds = 0;
};

#ifdef KINETREE_SANITIZED
constexpr int looks = 100;  // 5 s: sanitizers see the same code ten times slower
#else
constexpr int looks = 600;  // 30 s
#endif

/// `each`: looks at the simulation after every 0.05 s.
Spun spin(const ChangePointMechanism& m, double speed, double tolerance, double damping = 0,
          const std::function<void(Simulation&)>& each = {}) {
  const Model model = make_model(m.description);
  Simulation simulation(model, {}, {Integrator::adaptive, 1e-3, tolerance});
  Spun spun;
  spun.status = simulation.assemble(m.q, speed * m.v);
  const double start = simulation.energy().total();
  double kinetic = simulation.energy().kinetic;
  const Control control = [&](double, const VectorXd&, const VectorXd& v, VectorXd& tau) { tau = -damping * v; };
  for (int k = 1; k <= looks && spun.status.ok(); ++k) {
    spun.status = simulation.advance_to(0.05 * k, damping > 0 ? control : Control());
    const Energy now = simulation.energy();
    kinetic = std::max(kinetic, now.kinetic);
    const double off = std::abs(now.total() - start - simulation.work());
    if (!(off <= spun.drift)) spun.drift = off;  // NaN stays
    if (each) each(simulation);
  }
  spun.drift /= kinetic;
  spun.seconds = simulation.time();
  if (!spun.status.ok()) {
    EXPECT_EQ(spun.status.code, StatusCode::change_point) << spun.status.message(model);
    EXPECT_NE(spun.status.message(model).find("\"loop\""), std::string::npos) << spun.status.message(model);
  }
  std::printf("%-13s %4.1f rad/s, gravity %2.0f, tolerance %.0e, damping %4.2f: %g s, drift %.1e\n",
              m.description.name.c_str(), speed, m.description.gravity[2], tolerance, damping, spun.seconds,
              spun.drift);
  return spun;
}

std::vector<ChangePointMechanism> mechanisms() {
  std::vector<ChangePointMechanism> list;
  for (const bool gravity : {false, true}) {
    list.push_back(parallelogram(0.2, 0.5, gravity));
    list.push_back(coupling_rod(gravity));
    list.push_back(kite(0.3, 0.5, gravity));
    list.push_back(slider_crank(0.3, gravity));
  }
  return list;
}

TEST(SimulatedChangePoints, KeepEnergyByDefault) {
  for (const ChangePointMechanism& m : mechanisms())
    for (const double speed : {6.0, 13.7}) {
      const Spun spun = spin(m, speed, 1e-10);
      EXPECT_TRUE(spun.status.ok()) << m.description.name;
      EXPECT_LE(spun.drift, 1e-6) << m.description.name;
    }
}

TEST(SimulatedChangePoints, KeepEnergyAtATightTolerance) {
  int whole = 0;
  for (const ChangePointMechanism& m : mechanisms())
    for (const double speed : {6.0, 13.7}) {
      const Spun spun = spin(m, speed, 1e-12);
      EXPECT_LE(spun.drift, 1e-9) << m.description.name;
      whole += spun.status.ok() ? 1 : 0;
    }
  EXPECT_EQ(whole, 16);
}

TEST(SimulatedChangePoints, KeepEnergyOutOfThePlane) {
  int whole = 0;
  for (const ChangePointMechanism& m :
       {on_a_turntable(parallelogram(0.2, 0.5, true)), on_a_turntable(coupling_rod(true)),
        on_a_turntable(kite(0.3, 0.5, true)), on_a_turntable(slider_crank(0.3, true)),
        spherical_four_bar(1, 0.5, 1, 0.5, true), spherical_four_bar(0.5, 0.5, 1, 1, true)}) {
    const Spun usual = spin(m, 7.3, 1e-10), tight = spin(m, 7.3, 1e-12);
    EXPECT_LE(usual.drift, 1e-6) << m.description.name;
    EXPECT_LE(tight.drift, 1e-9) << m.description.name;
    whole += usual.status.ok() ? 1 : 0;
  }
  EXPECT_EQ(whole, 6);
}

TEST(SimulatedChangePoints, BalanceEnergyAndWorkWithDissipation) {
  for (const ChangePointMechanism& m : mechanisms()) {
    const Spun spun = spin(m, 13.7, 1e-10, 0.002);
    // under gravity it may turn back close to a change point, which ends with a status
    if (m.description.gravity[2] == 0) {
      EXPECT_TRUE(spun.status.ok()) << m.description.name;
    }
    EXPECT_LE(spun.drift, 1e-6) << m.description.name;
  }
}

/// All turn alike, at constant speed: the coupler translates.
TEST(SimulatedChangePoints, AParallelogramStaysOne) {
  for (const ChangePointMechanism& m : {parallelogram(), coupling_rod()}) {
    const Spun spun = spin(m, 6, 1e-10, 0, [&](Simulation& s) {
      const VectorXd q = m.q + 6 * s.time() * m.v;
      EXPECT_LE((s.q() - q).norm(), 1e-7) << s.time();
      EXPECT_LE((s.v() - 6 * m.v).norm(), 1e-8) << s.time();
    });
    EXPECT_TRUE(spun.status.ok());
  }
}

/// Where both are possible the velocity says which it is.
TEST(SimulatedChangePoints, MayBeWhereAMotionStarts) {
  const Model model = make_model(parallelogram().description);
  Simulation simulation(model);
  const Eigen::Vector3d v(6, -6, 6);
  ASSERT_TRUE(simulation.reset(VectorXd::Zero(3), v).ok());
  const Status status = simulation.advance_to(5);
  ASSERT_TRUE(status.ok()) << status.message(model);
  EXPECT_LE((simulation.v() - v).norm(), 1e-8);
}

/// Passages of change points, and motions that begin on one of several branches.
TEST(SimulatedChangePoints, AllocateNothingAfterTheFirst) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  std::vector<ChangePointMechanism> list{parallelogram(), coupling_rod(), on_a_turntable(slider_crank())};
  const BranchingMechanism rods = sliding_rods(false, false);
  Random random(3);
  list.push_back({rods.description, rods.branches.front().somewhere(random), VectorXd()});
  list.back().v = VectorXd::Zero(list.back().q.size());
  ASSERT_TRUE(make_model(rods.description).data().aggregates[0].branches());
  for (const ChangePointMechanism& m : list) {
    const Model model = make_model(m.description);
    Simulation simulation(model);
    const VectorXd v = 6 * m.v;
    ASSERT_TRUE(simulation.reset(m.q, v).ok()) << m.description.name;
    ASSERT_TRUE(simulation.step(1e-3).ok()) << m.description.name;
    (void)simulation.energy(), (void)simulation.limit();
    start_counting();
    bool ok = true;
    for (int k = 0; k < 60 && ok; ++k) ok = simulation.step(0.05).ok();
    (void)simulation.limit();
    ok = simulation.set_state(m.q, v).ok() && simulation.reset(m.q, v).ok() && ok;
    const Allocations seen = stop_counting();
    EXPECT_TRUE(ok) << m.description.name;
    EXPECT_EQ(seen.ours + seen.runtimes, 0u) << m.description.name;
  }
}

/// Exact for polynomials of one degree less than there are nodes, also where nodes are left out; with fewer
/// coefficients, whatever the weights, for those that they hold.
TEST(SimulatedChangePoints, CollocationIntegratesPolynomials) {
  const OverNodes all = gauss_nodes(12);
  OverNodes nodes(10);
  nodes << all.head(5), all.tail(5);
  const Collocation collocation(nodes, OverNodes::Ones(10), 10);
  const Eigen::RowVectorXd values = 10 * nodes.array().pow(9).transpose();
  for (const double s : {0.2, 0.5, 1.0})
    EXPECT_NEAR((values * collocation.to_degrees()).dot(collocation.integral(s)), std::pow(s, 10), 1e-13) << s;
  const Collocation fit(nodes, nodes.array().square(), 5);
  const Eigen::RowVectorXd fourth = 5 * nodes.array().pow(4).transpose();
  for (const double s : {0.2, 0.5, 1.0})
    EXPECT_NEAR((fourth * fit.to_degrees()).dot(fit.integral(s)), std::pow(s, 5), 1e-13) << s;
}

}  // namespace
}  // namespace kinetree::oracle
