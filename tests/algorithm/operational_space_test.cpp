// J M⁻¹ Jᵀ of several links: against Jacobians of the oracle, by differences of places, and the oracle's mass matrix.
#include "engine/algorithm/operational_space.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <cstdio>
#include <kinetree/scalar/counted.hpp>
#include <kinetree/sko/operational_space.hpp>
#include <kinetree/sko/rigid_body.hpp>

#include "engine/algorithm/pass.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Real = long double;
using MatrixXr = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// q moved along velocity number c for a time h.
VectorXd moved(const Model& model, const VectorXd& q, int c, double h) {
  const ModelData& m = model.data();
  VectorXd to = q;
  int b = 0;
  while (m.v_index[static_cast<std::size_t>(b) + 1] <= c) ++b;
  const JointType type = m.joint_type[static_cast<std::size_t>(b)];
  int qi = m.q_index[static_cast<std::size_t>(b)], axis = c - m.v_index[static_cast<std::size_t>(b)];
  if (type != JointType::spherical && type != JointType::floating) {
    to[qi + axis] += h;
    return to;
  }
  if (type == JointType::floating) {  // [linear; angular] in the body's axes
    const Eigen::Quaterniond R(q[qi + 6], q[qi + 3], q[qi + 4], q[qi + 5]);
    if (axis < 3) {
      to.segment<3>(qi) += h * (R * Eigen::Vector3d::Unit(axis));
      return to;
    }
    qi += 3, axis -= 3;
  }
  const Eigen::Quaterniond before(q[qi + 3], q[qi], q[qi + 1], q[qi + 2]);
  to.segment<4>(qi) = (before * Eigen::AngleAxisd(h, Eigen::Vector3d::Unit(axis))).coeffs();
  return to;
}

struct Pose {
  Eigen::Matrix<Real, 3, 3> R;
  Eigen::Matrix<Real, 3, 1> p;
};
Pose pose(const DenseOracle<Real>& oracle, int link) {
  const auto point = [](const Vec<Real>& v) { return Eigen::Matrix<Real, 3, 1>(v.x, v.y, v.z); };
  Pose at;
  at.p = point(oracle.origin(link));
  at.R.col(0) = point(oracle.to_world(link, {1, 0, 0})) - at.p;
  at.R.col(1) = point(oracle.to_world(link, {0, 1, 0})) - at.p;
  at.R.col(2) = point(oracle.to_world(link, {0, 0, 1})) - at.p;
  return at;
}

/// Six rows per link, angular first, in the link's axes: sixth-order differences of the oracle's poses.
MatrixXr jacobian(DenseOracle<Real>& oracle, const Model& model, const VectorXd& q, const std::vector<int>& links) {
  MatrixXr J(6 * static_cast<Eigen::Index>(links.size()), model.nv());
  const VectorXd still = VectorXd::Zero(model.nv());
  const double h = 2e-3;
  for (int c = 0; c < model.nv(); ++c) {
    std::vector<Pose> rate(links.size(), {Eigen::Matrix<Real, 3, 3>::Zero(), Eigen::Matrix<Real, 3, 1>::Zero()});
    for (const auto& [step, weight] : {std::pair{1, 45}, {2, -9}, {3, 1}, {-1, -45}, {-2, 9}, {-3, -1}}) {
      oracle.set(moved(model, q, c, step * h), still);
      for (std::size_t l = 0; l < links.size(); ++l) {
        const Pose at = pose(oracle, links[l]);
        rate[l].R += weight / (60 * Real(h)) * at.R;
        rate[l].p += weight / (60 * Real(h)) * at.p;
      }
    }
    oracle.set(q, still);
    for (std::size_t l = 0; l < links.size(); ++l) {
      const auto R = pose(oracle, links[l]).R;
      const Eigen::Matrix<Real, 3, 3> turn = R.transpose() * rate[l].R;
      J.col(c).segment<3>(6 * static_cast<Eigen::Index>(l)) << turn(2, 1), turn(0, 2), turn(1, 0);
      J.col(c).segment<3>(6 * static_cast<Eigen::Index>(l) + 3) = R.transpose() * rate[l].p;
    }
  }
  return J;
}

MatrixXd expected_compliance(const Description& description, const Model& model, const VectorXd& q,
                             const std::vector<int>& links) {
  DenseOracle<Real> oracle(description, model);
  const MatrixXr J = jacobian(oracle, model, q, links);
  MatrixXr H(model.nv(), model.nv());
  for (int i = 0; i < model.nv(); ++i)
    for (int j = 0; j < model.nv(); ++j) H(i, j) = oracle.mass(i, j);
  return (J * H.ldlt().solve(J.transpose())).cast<double>();
}

MatrixXd compliance(const Model& model, const VectorXd& q, const std::vector<int>& frames) {
  Workspace workspace(model);
  const auto n = 6 * static_cast<Eigen::Index>(frames.size());
  MatrixXd Lambda_inverse = MatrixXd::Constant(n, n, std::nan(""));
  const Status status = operational_space_compliance(model, workspace, q, frames, Lambda_inverse);
  EXPECT_TRUE(status.ok()) << status.message(model);
  return Lambda_inverse;
}

void expect_same(const MatrixXd& a, const MatrixXd& b, const std::string& where) {
  ASSERT_EQ(a.rows(), b.rows());
  EXPECT_LE(largest_of(a - b), 1e-10 * largest_of(b)) << where;
  EXPECT_TRUE(a.allFinite()) << where;
}

TEST(OperationalSpace, IsTheOraclesOnRandomTrees) {
  int apart = 0, fixed = 0, shared = 0, pairs = 0;
  for (int number = 0; number < 40; ++number) {
    const std::string family = "random:" + std::to_string(4 + number % 12) + ":seed=" + std::to_string(number + 1) +
                               (number % 3 == 0 ? ":floating=1" : "") + (number % 5 == 1 ? ":special=1" : "");
    const Description description = make_description(family);
    const Model model = make_model(description);
    const VectorXd q = random_state(model, static_cast<std::uint64_t>(number)).q;
    Random random(static_cast<std::uint64_t>(number) + 100);
    std::vector<int> links;  // several, in any order, the last twice: links on branches, merged links, the ground's
    for (int k = 0; k < 5; ++k) links.push_back(random.below(static_cast<int>(description.bodies.size())));
    links.push_back(links.back());
    std::vector<int> frames;
    for (const int l : links)
      frames.push_back(frame_index(model, description.bodies[static_cast<std::size_t>(l)].name));
    const MatrixXd found = compliance(model, q, frames);
    expect_same(found, expected_compliance(description, model, q, links), family);
    EXPECT_TRUE((found.array() == found.transpose().array()).all()) << family;
    for (const int i : frames)
      for (const int j : frames) {
        const int a = model.data().frames[static_cast<std::size_t>(i)].body,
                  b = model.data().frames[static_cast<std::size_t>(j)].body;
        ++pairs, fixed += a < 0, shared += i != j && a == b, apart += a != b;
      }
  }
  EXPECT_GT(fixed, 0);
  EXPECT_GT(shared, 0);
  EXPECT_GT(apart, pairs / 2);
}

TEST(OperationalSpace, EveryLinkOfATreeAtOnce) {
  for (const char* family : {"tree:2x4", "star:5x3", "comb:10", "random:14:seed=5:floating=1", "chain:9"}) {
    const Description description = make_description(family);
    const Model model = make_model(description);
    const VectorXd q = random_state(model, 3).q;
    std::vector<int> links, frames;
    for (int l = 0; l < static_cast<int>(description.bodies.size()); ++l) {
      links.push_back(l);
      frames.push_back(frame_index(model, description.bodies[static_cast<std::size_t>(l)].name));
    }
    expect_same(compliance(model, q, frames), expected_compliance(description, model, q, links), family);
  }
}

TEST(OperationalSpace, FramesOnTheGroundHaveZeroRows) {
  Description description = make_description("chain:3");
  BodyDescription post;
  post.name = "post";
  post.parent = "world";
  post.joint.name = "to_post";
  post.joint.type = "fixed";
  description.bodies.push_back(post);
  const Model model = make_model(description);
  const VectorXd q = VectorXd::Constant(3, 0.4);
  const int frame = frame_index(model, "post"), tip = frame_index(model, description.bodies[2].name);
  const MatrixXd found = compliance(model, q, {frame, tip, frame});
  EXPECT_TRUE((found.topRows<6>().array() == 0).all() && (found.leftCols<6>().array() == 0).all());
  EXPECT_TRUE((found.bottomRows<6>().array() == 0).all() && (found.rightCols<6>().array() == 0).all());
  const MatrixXd alone = compliance(model, q, {tip});
  EXPECT_TRUE((found.block<6, 6>(6, 6).array() == alone.array()).all());
  EXPECT_TRUE((compliance(model, q, {frame}).array() == 0).all());
  EXPECT_EQ(compliance(model, q, {}).size(), 0);
}

TEST(OperationalSpace, WhatDoesNotMoveTogetherIsExactlyZero) {
  // arms of a fixed hub hang from the ground each on its own; a free joint passes nothing on
  const Model star = make_model("star:3x4");
  const MatrixXd arms =
      compliance(star, random_state(star, 1).q, {star.data().body_frame[3], star.data().body_frame[7]});
  EXPECT_TRUE((arms.topRightCorner<6, 6>().array() == 0).all());
  Description chain = make_description("chain:4");
  chain.bodies[2].joint.type = "floating";
  const Model model = make_model(chain);
  const MatrixXd two = compliance(model, random_state(model, 1).q, {1, 3});
  EXPECT_TRUE((two.topRightCorner<6, 6>().array() == 0).all());
  EXPECT_GT(two.bottomRightCorner(6, 6).norm(), 0);
}

TEST(OperationalSpace, OrderOfTheFramesOnlyMovesBlocks) {
  const Model model = make_model("random:20:seed=4:floating=1");
  const VectorXd q = random_state(model, 2).q;
  const std::vector<int> frames{3, 11, 0, 7, 11, 15};
  std::vector<int> turned(frames.rbegin(), frames.rend());
  const MatrixXd forth = compliance(model, q, frames), back = compliance(model, q, turned);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      EXPECT_TRUE(largest_of(forth.block<6, 6>(6 * i, 6 * j) - back.block<6, 6>(30 - 6 * i, 30 - 6 * j)) <=
                  1e-14 * largest_of(forth));
    }
}

TEST(OperationalSpace, AgreesWithTheOperatorLayerIn60Digits) {
  const Model model = make_model("chain:64");
  const VectorXd q = random_state(model, 5).q;
  const std::vector<Reference> q_(q.begin(), q.end()), v_(q_.size(), Reference(0));
  const sko::RigidBody<Reference> body = sko::rigid_body<Reference>(model, q_.data(), v_.data());
  const sko::Riccati<Reference> r = sko::riccati(body.model);
  const auto diagonal = sko::compliance_diagonal(body.model, r);
  const std::vector<int> bodies{63, 5, 40};
  std::vector<int> nodes, frames;
  MatrixXd X = MatrixXd::Zero(18, 18);  // body frames to link frames
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    nodes.push_back(sko::node_of_body(model, bodies[k]));
    frames.push_back(model.data().body_frame[static_cast<std::size_t>(bodies[k])]);
    const Transform<double>& T = model.data().frames[static_cast<std::size_t>(frames.back())].X_frame_body;
    const Matrix3<double>& E = T.E;
    Eigen::Matrix3d R, shift;
    R << E.xx, E.xy, E.xz, E.yx, E.yy, E.yz, E.zx, E.zy, E.zz;
    shift << 0, T.r.z, -T.r.y, -T.r.z, 0, T.r.x, T.r.y, -T.r.x, 0;
    const auto o = 6 * static_cast<Eigen::Index>(k);
    X.block<3, 3>(o, o) = X.block<3, 3>(o + 3, o + 3) = R;
    X.block<3, 3>(o + 3, o) = R * shift;
  }
  const MatrixXd reference =
      sko::compliance_of(r, diagonal, nodes).unaryExpr([](const Reference& x) { return static_cast<double>(x); });
  const MatrixXd expected = X * reference * X.transpose(), found = compliance(model, q, frames);
  const double error = largest_of(found - expected) / largest_of(expected);
  EXPECT_LE(error, 1e-12);
  std::printf("error against 60 digits, chain:64: %.1e\n", error);
}

// ---- faults --------------------------------------------------------------------------------------------------------

TEST(OperationalSpace, FaultsAreNamed) {
  const Model model = make_model("chain:3"), other = make_model("chain:3");
  Workspace workspace(model);
  const VectorXd q = VectorXd::Zero(3);
  MatrixXd out = MatrixXd::Zero(6, 6);
  const auto call = [&](const VectorXd& at, const std::vector<int>& frames, MatrixXd& result) {
    return operational_space_compliance(model, workspace, at, frames, result);
  };
  EXPECT_TRUE(call(q, {2}, out).ok());
  const MatrixXd before = out;
  EXPECT_EQ(call(VectorXd::Zero(2), {2}, out).code, StatusCode::wrong_size);
  EXPECT_EQ(call(q, {2, 1}, out).code, StatusCode::wrong_size);
  for (const int frame : {-1, 3}) {
    const Status status = call(q, {frame}, out);
    EXPECT_EQ(status.code, StatusCode::no_such_frame);
    const std::string text = status.message(model);
    EXPECT_NE(text.find(std::to_string(frame)), std::string::npos) << text;
    EXPECT_NE(text.find("frame_index"), std::string::npos) << text;
  }
  EXPECT_EQ(operational_space_compliance(other, workspace, q, std::vector{2}, out).code, StatusCode::other_model);
  EXPECT_TRUE((out.array() == before.array()).all()) << "a refused call writes nothing";
  try {
    frame_index(model, "hand");
    ADD_FAILURE() << "no such link";
  } catch (const std::invalid_argument& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("'hand'"), std::string::npos) << text;
    EXPECT_NE(text.find("'" + model.data().frames[0].name + "'"), std::string::npos) << text;
  }
}

TEST(OperationalSpace, SingularInertiaIsNamed) {
  // a point mass slides on a massless turntable: where it stands on the axis, the turn moves no inertia
  Description d;
  for (const char* name : {"turntable", "slider"}) {
    BodyDescription b;
    b.name = name;
    b.parent = d.bodies.empty() ? "world" : d.bodies.back().name;
    b.joint.name = std::string("to_") + name;
    b.joint.type = d.bodies.empty() ? "revolute" : "prismatic";
    if (d.bodies.empty()) b.joint.axis = {0, 0, 1};
    if (!d.bodies.empty())
      b.joint.axis = {1, 0, 0}, b.joint.origin.xyz = {1, 0, 0}, b.inertial = InertialDescription{1, {}, {}, 0};
    d.bodies.push_back(b);
  }
  const Model model = make_model(d);
  Workspace workspace(model);
  MatrixXd out(6, 6);
  const Eigen::Vector2d well(0.3, 0.2), on_the_axis(0.3, -1);
  EXPECT_TRUE(operational_space_compliance(model, workspace, well, std::vector{1}, out).ok());
  const Status status = operational_space_compliance(model, workspace, on_the_axis, std::vector{1}, out);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_NE(status.message(model).find("to_turntable"), std::string::npos) << status.message(model);
  EXPECT_TRUE(out.array().isNaN().all());
  const Status no_number =
      operational_space_compliance(model, workspace, Eigen::Vector2d(0, std::nan("")), std::vector{1}, out);
  EXPECT_EQ(no_number.code, StatusCode::not_finite);
  EXPECT_EQ(no_number.body, 1);
  EXPECT_NE(no_number.message(model).find("q of joint \"to_slider\" is nan"), std::string::npos)
      << no_number.message(model);
}

TEST(OperationalSpace, AllocatesNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Model model = make_model("random:40:seed=2:floating=1");
  Workspace workspace(model);
  const VectorXd q = random_state(model, 1).q;
  const std::vector<int> frames{5, 30, 12, 12}, fewer{7, 2};
  MatrixXd out(24, 24), small(12, 12);
  ASSERT_TRUE(operational_space_compliance(model, workspace, q, frames, out).ok());
  start_counting();
  const bool solved = operational_space_compliance(model, workspace, q, frames, out).ok() &&
                      operational_space_compliance(model, workspace, q, fewer, small).ok();
  const Allocations seen = stop_counting();
  EXPECT_TRUE(solved);
  EXPECT_EQ(seen.ours + seen.runtimes, 0u);
}

// ---- work ----------------------------------------------------------------------------------------------------------

/// Operations of the kernels on a chain for some bodies' frames.
double operations(int n, const std::vector<int>& bodies) {
  struct Run {
    Context<Counted> x;
    Kinematics<Counted> k;
    OperationalSpace<Counted> o;
  };
  const Model model = make_model("chain:" + std::to_string(n));
  const Modules modules = make_modules(model.data(), {});
  const std::vector<Counted> q(static_cast<std::size_t>(n), Counted(0.3));
  std::vector<Counted> result(36 * bodies.size() * bodies.size());
  const Context<Counted> context(model.data(), modules);
  Run run{context, Kinematics<Counted>(model.data()), OperationalSpace<Counted>(context)};
  std::vector<LinkPoint> points;
  for (const int b : bodies) points.emplace_back(model.data().body_frame[static_cast<std::size_t>(b)]);
  run.o.set_points(model.data(), points);
  run.o.result = result.data(), run.o.stride = 6 * static_cast<std::ptrdiff_t>(bodies.size());
  run.x.state = {.q = q.data(), .v = q.data()};
  const Pass passes[]{
      {Direction::scatter, [](void* p, int s) { positions(static_cast<Run*>(p)->x, static_cast<Run*>(p)->k, s); }},
      {Direction::gather,
       [](void* p, int s) {
         Run& r = *static_cast<Run*>(p);
         articulated_inertias(r.x, r.k, r.o.articulated, s);
       }},
      {Direction::scatter,
       [](void* p, int s) {
         Run& r = *static_cast<Run*>(p);
         compliances(r.x, r.k, r.o, s);
       }},
      {Direction::gather, [](void* p, int s) {
         Run& r = *static_cast<Run*>(p);
         relate(r.x, r.k, r.o, s);
       }}};
  Counted::counts() = {};
  run_serial(passes, &run, static_cast<int>(modules.steps.size()));
  return static_cast<double>(Counted::counts().total());
}

TEST(OperationalSpace, WorkIsLinearInBodiesAndInPaths) {
  // one frame, at the tip: linear in the bodies
  const double tip = operations(11, {10}) - operations(10, {9});
  for (const int n : {12, 40, 200}) EXPECT_EQ(operations(n, {n - 1}), operations(11, {10}) + (n - 11) * tip) << n;
  // what another body outboard of the frame costs: its articulated inertia, nothing more
  const double inertia = operations(31, {5}) - operations(30, {5});
  EXPECT_EQ(operations(100, {5}), operations(30, {5}) + 70 * inertia);
  // an off-diagonal block: linear in its path, wherever on the chain it is
  const auto block = [](int n, int a, int b) { return operations(n, {a, b}) - operations(n, {b, b}); };
  const double step = block(50, 10, 12) - block(50, 10, 11);
  EXPECT_GT(step, 0);
  for (const int path : {3, 10, 30}) {
    EXPECT_EQ(block(50, 10, 10 + path), block(50, 10, 11) + (path - 1) * step);
    EXPECT_EQ(block(90, 10, 10 + path), block(50, 10, 11) + (path - 1) * step);
  }
  std::printf("operations per body: %.0f in all, of which articulated inertia %.0f; per body of a block's path: %.0f\n",
              tip, inertia, step);
}

}  // namespace
}  // namespace kinetree::oracle
