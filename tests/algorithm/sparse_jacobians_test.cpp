// Jacobians without the columns that are zero throughout: scattered they are the dense ones bit for bit, and times the
// velocities of their index they are the points' velocities.
#include <gtest/gtest.h>

#include <cstring>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>
#include <stdexcept>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using bench::StateSet;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

constexpr Axes all_axes[]{Axes::link, Axes::world, Axes::world_aligned};

/// Every link, each at its origin and beside it.
std::vector<LinkPoint> points_of(const Model& model) {
  std::vector<LinkPoint> points;
  for (int k = model.frame_count() - 1; k >= 0; --k) points.emplace_back(k), points.push_back({k, {0.1, -0.2, 0.3}});
  return points;
}

template <class T>
Matrix<T> dense_of(const Model& model, const Matrix<T>& q, const std::vector<LinkPoint>& points, Axes axes,
                   const WorkspaceOptions& options) {
  Workspace w(model, options);
  Matrix<T> J(6 * std::ssize(points), model.nv() * q.cols());
  EXPECT_TRUE(jacobians(model, w, q, points, axes, J).ok());
  return J;
}
template <class T>
Matrix<T> sparse_of(const Model& model, const Matrix<T>& q, const std::vector<LinkPoint>& points, Axes axes,
                    const WorkspaceOptions& options) {
  Workspace w(model, options);
  Matrix<T> J(6, std::ssize(path_velocities(model, points).velocity) * q.cols());
  EXPECT_TRUE(sparse_jacobians(model, w, q, points, axes, J).ok());
  return J;
}

/// The dense Jacobians with every sparse column in its place.
template <class T>
Matrix<T> scattered(const Model& model, const Matrix<T>& sparse, const std::vector<LinkPoint>& points) {
  const PathVelocities path = path_velocities(model, points);
  const auto n = static_cast<Eigen::Index>(path.velocity.size());
  const Eigen::Index states = sparse.cols() / n;
  Matrix<T> J = Matrix<T>::Zero(6 * std::ssize(points), model.nv() * states);
  for (Eigen::Index s = 0; s < states; ++s)
    for (std::size_t p = 0; p < points.size(); ++p)
      for (int c = path.begin[p]; c < path.begin[p + 1]; ++c)
        J.template block<6, 1>(6 * static_cast<Eigen::Index>(p),
                               s * model.nv() + path.velocity[static_cast<std::size_t>(c)]) = sparse.col(s * n + c);
  return J;
}

template <class T>
void expect_same_numbers(const Model& model, const std::vector<LinkPoint>& points, const WorkspaceOptions& options,
                         int states) {
  const Matrix<T> q = bench::random_states(model, states, 7).q.cast<T>();
  for (const Axes axes : all_axes) {
    const Matrix<T> dense = dense_of<T>(model, q, points, axes, options),
                    sparse = scattered(model, sparse_of<T>(model, q, points, axes, options), points);
    EXPECT_EQ(std::memcmp(dense.data(), sparse.data(), sizeof(T) * static_cast<std::size_t>(dense.size())), 0)
        << model.name() << ", " << static_cast<int>(axes) << ", " << states << " states";
  }
}

std::vector<Model> models() {
  const std::string folder = std::string(KINETREE_MODELS) + "/";
  std::vector<Model> list{load_model(folder + "humanoid.yaml", {.floating_base = true})};
  for (const char* family :
       {"chain:1", "tree:3x3", "random:30:seed=5:floating=1", "random:20:seed=8:joints=spherical", "fourbars:2"})
    list.push_back(make_model(family));
  return list;
}

TEST(SparseJacobians, ScatteredAreTheDenseOnes) {
  for (const Model& model : models()) {
    const std::vector<LinkPoint> points = points_of(model);
    for (const InstructionSet set : sets()) {
      const Environment limited(name_of(set));
      for (const int states : {1, 2 * lane_width(set) + 3}) {
        expect_same_numbers<double>(model, points, {}, states);
        expect_same_numbers<float>(model, points, {}, states);
        expect_same_numbers<double>(model, points, {.threads = 2}, states);
      }
    }
    expect_same_numbers<double>(model, {points.front()}, {}, 9);
    expect_same_numbers<double>(model, {points.front(), points.front()}, {}, 9);
  }
}

/// Neither dense Jacobians nor their pattern are asked for here.
TEST(SparseJacobians, TimesTheVelocitiesOfTheirIndexAreThosePointsHave) {
  for (const Model& model : models()) {
    const std::vector<LinkPoint> points = points_of(model);
    const PathVelocities path = path_velocities(model, points);
    const StateSet s = bench::random_states(model, 5, 3);
    const auto n = static_cast<Eigen::Index>(path.velocity.size()), count = std::ssize(points);
    Workspace w(model);
    for (const Axes axes : all_axes) {
      const Matrix<double> J = sparse_of<double>(model, s.q, points, axes, {});
      Matrix<double> poses(12 * count, 5), velocities(6 * count, 5);
      ASSERT_TRUE(point_kinematics(model, w, s.q, s.v, points, axes, poses, velocities).ok());
      for (Eigen::Index state = 0; state < 5; ++state)
        for (std::size_t p = 0; p < points.size(); ++p) {
          Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
          for (int c = path.begin[p]; c < path.begin[p + 1]; ++c)
            sum += s.v(path.velocity[static_cast<std::size_t>(c)], state) * J.col(state * n + c);
          const auto expected = velocities.col(state).segment<6>(6 * static_cast<Eigen::Index>(p));
          EXPECT_LE((sum - expected).norm(), 1e-12 * (1 + velocities.norm())) << model.name() << ", point " << p;
        }
    }
  }
}

TEST(SparseJacobians, IndexIsAscendingAndOfThePathAlone) {
  const Model model = load_model(std::string(KINETREE_MODELS) + "/humanoid.yaml", {.floating_base = true});
  const PathVelocities path = path_velocities(model, points_of(model));
  ASSERT_EQ(path.begin.size(), points_of(model).size() + 1);
  EXPECT_EQ(path.begin.front(), 0);
  EXPECT_EQ(path.begin.back(), static_cast<int>(path.velocity.size()));
  for (std::size_t p = 0; p + 1 < path.begin.size(); ++p)
    for (int c = path.begin[p] + 1; c < path.begin[p + 1]; ++c)
      EXPECT_LT(path.velocity[static_cast<std::size_t>(c - 1)], path.velocity[static_cast<std::size_t>(c)]);
  EXPECT_EQ(path.velocity.size(), 2U * (136 + 31 * 6)) << "31 links on 30 hinges, each moved by the floating base too";
  const Model chain = make_model("chain:3");
  const std::vector<int> tip{chain.frame_count() - 1};
  EXPECT_EQ(path_velocities(chain, tip).velocity, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(path_velocities(chain, std::vector<int>{}).begin, std::vector<int>{0});
  EXPECT_THROW(path_velocities(chain, std::vector<int>{-1}), std::invalid_argument);
  EXPECT_THROW(path_velocities(chain, std::vector<int>{chain.frame_count()}), std::invalid_argument);
}

TEST(SparseJacobians, LinksOnTheGroundHaveNoColumns) {
  Description d = make_description("chain:2");
  BodyDescription floor;
  floor.name = "floor", floor.parent = "world", floor.joint.name = "bolts", floor.joint.type = "fixed";
  d.bodies.push_back(floor);
  const Model model = make_model(d);
  const int ground = frame_index(model, "floor");
  EXPECT_TRUE(path_velocities(model, ground).velocity.empty());
  Workspace w(model);
  const Matrix<double> q = Matrix<double>::Constant(2, 6, 0.5);
  Matrix<double> none(6, 0);
  EXPECT_TRUE(sparse_jacobians(model, w, q, ground, Axes::world, none).ok());
  EXPECT_EQ(w.statuses().size(), 6U);
  const LinkPoint tip = frame_index(model, model.body_name(1));
  expect_same_numbers<double>(model, {ground, tip, ground, tip}, {}, 6);
}

TEST(SparseJacobians, WrongCallsAreNamedAndWriteNothing) {
  const Model model = make_model("chain:3");
  Workspace w(model);
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(3);
  const std::vector<int> link{frame_index(model, model.body_name(1))}, nowhere{99};
  const Matrix<double> untouched = Matrix<double>::Constant(6, 3, 7);
  Matrix<double> J = untouched;
  const Status wide = sparse_jacobians(model, w, q, link, Axes::link, J);  // the second link has two columns
  EXPECT_EQ(wide.code, StatusCode::wrong_size);
  EXPECT_EQ(wide.message(model), "result has 3 columns; 2 are expected");
  EXPECT_EQ(sparse_jacobians(model, w, q, link, Axes::link, J.topLeftCorner(5, 2)).code, StatusCode::wrong_size);
  EXPECT_EQ(sparse_jacobians(model, w, Eigen::VectorXd::Zero(4), link, Axes::link, J.leftCols(2)).code,
            StatusCode::wrong_size);
  EXPECT_EQ(sparse_jacobians(model, w, q, nowhere, Axes::link, J).code, StatusCode::no_such_frame);
  EXPECT_EQ(J, untouched);
  EXPECT_TRUE(sparse_jacobians(model, w, q, link, Axes::link, J.leftCols(2)).ok());
}

TEST(SparseJacobians, AllocateNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP();
  const Model model = make_model("random:30:seed=5:floating=1");
  Workspace w(model);
  const StateSet s = bench::random_states(model, 17, 5);
  std::vector<LinkPoint> points = points_of(model);
  Matrix<double> J(6, 17 * std::ssize(path_velocities(model, points).velocity));
  EXPECT_TRUE(sparse_jacobians(model, w, s.q, points, Axes::world, J).ok());
  for (LinkPoint& point : points) point.link = points.front().link;  // as many, with other paths
  Matrix<double> other(6, 17 * std::ssize(path_velocities(model, points).velocity));
  start_counting();
  const bool good = sparse_jacobians(model, w, s.q, points, Axes::world, other).ok();
  EXPECT_EQ(stop_counting().ours, 0U);
  EXPECT_TRUE(good);
}

}  // namespace
}  // namespace kinetree::oracle
