// A thin rod between two ball joints spins where nothing resists: no force about it has an acceleration.
#include <gtest/gtest.h>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

/// A crank and a rocker on the ground, and a rod between them on balls, along `to` of its own frame. `spin`: kg m²,
/// about the rod.
Model coupled_by_rod(const Numbers3& to, double spin) {
  Description d;
  d.name = "coupled_by_rod";
  BodyDescription crank = oracle::rod("crank", "world", 0, 0.1, {0, 0, 1}), rod = oracle::rod("rod", "crank", 0.1, 0.4),
                  rocker = oracle::rod("rocker", "world", 0, 0.25, {0.3, 1, 0.1});
  rocker.joint.origin.xyz = {0.4, 0.1, -0.2};
  rod.joint.type = "spherical";
  const double square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2], mass = 0.5;
  // m (r² - r rᵀ) / 12 of a line of mass
  const auto moment = [&](std::size_t i, std::size_t j) {
    return (i == j ? mass * square / 12 : 0) + (spin / square - mass / 12) * to[i] * to[j];
  };
  rod.inertial =
      InertialDescription{mass,
                          {{to[0] / 2, to[1] / 2, to[2] / 2}},
                          {moment(0, 0), moment(1, 1), moment(2, 2), moment(0, 1), moment(0, 2), moment(1, 2)}};
  d.bodies = {crank, rod, rocker};
  LoopDescription closure;
  closure.name = "closure", closure.type = "spherical";
  closure.first.body = "rod", closure.first.frame.xyz = to;
  closure.second.body = "rocker", closure.second.frame.xyz = {0.25, 0, 0};
  d.loops.push_back(closure);
  return make_model(d);
}

/// Calls use(q, v, tau) for states that keep the loop.
template <class Use>
void for_states(const Model& model, int count, Use&& use) {
  const ModelData& m = model.data();
  Closure closure(m);
  Random random(5);
  int closed = 0;
  for (int tries = 0; tries < 20 * count && closed < count; ++tries) {
    std::vector<double> q = m.assembled;
    for (int i = 0; i < model.body_count(); ++i) {
      double by[3];
      for (double& x : by) x = random.uniform(-1, 1);
      advance(m.joint_type[at(i)], &q[at(m.q_index[at(i)])], by);
    }
    if (!(closure.project(m.aggregates[0], q.data()) < 1e-13)) continue;
    // away from change points, where loops are a status of their own
    if (closure.regularity(m.aggregates[0], q.data(), m.aggregates[0].velocities - m.aggregates[0].freedoms) < 0.05)
      continue;
    ++closed;
    Eigen::VectorXd v(model.nv()), tau(model.nv());
    for (double& x : v) x = random.uniform(-1, 1);
    for (double& x : tau) x = random.uniform(-1, 1);
    closure.project_velocity(m.aggregates[0], q.data(), v.data());
    use(Eigen::Map<const Eigen::VectorXd>(q.data(), model.nq()), v, tau);
  }
  EXPECT_EQ(closed, count);
}

const Numbers3 directions[] = {{0.4, 0, 0}, {0.24, 0.32, 0}, {0.21, 0.17, 0.3}, {-0.07, 0.3, 0.25}, {0.1, -0.1, 0.37}};

std::string words_for(const Options& o) {
  return describe(o) + (o.loops == Loops::multipliers ? " by multipliers" : "");
}

std::vector<Options> all_algorithms() {
  return {serial(Algorithm::automatic), serial(Algorithm::ab), serial(Algorithm::crb), serial(Algorithm::cfa),
          plan_with(Loops::multipliers)};
}

TEST(IdleRods, AreAStatusHoweverTheyLieInTheirFrame) {
  for (const Numbers3& to : directions) {
    const Model model = coupled_by_rod(to, 0);
    for (const Options& options : all_algorithms()) {
      ForwardDynamics dynamics(model, options);
      for_states(model, 100, [&](const auto& q, const auto& v, const auto& tau) {
        Eigen::VectorXd a(model.nv());
        const Status status = dynamics.solve(q, v, tau, a);
        ASSERT_EQ(status.code, StatusCode::singular) << words_for(options) << ": " << a.transpose();
        ASSERT_EQ(model.joint_name(status.body), "rod_joint") << words_for(options);
        ASSERT_TRUE(a.array().isNaN().all());

        const Eigen::VectorXf q1 = q.template cast<float>(), v1 = v.template cast<float>(),
                              tau1 = tau.template cast<float>();
        Eigen::VectorXf a1(model.nv());
        ASSERT_EQ(dynamics.solve(q1, v1, tau1, a1).code, StatusCode::singular)
            << words_for(options) << " in float: " << a1.transpose();
      });
    }
  }
}

/// As thin as wire, a rod is solved, to the digits that its slenderness leaves: the torque about it is a difference of
/// rounded numbers and divided by its small inertia.
TEST(IdleRods, BesideThemThinRodsAreSolved) {
  for (const Numbers3& to : directions)
    for (const double spin : {1e-4, 1e-6, 1e-9}) {
      const Model model = coupled_by_rod(to, spin);
      std::vector<double> worst(all_algorithms().size(), 0);
      for_states(model, 100, [&](const auto& q, const auto& v, auto tau) {
        tau.segment(1, 3).setZero();  // else the spin outweighs all
        const std::vector<Reference> exact = reference_accelerations(model, {q, v, tau, {}});
        Eigen::VectorXd a(model.nv()), truth(model.nv());
        for (Eigen::Index k = 0; k < truth.size(); ++k)
          truth[k] = static_cast<double>(exact[static_cast<std::size_t>(k)]);
        for (std::size_t n = 0; n < worst.size(); ++n) {
          ForwardDynamics dynamics(model, all_algorithms()[n]);
          ASSERT_TRUE(dynamics.solve(q, v, tau, a).ok()) << words_for(all_algorithms()[n]);
          keep_worst(worst[n], largest_of(a - truth) / largest_of(truth));
        }
      });
      for (std::size_t n = 0; n < worst.size(); ++n)
        EXPECT_LT(worst[n], 1e-14 / spin) << words_for(all_algorithms()[n]) << ", " << spin << " kg m²";
    }
}

}  // namespace
}  // namespace kinetree::oracle
