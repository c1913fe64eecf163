// A result in the memory of an input is refused, and nothing is written.
#include "library/shared_memory.hpp"

#include <gtest/gtest.h>

#include <random>

#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

TEST(SharedMemory, IsFoundNumberByNumber) {
  std::mt19937 random(3);
  const auto up_to = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  double memory[200];
  int shared = 0, apart = 0, within = 0;
  for (int k = 0; k < 200000; ++k) {
    Columns<double> arguments[2];
    std::vector<bool> taken[2]{std::vector<bool>(200, false), std::vector<bool>(200, false)};
    bool overlap = false, twice[2]{};
    for (int which : {0, 1}) {
      Columns<double>& c = arguments[which];
      c.rows = up_to(0, 5), c.columns = up_to(0, 5), c.stride = up_to(-12, 12);
      const int first = up_to(60, 120);
      c.data = memory + first;
      for (std::ptrdiff_t column = 0; column < c.columns; ++column)
        for (std::ptrdiff_t row = 0; row < c.rows; ++row) {
          const auto place = static_cast<std::size_t>(first + column * c.stride + row);
          twice[which] = twice[which] || taken[which][place];
          overlap = overlap || (which == 1 && taken[0][place]);
          taken[which][place] = true;
        }
    }
    ASSERT_EQ(share_memory(arguments[0], arguments[1]), overlap) << k;
    ASSERT_EQ(share_memory(arguments[1], arguments[0]), overlap) << k;
    if (arguments[0].rows > 0) {
      ASSERT_EQ(columns_overlap(arguments[0]), twice[0]) << k;
    }
    (overlap ? shared : apart) += 1;
    within += twice[0];
  }
  EXPECT_GT(shared, 10000);
  EXPECT_GT(apart, 10000);
  EXPECT_GT(within, 10000);
}

template <class S>
void expect_refused(const Model& model, ForwardDynamics& dynamics, Eigen::Index columns) {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::Index nv = model.nv(), f_rows = 6 * model.body_count();
  const TestState s = random_state(model, 5);
  const auto copies = [&](const Eigen::VectorXd& x) -> Matrix { return x.cast<S>().replicate(1, columns); };
  for (int input = 0; input < 4; ++input) {
    Matrix q = copies(s.q), v = copies(s.v), tau = copies(s.tau), f = copies(s.f_ext);
    Matrix& shared = input == 0 ? q : input == 1 ? v : input == 2 ? tau : f;
    const Matrix before = shared;
    const auto top = shared.topRows(nv);
    const Status status = dynamics.solve(q, v, tau, f, top);
    EXPECT_EQ(status.code, StatusCode::shared_memory) << input;
    EXPECT_NE(status.message(model).find("memory of its own"), std::string::npos);
    EXPECT_EQ(dynamics.statuses().size(), static_cast<std::size_t>(columns));
    EXPECT_EQ(dynamics.statuses().back().code, StatusCode::shared_memory);
    EXPECT_EQ(shared, before) << "nothing is written";
  }
  {  // by one number
    Matrix memory(2 * nv - 1, columns), q = copies(s.q), v = copies(s.v);
    memory.topRows(nv) = copies(s.tau);
    EXPECT_EQ(dynamics.solve(q, v, memory.topRows(nv), memory.bottomRows(nv)).code, StatusCode::shared_memory);
  }
  Matrix memory(2 * nv + f_rows, columns), q = copies(s.q), v = copies(s.v), a(nv, columns);
  memory.topRows(nv) = copies(s.tau);
  memory.bottomRows(f_rows) = copies(s.f_ext);
  ASSERT_TRUE(dynamics.solve(q, v, copies(s.tau), copies(s.f_ext), a).ok());
  const auto between = memory.middleRows(nv, nv);
  EXPECT_TRUE(dynamics.solve(q, v, memory.topRows(nv), memory.bottomRows(f_rows), between).ok())
      << "one matrix, one block above the other";
  EXPECT_EQ(Matrix(between), a);
}

TEST(SharedMemory, OfAResultAndAnInputIsAStatus) {
  const Model model = make_model("random:9:seed=4:floating=1");
  for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::ab, Algorithm::crb, Algorithm::cfa}) {
    ForwardDynamics dynamics(model, {.algorithm = algorithm});
    for (const Eigen::Index columns : {1, 5}) {
      expect_refused<double>(model, dynamics, columns);
      expect_refused<float>(model, dynamics, columns);
    }
  }
}

/// With rotors inverse dynamics reads accelerations after it has written forces.
TEST(SharedMemory, OfTheOtherFunctionsIsAStatus) {
  const Model model = make_model("random:9:seed=4:floating=1");
  Workspace workspace(model);
  const TestState s = random_state(model, 5);
  const Eigen::VectorXd a = random_state(model, 6).v;
  Eigen::VectorXd expected(model.nv()), in_place(model.nv());
  in_place = a;
  ASSERT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, a, s.f_ext, expected).ok());
  const Status status = inverse_dynamics(model, workspace, s.q, s.v, in_place, s.f_ext, in_place);
  EXPECT_EQ(status.code, StatusCode::shared_memory);
  EXPECT_EQ(in_place, a);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  H.col(0) = s.v, H.col(1).setZero();
  Eigen::Map<Eigen::VectorXd> q(H.data(), model.nq());
  q = s.q;
  const Eigen::MatrixXd before = H;
  EXPECT_EQ(mass_matrix(model, workspace, q, H).code, StatusCode::shared_memory);
  ASSERT_GE(H.size(), 36);
  const int frames[]{1};
  const Eigen::Map<Eigen::MatrixXd> compliance(H.data(), 6, 6);
  EXPECT_EQ(operational_space_compliance(model, workspace, q, frames, compliance).code, StatusCode::shared_memory);
  EXPECT_EQ(H, before);
}

}  // namespace
}  // namespace kinetree::oracle
