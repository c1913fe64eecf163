// A delta robot's platform through the points where its forearms' parallelograms stand across one plane: there it might
// begin to turn. Truth is the same mechanism with a platform that can't turn, which knows of no change point.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <ctime>
#include <initializer_list>
#include <kinetree/simulation/simulation.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "loops/linkage_parts.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double hip = 0.1, reach = 0.22, arm = 0.2, forearm = 0.4, half = 0.05;  ///< m; reach: of the platform

struct Delta {
  Description description;
  VectorXd q, v;
};

void add(Description& d, const std::string& name, const std::string& parent, const std::string& type,
         const Numbers3& axis, const Placement& at, double mass, double length, double inertia) {
  BodyDescription b;
  b.name = name, b.parent = parent;
  b.joint.name = name + "_joint", b.joint.type = type, b.joint.axis = axis, b.joint.origin = at;
  if (mass > 0)
    b.inertial = InertialDescription{mass, {{length / 2, 0, 0}}, {0.1 * inertia, inertia, inertia, 0, 0, 0}};
  d.bodies.push_back(b);
}

/// With its platform's centre at c, which moves along w and does not turn. `slides`: the platform can't turn at all.
Delta delta(bool slides, const Vector3d& c, const Vector3d& w) {
  Delta made;
  Description& d = made.description;
  d.name = "delta", d.gravity = {0, 0, -9.81};
  std::vector<double> q, v;
  const auto stands = [&](std::initializer_list<double> at, std::initializer_list<double> rates) {
    q.insert(q.end(), at), v.insert(v.end(), rates);
    d.assembled.push_back({d.bodies.back().joint.name, at});
  };
  const auto plate = [&](const std::string& parent, const std::string& type, const Placement& at, const Vector3d& com) {
    add(d, "plate", parent, type, {0, 0, 1}, at, 1, 0, 0.02);
    d.bodies.back().inertial->frame.xyz = {com.x(), com.y(), com.z()};
  };
  if (slides) {
    add(d, "x", "world", "prismatic", {1, 0, 0}, {}, 0, 0, 0), stands({c.x()}, {w.x()});
    add(d, "y", "x", "prismatic", {0, 1, 0}, {}, 0, 0, 0), stands({c.y()}, {w.y()});
    plate("y", "prismatic", {}, {0, 0, 0}), stands({c.z()}, {w.z()});
  }
  for (int k = 0; k < 3; ++k) {
    const std::string n = std::to_string(k);
    const double turn = 2 * std::numbers::pi / 3 * k;
    const Matrix3d R = AngleAxisd(turn, Vector3d::UnitZ()).matrix();
    // in the arm's plane: from the hip to the forearms' common tip, to the elbow by the triangle, and on
    const Vector3d tip = R.transpose() * c + Vector3d(reach - hip, 0, 0), rate = R.transpose() * w;
    const double across = (tip.squaredNorm() + arm * arm - forearm * forearm) / (2 * arm);
    const double t = std::atan2(-tip.z(), tip.x()) - std::acos(across / std::hypot(tip.x(), tip.z()));
    const Vector3d f = tip - arm * Vector3d(std::cos(t), 0, -std::sin(t));
    const Vector3d by_turn = -arm * Vector3d(std::sin(t), 0, std::cos(t));
    const double dt = f.dot(rate) / f.dot(by_turn), down = std::atan2(-f.z(), f.x()), out = std::asin(f.y() / forearm);
    const Vector3d df = rate - dt * by_turn;
    const double d_down = (f.z() * df.x() - f.x() * df.z()) / (f.x() * f.x() + f.z() * f.z());
    const double d_out = df.y() / (forearm * std::cos(out));
    add(d, "arm" + n, "world", "revolute", {0, 1, 0},
        {{hip * std::cos(turn), hip * std::sin(turn), 0}, quaternion_from_rpy({0, 0, turn})}, 0.5, arm, 2e-3);
    stands({t}, {dt});
    for (const double y : {half, -half}) {
      const std::string m = n + (y > 0 ? "a" : "b");
      add(d, "cross" + m, "arm" + n, "revolute", {0, 1, 0}, {{arm, y, 0}}, 0, 0, 0);
      stands({down - t}, {d_down - dt});
      add(d, "rod" + m, "cross" + m, "revolute", {0, 0, 1}, {}, 0.2, forearm, 2.7e-3);
      stands({out}, {d_out});
      if (!slides && k == 0 && y > 0) {  // the platform's frame stands in this tip, its axes are those of the world
        plate("rod" + m, "spherical", {{forearm, 0, 0}}, {-reach, -half, 0});
        const Matrix3d tilt = (AngleAxisd(down, Vector3d::UnitY()) * AngleAxisd(out, Vector3d::UnitZ())).matrix();
        const Eigen::Quaterniond o(tilt.transpose());
        const Vector3d back = -d_down * Vector3d::UnitY() - d_out * tilt.col(2);
        stands({o.x(), o.y(), o.z(), o.w()}, {back.x(), back.y(), back.z()});
        continue;
      }
      Vector3d at = R * Vector3d(reach, y, 0);
      if (!slides) at -= Vector3d(reach, half, 0);
      d.loops.push_back(joined("tip" + m, "spherical", "rod" + m, {forearm, 0, 0}, "plate", {at.x(), at.y(), at.z()}));
    }
  }
  made.q = Eigen::Map<VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
  made.v = Eigen::Map<VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  return made;
}

struct Moved {
  Status status;
  VectorXd arms;
  double seconds = 0, drift = 0, time = 0;  ///< of CPU, of the longest call; of energy, J; s
};

Moved move(bool slides, const SimulationOptions& how) {
  const Delta m = delta(slides, {0.02, -0.03, -0.5}, {0.3, 0.2, 1});
  const Model model = make_model(m.description);
  EXPECT_EQ(independent_joints(model).size(), 3u);
  Simulation simulation(model, {}, how);
  Moved moved;
  moved.status = simulation.reset(m.q, m.v);
  const double start = simulation.energy().total();
  for (int k = 1; k <= 20 && moved.status.ok(); ++k) {
    const std::clock_t before = std::clock();
    moved.status = simulation.advance_to(0.05 * k);
    moved.seconds = std::max(moved.seconds, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
  moved.drift = std::abs(simulation.energy().total() - start);
  moved.arms.resize(3), moved.time = simulation.time();
  for (int k = 0; k < 3; ++k) moved.arms[k] = simulation.q()[model.q_index("arm" + std::to_string(k) + "_joint")];
  std::printf("tolerance %.0e, step %.0e: %.3f s, drift %.1e, %.2f s of CPU, %s\n", how.tolerance, how.step,
              simulation.time(), moved.drift, moved.seconds, moved.status.message(model).c_str());
  return moved;
}

/// Six change points in a second.
TEST(DeltaPlatform, PassesOrIsRefusedSoon) {
  const Moved truth = move(true, {Integrator::adaptive, 1e-3, 1e-13});
  ASSERT_TRUE(truth.status.ok());
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-11, 3e-12, 1e-12, 1e-13}) {
    const Moved moved = move(false, {Integrator::adaptive, 1e-3, tolerance});
    if (tolerance > 5e-12) {
      EXPECT_TRUE(moved.status.ok()) << tolerance;
    }
    if (moved.status.ok()) {
      EXPECT_LE((moved.arms - truth.arms).cwiseAbs().maxCoeff(), 50 * tolerance + 1e-10) << tolerance;
      continue;
    }
    EXPECT_EQ(moved.status.code, StatusCode::change_point);
    EXPECT_STREQ(moved.status.argument, "tolerance");
    EXPECT_GT(moved.status.value, tolerance);
    EXPECT_LT(moved.status.value, 3e-11);
    EXPECT_GT(move(false, {Integrator::adaptive, 1e-3, moved.status.value}).time, moved.time + 0.05) << "which passes";
    EXPECT_LE(moved.seconds, 1);
    EXPECT_LE(moved.drift, 1e4 * tolerance) << "up to there nothing is lost";
  }
}

/// Fixed steps lose nothing in silence.
TEST(DeltaPlatform, FixedStepsSayWhereTheyCannotPass) {
  for (const double step : {1e-3, 1e-4}) {
    const Moved moved = move(false, {Integrator::rk4, step});
    EXPECT_LE(moved.drift, 1e4 * std::pow(step, 4) + 1e-8);
    if (!moved.status.ok()) {
      EXPECT_EQ(moved.status.code, StatusCode::change_point);
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
