// `kinetree evaluate --derivatives`: the fields that it adds, and what a model with loops is told.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;
using Eigen::MatrixXd;

MatrixXd matrix_of(const nlohmann::json& rows) {
  MatrixXd m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c)
      m(r, c) = rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].get<double>();
  return m;
}
double off(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

// M da/dtau = 1 and M da/d. = -dtau/d., in the file's order of joints.
TEST(EvaluateDerivatives, AreThoseOfTheMassMatrixInTheSameFile) {
  const Folder folder;
  const std::string states = (folder / "states.json").string();
  std::ofstream(states) << R"({"states": [{"q": [0.3, -0.7, 0.5], "v": [1, 0.2, -0.4], "tau": [0.1, 2, -1]}]})";
  const Outcome without = run({"evaluate", "chain:3", "--states", states});
  ASSERT_EQ(without.status, 0) << without.err;
  EXPECT_EQ(without.out.find("da_dq"), std::string::npos);
  const Outcome outcome = run({"evaluate", "chain:3", "--states", states, "--derivatives"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto state = nlohmann::json::parse(outcome.out)["states"][0];
  const auto of = [&](const char* name) { return matrix_of(state[name]); };
  const MatrixXd M = of("mass_matrix");
  EXPECT_LE(off(M * of("da_dtau"), MatrixXd::Identity(3, 3)), 1e-13);
  EXPECT_LE(off(M * of("da_dq"), -of("dtau_dq")), 1e-13);
  EXPECT_LE(off(M * of("da_dv"), -of("dtau_dv")), 1e-13);
  EXPECT_GT(of("dtau_dv").norm(), 0.01);
}

TEST(EvaluateDerivatives, OfALoopEndTheCommandAndNameIt) {
  const Folder folder;
  const std::string states = (folder / "states.json").string(), model = std::string(KINETREE_MODELS) + "/four_bar.yaml";
  const Outcome closed = run({"assemble", model, "--hold", "crank_pivot=0.5"});
  ASSERT_EQ(closed.status, 0) << closed.err;
  std::ofstream(states) << closed.out;
  const Outcome outcome = run({"evaluate", model, "--states", states, "--derivatives"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("loop \"rocker_end\""), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace kinetree::bench
