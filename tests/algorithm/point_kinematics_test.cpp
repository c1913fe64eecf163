// Poses, velocities, accelerations, Jacobians and momentum against the oracle in absolute coordinates, identities, and
// forward dynamics.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstring>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/model/model_data.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mechanisms.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using bench::StateSet;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::vector<int> all_links(const Model& model) {
  std::vector<int> links(model.data().frames.size());
  for (std::size_t k = 0; k < links.size(); ++k) links[k] = static_cast<int>(k);
  return links;
}

Vector3d eigen(const Vec<double>& a) { return {a.x, a.y, a.z}; }
Eigen::Matrix3d eigen(const Mat<double>& A) {
  Eigen::Matrix3d R;
  R << eigen(A.x), eigen(A.y), eigen(A.z);
  return R;
}

/// Every joint type, fixed links among them, off every axis; floating or not.
Description every_joint(std::uint64_t seed) {
  Random random(seed);
  Description d;
  d.name = "every joint";
  std::string parent = "world";
  for (std::size_t t = 0; t < joint_type_names.size(); ++t) {
    const auto type = static_cast<JointType>((t + seed) % joint_type_names.size());
    d.bodies.push_back(random_body(random, "b" + std::to_string(t), parent, type));
    if (t % 3 != 1) parent = d.bodies.back().name;
  }
  d.bodies.push_back(random_body(random, "on_the_ground", "world", JointType::fixed));
  return d;
}

struct Evaluated {
  MatrixXd poses, velocities, accelerations, J, rates;
};

template <class T = double>
Evaluated evaluate(const Model& model, const MatrixXd& q_, const MatrixXd& v_, const MatrixXd& a_,
                   const LinkPoints& points, Axes axes, const WorkspaceOptions& options = {},
                   Coordinates coordinates = Coordinates::spanning) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  Workspace w(model, options);
  const Matrix q = q_.cast<T>(), v = v_.cast<T>(), a = a_.cast<T>();
  const Eigen::Index n = static_cast<Eigen::Index>(points.size()), count = q.cols();
  const Eigen::Index columns = coordinates == Coordinates::independent
                                   ? static_cast<Eigen::Index>(independent_velocities(model).size())
                                   : model.nv();
  Matrix poses_(12 * n, count), alone(12 * n, count), velocity(6 * n, count), acceleration(6 * n, count),
      J(6 * n, columns * count), rate(6 * n, count);
  EXPECT_TRUE(point_kinematics(model, w, q, v, a, points, axes, poses_, velocity, acceleration).ok());
  EXPECT_TRUE(poses(model, w, q, points, alone).ok());
  EXPECT_LE((alone - poses_).norm(), 1e-6 * (1 + poses_.norm()));
  EXPECT_TRUE(jacobians(model, w, q, points, axes, J, coordinates).ok());
  EXPECT_TRUE(jacobian_rates(model, w, q, v, points, axes, rate, coordinates).ok());
  return {poses_.template cast<double>(), velocity.template cast<double>(), acceleration.template cast<double>(),
          J.template cast<double>(), rate.template cast<double>()};
}

TEST(PointKinematics, AgreeWithTheOracleInAbsoluteCoordinates) {
  for (std::uint64_t seed = 0; seed < joint_type_names.size(); ++seed) {
    const Description d = every_joint(seed);
    const Model model = make_model(d);
    DenseOracle<double> oracle(d, model);
    const TestState s = random_state(model, seed + 3);
    const VectorXd a = s.tau;
    oracle.set(s.q, s.v);
    Random random(seed);
    std::vector<LinkPoint> points;
    for (const int link : all_links(model)) points.emplace_back(link, random_numbers(random, 0.4));
    const Evaluated world = evaluate(model, s.q, s.v, a, points, Axes::world_aligned);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto& link = oracle.link(model.data().frames[k].name);
      const auto row = static_cast<Eigen::Index>(6 * k);
      const Eigen::Matrix3d R = eigen(link.R);
      const Vector3d r = R * Vector3d(points[k].offset[0], points[k].offset[1], points[k].offset[2]);
      const Eigen::Map<const Eigen::Matrix<double, 3, 4>> pose(world.poses.data() + 12 * k);
      EXPECT_LE((pose.leftCols<3>() - R).norm(), 1e-12) << seed << ", " << k;
      EXPECT_LE((pose.col(3) - eigen(link.p) - r).norm(), 1e-12) << seed << ", " << k;
      // classical mechanics of a rigid body
      const Vector3d omega = eigen(link.omega), speed = eigen(link.speed) + omega.cross(r);
      Vector3d alpha = eigen(link.alpha), origin = eigen(link.acceleration);
      MatrixXd J = MatrixXd::Zero(6, model.nv());
      for (std::size_t p = 0; p < link.path.size(); ++p) {
        const Vector3d turn = eigen(link.turns[p]), slide = eigen(link.slides[p]);
        J.col(link.path[p]) << turn, slide + turn.cross(r);
      }
      VectorXd rate(6);
      rate << alpha, origin + alpha.cross(r) + omega.cross(omega.cross(r));
      EXPECT_LE((world.velocities.col(0).segment<3>(row) - omega).norm(), 1e-11) << seed << ", " << k;
      EXPECT_LE((world.velocities.col(0).segment<3>(row + 3) - speed).norm(), 1e-11) << seed << ", " << k;
      EXPECT_LE((world.J.middleRows(row, 6) - J).norm(), 1e-11 * (1 + J.norm())) << seed << ", " << k;
      EXPECT_LE((world.rates.col(0).segment<6>(row) - rate).norm(), 1e-10 * (1 + rate.norm())) << seed << ", " << k;
      const VectorXd whole = rate + J * a;
      EXPECT_LE((world.accelerations.col(0).segment<6>(row) - whole).norm(), 1e-10 * (1 + whole.norm()))
          << seed << ", " << k;
    }
  }
}

/// What the other axes give follows from those that are world aligned; rates of velocities by differences of J along v.
TEST(PointKinematics, AxesSayOneThing) {
  const Model model = make_model("random:30:seed=5:floating=1");
  const TestState s = random_state(model, 2);
  const std::vector<int> links = all_links(model);
  const Evaluated aligned = evaluate(model, s.q, s.v, s.tau, links, Axes::world_aligned),
                  local = evaluate(model, s.q, s.v, s.tau, links, Axes::link),
                  world = evaluate(model, s.q, s.v, s.tau, links, Axes::world);
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(6 * k);
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> pose(aligned.poses.data() + 12 * k);
    const Eigen::Matrix3d R = pose.leftCols<3>();
    Eigen::Matrix<double, 6, 6> to_link = Eigen::Matrix<double, 6, 6>::Zero(), to_world = to_link;
    to_link.topLeftCorner<3, 3>() = to_link.bottomRightCorner<3, 3>() = R.transpose();
    to_world.setIdentity();
    for (int c = 0; c < 3; ++c) to_world.bottomLeftCorner<3, 3>().col(c) = pose.col(3).cross(Vector3d::Unit(c));
    EXPECT_LE((local.J.middleRows(row, 6) - to_link * aligned.J.middleRows(row, 6)).norm(), 1e-11 * aligned.J.norm());
    EXPECT_LE((world.J.middleRows(row, 6) - to_world * aligned.J.middleRows(row, 6)).norm(), 1e-11 * world.J.norm());
  }
  const double scale = 1 + aligned.accelerations.norm();
  for (const Evaluated& e : {aligned, local, world}) {
    EXPECT_LE((e.J * s.v - e.velocities).norm(), 1e-11 * (1 + e.velocities.norm()));
    EXPECT_LE((e.J * s.tau + e.rates - e.accelerations).norm(), 1e-10 * scale);
  }
  EXPECT_LE(
      (evaluate(model, s.q, s.v, MatrixXd::Zero(model.nv(), 1), links, Axes::link).accelerations - local.rates).norm(),
      1e-11 * scale);
}

/// J̇ v is the difference quotient of J v along v, in each kind of axes.
TEST(PointKinematics, RatesAreDifferencesAlongTheMotion) {
  const Model model = make_model("chain:6");
  const TestState s = random_state(model, 4);
  const std::vector<int> links = all_links(model);
  constexpr double h = 1e-5;
  for (const Axes axes : {Axes::link, Axes::world, Axes::world_aligned}) {
    const auto velocity = [&](double t) { return evaluate(model, s.q + t * s.v, s.v, s.v, links, axes).velocities; };
    const MatrixXd rate = evaluate(model, s.q, s.v, s.v, links, axes).rates;
    EXPECT_LE(((velocity(h) - velocity(-h)) / (2 * h) - rate).norm(), 1e-8 * (1 + rate.norm()));
  }
}

TEST(PointKinematics, IndependentCoordinatesGiveTheMotionsThatLoopsAllow) {
  const std::string folder = std::string(KINETREE_MODELS) + "/";
  for (const Model& model :
       {load_model(folder + "five_bar.yaml"), load_model(folder + "four_bar_quadruped.yaml", {.floating_base = true}),
        make_model("geared:5"), make_model("fourbars:3")}) {
    const StateSet states = bench::random_states(model, 5, 3);
    MatrixXd a(model.nv(), states.count());
    ForwardDynamics dynamics(model);
    ASSERT_TRUE(dynamics.solve(states.q, states.v, states.tau, a).ok());
    const std::vector<int> links = all_links(model), independent = independent_velocities(model);
    const auto n = static_cast<Eigen::Index>(independent.size());
    for (const Axes axes : {Axes::link, Axes::world_aligned}) {
      const Evaluated e = evaluate(model, states.q, states.v, a, links, axes, {}, Coordinates::independent);
      for (Eigen::Index c = 0; c < states.count(); ++c) {
        const MatrixXd J = e.J.middleCols(c * n, n);
        VectorXd v(n), rate(n);
        for (Eigen::Index k = 0; k < n; ++k) {
          v[k] = states.v(independent[static_cast<std::size_t>(k)], c);
          rate[k] = a(independent[static_cast<std::size_t>(k)], c);
        }
        EXPECT_LE((J * v - e.velocities.col(c)).norm(), 1e-9 * (1 + e.velocities.col(c).norm())) << model.name();
        EXPECT_LE((J * rate + e.rates.col(c) - e.accelerations.col(c)).norm(),
                  1e-8 * (1 + e.accelerations.col(c).norm()))
            << model.name();
      }
    }
  }
}

struct Moving {
  VectorXd twelve;
  MatrixXd A;
};
Moving momentum_of(const Model& model, const VectorXd& q, const VectorXd& v) {
  Workspace w(model);
  Moving m{VectorXd(12), MatrixXd(6, model.nv())};
  EXPECT_TRUE(momentum(model, w, q, v, m.twelve).ok());
  EXPECT_TRUE(momentum_matrix(model, w, q, m.A).ok());
  return m;
}

/// The centre of mass by potential energies in three gravities; momentum by the base's rows of the mass matrix.
TEST(Momentum, FollowsFromPotentialEnergiesAndTheMassMatrix) {
  Description d = make_description("random:25:seed=9", {.floating_base = true});
  const Model model = make_model(d);
  const TestState s = random_state(model, 7);
  const Moving m = momentum_of(model, s.q, s.v);
  EXPECT_LE((m.A * s.v - m.twelve.segment<6>(6)).norm(), 1e-11 * m.twelve.norm());
  double mass = 0;
  for (const BodyDescription& b : d.bodies)
    if (b.inertial) mass += b.inertial->mass;
  EXPECT_NEAR(m.twelve.segment<3>(3).norm() * mass, m.twelve.segment<3>(9).norm(), 1e-11 * mass);
  for (int axis = 0; axis < 3; ++axis) {
    d.gravity = {0, 0, 0}, d.gravity[static_cast<std::size_t>(axis)] = -1;
    const Model pulled = make_model(d);
    Workspace w(pulled);
    Energy e;
    ASSERT_TRUE(energy(pulled, w, s.q, s.v, e).ok());
    EXPECT_NEAR(e.potential / mass, m.twelve[axis], 1e-12);
  }
  Workspace w(model);
  MatrixXd H(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, w, s.q, H).ok());
  const int base = model.body_of_joint("floating_base"), at = model.v_index(base);
  VectorXd pose(12);
  ASSERT_TRUE(poses(model, w, s.q, std::vector{frame_index(model, model.body_name(base))}, pose).ok());
  const Eigen::Map<const Eigen::Matrix3d> turn(pose.data());
  const VectorXd h = (H * s.v).segment<6>(at);  // force, moment in the base's axes about its origin
  const Vector3d linear = turn * h.head<3>(), origin = pose.tail<3>();
  const Vector3d angular = turn * h.tail<3>() - (m.twelve.head<3>() - origin).cross(linear);
  EXPECT_LE((m.twelve.segment<3>(9) - linear).norm(), 1e-11 * linear.norm());
  EXPECT_LE((m.twelve.segment<3>(6) - angular).norm(), 1e-10 * angular.norm());
}

TEST(Forces, BiasIsCoriolisAndGravity) {
  for (const Model& model : {make_model("random:25:seed=9:floating=1"), make_model("geared:5")}) {
    const StateSet s = bench::random_states(model, 9, 3);
    Workspace w(model);
    MatrixXd bias(model.nv(), 9), coriolis = bias, gravity = bias, expected = bias;
    ASSERT_TRUE(bias_forces(model, w, s.q, s.v, bias).ok());
    ASSERT_TRUE(coriolis_forces(model, w, s.q, s.v, coriolis).ok());
    ASSERT_TRUE(gravity_forces(model, w, s.q, gravity).ok());
    ASSERT_TRUE(inverse_dynamics(model, w, s.q, s.v, MatrixXd::Zero(model.nv(), 9), expected).ok());
    EXPECT_LE((bias - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LE((coriolis + gravity - bias).norm(), 1e-12 * bias.norm());
    EXPECT_GT(coriolis.norm(), 1e-3);
  }
}

TEST(PointKinematics, LanesThreadsAndFloatAgree) {
  const Model model = make_model("random:30:seed=5:floating=1");
  const std::vector<int> links = all_links(model);
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    const StateSet s = bench::random_states(model, 2 * lane_width(set) + 1, 5);
    const Evaluated alone = evaluate(model, s.q, s.v, s.tau, links, Axes::world_aligned, {.lanes = 1});
    const Evaluated lanes = evaluate(model, s.q, s.v, s.tau, links, Axes::world_aligned);
    const Evaluated threads = evaluate(model, s.q, s.v, s.tau, links, Axes::world_aligned, {.threads = 2});
    const Evaluated in_float = evaluate<float>(model, s.q, s.v, s.tau, links, Axes::world_aligned);
    const auto near = [](const MatrixXd& a, const MatrixXd& b, double bound) {
      EXPECT_LE((a - b).norm(), bound * b.norm());
    };
    for (const auto member :
         {&Evaluated::poses, &Evaluated::velocities, &Evaluated::accelerations, &Evaluated::J, &Evaluated::rates}) {
      near(lanes.*member, alone.*member, 1e-12);
      near(in_float.*member, alone.*member, 1e-4);
      const auto& a = threads.*member;
      const auto& b = lanes.*member;
      EXPECT_EQ(std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())), 0);
    }
  }
}

TEST(PointKinematics, WrongCallsAreNamedAndWriteNothing) {
  const Model model = make_model("chain:3");
  Workspace w(model);
  const VectorXd q = VectorXd::Zero(3);
  const std::vector<int> links{1}, none{99};
  MatrixXd J = MatrixXd::Constant(6, 3, 7), small = MatrixXd::Constant(6, 2, 7);
  EXPECT_EQ(jacobians(model, w, q, links, Axes::link, small).code, StatusCode::wrong_size);
  EXPECT_EQ(jacobians(model, w, q, none, Axes::link, J).code, StatusCode::no_such_frame);
  EXPECT_EQ(jacobians(model, w, VectorXd::Zero(4), links, Axes::link, J).code, StatusCode::wrong_size);
  VectorXd all = VectorXd::Zero(12);
  EXPECT_EQ(poses(model, w, all.head(3), links, all).code, StatusCode::shared_memory);
  EXPECT_EQ(J, MatrixXd::Constant(6, 3, 7));
  EXPECT_EQ(small, MatrixXd::Constant(6, 2, 7));
  const Model other = make_model("chain:3");
  EXPECT_EQ(jacobians(other, w, q, links, Axes::link, J).code, StatusCode::other_model);
}

TEST(PointKinematics, PointsAreListsOrOneOrInBraces) {
  const Model model = make_model("chain:7");
  Workspace w(model);
  const VectorXd q = VectorXd::LinSpaced(model.nq(), 0.1, 0.9);
  const int hand = frame_index(model, model.body_name(6)), elbow = frame_index(model, model.body_name(3));
  const LinkPoint tip{hand, {0, 0, 0.1}};
  const auto J = [&](const LinkPoints& points) {
    MatrixXd result(6 * static_cast<Eigen::Index>(points.size()), model.nv());
    EXPECT_TRUE(jacobians(model, w, q, points, Axes::link, result).ok());
    return result;
  };
  const MatrixXd of_tip = J(std::vector<LinkPoint>{tip}), of_both = J(std::vector<LinkPoint>{tip, elbow});
  EXPECT_EQ(of_both.topRows(6), of_tip);
  EXPECT_EQ(J(tip), of_tip);
  EXPECT_EQ(J({tip}), of_tip);
  EXPECT_EQ(J({{hand, {0, 0, 0.1}}}), of_tip);
  EXPECT_EQ(J({tip, elbow}), of_both);
  const MatrixXd of_links = J(std::vector<int>{hand, elbow});
  EXPECT_NE(of_links.topRows(6), of_tip);
  EXPECT_EQ(J({hand, elbow}), of_links);
  EXPECT_EQ(J(hand), of_links.topRows(6));
  EXPECT_EQ(J({hand}), of_links.topRows(6));
}

TEST(PointKinematics, AllocateNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP();
  const Model model = make_model("random:30:seed=5:floating=1");
  Workspace w(model);
  const StateSet s = bench::random_states(model, 17, 5);
  std::vector<int> links = all_links(model);
  const auto n = static_cast<Eigen::Index>(links.size());
  MatrixXd J(6 * n, 17 * model.nv()), P(12 * n, 17), V(6 * n, 17), A(6 * n, 17), M(12, 17);
  bool good = true;
  const auto all = [&] {
    good = jacobians(model, w, s.q, links, Axes::world, J).ok() && good;
    good = poses(model, w, s.q, links, P).ok() && good;
    good = point_kinematics(model, w, s.q, s.v, s.tau, links, Axes::world, P, V, A).ok() && good;
    good = momentum(model, w, s.q, s.v, M).ok() && good;
  };
  all();
  std::swap(links[0], links[5]);
  start_counting();
  all();
  EXPECT_EQ(stop_counting().ours, 0U);
  EXPECT_TRUE(good);
}

}  // namespace
}  // namespace kinetree::oracle
