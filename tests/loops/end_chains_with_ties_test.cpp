// End chains whose joints stand in aggregates or have rotors: modules that hang by welds, side by side, against 60
// digits and against dense equations.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "loops/closed_at_zero.hpp"
#include "loops/closed_oracle.hpp"
#include "loops/regular_mechanisms.hpp"
#include "loops/solved_in_parts.hpp"
#include "oracle/plans.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::oracle {
namespace {

/// Units of other numbers, each a link with a motor geared to it, on a floating trunk that has two alike legs and a
/// joint with a rotor beside.
Description motors(int count) {
  Description d;
  d.name = "motors";
  d.bodies.push_back(rod("trunk", "world", 0, 1));
  d.bodies.back().joint.type = "floating";
  for (const char* leg : {"left", "right"})
    for (int k = 0; k < 5; ++k)
      d.bodies.push_back(rod(leg + std::to_string(k), k == 0 ? "trunk" : leg + std::to_string(k - 1), 0.2,
                             0.2 + 0.01 * k, k % 2 ? Numbers3{0, 1, 0} : Numbers3{1, 0, 0}));
  std::string on = "trunk";
  for (int k = 0; k < count; ++k) {
    const std::string link = "link" + std::to_string(k), motor = "motor" + std::to_string(k);
    const Numbers3 axis = k % 3 ? Numbers3{0, 1, 0} : Numbers3{0.6, 0, 0.8};
    d.bodies.push_back(rod(motor, on, 0.03, 0.1, axis));
    d.bodies.push_back(rod(link, on, 0.3, 0.4 + 0.005 * k, axis));
    d.bodies.back().joint.armature = 0.01 * (k % 2);
    CouplingDescription gear;
    gear.name = "gear" + std::to_string(k);
    gear.terms = {{motor + "_joint", 1}, {link + "_joint", -10.0 - k}};
    d.couplings.push_back(gear);
    on = link;
  }
  return d;
}

EndChains chains_of(const Model& model, int width, int grain) {
  EndChains chains = find_end_chains(model.data(), width, grain);
  EXPECT_EQ(std::count_if(chains.all.begin(), chains.all.end(), [](const EndChain& c) { return c.welds; }), 1);
  return chains;
}

/// Longer by one unit than a multiple of all widths, for the one that hangs from the ground.
std::vector<Description> descriptions() {
  return {make_description("geared:33"), make_description("geared:33:rotors=armature"),
          make_description("chain:33:armature=0.1"), make_description("fourbars:17"), motors(17)};
}

template <class T>
void compare(const Model& model, const Errors& errors, double least) {
  for (const InstructionSet set : sets()) {
    const double alone = errors.worst(*body_by_body<T>(set, model));
    for (const int width : limb_widths(set))
      for (const int grain : {0, 3}) {
        const EndChains chains = chains_of(model, width, grain);
        expect_as_accurate<T>(set, model, {{}, chains}, errors, alone, least, grain);
      }
  }
}

TEST(EndChainsWithTies, AsAccurateAsBodyByBody) {
  for (const Description& d : descriptions()) {
    const Model model = make_model(d);
    compare<double>(model, Errors(model, 2, false), 1e-13);
    compare<float>(model, Errors(model, 2, true), 1e-6);
  }
}

/// In 60 digits, which share nothing with the library; with limbs beside the chain too.
TEST(EndChainsWithTies, SolveTheDenseEquations) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const InstructionSet set = instruction_set();
  for (const Description& d : {make_description("fourbars:5"), motors(5)}) {
    const Model model = make_model(d);
    const TestState s = state_of(model, bench::random_states(model, 1, 6), 0);
    Parts parts;
    parts.limbs = limbs_that_pay(model.data(), 2);
    parts.end_chains = find_end_chains(model.data(), 2, 0, {}, parts.limbs.taken);
    ASSERT_EQ(parts.end_chains.all.size(), 1u);
    EXPECT_EQ(parts.limbs.groups.size(), d.name == "motors");
    const Eigen::VectorXd a = solved(*make_parts_solver<double>(set, model, refined(1), parts), s, true);
    int freedoms = model.nv();
    for (const Aggregate& tie : model.data().aggregates) freedoms -= tie.velocities - tie.freedoms;
    DenseClosedReference dense(d, model);
    dense.set(s.q, s.v, s.f_ext);
    dense.eliminate(freedoms);
    EXPECT_LE(closed_at_zero::difference(a, dense.accelerations(s.tau)), 1e-9) << d.name;
  }
}

/// Parallelograms, each on the coupler of the one before.
Description parallelograms(int count) {
  Description d;
  for (int k = 0; k < count; ++k) {
    const auto numbered = [&](const char* what) { return what + std::to_string(k); };
    const std::string on = k == 0 ? "world" : "coupler" + std::to_string(k - 1);
    const double along = k == 0 ? 0 : 0.05;
    d.bodies.push_back(rod(numbered("crank"), on, along, 0.2));
    d.bodies.push_back(rod(numbered("coupler"), numbered("crank"), 0.2, 0.4));
    d.bodies.push_back(rod(numbered("rocker"), on, along + 0.4, 0.2));
    d.loops.push_back(closed_at_zero::loop(numbered("closure"), "revolute", numbered("coupler"), {0.4, 0, 0},
                                           numbered("rocker"), {0.2, 0, 0}));
  }
  return d;
}

TEST(EndChainsWithTies, AStatusNamesTheLoopThatIsSingular) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const InstructionSet set = instruction_set();
  const Model model = make_model(parallelograms(17));
  const auto alone = body_by_body<double>(set, model);
  const EndChains chains = chains_of(model, lane_width(set), 0);
  const auto together = make_parts_solver<double>(set, model, refined(1), {{}, chains});
  TestState s = random_state(model, 1);
  for (const int flat : {-1, 2, 7, 16}) {  // -1: none
    s.v.setZero();
    for (int k = 0; k < 17; ++k) {
      const auto put = [&](const char* what, double angle) {
        s.q[model.q_index(model.body_of_link(what + std::to_string(k)))] = angle;
      };
      const double angle = k == flat ? 0 : 0.5 + 0.01 * k;
      put("crank", angle), put("coupler", -angle), put("rocker", angle);
    }
    solved(*alone, s, false), solved(*together, s, false);
    const Status expected = alone->loop_fault(0), found = together->loop_fault(0);
    EXPECT_EQ(expected.ok(), flat < 0);
    EXPECT_EQ(found.code, expected.code) << flat;
    EXPECT_EQ(found.body, expected.body) << flat;
    if (flat >= 0) {
      EXPECT_EQ(model.body_name(found.body), "crank" + std::to_string(flat));
    }
    ForwardDynamics dial(model, serial(Algorithm::cfa));  // which has other bodies in halves
    Eigen::VectorXd a(model.nv());
    const Status by_dial = dial.solve(s.q, s.v, s.tau, a);
    EXPECT_EQ(by_dial.code, expected.code) << flat;
    EXPECT_EQ(by_dial.body, expected.body) << flat;
  }
}

/// The last link's mass lies on its axis, as its motor's does.
TEST(EndChainsWithTies, AStatusNamesTheUnitThatNothingResists) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const InstructionSet set = instruction_set();
  Description d = make_description("geared:17");
  for (BodyDescription& b : d.bodies)
    if (b.name == "link17" || b.name == "rotor17") b.inertial = InertialDescription{1, {}, {0, 0, 0, 0, 0, 0}};
  const Model model = make_model(d);
  const TestState s = state_of(model, bench::random_states(model, 1, 6), 0);
  const auto alone = body_by_body<double>(set, model);
  const auto together = make_parts_solver<double>(set, model, refined(1), {{}, chains_of(model, lane_width(set), 0)});
  solved(*alone, s, false), solved(*together, s, false);
  ASSERT_GE(alone->singular_body(), 0);
  EXPECT_EQ(together->singular_body(), alone->singular_body());
}

TEST(EndChainsWithTies, AreTakenWhereTheyPayAndReplayed) {
  const int width = lane_width(instruction_set());
  if (width < 4) GTEST_SKIP() << "two modules with their columns take longer than two without";
  for (const char* family : {"fourbars:100", "geared:600", "chain:1500:armature=0.1"}) {
    const Model model = make_model(family);
    ForwardDynamics automatic(model);
    const Plan plan = automatic.plan();
    if (width < 8 && *family != 'f') {
      EXPECT_EQ(plan.algorithm, Algorithm::ab) << family << ": four lanes save too little";
      continue;
    }
    EXPECT_EQ(plan.algorithm, Algorithm::modular) << family;
    EXPECT_EQ(plan.end_chains, width) << family;
    ForwardDynamics again(model, plan), alone(model, serial(Algorithm::ab));
    const TestState s = state_of(model, bench::random_states(model, 1, 2), 0);
    const Eigen::VectorXd a = accelerations(automatic, s, true), b = accelerations(alone, s, true);
    EXPECT_TRUE(a == accelerations(again, s, true)) << family;
    EXPECT_LE((a - b).norm(), 1e-9 * b.norm()) << family;
    EXPECT_EQ(automatic.modules()->cuts.size(), static_cast<std::size_t>(width));
    EXPECT_EQ(automatic.modules()->parts_of(model.data()).parent.size(), at(model.body_count() + width));
  }
  for (const char* family : {"fourbars:10", "geared:80", "chain:300:armature=0.1"})
    EXPECT_EQ(ForwardDynamics(make_model(family)).plan().algorithm, Algorithm::ab) << family;
}

}  // namespace
}  // namespace kinetree::oracle
