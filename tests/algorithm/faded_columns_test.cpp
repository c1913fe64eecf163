// Columns of long modules fade to zero, not to denormal numbers, which take many processors a hundred cycles each.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cfenv>
#include <kinetree/kinetree.hpp>
#include <string>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/partition/modules.hpp"
#include "oracle/random_state.hpp"

namespace kinetree {
namespace {

struct Long {
  const char* family;
  int grain;
  bool in_lanes = false;
};

class FadedColumns : public testing::TestWithParam<Long> {};

/// Whether a solve gave a number that is inexact and too small to be normal.
template <class S>
bool underflows(const Long& of) {
  const Model model = make_model(of.family);
  Options options{.algorithm = Algorithm::modular, .grain = of.grain};
  if (of.in_lanes) options.limbs = limb_widths(instruction_set()).back();
  ForwardDynamics modular(model, options), ab(model, {.algorithm = Algorithm::ab});
  const oracle::TestState s = oracle::random_state(model, 1);
  using Vector = Eigen::Vector<S, Eigen::Dynamic>;
  const Vector q = s.q.cast<S>(), v = s.v.cast<S>(), tau = s.tau.cast<S>();
  Vector a(model.nv()), expected(model.nv());
  EXPECT_TRUE(ab.solve(q, v, tau, expected).ok());
  EXPECT_GT(modular.modules()->modules.size(), 1u) << of.family;
  std::feclearexcept(FE_ALL_EXCEPT);
  EXPECT_TRUE(modular.solve(q, v, tau, a).ok());
  const bool underflow = std::fetestexcept(FE_UNDERFLOW) != 0;
  const S off = (a - expected).norm() / expected.norm();
  EXPECT_LT(off, sizeof(S) == sizeof(double) ? S(1e-9) : S(1e-2));
  return underflow;
}

TEST_P(FadedColumns, AreNeverDenormal) {
  if (instruction_set() == InstructionSet::baseline && std::string(GetParam().family).starts_with("rope"))
    GTEST_SKIP() << "products of two numbers that fade underflow to zero where they are not fused with their sum";
  EXPECT_FALSE(underflows<double>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(LongModules, FadedColumns,
                         testing::Values(Long{"chain:10000", 5000}, Long{"chain:48000", 6000, true},
                                         Long{"rope:9000:joints=spherical", 4500}, Long{"geared:9000", 4500}));

TEST(FadedColumns, AreNeverDenormalInFloat) { EXPECT_FALSE(underflows<float>({"chain:2000", 1000})); }

}  // namespace
}  // namespace kinetree
