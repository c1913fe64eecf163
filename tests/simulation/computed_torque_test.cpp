// Held by computed torques: the closed form of critical damping, torques against forward dynamics, a biped on its feet.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/computed_torque.hpp>

#include "engine/joint/advance.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/velocity_map.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model configured(const std::string& name) { return load_model(std::string(KINETREE_MODELS) + "/" + name + ".yaml"); }

VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

MatrixXd velocity_map(const Model& model, const VectorXd& q) {
  VelocityMap X_S(model.data());
  return X_S(q.data());
}

/// Near the pose, along velocities that the constraints allow.
VectorXd moved(const Model& model, const VectorXd& pose, double by) {
  const MatrixXd X = velocity_map(model, pose);
  VectorXd x = X * VectorXd::Ones(X.cols()), q = pose;
  x *= by / largest_of(x);
  const ModelData& m = model.data();
  for (std::size_t i = 0; i < m.parent.size(); ++i) advance(m.joint_type[i], &q[m.q_index[i]], x.data() + m.v_index[i]);
  return q;
}

TEST(ComputedTorque, AllocatesNothingAfterTheFirst) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  for (const char* name : {"arm6", "four_bar", "geared_arm", "standing_biped"}) {
    const Model model = configured(name);
    ComputedTorque hold(model, vector(model.data().assembled), 4);
    const VectorXd q = moved(model, hold.pose(), 0.05), rest = VectorXd::Zero(model.nv());
    Simulation simulation(model);
    ASSERT_TRUE(simulation.assemble(q, rest).ok()) << name;
    const VectorXd closed = simulation.q();
    VectorXd tau(model.nv());
    ASSERT_TRUE(hold.torques(closed, rest, tau).ok()) << name;
    start_counting();
    const bool ok = hold.torques(closed, rest, tau).ok();
    const Allocations seen = stop_counting();
    EXPECT_TRUE(ok) << name;
    EXPECT_EQ(seen.ours, 0u) << name;
  }
}

/// r - r0 = (x + (u + w x) t) exp(-w t) in every independent joint.
TEST(ComputedTorque, ReturnsAsCriticalDampingDoes) {
  for (const char* name : {"four_bar", "five_bar", "geared_arm", "arm6"}) {
    const Model model = configured(name);
    VectorXd guess = VectorXd::Zero(model.nq());
    guess[0] = 0.9, guess[1] = -0.6, guess[2] = 1.4;
    const double w = 4;
    ComputedTorque hold(model, guess, w);
    Simulation simulation(model);
    ASSERT_TRUE(simulation.assemble(moved(model, hold.pose(), 0.3), VectorXd::Constant(model.nv(), 0.5)).ok());
    const VectorXd x = simulation.q() - hold.pose(), u = simulation.v();
    for (const double t : {0.1, 0.5, 1.5}) {
      const Status status = simulation.advance_to(t, hold.control());
      ASSERT_TRUE(status.ok()) << name << ": " << status.message(model);
      for (const int k : hold.independent())
        EXPECT_NEAR(simulation.q()[k] - hold.pose()[k], (x[k] + (u[k] + w * x[k]) * t) * std::exp(-w * t), 1e-8)
            << name << " at " << t;
    }
  }
}

/// Forward dynamics by another algorithm has the wanted accelerations; nothing acts on the trunk; no other torques of
/// the legs do the same with less.
TEST(ComputedTorque, TorquesAreTheSmallestThatDo) {
  const Model model = configured("standing_biped");
  const double w = 3;
  ComputedTorque hold(model, vector(model.data().assembled), w);
  Simulation state(model);
  VectorXd v = VectorXd::Zero(model.nv());
  v[0] = 0.2, v[1] = -0.1, v[4] = 0.3;
  ASSERT_TRUE(state.assemble(moved(model, hold.pose(), 0.05), v).ok());
  VectorXd tau, a(model.nv());
  ASSERT_TRUE(hold.torques(state.q(), state.v(), tau).ok());
  EXPECT_EQ(tau.head(6), VectorXd::Zero(6));
  ForwardDynamics dynamics(model, {.algorithm = Algorithm::crb, .executor = ExecutorKind::serial});
  ASSERT_TRUE(dynamics.solve(state.q(), state.v(), tau, a).ok());
  const VectorXd &q = state.q(), &q0 = hold.pose();
  EXPECT_EQ(hold.independent().size(), 6u);
  for (const int k : hold.independent())
    if (k >= 6) {  // joints of one freedom: their q stands one entry later
      EXPECT_NEAR(a[k], -w * w * (q[k + 1] - q0[k + 1]) - 2 * w * state.v()[k], 1e-9);
    } else if (k < 3) {  // the trunk's way, in its own axes
      const Eigen::Quaterniond turn(q[6], q[3], q[4], q[5]);
      const Eigen::Vector3d way = turn.conjugate() * (q - q0).head<3>();
      EXPECT_NEAR(a[k], -w * w * way[k] - 2 * w * state.v()[k], 1e-9);
    } else {
      const Eigen::Quaterniond turn(q[6], q[3], q[4], q[5]), turn0(q0[6], q0[3], q0[4], q0[5]);
      const Eigen::AngleAxisd way(turn0.conjugate() * turn);
      EXPECT_NEAR(a[k], -w * w * way.angle() * way.axis()[k - 3] - 2 * w * state.v()[k], 1e-9);
    }
  const MatrixXd X_A = velocity_map(model, q).bottomRows(12);
  const VectorXd legs = tau.tail(12);
  EXPECT_LE((legs - X_A * X_A.colPivHouseholderQr().solve(legs)).norm(), 1e-10 * legs.norm());
}

/// A start 0.05 off every way at once; two seconds later it stands, its feet where they were. Without torques it falls.
TEST(ComputedTorque, BipedStandsOnBothFeet) {
  const Model model = configured("standing_biped");
  ComputedTorque hold(model, vector(model.data().assembled), 5);
  Simulation held(model), dropped(model);
  const VectorXd start = moved(model, hold.pose(), 0.065), rest = VectorXd::Zero(model.nv());
  ASSERT_TRUE(held.assemble(start, rest).ok());
  EXPECT_GE(largest_of(held.q() - hold.pose()), 0.05);
  const double standing = held.energy().total();
  double most = 0, open = 0;
  for (int k = 1; k <= 100; ++k) {
    const Status status = held.advance_to(0.02 * k, hold.control());
    ASSERT_TRUE(status.ok()) << status.message(model);
    keep_worst(most, std::abs(held.energy().total() - standing));
    keep_worst(open, held.closure_error());
  }
  const double off = largest_of(held.q() - hold.pose());
  std::printf("2 s: %.1e from the pose, feet within %.1e, energy within %.2f J of the start's\n", off, open, most);
  EXPECT_LE(off, 1e-3);
  EXPECT_LE(open, 1e-12);
  EXPECT_LE(most, 5);  // of about 9.2 kg 0.05 m higher or lower
  ASSERT_TRUE(dropped.assemble(start, rest).ok());
  double lowest = dropped.q()[2];
  for (int k = 1; k <= 100 && dropped.advance_to(0.02 * k).ok(); ++k) lowest = std::min(lowest, dropped.q()[2]);
  EXPECT_LT(lowest, hold.pose()[2] - 0.3);
}

/// Turns and ways from a pose in general position, every joint with motors: x from the pose wants -w² x - 2 w v.
TEST(ComputedTorque, TurnsBackTheShortestWay) {
  const Model model = make_model("random:6:seed=4:floating=1:joints=spherical");
  const ModelData& m = model.data();
  const TestState s = random_state(model, 8);
  std::vector<std::string> motors;
  for (int b = 0; b < model.body_count(); ++b) motors.emplace_back(model.joint_name(b));
  const double w = 2;
  ComputedTorque hold(model, s.q, w, motors);
  VectorXd q = s.q, wanted = -2 * w * s.v, tau, a(model.nv());
  for (std::size_t i = 0; i < m.parent.size(); ++i) {
    const bool floats = m.joint_type[i] == JointType::floating;
    ASSERT_TRUE(floats || m.joint_type[i] == JointType::spherical);
    const int first = m.q_index[i] + (floats ? 3 : 0), v = m.v_index[i] + (floats ? 3 : 0);
    const Eigen::Vector3d turn = 1.7 * s.tau.segment<3>(v).normalized();
    Eigen::Quaterniond there(q[first + 3], q[first], q[first + 1], q[first + 2]);
    there = there * Eigen::AngleAxisd(turn.norm(), turn.normalized());
    q.segment<4>(first) = -there.coeffs();  // the same orientation
    wanted.segment<3>(v) -= w * w * turn;
    if (!floats) continue;
    const Eigen::Vector3d way(0.3, -0.2, 0.5);  // in the ground's axes
    q.segment<3>(m.q_index[i]) += way;
    wanted.segment<3>(m.v_index[i]) -= w * w * (there.conjugate() * way);
  }
  ASSERT_TRUE(hold.torques(q, s.v, tau).ok());
  ForwardDynamics dynamics(model, {.algorithm = Algorithm::crb, .executor = ExecutorKind::serial});
  ASSERT_TRUE(dynamics.solve(q, s.v, tau, a).ok());
  EXPECT_LE(largest_of(a - wanted), 1e-9 * largest_of(wanted));
}

/// Folded flat at zero, where it may go on as a parallelogram or crossed.
Model folded_flat() {
  Description d;
  d.name = "parallelogram";
  const auto bar = [&](const char* name, const char* parent, double at, double length) {
    BodyDescription& b = d.bodies.emplace_back();
    b.name = name, b.parent = parent;
    b.joint.name = std::string("j_") + name, b.joint.type = "revolute", b.joint.axis = {0, 1, 0};
    b.joint.origin.xyz = {at, 0, 0};
    b.inertial = InertialDescription{1, {{length / 2, 0, 0}}, {0.01, 0.01, 0.01, 0, 0, 0}};
  };
  bar("crank", "world", 0, 0.1), bar("coupler", "crank", 0.1, 0.3), bar("rocker", "world", 0.3, 0.1);
  LoopDescription l;
  l.name = "end", l.type = "revolute", l.axis = {0, 1, 0};
  l.first.body = "coupler", l.first.frame.xyz = {0.3, 0, 0};
  l.second.body = "rocker", l.second.frame.xyz = {0.1, 0, 0};
  d.loops.push_back(l);
  return make_model(d);
}

void expect_refused(const Model& model, const VectorXd& pose, double rate, const std::vector<std::string>& motors,
                    const std::string& words) {
  try {
    const ComputedTorque refused(model, pose, rate, motors);
    ADD_FAILURE() << "not refused: " << words;
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(ComputedTorque, SaysWhatItCantHold) {
  const Model model = configured("five_bar");
  VectorXd pose = vector(model.data().assembled);
  pose << 2, -1.2, 1, 1.2;
  ComputedTorque cranks(model, pose, 5, {"left_motor", "right_motor"});
  VectorXd tau;
  ASSERT_TRUE(cranks.torques(cranks.pose(), VectorXd::Zero(4), tau).ok());
  EXPECT_EQ(tau[1], 0);
  EXPECT_EQ(tau[3], 0);
  EXPECT_GT(tau.norm(), 0);
  expect_refused(model, pose, 0, {}, "rate is 0");
  expect_refused(model, pose, std::nan(""), {}, "rate is nan");
  expect_refused(model, VectorXd::Zero(3), 1, {}, "the pose has 3 positions; 4 are expected");
  expect_refused(model, pose, 1, {"left"}, "\"left\" is no joint");
  expect_refused(model, pose, 1, {"left_motor"}, "move 1 of 2 independent");
  const Model thrown = make_model("chain:3", {.floating_base = true});
  expect_refused(thrown, vector(thrown.data().assembled), 1, {}, "no torques hold it");
  expect_refused(folded_flat(), VectorXd::Zero(3), 1, {}, "lose rank");
  VectorXd nan = VectorXd::Constant(4, std::nan(""));
  EXPECT_EQ(cranks.torques(nan, nan, tau).code, StatusCode::not_finite);
  EXPECT_TRUE(std::isnan(tau[0]));
}

}  // namespace
}  // namespace kinetree::oracle
