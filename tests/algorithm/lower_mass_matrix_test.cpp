// The lower triangle of the mass matrix: the full one's bits, and zeros above the diagonal.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cstring>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/workspace.hpp>
#include <limits>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"

namespace kinetree::oracle {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
void expect_triangle(const Model& model, int states, const WorkspaceOptions& options) {
  const Matrix<T> q = bench::random_states(model, states, 5).q.cast<T>();
  const auto n = static_cast<Eigen::Index>(independent_velocities(model).size());
  Workspace w(model, options);
  Matrix<T> full(n, n * states), lower = Matrix<T>::Constant(n, n * states, 7);
  ASSERT_TRUE(mass_matrix(model, w, q, full).ok());
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(lower_mass_matrix(model, w, q, lower).ok());
    for (int s = 0; s < states; ++s) {
      const Matrix<T> H = full.middleCols(s * n, n);
      const Matrix<T> triangle = H.template triangularView<Eigen::Lower>();
      EXPECT_EQ(std::memcmp(triangle.data(), lower.data() + s * n * n, sizeof(T) * static_cast<std::size_t>(n * n)), 0)
          << model.name() << ", state " << s;
      const T rounding = n == model.nv() ? T(0) : 8 * std::numeric_limits<T>::epsilon() * H.norm();
      EXPECT_LE((H - H.transpose()).norm(), rounding) << model.name() << ", state " << s;
    }
  }
  // columns of a larger matrix, whose other numbers stay
  Matrix<T> large = Matrix<T>::Constant(n + 3, n * states, 7);
  ASSERT_TRUE(lower_mass_matrix(model, w, q, large.middleRows(2, n)).ok());
  EXPECT_EQ(Matrix<T>(large.middleRows(2, n)), lower);
  EXPECT_EQ(Matrix<T>(large.topRows(2)), Matrix<T>::Constant(2, n * states, 7));
  EXPECT_EQ(Matrix<T>(large.bottomRows(1)), Matrix<T>::Constant(1, n * states, 7));
}

TEST(LowerMassMatrix, IsTheFullOnesTriangle) {
  std::vector<Model> models{load_model(std::string(KINETREE_MODELS) + "/humanoid.yaml", {.floating_base = true})};
  for (const char* family : {"chain:1", "chain:2", "chain:7", "chain:9", "chain:33", "tree:2x4",
                             "random:12:seed=4:floating=1", "random:10:seed=2:joints=spherical", "fourbars:3"})
    models.push_back(make_model(family));
  for (const Model& model : models)
    for (const InstructionSet set : sets()) {
      const Environment limited(name_of(set));
      for (const int states : {1, 2 * lane_width(set) + 3}) {
        expect_triangle<double>(model, states, {});
        expect_triangle<float>(model, states, {});
        expect_triangle<double>(model, states, {.lanes = 1});
      }
    }
}

/// Eigen's factorization of the lower triangle solves with it as with the full matrix.
TEST(LowerMassMatrix, IsWhatACholeskyFactorizationReads) {
  const Model model = make_model("random:12:seed=4:floating=1");
  const Eigen::MatrixXd q = bench::random_states(model, 1, 5).q;
  Workspace w(model);
  Eigen::MatrixXd full(model.nv(), model.nv()), lower = full;
  ASSERT_TRUE(mass_matrix(model, w, q, full).ok());
  ASSERT_TRUE(lower_mass_matrix(model, w, q, lower).ok());
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(model.nv(), -1, 1);
  EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(lower).solve(tau), Eigen::LLT<Eigen::MatrixXd>(full).solve(tau));
}

}  // namespace
}  // namespace kinetree::oracle
