// `automatic` keeps the accuracy of `ab`: in the mechanisms and states most hostile to constraint forces its largest
// error against 60 digits is at most 4 times that of `ab`, one state alone and in a batch, on every instruction set.
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/scalar/worst.hpp"
#include "library/planner.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/environment.hpp"
#include "oracle/hostile.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

constexpr double times_ab = 4, rounding = 1e-14;  // of the largest acceleration of the state

class States {
 public:
  States(const Model& model, Regime regime, int count) : q_(model.nq(), count), v_(model.nv(), count), tau_(v_) {
    for (int k = 0; k < count; ++k) {
      const TestState s = state_in(model, regime, 100 + static_cast<std::uint64_t>(k));
      truth_.push_back(reference_accelerations(model, s));
      q_.col(k) = s.q, v_.col(k) = s.v, tau_.col(k) = s.tau;
    }
  }

  double alone(ForwardDynamics dynamics) const {
    double worst = 0;
    Eigen::VectorXd a(v_.rows());
    for (Eigen::Index k = 0; k < v_.cols(); ++k) {
      EXPECT_TRUE(dynamics.solve(q_.col(k), v_.col(k), tau_.col(k), a).ok());
      keep_worst(worst, relative_difference(a, truth_[static_cast<std::size_t>(k)]));
    }
    return worst;
  }

  double together(ForwardDynamics dynamics) const {
    double worst = 0;
    Eigen::MatrixXd a(v_.rows(), v_.cols());
    EXPECT_TRUE(dynamics.solve(q_, v_, tau_, a).ok());
    for (Eigen::Index k = 0; k < v_.cols(); ++k)
      keep_worst(worst, relative_difference(a.col(k), truth_[static_cast<std::size_t>(k)]));
    return worst;
  }

 private:
  Eigen::MatrixXd q_, v_, tau_;
  std::vector<std::vector<Reference>> truth_;
};

/// The plan of a machine with four cores on which threads cost nothing, so that modules are taken where they may be.
Plan on_four_cores(const Model& model) {
  return make_plan(model, {.threads = 4},
                   {.ab = 0.2, .dial = 0.02, .lanes = {2, 2, 2}, .tbb = {}, .openmp = {}, .team = {}}, 4)
      .plan;
}

/// How many of the plans cut the model in modules.
int compare(const HostileMechanism& mechanism, int count) {
  int cut = 0;
  for (const Regime regime : regimes) {
    const States states(mechanism.model, regime, count);
    double ab = 0, ratio = 0;  // of `ab` over all sets: rounding makes of one state's error what it likes
    for (const InstructionSet set : sets()) {
      const Environment environment(name_of(set));
      keep_worst(ab, states.alone(ForwardDynamics(mechanism.model, {.algorithm = Algorithm::ab})));
    }
    for (const InstructionSet set : sets()) {
      const Environment environment(name_of(set));
      const auto expect = [&](double e, const char* plan) {
        EXPECT_LE(e, std::max(times_ab * ab, rounding))
            << mechanism.name << ", " << regime_names[static_cast<int>(regime)] << ", " << plan << ", " << name_of(set);
        keep_worst(ratio, e / std::max(ab, rounding / times_ab));
      };
      const Plan wide = on_four_cores(mechanism.model);
      const ForwardDynamics automatic(mechanism.model);
      cut += (automatic.plan().algorithm == Algorithm::modular) + (wide.algorithm == Algorithm::modular);
      expect(states.alone(ForwardDynamics(mechanism.model)), "automatic");
      expect(states.alone(ForwardDynamics(mechanism.model, wide)), "automatic, four cores");
      expect(states.together(ForwardDynamics(mechanism.model)), "automatic, a batch");
    }
    std::printf("%-48s %-10s ab %7.1e  automatic %4.1f x\n", mechanism.name.c_str(),
                regime_names[static_cast<int>(regime)], ab, ratio);
  }
  return cut;
}

TEST(AutomaticAccuracy, IsThatOfArticulatedBodies) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  int cut = 0;
  for (const HostileMechanism& mechanism : few_hostile_mechanisms()) cut += compare(mechanism, 2) > 0;
  EXPECT_GE(cut, 15) << "mechanisms that some plan cuts";
}

TEST(AutomaticAccuracyLong, IsThatOfArticulatedBodies) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  int cut = 0;
  for (const HostileMechanism& mechanism : hostile_mechanisms()) cut += compare(mechanism, 100) > 0;
  EXPECT_GE(cut, 60) << "mechanisms that some plan cuts";
}

/// Without the refinement digits are lost: what the rule above protects from.
TEST(AutomaticAccuracy, NeedsTheRefinement) {
  const Model rope = make_model("rope:64:dummy=1e-3:payload=5");
  const States states(rope, Regime::controlled, 2);
  const double with = states.alone(ForwardDynamics(rope, {.algorithm = Algorithm::modular, .grain = 16}));
  const Options without{.algorithm = Algorithm::modular, .grain = 16, .refinements = 0};
  EXPECT_GT(states.alone(ForwardDynamics(rope, without)), 4 * with);
}

}  // namespace
}  // namespace kinetree::oracle
