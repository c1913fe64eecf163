// What composite bodies lose beside articulated bodies, in double and in float: rounding times the condition of the
// mass matrix, and not more. docs/accuracy.md shows the table that this prints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <kinetree/workspace.hpp>
#include <limits>

#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/mass_matrix_condition.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

/// `s` with the numbers that a float holds, so that both scalars solve one problem.
TestState rounded(TestState s) {
  for (Eigen::VectorXd* x : {&s.q, &s.v, &s.tau}) *x = x->cast<float>().cast<double>();
  return s;
}

template <class T>
double error(ForwardDynamics& dynamics, const TestState& s, const std::vector<Reference>& truth) {
  using Vector = Eigen::Vector<T, Eigen::Dynamic>;
  const Vector q = s.q.cast<T>(), v = s.v.cast<T>(), tau = s.tau.cast<T>();
  Vector a(v.size());
  const Status status = dynamics.solve(q, v, tau, a);
  return status.ok() ? relative_difference(a.template cast<double>(), truth) : std::numeric_limits<double>::infinity();
}

struct Loss {
  double error = 0, beside_condition = 0;
  int refused = 0;  ///< states in which a pivot is lost
};

TEST(MassMatrixAccuracy, IsItsConditionTimesRounding) {
  for (const char* family : {"chain:4", "chain:16", "chain:64", "chain:256", "rope:16", "rope:16:dummy=1e-2", "rope:32",
                             "tree:2x6", "star:10x6", "comb:16", "random:60:seed=2:floating=1"}) {
    const Model model = make_model(family);
    ForwardDynamics ab(model, serial(Algorithm::ab)), crb(model, serial(Algorithm::crb));
    Loss in_double, in_float;
    double ab_in_float = 0, worst_condition = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const TestState s = rounded(random_state(model, seed));
      const std::vector<Reference> truth = reference_accelerations(model, s);
      const double condition = mass_matrix_condition(model, s.q);
      const auto keep = [&](Loss& loss, double error, double epsilon) {
        if (std::isinf(error)) {
          ++loss.refused;
          EXPECT_GT(epsilon * condition, 1) << family;
          return;
        }
        keep_worst(loss.error, error);
        keep_worst(loss.beside_condition, error / (epsilon * condition));
      };
      keep(in_double, error<double>(crb, s, truth), std::numeric_limits<double>::epsilon());
      keep(in_float, error<float>(crb, s, truth), std::numeric_limits<float>::epsilon());
      keep_worst(ab_in_float, error<float>(ab, s, truth));
      keep_worst(worst_condition, condition);
    }
    std::printf("| %s | %.0e | %.0e (%.2f) | %.0e (%.2f) | %.0e | %d\n", family, worst_condition, in_double.error,
                in_double.beside_condition, in_float.error, in_float.beside_condition, ab_in_float, in_float.refused);
    EXPECT_EQ(in_double.refused, 0) << family;
    EXPECT_LE(in_double.beside_condition, 10) << family;
    EXPECT_LE(in_float.beside_condition, 10) << family;
  }
}

/// Rows go side by side in registers, and squares of them to the other triangle: every size is another remainder.
/// Column k is what inverse dynamics says of the acceleration e_k.
template <class T>
void expect_every_entry(const std::string& family, double tolerance) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Model model = make_model(family);
  const Eigen::Index nv = model.nv();
  const Eigen::Vector<T, Eigen::Dynamic> q = random_state(model, 3).q.cast<T>();
  Workspace workspace(model);
  Matrix H = Matrix::Constant(nv, nv, std::numeric_limits<T>::quiet_NaN()), weights(nv, 1), columns(nv, nv);
  ASSERT_TRUE(mass_matrix(model, workspace, q, H).ok()) << family;
  ASSERT_TRUE(gravity_forces(model, workspace, q, weights).ok()) << family;
  const Matrix still = Matrix::Zero(nv, nv), each = Matrix::Identity(nv, nv);
  ASSERT_TRUE(inverse_dynamics(model, workspace, q.replicate(1, nv), still, each, columns).ok()) << family;
  EXPECT_TRUE(H == H.transpose()) << family;
  const double scale = static_cast<double>(columns.cwiseAbs().maxCoeff());
  EXPECT_LE(static_cast<double>((H + weights.replicate(1, nv) - columns).cwiseAbs().maxCoeff()), tolerance * scale)
      << family;
}

TEST(MassMatrix, EveryEntryAtEverySize) {
  for (int n = 1; n <= 36; ++n)
    for (const char* family : {"chain:{}:armature=0.1", "random:{}:seed=5", "random:{}:seed=6:floating=1"}) {
      expect_every_entry<double>(fmt::format(fmt::runtime(family), n), 2e-14);
      expect_every_entry<float>(fmt::format(fmt::runtime(family), n), 2e-5);
    }
}

}  // namespace
}  // namespace kinetree::oracle
