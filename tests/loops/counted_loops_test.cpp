// What loops and gears cost, in counted operations.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

/// Operations of one solve behind the first, which finds constant maps.
double work(const Description& d, const Method& method = {}) {
  const Model model = make_model(d);
  Closure closure(model.data());
  std::vector<double> q0 = zero_configuration(model.data());
  for (std::size_t k = 0; k < q0.size(); ++k) q0[k] = 0.2 * std::sin(1.0 + static_cast<double>(k));
  for (const Aggregate& a : model.data().aggregates) EXPECT_LE(closure.project(a, q0.data()), 1e-9) << d.name;
  const TestState s = random_state(model, 1);
  const std::vector<Counted> q(q0.begin(), q0.end()), v(s.v.begin(), s.v.end()), tau(s.tau.begin(), s.tau.end());
  std::vector<Counted> a(v.size());
  const auto solver = make_solver<Counted>(model, method);
  solver->set({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()});
  solver->run();
  Counted::counts() = {};
  solver->run();
  return static_cast<double>(Counted::counts().total());
}

TEST(CountedLoops, GearedChain) {
  for (const int n : {1, 2, 4, 6, 12, 24}) {
    const double plain = work(geared_chain(n, Rotors::none)), geared = work(geared_chain(n, Rotors::bodies)),
                 armature = work(geared_chain(n, Rotors::armature));
    std::printf("geared chain of %d: %.0f without rotors, %.2f x with rotors as bodies, %.2f x as armature\n", n, plain,
                geared / plain, armature / plain);
    // one joint alone has no 6 x 6 to hand on, so that its rotor is as much work as it is
    if (n > 4) {
      EXPECT_LE(geared, 2.0 * plain) << n;
    }
    // a turn without rotor leaves nothing about its axis to hand on, which a rotor does: 59 operations more
    EXPECT_LE(armature, plain + 60 * n) << n;
  }
  const double a = work(geared_chain(20, Rotors::bodies)), b = work(geared_chain(40, Rotors::bodies)),
               c = work(geared_chain(60, Rotors::bodies));
  EXPECT_EQ(c - b, b - a) << "linear";
}

TEST(CountedLoops, ChainOfFourBarsIsLinear) {
  const double a = work(four_bars(8)), b = work(four_bars(16)), c = work(four_bars(24));
  const double chain = work(make_description("chain:30")) - work(make_description("chain:20"));
  std::printf("four-bars: %.0f operations each, a chain of as many bodies %.0f\n", (c - b) / 8, 3 * chain / 10);
  EXPECT_NEAR(c - b, b - a, 1e-3 * (b - a)) << "elimination skips entries that happen to be zero";
}

TEST(CountedLoops, SplitAggregatesCostLessThanTheirUnion) {
  for (const int n : {2, 4, 8}) {
    const double split = work(four_bars(n)), whole = work(four_bars(n, true));
    std::printf("%d four-bars: %.0f apart, %.0f as one aggregate\n", n, split, whole);
    EXPECT_LT(split, whole);
  }
}

}  // namespace
}  // namespace kinetree::oracle
