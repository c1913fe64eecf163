// All algorithms agree on random trees with articulated bodies in 60 digits, unrefined where mass ratios are <= 10.
#include <gtest/gtest.h>

#include <kinetree/scalar/reference.hpp>

#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

/// A module with more than 16 cut joints is refused by `all`: that is its rule, not a disagreement.
bool refused(const Model& model, const Options& options) {
  try {
    ForwardDynamics dynamics(model, options);
    return false;
  } catch (const TooManyCuts&) {
    return options.cuts == Cuts::all;
  }
}

struct Worst {
  double difference = 0, residual = 0;
  int solved = 0, refused = 0;
};

void run(int k, const std::vector<Options>& plans, Worst& worst) {
  const int bodies = 1 + 37 * k % 200;
  const std::string family = "random:" + std::to_string(bodies) + ":seed=" + std::to_string(k) +
                             ":floating=" + std::to_string(k % 2) + ":special=" + std::to_string(k / 2 % 2);
  const Model model = make_model(family);
  const TestState s = random_state(model, static_cast<std::uint64_t>(k));
  const bool external = k % 3 == 0;
  const std::vector<Reference> truth = reference_accelerations(model, s, external);
  for (const Options& options : plans) {
    if (options.cuts == Cuts::all && refused(model, options)) {
      ++worst.refused;
      continue;
    }
    ForwardDynamics dynamics(model, options);
    const Eigen::VectorXd a = accelerations(dynamics, s, external);
    const double difference = relative_difference(a, truth), rest = residual(model, s, a, external);
    EXPECT_LE(difference, 1e-9) << family << ", " << describe(options);
    // the paper's literal form starts from rest: without a refinement its residual is not promised
    if (options.formulation == Formulation::direct) {
      EXPECT_LE(rest, 1e-10) << family << ", " << describe(options);
      keep_worst(worst.residual, rest);
    }
    keep_worst(worst.difference, difference);
    ++worst.solved;
  }
}

void run_all(int first, int last) {
  Worst worst;
  for (int k = first; k < last; ++k) {
    // every elimination and formulation, unrefined, without multiplying the time
    const Elimination elimination = k % 5 == 0 ? Elimination::leaves_first : Elimination::cyclic;
    const Formulation formulation = k % 7 == 0 ? Formulation::literal : Formulation::direct;
    run(k, all_plans(0, elimination, formulation), worst);
  }
  std::printf("%d solutions, %d refused by `all`; largest difference %.2g, largest residual %.2g\n", worst.solved,
              worst.refused, worst.difference, worst.residual);
  EXPECT_LT(worst.refused, worst.solved / 10);
}

TEST(Agreement, RandomTreesUnrefined) { run_all(0, 150); }
TEST(AgreementLong, RandomTreesUnrefined) { run_all(0, 1000); }

}  // namespace
}  // namespace kinetree::oracle
