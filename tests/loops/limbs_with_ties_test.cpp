// Limbs side by side that hold loops and gears themselves: against 60 digits, limb by limb of other numbers.
#include <gtest/gtest.h>

#include <kinetree/load_model.hpp>
#include <string>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/regular_mechanisms.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::oracle {
namespace {

/// A leg on `parent`: a hip with a motor, a four-bar on the thigh, a foot with a toe on its rocker. Limbs of other
/// `size` have other lengths, masses, ends of loops and ratios. `crank`: of the four-bar; it is closed and regular from
/// 0.1 to 0.3.
void add_leg(Description& d, const std::string& name, const std::string& parent, double size, double crank = 0.2) {
  const auto grow = [&](const char* own, const std::string& on, double along, double length, const Numbers3& axis) {
    d.bodies.push_back(rod(name + own, on, along, length, axis));
    return name + own;
  };
  const std::string hip = grow("_hip", parent, 0.1 * size, size, {1, 0, 0});
  const std::string thigh = grow("_thigh", hip, size, 0.9 * size, {0, 1, 0});
  const std::string in = grow("_crank", thigh, 0, crank * size, {0, 1, 0});
  const std::string coupler = grow("_coupler", in, crank * size, 0.5 * size, {0, 1, 0});
  const std::string rocker = grow("_rocker", thigh, 0.4 * size, 0.4 * size, {0, 1, 0});
  const std::string foot = grow("_foot", rocker, 0.4 * size, 0.2 * size, {1, 0, 0});
  grow("_toe", foot, 0.2 * size, 0.1 * size, {0, 1, 0});
  grow("_motor", parent, 0, 0.1 * size, {1, 0, 0});
  LoopDescription loop;
  loop.name = name + "_loop", loop.type = "revolute", loop.axis = {0, 1, 0};
  loop.first.body = coupler, loop.first.frame.xyz = {0.5 * size, 0, 0};
  loop.second.body = rocker, loop.second.frame.xyz = {0.4 * size, 0, 0};
  d.loops.push_back(loop);
  CouplingDescription gear;
  gear.name = name + "_gear";
  gear.terms = {{name + "_motor_joint", 1}, {hip + "_joint", -20 * size}};
  d.couplings.push_back(gear);
}

Description walker(const std::vector<double>& sizes, double last_crank = 0.2) {
  Description d;
  d.name = "walker";
  d.bodies.push_back(rod("trunk", "world", 0, 1));
  d.bodies.back().joint.type = "floating";
  for (std::size_t k = 0; k < sizes.size(); ++k)
    add_leg(d, "leg" + std::to_string(k), "trunk", sizes[k], k + 1 == sizes.size() ? last_crank : 0.2);
  return d;
}

/// The worst relative error, over states, against 60 digits.
double worst_error(const Model& model, const Options& o, const bench::StateSet& states, bool forced) {
  ForwardDynamics dynamics(model, o);
  double worst = 0;
  for (Eigen::Index c = 0; c < states.count(); ++c) {
    TestState s;
    s.q = states.q.col(c), s.v = states.v.col(c), s.tau = states.tau.col(c);
    s.f_ext.resize(6 * model.body_count());
    for (Eigen::Index k = 0; k < s.f_ext.size(); ++k) s.f_ext[k] = std::sin(1.0 + static_cast<double>(k + 7 * c));
    const std::vector<Reference> own = reference_accelerations(model, s, forced);
    Eigen::VectorXd truth(model.nv()), a(model.nv());
    for (std::size_t k = 0; k < own.size(); ++k) truth[static_cast<Eigen::Index>(k)] = static_cast<double>(own[k]);
    const Status status = forced ? dynamics.solve(s.q, s.v, s.tau, s.f_ext, a) : dynamics.solve(s.q, s.v, s.tau, a);
    EXPECT_TRUE(status.ok()) << status.message(model);
    keep_worst(worst, (a - truth).norm() / truth.norm());
  }
  return worst;
}

std::vector<Model> tied_models() {
  std::vector<Model> all{make_model(walker({1, 1.2, 0.8, 1.1})),
                         make_model(walker({1, 1, 1.3, 0.9, 1.1, 0.7, 1, 0.8}))};
  for (const char* name : {"geared_humanoid", "humanoid_with_hands", "four_bar_quadruped"})
    for (const bool floating : {false, true})
      all.push_back(load_model(std::string(KINETREE_MODELS) + "/" + name + ".yaml", {.floating_base = floating}));
  return all;
}

TEST(LimbsWithTies, AsAccurateAsBodyByBody) {
  for (const Model& model : tied_models()) {
    const bench::StateSet states = bench::random_states(model, 8, 4);
    for (const InstructionSet set : sets())
      for (const int width : limb_widths(set)) {
        const Environment limited(name_of(set));
        const Limbs limbs = limbs_that_pay(model.data(), width);
        int tied = 0;
        for (const LaneGroup& group : limbs.groups) tied += static_cast<int>(group.aggregate.size());
        EXPECT_GT(tied, 0) << model.name() << ", " << width << ": no limb holds an aggregate";
        for (const Aggregate& a : model.data().aggregates)
          for (const int i : a.bodies)
            EXPECT_EQ(limbs.taken[static_cast<std::size_t>(i)], limbs.taken[static_cast<std::size_t>(a.bodies.front())])
                << "a limb has all of an aggregate or none";
        Options o = serial(Algorithm::ab);
        o.loops = Loops::embed, o.limbs = 1;
        for (const bool forced : {false, true}) {
          o.limbs = 1;
          const double alone = worst_error(model, o, states, forced);
          o.limbs = width;
          EXPECT_LE(worst_error(model, o, states, forced), 4 * alone + 1e-13)
              << model.name() << ", " << name_of(set) << ", " << width;
        }
      }
  }
}

/// Multipliers keep their aggregates out of limbs.
TEST(LimbsWithTies, WhatMultipliersHoldIsInNoLimb) {
  const Model model = make_model(walker({1, 1.2, 0.8, 1.1}));
  const std::vector<bool> all(model.data().aggregates.size(), true);
  const Limbs limbs = limbs_that_pay(model.data(), 4, all);
  for (std::size_t i = 0; i < limbs.taken.size(); ++i)
    EXPECT_FALSE(limbs.taken[i] && model.data().aggregate_of[i] >= 0) << i;
}

/// What makes limbs unlike: another coupling, another end of a loop, another type of loop.
TEST(LimbsWithTies, ShapesTellTiesApart) {
  const auto groups = [](const Description& d) { return limbs_that_pay(make_model(d).data(), 2).groups; };
  const Description alike = walker({1, 1.2});
  ASSERT_EQ(groups(alike).size(), 1u);
  EXPECT_EQ(groups(alike)[0].places(), 8);
  EXPECT_EQ(groups(alike)[0].aggregate.size(), 2u);
  Description other = alike;
  std::swap(other.loops[1].first, other.loops[1].second);
  EXPECT_TRUE(groups(other).empty()) << "its ends the other way round";
  other = alike;
  other.loops[1].type = "cylindrical";
  EXPECT_TRUE(groups(other).empty());
  other = alike;
  other.couplings.erase(other.couplings.begin() + 1);
  EXPECT_TRUE(groups(other).empty());
}

/// Faults in a limb are told as without limbs, by the names of the limb at fault.
TEST(LimbsWithTies, FaultsNameTheLimbsOwn) {
  const Model flat = make_model(walker({1, 1.2, 0.8, 1}, 0.3));  // 0.3 + 0.5 = 0.4 + 0.4: it may fold at zero
  bench::StateSet states = bench::random_states(flat, 1, 9);
  states.q.bottomRows(8).setZero();
  const auto status = [&](int limbs) {
    Options o = serial(Algorithm::ab);
    o.loops = Loops::embed, o.limbs = limbs;
    ForwardDynamics dynamics(flat, o);
    Eigen::VectorXd a(flat.nv());
    EXPECT_EQ(dynamics.plan().limbs, limbs);
    return dynamics.solve(states.q.col(0), states.v.col(0), states.tau.col(0), a);
  };
  const Status alone = status(1);
  EXPECT_EQ(alone.code, StatusCode::singular_loop);
  for (const int width : limb_widths(instruction_set())) {
    const Status said = status(width);
    EXPECT_EQ(said.code, alone.code) << width;
    EXPECT_EQ(said.body, alone.body) << width;
  }
}

/// A crank and a rocker on `parent`, a rod between them on balls, along `to` of its own frame, and a tip on the rocker.
/// `spin`: kg m², about the rod; without, nothing but rounding resists its turn.
void add_rod_on_balls(Description& d, const std::string& name, const std::string& parent, const Numbers3& to,
                      double spin) {
  BodyDescription crank = rod(name + "_crank", parent, 0, 0.1, {0, 0, 1});
  BodyDescription between = rod(name + "_rod", name + "_crank", 0.1, 0.4),
                  rocker = rod(name + "_rocker", parent, 0, 0.25);
  between.joint.type = "spherical";
  const double square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2], mass = 0.5;
  const auto moment = [&](std::size_t r, std::size_t c) {  // m (r² - r rᵀ) / 12 of a line of mass
    return (r == c ? mass * square / 12 : 0) + (spin / square - mass / 12) * to[r] * to[c];
  };
  between.inertial =
      InertialDescription{mass,
                          {{to[0] / 2, to[1] / 2, to[2] / 2}},
                          {moment(0, 0), moment(1, 1), moment(2, 2), moment(0, 1), moment(0, 2), moment(1, 2)}};
  rocker.joint.origin.xyz = {0.4, 0.1, -0.2}, rocker.joint.axis = {0.3, 1, 0.1};
  d.bodies.insert(d.bodies.end(), {crank, between, rocker, rod(name + "_tip", name + "_rocker", 0.25, 0.1)});
  LoopDescription loop;
  loop.name = name + "_loop", loop.type = "spherical";
  loop.first.body = name + "_rod", loop.first.frame.xyz = to;
  loop.second.body = name + "_rocker", loop.second.frame.xyz = {0.25, 0, 0};
  d.loops.push_back(loop);
}

/// Of limbs side by side the one in which nothing resists a motion is named.
TEST(LimbsWithTies, IdleMembersAreNamed) {
  const Numbers3 directions[] = {
      {0.4, 0, 0}, {0.24, 0.32, 0}, {0.21, 0.17, 0.3}, {-0.07, 0.3, 0.25}, {0.1, -0.1, 0.37}};
  int finite = 0;
  for (const Numbers3& to : directions) {
    Description d;
    d.name = "rods_on_balls";
    d.bodies.push_back(rod("trunk", "world", 0, 1));
    for (int k = 0; k < 4; ++k) add_rod_on_balls(d, "limb" + std::to_string(k), "trunk", to, k == 1 ? 0 : 1e-3);
    const Model model = make_model(d);
    const bench::StateSet states = bench::random_states(model, 1, 9);
    for (const int width : limb_widths(instruction_set())) {
      const Limbs limbs = limbs_that_pay(model.data(), width);
      ASSERT_FALSE(limbs.groups.empty());
      Options o = serial(Algorithm::ab);
      o.loops = Loops::embed;
      Status said[2];
      for (const bool side_by_side : {false, true}) {
        o.limbs = side_by_side ? width : 1;
        ForwardDynamics dynamics(model, o);
        Eigen::VectorXd a(model.nv());
        said[side_by_side] = dynamics.solve(states.q.col(0), states.v.col(0), states.tau.col(0), a);
      }
      EXPECT_EQ(said[0].code, StatusCode::singular);
      EXPECT_NE(said[0].message(model).find("limb1_rod"), std::string::npos) << said[0].message(model);
      EXPECT_EQ(said[1].code, said[0].code) << width;
      EXPECT_EQ(said[1].body, said[0].body) << width;
      // where rounding resists, the accelerations are finite and the limb itself has to tell
      const auto solver = make_parts_solver<double>(instruction_set(), model, Method{}, {limbs, {}});
      Eigen::VectorXd a(model.nv());
      const Eigen::VectorXd q = states.q.col(0), v = states.v.col(0), tau = states.tau.col(0);
      const State<double> state{q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()};
      solver->solve({&state, 1});
      if (a.allFinite()) {
        ++finite;
        EXPECT_EQ(solver->idle_body(0), said[0].body);
      }
    }
  }
  if (!limb_widths(instruction_set()).empty()) {
    EXPECT_GT(finite, 0) << "no case asks for idle_body";
  }
}

/// The bits are those of any executor.
TEST(LimbsWithTies, SameBitsOnThreads) {
  for (const Model& model : tied_models()) {
    const bench::StateSet states = bench::random_states(model, 1, 5);
    Options o = serial(Algorithm::ab);
    o.loops = Loops::embed;
    o.limbs = limb_widths(instruction_set()).empty() ? 1 : limb_widths(instruction_set()).front();
    const auto solve = [&](const Options& options) {
      ForwardDynamics dynamics(model, options);
      Eigen::VectorXd a(model.nv());
      EXPECT_TRUE(dynamics.solve(states.q.col(0), states.v.col(0), states.tau.col(0), a).ok());
      return a;
    };
    const Eigen::VectorXd expected = solve(o);
    for (const ExecutorKind executor : threaded_executors) {
      Options many = o;
      many.executor = executor, many.threads = 2;
      EXPECT_TRUE(solve(many) == expected) << model.name();
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
