// The dial through loops, gears and rotors: columns that pass aggregates, bodies split in halves. Random mechanisms
// against `ab`, and both against 60 digits; depth in counted operations; which bodies are split.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

/// A closed state: positions near where the model is assembled, allowed velocities.
TestState closed_state(const Description& d, const Model& model, double reach = 0.2) {
  TestState s = random_state(model, 1);
  Closure closure(model.data());
  for (Eigen::Index k = 0; k < s.q.size(); ++k)
    s.q[k] = model.data().assembled[static_cast<std::size_t>(k)] + reach * std::sin(1.0 + static_cast<double>(k));
  for (const Aggregate& a : model.data().aggregates) EXPECT_LE(closure.project(a, s.q.data()), 1e-9) << d.name;
  return s;
}

struct Cost {
  double depth = 0, work = 0;
};

Cost cost(const std::string& family, const Method& method) {
  const Description d = make_description(family);
  const Model model = make_model(d);
  const TestState s = closed_state(d, model);
  const auto counted = [](const Eigen::VectorXd& x) { return std::vector<Counted>(x.begin(), x.end()); };
  const std::vector<Counted> q = counted(s.q), v = counted(s.v), tau = counted(s.tau);
  std::vector<Counted> a(v.size());
  const auto solver = make_solver<Counted>(model, method);
  solver->set({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()});
  solver->run();  // finds constant maps
  Counted::counts() = {};
  solver->run();
  Cost c;
  for (const Counted& x : a) c.depth = std::max(c.depth, static_cast<double>(x.depth()));
  c.work = static_cast<double>(Counted::counts().total());
  return c;
}

Method dial(int grain, int refinements, Loops loops = Loops::embed) {
  Method method{.algorithm = Algorithm::modular, .modules = {.grain = grain}, .refinements = refinements};
  method.loops = loops;
  return method;
}

TEST(DialThroughTies, DepthGrowsWithTheLogarithm) {
  for (const char* family : {"geared:%d", "geared:%d:rotors=armature", "fourbars:%d", "chain:%d:armature=0.1",
                             "comb:%d:armature=0.1", "fourbars:%d:comb=1"})
    for (const int refinements : {0, 1}) {
      char name[64];
      std::vector<double> depth;
      for (const int n : {8, 16, 32, 64, 128}) {
        std::snprintf(name, sizeof name, family, n);
        depth.push_back(cost(name, dial(1, refinements)).depth);
      }
      const double ab = cost(name, {}).depth, per_doubling = (depth[4] - depth[1]) / 3;
      std::printf("%s, %d refinements: depth %.0f at 16, %.0f at 128, %.1f a doubling; ab %.0f\n", name, refinements,
                  depth[1], depth[4], per_doubling, ab);
      if (std::string(name).find("fourbars") == 0 && refinements == 1) {
        const double small = cost("fourbars:32", dial(1, 1, Loops::multipliers)).depth,
                     twice = cost("fourbars:64", dial(1, 1, Loops::multipliers)).depth;
        std::printf("by multipliers: depth %.0f at 32, %.0f at 64\n", small, twice);
        EXPECT_NEAR(twice - small, per_doubling, 0.5 * per_doubling) << "by multipliers";
      }
      for (std::size_t k = 1; k + 1 < depth.size(); ++k)
        EXPECT_NEAR(depth[k + 1] - depth[k], per_doubling, 0.5 * per_doubling) << name << ": a + b log2 N";
      EXPECT_LE(2 * depth[4], ab) << name;
    }
}

constexpr const char* families[]{"geared:40",
                                 "geared:40:rotors=armature",
                                 "fourbars:20",
                                 "fourbars:6:comb=1",
                                 "chain:50:armature=0.1",
                                 "comb:16:armature=1e-3",
                                 "star:3x20:armature=0.1",
                                 "tree:2x5:armature=10"};

/// 60 digits, to judge errors by.
Eigen::VectorXd digits(const Model& model, const TestState& s, bool external) {
  const std::vector<Reference> all = reference_accelerations(model, s, external);
  Eigen::VectorXd truth(s.v.size());
  for (Eigen::Index k = 0; k < truth.size(); ++k) truth[k] = static_cast<double>(all[static_cast<std::size_t>(k)]);
  return truth;
}

TEST(DialThroughTies, FamiliesAgreeWithArticulatedBodiesInEverySetting) {
  for (const char* family : families)
    for (const bool floating : {false, true}) {
      const Description d = make_description(family, {.floating_base = floating});
      const Model model = make_model(d);
      TestState s = closed_state(d, model);
      for (int b = 0; b < model.body_count(); ++b)
        if (model.joint_type(b) == JointType::floating) s.q.segment<4>(model.q_index(b) + 3).normalize();
      const Eigen::VectorXd truth = digits(model, s, true);
      const double size = largest_of(truth);
      const auto error_of_ab = [&](Loops loops) {
        ForwardDynamics plain(model, plan_with(loops));
        return largest_of(accelerations(plain, s, true) - truth);
      };
      const double of_ab[]{error_of_ab(Loops::embed), error_of_ab(Loops::multipliers)};
      for (Options o : all_plans(1)) {
        if (o.algorithm != Algorithm::cfa && o.algorithm != Algorithm::modular) continue;
        if (o.cuts == Cuts::all && std::string(family).find("comb") != std::string::npos) continue;
        for (const Elimination elimination : {Elimination::cyclic, Elimination::leaves_first})
          for (const Formulation formulation : {Formulation::direct, Formulation::literal}) {
            o.elimination = elimination, o.formulation = formulation;
            for (const bool multipliers : {false, true})
              for (const int refinements : {0, 1}) {
                if (multipliers && model.data().aggregates.empty()) continue;
                o.refinements = refinements, o.loops = multipliers ? Loops::multipliers : Loops::embed;
                ForwardDynamics dynamics(model, o);
                if (o.grain <= 3 && std::string(family).find("tree") != 0) {  // a tree's paths are single bodies
                  EXPECT_GT(dynamics.modules()->cuts.size(), 1u) << family << ", " << describe(o);
                }
                const double error = largest_of(accelerations(dynamics, s, true) - truth);
                EXPECT_LE(error, refinements == 0 ? 1e-9 * size : 4 * of_ab[multipliers] + 1e-14 * size)
                    << family << (floating ? ", floating, " : ", ") << (multipliers ? "multipliers, " : "")
                    << describe(o);
              }
          }
      }
    }
}

TEST(DialThroughTies, EveryExecutorAndNumberOfThreadsGivesTheSameBits) {
  for (const char* family : {"geared:100", "fourbars:40", "chain:150:armature=0.1", "fourbars:8:comb=1"}) {
    const Description d = make_description(family);
    const Model model = make_model(d);
    const TestState s = closed_state(d, model);
    for (const int grain : {1, 4}) {
      Options o = serial(Algorithm::modular);
      o.grain = grain;
      ForwardDynamics alone(model, o);
      const Eigen::VectorXd a = accelerations(alone, s);
      ASSERT_TRUE(a.allFinite());
      for (const ExecutorKind executor : {ExecutorKind::tbb, ExecutorKind::openmp})
        for (const int threads : {2, 3, 8}) {
          o.executor = executor, o.threads = threads;
          ForwardDynamics dynamics(model, o);
          for (int round = 0; round < 5; ++round)
            EXPECT_EQ(accelerations(dynamics, s), a) << family << ", " << name_of(executor) << ", " << threads;
        }
    }
  }
}

TEST(DialThroughTies, BatchesInLanesAndFloatAgree) {
  for (const char* family : {"geared:30", "fourbars:12", "chain:40:armature=0.1"}) {
    const Description d = make_description(family);
    const Model model = make_model(d);
    const TestState s = closed_state(d, model);
    Options o = serial(Algorithm::modular);
    o.grain = 2;
    ForwardDynamics dynamics(model, o);
    const Eigen::VectorXd alone = accelerations(dynamics, s, true);
    Eigen::MatrixXd q = s.q.replicate(1, 11), v = s.v.replicate(1, 11), tau = s.tau.replicate(1, 11),
                    f = s.f_ext.replicate(1, 11), a(model.nv(), 11);
    ASSERT_TRUE(dynamics.solve(q, v, tau, f, a).ok());
    for (int k = 0; k < 11; ++k)
      EXPECT_LE(largest_of(a.col(k) - alone), 1e-11 * largest_of(alone)) << family << ", column " << k;
    Eigen::MatrixXf in_float(model.nv(), 11);
    const Eigen::MatrixXf qf = q.cast<float>(), vf = v.cast<float>(), tauf = tau.cast<float>(), ff = f.cast<float>();
    ASSERT_TRUE(dynamics.solve(qf, vf, tauf, ff, in_float).ok()) << family;
    EXPECT_LE(largest_of(in_float.col(5).cast<double>() - alone), 1e-2 * largest_of(alone)) << family;
  }
}

/// Names of the split bodies.
std::vector<std::string> split(const Model& model, int grain, Cuts cuts = Cuts::paths) {
  const Modules modules = make_modules(model.data(), {.grain = grain, .cuts = cuts});
  const ModelData& parts = modules.parts_of(model.data());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parts.parent.size(); ++i) {
    if (parts.joint_type[i] != JointType::fixed) continue;
    names.emplace_back(model.body_name(parts.whole_of(static_cast<int>(i))));
    EXPECT_GE(modules.cut_of[i], 0) << "a weld is always cut";
    const RigidInertia<double>&half = parts.link[i].I, &other = parts.link[static_cast<std::size_t>(parts.parent[i])].I;
    EXPECT_EQ(half.mass + other.mass, model.data().link[static_cast<std::size_t>(parts.whole[i])].I.mass);
  }
  return names;
}
using Names = std::vector<std::string>;

TEST(DialThroughTies, BodiesAreSplitWhereJointsCannotBeCut) {
  EXPECT_EQ(split(make_model("geared:4"), 1), (Names{"link1", "link2", "link3"}));
  EXPECT_EQ(split(make_model("geared:9"), 4), (Names{"link1", "link3", "link5", "link7"})) << "rotors count";
  EXPECT_EQ(split(make_model("fourbars:3"), 1), (Names{"coupler1", "coupler2"}));
  EXPECT_EQ(split(make_model("chain:4:armature=1"), 1), (Names{"body1", "body2", "body3"}));
  EXPECT_EQ(split(make_model("chain:4"), 1), Names{});
  EXPECT_EQ(split(make_model("chain:4:armature=1"), 100), Names{}) << "one module";
  // every other joint can be cut, so that no body has to be
  Description d = make_description("chain:8:armature=1");
  for (std::size_t k = 0; k < 8; k += 2) d.bodies[k].joint.armature = 0;
  EXPECT_EQ(split(make_model(d), 1), Names{});
  // a half would be as singular as the whole
  d = make_description("chain:4:armature=1");
  d.bodies[1].inertial = InertialDescription{2, {{0.1, 0, 0}, {0, 0, 0, 1}}, {0, 0.1, 0.1, 0, 0, 0}, 0};
  EXPECT_EQ(split(make_model(d), 1), (Names{"body1", "body3"}));
}

/// A member of the body's own aggregate stands between the children that the outboard half would take: it stays whole.
TEST(DialThroughTies, ABodyWhoseOwnAggregateStandsBetweenStaysWhole) {
  Description d = make_description("fourbars:1");
  const auto arm = [&](const std::string& name, const std::string& parent, double x) {
    BodyDescription b = d.bodies[0];
    b.name = name, b.parent = parent, b.joint.name = name + "_joint", b.joint.origin.xyz = {x, 0, 0};
    b.joint.armature = 0.1;
    return b;
  };
  d.bodies.insert(d.bodies.begin() + 1, arm("before", "crank1", 0.05));
  EXPECT_EQ(split(make_model(d), 1), Names{}) << "one child alone is no path of two modules";
  for (int k = 0; k < 4; ++k)
    d.bodies.push_back(arm("arm" + std::to_string(k), k == 0 ? "crank1" : d.bodies.back().name, 0.2));
  EXPECT_EQ(split(make_model(d), 1), (Names{"arm0", "arm1", "arm2"})) << "the crank's coupler stands between its arms";
}

/// What is singular outboard of split bodies is named as `ab` names it.
TEST(DialThroughTies, AStatusNamesTheUsersJoint) {
  Description d = make_description("chain:6:armature=0.1");
  for (std::size_t k = 3; k < 6; ++k) {  // a ball of three joints, locked where the second has turned by a right angle
    d.bodies[k].joint.armature = 0;
    d.bodies[k].joint.axis = k == 3 ? Numbers3{0, 0, 1} : k == 4 ? Numbers3{0, 1, 0} : Numbers3{1, 0, 0};
    if (k > 3) d.bodies[k].joint.origin = {};
    if (k < 5) d.bodies[k].inertial.reset();
  }
  const Model model = make_model(d);
  TestState s = random_state(model, 3);
  s.q[4] = std::acos(-1.0) / 2;
  Eigen::VectorXd a(model.nv());
  ForwardDynamics plain(model, serial(Algorithm::ab)), dial(model, serial(Algorithm::cfa));
  ASSERT_EQ(split(model, 1), (Names{"body1", "body2", "body3"}));
  const Status one = plain.solve(s.q, s.v, s.tau, a), other = dial.solve(s.q, s.v, s.tau, a);
  EXPECT_EQ(one.code, StatusCode::singular);
  EXPECT_EQ(other.message(model), one.message(model));
}

void compare_through_ties(std::uint64_t count) {
  double worst[2]{};
  int cuts = 0, welds = 0, judged = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    const bool external = seed % 3 == 0;
    std::array<Eigen::VectorXd, 2> same_way;
    for (const Loops loops : {Loops::embed, Loops::multipliers}) {
      ForwardDynamics plain(model, plan_with(loops));
      Eigen::VectorXd& ab = same_way[static_cast<std::size_t>(loops == Loops::multipliers)];
      ab = accelerations(plain, m.state, external);
      ASSERT_TRUE(ab.allFinite()) << seed;
    }
    Eigen::VectorXd truth;
    for (const Loops loops : {Loops::embed, Loops::multipliers})
      for (const Cuts way : {Cuts::paths, Cuts::main})
        for (const int grain : {1, 2, 3, 7})
          for (const int refinements : {0, 1}) {
            Options o = serial(grain == 1 ? Algorithm::cfa : Algorithm::modular);
            o.grain = grain == 1 ? 0 : grain, o.cuts = way, o.refinements = refinements, o.loops = loops;
            const Eigen::VectorXd& ab = same_way[static_cast<std::size_t>(loops == Loops::multipliers)];
            ForwardDynamics dynamics(model, o);
            if (refinements == 0) {
              cuts += static_cast<int>(dynamics.modules()->cuts.size());
              welds += static_cast<int>(dynamics.modules()->parts_of(model.data()).parent.size()) - model.body_count();
            }
            const Eigen::VectorXd a = accelerations(dynamics, m.state, external);
            const double size = std::max(1.0, largest_of(ab)), difference = largest_of(a - ab) / size;
            keep_worst(worst[refinements], difference);
            if (refinements == 0) {
              EXPECT_LE(difference, 1e-9) << seed << ", " << describe(o) << static_cast<int>(loops);
            } else if (!(difference <= 1e-13)) {
              if (truth.size() == 0) truth = digits(model, m.state, external);
              ++judged;
              EXPECT_LE(largest_of(a - truth), 4 * largest_of(ab - truth) + 1e-14 * size)
                  << seed << ", " << describe(o) << static_cast<int>(loops);
            }
          }
  }
  std::printf("%d cut joints, of them %d welds; worst difference %.1e, refined %.1e; %d judged by 60 digits\n", cuts,
              welds, worst[0], worst[1], judged);
  EXPECT_GT(welds, 100);
}
TEST(DialThroughTies, RandomMechanismsAgreeWithArticulatedBodies) { compare_through_ties(few_mechanisms); }
TEST(DialThroughTiesLong, RandomMechanismsAgreeWithArticulatedBodies) { compare_through_ties(mechanism_count); }

}  // namespace
}  // namespace kinetree::oracle
