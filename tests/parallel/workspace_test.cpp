// What the functions beside forward dynamics say of numbers that are not finite and of sizes that disagree, and where
// their results stand: of one state, and of several in lanes.
#include <gtest/gtest.h>

#include <functional>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/workspace.hpp>
#include <limits>
#include <vector>

namespace kinetree {
namespace {

using Eigen::MatrixXd;

constexpr Eigen::Index states = 11;  // a pack of lanes, and some over
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Inputs of all functions; what a function does not read may be anything.
struct Inputs {
  MatrixXd q, v, a, f;
};

struct Function {
  const char* name;
  std::string reads;             ///< which of q, v, a, f
  Eigen::Index rows, per_state;  ///< of its result
  std::function<Status(const Model&, Workspace&, const Inputs&, MatrixXd&)> call;
};

std::vector<Function> functions(const Model& model) {
  const Eigen::Index n = model.nv(), own = static_cast<Eigen::Index>(independent_velocities(model).size());
  const LinkPoint tip{frame_index(model, model.frame_name(model.frame_count() - 1)), {0.1, 0.2, 0.3}};
  const std::vector<LinkPoint> points{tip, tip};
  return {
      {"inverse_dynamics", "qvaf", n, 1,
       [](auto& m, auto& w, auto& i, auto& out) { return inverse_dynamics(m, w, i.q, i.v, i.a, i.f, out); }},
      {"inverse_dynamics", "qva", n, 1,
       [](auto& m, auto& w, auto& i, auto& out) { return inverse_dynamics(m, w, i.q, i.v, i.a, out); }},
      {"bias_forces", "qv", n, 1,
       [](auto& m, auto& w, auto& i, auto& out) { return bias_forces(m, w, i.q, i.v, out); }},
      {"coriolis_forces", "qv", n, 1,
       [](auto& m, auto& w, auto& i, auto& out) { return coriolis_forces(m, w, i.q, i.v, out); }},
      {"gravity_forces", "q", n, 1,
       [](auto& m, auto& w, auto& i, auto& out) { return gravity_forces(m, w, i.q, out); }},
      {"mass_matrix", "q", own, own, [](auto& m, auto& w, auto& i, auto& out) { return mass_matrix(m, w, i.q, out); }},
      {"lower_mass_matrix", "q", own, own,
       [](auto& m, auto& w, auto& i, auto& out) { return lower_mass_matrix(m, w, i.q, out); }},
      {"energy", "qv", 2, 1, [](auto& m, auto& w, auto& i, auto& out) { return energy(m, w, i.q, i.v, out); }},
      {"momentum", "qv", 12, 1, [](auto& m, auto& w, auto& i, auto& out) { return momentum(m, w, i.q, i.v, out); }},
      {"momentum_matrix", "q", 6, n,
       [](auto& m, auto& w, auto& i, auto& out) { return momentum_matrix(m, w, i.q, out); }},
      {"poses", "q", 24, 1, [points](auto& m, auto& w, auto& i, auto& out) { return poses(m, w, i.q, points, out); }},
      {"jacobians", "q", 12, n,
       [points](auto& m, auto& w, auto& i, auto& out) { return jacobians(m, w, i.q, points, Axes::link, out); }},
      {"sparse_jacobians", "q", 6, static_cast<Eigen::Index>(path_velocities(model, points).velocity.size()),
       [points](auto& m, auto& w, auto& i, auto& out) { return sparse_jacobians(m, w, i.q, points, Axes::link, out); }},
      {"jacobian_rates", "qv", 12, 1,
       [points](auto& m, auto& w, auto& i, auto& out) {
         return jacobian_rates(m, w, i.q, i.v, points, Axes::link, out);
       }},
      {"point_kinematics", "qva", 12, 1,
       [points](auto& m, auto& w, auto& i, auto& out) {
         MatrixXd poses(24, out.cols()), velocities(12, out.cols());
         const Status status = point_kinematics(m, w, i.q, i.v, i.a, points, Axes::world, poses, velocities, out);
         for (Eigen::Index c = 0; c < out.cols(); ++c)
           EXPECT_EQ(poses.col(c).hasNaN() || velocities.col(c).hasNaN(), out.col(c).hasNaN());
         return status;
       }},
      {"add_forces", "q", 6 * model.body_count(), 1,
       [points](auto& m, auto& w, auto& i, auto& out) {
         out.setZero();
         return add_forces(m, w, i.q, points, Axes::world, MatrixXd::Ones(12, out.cols()), out);
       }},
      {"add_passive_forces", "qv", n, 1,
       [](auto& m, auto&, auto& i, auto& out) {
         out.setZero();
         return add_passive_forces(m, i.q, i.v, out);
       }},
  };
}

Inputs random_inputs(const Model& model, Eigen::Index count) {
  Inputs i{MatrixXd(model.nq(), count), MatrixXd(model.nv(), count), {}, {}};
  EXPECT_TRUE(random_state(model, 5, i.q, i.v).ok());
  i.a = 0.5 * i.v.array().sin().matrix();
  i.f = MatrixXd::Constant(6 * model.body_count(), count, 0.25);
  return i;
}

MatrixXd& named(Inputs& i, char name) { return name == 'q' ? i.q : name == 'v' ? i.v : name == 'a' ? i.a : i.f; }

/// One number of one column is spoiled. A turn of the first joint has no part in the mass matrix, of the last none in
/// poses before it.
TEST(Workspace, WhatIsNotFiniteIsToldAndSpoilsItsColumnAlone) {
  for (const char* family : {"chain:5", "random:9:seed=3", "fourbars:2"}) {
    const Model model = make_model(family);
    for (const Eigen::Index count : {Eigen::Index{1}, states})
      for (const Function& function : functions(model)) {
        Workspace workspace(model);
        const Inputs good = random_inputs(model, count);
        MatrixXd right(function.rows, function.per_state * count);
        ASSERT_TRUE(function.call(model, workspace, good, right).ok()) << function.name;
        for (const char input : function.reads)
          for (const bool last : {false, true})
            for (const double bad : {not_a_number, HUGE_VAL}) {
              Inputs spoiled = good;
              const Eigen::Index column = count / 2;
              MatrixXd& numbers = named(spoiled, input);
              numbers(last ? numbers.rows() - 1 : 0, column) = bad;
              MatrixXd result = MatrixXd::Zero(right.rows(), right.cols());
              const Status status = function.call(model, workspace, spoiled, result);
              const std::string what = std::string(family) + " " + function.name + " " + input;
              EXPECT_EQ(status.code, StatusCode::not_finite) << what;
              EXPECT_EQ(status.column, column) << what;
              EXPECT_EQ(status.body, last ? model.body_count() - 1 : 0) << what;
              EXPECT_EQ(std::string(status.argument), input == 'f' ? "f_ext" : std::string(1, input)) << what;
              EXPECT_EQ(std::isnan(status.value), std::isnan(bad)) << what;
              const Eigen::Index n = function.per_state;
              EXPECT_TRUE(result.middleCols(column * n, n).array().isNaN().all()) << what;
              result.middleCols(column * n, n) = right.middleCols(column * n, n);
              EXPECT_EQ(result, right) << what << ": other columns";
            }
      }
  }
}

TEST(Workspace, ForcesPosesAndPointsThatAreNotFiniteAreTold) {
  const Model model = make_model("chain:3");
  Workspace workspace(model);
  const Inputs i = random_inputs(model, 2);
  std::vector<LinkPoint> points{{frame_index(model, "body2"), {0, 0, 0}}};
  MatrixXd forces = MatrixXd::Ones(6, 2), at(12, 2), f_ext = MatrixXd::Zero(18, 2);
  ASSERT_TRUE(poses(model, workspace, i.q, points, at).ok());
  forces(4, 1) = not_a_number;
  const auto expect_forces = [&](const Status& status) {
    EXPECT_EQ(status.message(model), "column 1: forces of joint \"joint2\" is nan; give finite numbers");
    EXPECT_FALSE(f_ext.col(0).hasNaN());
    EXPECT_TRUE(f_ext.col(1).array().isNaN().all());
    f_ext.setZero();
  };
  expect_forces(add_forces(model, workspace, i.q, points, Axes::world, forces, f_ext));
  expect_forces(add_forces(model, points, at, forces, f_ext));
  forces.setOnes(), at(11, 0) = HUGE_VAL;
  const Status status = add_forces(model, points, at, forces, f_ext);
  EXPECT_EQ(status.message(model), "poses of joint \"joint2\" is inf; give finite numbers");
  points[0].offset[1] = not_a_number;
  const Status offset = poses(model, workspace, i.q, points, at);
  EXPECT_EQ(offset.message(model), "points of joint \"joint2\" is nan; give finite numbers");
}

/// The argument is named whose columns differ from what most have, not the first that differs from the result.
TEST(Workspace, OfColumnsThatDisagreeTheOddOneIsNamed) {
  const Model model = make_model("chain:3");
  Workspace workspace(model);
  ForwardDynamics dynamics(model);
  const auto message = [&](Eigen::Index q, Eigen::Index v, Eigen::Index a, Eigen::Index result) {
    MatrixXd Q = MatrixXd::Zero(3, q), V = MatrixXd::Zero(3, v), A = MatrixXd::Zero(3, a), R(3, result);
    const std::string inverse = inverse_dynamics(model, workspace, Q, V, A, R).message(model);
    const std::string forward = dynamics.solve(Q, V, A, R).message(model);
    return inverse.substr(0, inverse.find(" (")) + " | " + forward.substr(0, forward.find(" ("));
  };
  EXPECT_EQ(message(3, 3, 3, 2), "tau has 2 columns; 3 are expected | a has 2 columns; 3 are expected");
  EXPECT_EQ(message(3, 3, 2, 3), "a has 2 columns; 3 are expected | tau has 2 columns; 3 are expected");
  EXPECT_EQ(message(1, 3, 3, 3), "q has 1 column; 3 are expected | q has 1 column; 3 are expected");
  EXPECT_EQ(message(3, 2, 3, 2), "q has 3 columns; 2 are expected | q has 3 columns; 2 are expected") << "a tie";
}

/// Results in the middle of larger matrices, whose other numbers stay.
TEST(Workspace, ResultsOfPointsStandInsideLargerMatrices) {
  const Model model = make_model("chain:4");
  Workspace workspace(model);
  const Inputs i = random_inputs(model, 3);
  const std::vector<LinkPoint> points{{frame_index(model, "body2"), {0.1, 0, 0}}, {frame_index(model, "body4"), {}}};
  MatrixXd at(24, 3), v(12, 3), a(12, 3);
  ASSERT_TRUE(point_kinematics(model, workspace, i.q, i.v, i.a, points, Axes::world_aligned, at, v, a).ok());
  const MatrixXd empty = MatrixXd::Constant(40, 5, -7);
  MatrixXd large[]{empty, empty, empty};
  ASSERT_TRUE(point_kinematics(model, workspace, i.q, i.v, i.a, points, Axes::world_aligned,
                               large[0].block(3, 1, 24, 3), large[1].block(5, 2, 12, 3), large[2].block(0, 1, 12, 3))
                  .ok());
  const std::pair<const MatrixXd*, Eigen::Index> right[]{{&at, 3}, {&v, 5}, {&a, 0}};
  for (int k = 0; k < 3; ++k) {
    MatrixXd expected = empty;
    expected.block(right[k].second, k == 1 ? 2 : 1, right[k].first->rows(), 3) = *right[k].first;
    EXPECT_EQ(large[k], expected) << k;
  }
}

}  // namespace
}  // namespace kinetree
