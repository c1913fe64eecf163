// Constraint embedding against multipliers on the spanning tree, on random mechanisms with loops and couplings.
#include <gtest/gtest.h>

#include "loops/closed_mechanisms.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

std::vector<Options> plans_for(std::uint64_t seed) {
  std::vector<Options> plans{serial(Algorithm::ab), serial(Algorithm::crb), serial(Algorithm::cfa)};
  plans[1].factorization = seed % 2 == 0 ? Factorization::dense : Factorization::sparse;
  Options o = serial(Algorithm::modular);
  o.grain = 2 + static_cast<int>(seed % 3);
  o.cuts = static_cast<Cuts>(seed % 3);
  o.elimination = seed % 2 == 0 ? Elimination::cyclic : Elimination::leaves_first;
  plans.push_back(o);
  o.grain = 0, o.algorithm = Algorithm::cfa;
  o.formulation = Formulation::literal;
  plans.push_back(o);
  return plans;
}

void compare(std::uint64_t first, std::uint64_t last) {
  double worst = 0;
  const int before = mechanisms_passed_over();
  int constraints = 0, cuts = 0;
  std::vector<int> sizes;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    ClosedOracle oracle(m.description, m.tree);
    const bool external = seed % 3 == 0;
    oracle.set(m.state.q, m.state.v, external ? m.state.f_ext : Eigen::VectorXd{});
    ASSERT_LE(oracle.error().size() ? oracle.error().cwiseAbs().maxCoeff() : 0, 1e-12);
    const Eigen::VectorXd truth = oracle.accelerations(m.state.tau);
    const Model model = make_model(m.description);
    constraints += static_cast<int>(m.description.loops.size() + m.description.couplings.size());
    for (const Options& options : plans_for(seed)) {
      ForwardDynamics dynamics(model, options);
      if (dynamics.modules()) cuts += static_cast<int>(dynamics.modules()->cuts.size());
      Eigen::VectorXd a(model.nv());
      const Status status = external ? dynamics.solve(m.state.q, m.state.v, m.state.tau, m.state.f_ext, a)
                                     : dynamics.solve(m.state.q, m.state.v, m.state.tau, a);
      ASSERT_TRUE(status.ok()) << seed << ", " << describe(options) << ": " << status.message(model);
      const double difference = (a - truth).cwiseAbs().maxCoeff() / std::max(1.0, truth.cwiseAbs().maxCoeff());
      EXPECT_LE(difference, 1e-8) << seed << ", " << describe(options);
      worst = std::max(worst, difference);
    }
  }
  std::printf("%d constraints, %d cut joints, worst %.1e; %d not assembled\n", constraints, cuts, worst,
              mechanisms_passed_over() - before);
  EXPECT_LE(mechanisms_passed_over() - before, static_cast<int>(last - first) / 100);
}

TEST(Embedding, RandomMechanismsAgreeWithMultipliers) { compare(0, 500); }

}  // namespace
}  // namespace kinetree::oracle
