// Limbs of one state side by side: the accelerations of the sweep over bodies one by one, whatever hangs where.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/scalar/worst.hpp"
#include "model/every_joint_type.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mechanisms.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::oracle {
namespace {

/// The worst relative difference from bodies one by one, over sets, widths, and f_ext or none.
double worst_difference(const Model& model, std::uint64_t seed, std::size_t& most_groups, bool& padded) {
  const auto expected_by = one_by_one(model);
  double worst = 0;
  for (const InstructionSet set : sets())
    for (const int width : limb_widths(set)) {
      const Limbs limbs = limbs_that_pay(model.data(), width);
      most_groups = std::max(most_groups, limbs.groups.size());
      for (const LaneGroup& group : limbs.groups)
        for (const std::vector<int>& place : group.body)
          padded = padded || std::count(place.begin(), place.end(), -1) > 0;
      const auto solver = make_parts_solver<double>(set, model, Method{}, {limbs, {}});
      for (const bool forced : {false, true, false}) {
        const TestState s = random_state(model, ++seed);
        const Eigen::VectorXd expected = solve(*expected_by, s, forced);
        keep_worst(worst, (solve(*solver, s, forced) - expected).norm() / expected.norm());
      }
    }
  return worst;
}

class Forest {
 public:
  Forest(std::uint64_t seed, const std::vector<JointType>& types) : random_(seed), types_(types) {}

  /// A trunk of three bodies on a floating joint, or none; copies of random limbs hang from each of it, of other
  /// numbers, some without their tips.
  Model grow(bool trunk, bool armature) {
    d_.name = "forest";
    d_.gravity = {1, -4, 8};
    armature_ = armature;
    std::vector<std::string> on{"world"};
    if (trunk) {
      on = {add("world", JointType::floating)};
      on.push_back(add(on.back(), JointType::revolute));
      on.push_back(add(on.back(), JointType::prismatic));
    }
    for (int k = 0; k < 2; ++k) {
      const Shape shape = random_shape(3);
      const int copies = 2 + random_.below(6);
      for (int c = 0; c < copies; ++c)
        hang(on[static_cast<std::size_t>(random_.below(static_cast<int>(on.size())))], shape);
    }
    return make_model(d_);
  }

 private:
  struct Shape {
    JointType type;
    std::vector<Shape> children;
  };

  Shape random_shape(int height) {
    Shape shape{types_[static_cast<std::size_t>(random_.below(static_cast<int>(types_.size())))], {}};
    const int children = height == 0 ? 0 : random_.below(height == 3 ? 3 : 2) + (height == 3 ? 1 : 0);
    for (int c = 0; c < children; ++c) shape.children.push_back(random_shape(height - 1));
    return shape;
  }
  void hang(const std::string& parent, const Shape& shape) {
    const std::string own = add(parent, shape.type);
    for (const Shape& child : shape.children)
      if (random_.below(6) > 0) hang(own, child);
  }
  std::string add(const std::string& parent, JointType type) {
    d_.bodies.push_back(random_body(random_, "b" + std::to_string(d_.bodies.size()), parent, type));
    if (armature_ && velocity_count(type) == 1 && random_.below(2) == 0)
      d_.bodies.back().joint.armature = random_.uniform(0.01, 0.5);
    return d_.bodies.back().name;
  }

  Random random_;
  std::vector<JointType> types_;
  Description d_;
  bool armature_ = false;
};

TEST(Limbs, EqualBodiesOneByOne) {
  const std::vector<JointType> turns{JointType::revolute, JointType::continuous, JointType::prismatic},
      all = moving_types();
  int grouped = 0, with_padding = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Model model = Forest(seed, seed % 2 ? turns : all).grow(seed % 3 > 0, seed % 5 == 0);
    std::size_t groups = 0;
    bool padded = false;
    EXPECT_LE(worst_difference(model, 10 * seed, groups, padded), 1e-12) << "seed " << seed;
    grouped += groups > 0;
    with_padding += padded;
  }
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  EXPECT_GE(grouped, 40);
  EXPECT_GE(with_padding, 5);
}

TEST(Limbs, EqualBodiesOneByOneInFamilies) {
  for (const char* family : {"tree:2x6", "tree:3x3", "star:7x4", "comb:9", "random:60:seed=3:floating=1"}) {
    std::size_t groups = 0;
    bool padded = false;
    EXPECT_LE(worst_difference(make_model(family), 4, groups, padded), 1e-12) << family;
  }
}

std::string shown(const Limbs& limbs) {
  std::string text;
  for (const LaneGroup& group : limbs.groups)
    text += (text.empty() ? "" : " ") + std::to_string(group.lanes()) + "x" + std::to_string(group.places());
  return text;
}

/// Operations of a state with these limbs side by side.
double work(const Model& model, const Limbs& limbs) {
  Parts parts;
  parts.limbs = limbs;
  const Modules modules =
      limbs.groups.empty() ? make_modules(model.data(), {}) : modules_of_parts(model.data(), parts).modules;
  const std::vector<double> all = step_work(model, modules, {}, parts);
  return std::accumulate(all.begin(), all.end(), 0.0);
}

TEST(Limbs, AreThoseThatSaveMost) {
  EXPECT_EQ(shown(limbs_that_pay(make_model("star:8x3").data(), 4)), "4x3 4x3");
  EXPECT_EQ(shown(limbs_that_pay(make_model("tree:2x6").data(), 4)), "4x15") << "not two of thirty-one";
  EXPECT_EQ(shown(limbs_that_pay(make_model("tree:2x6").data(), 8)), "8x7");
  EXPECT_EQ(shown(limbs_that_pay(make_model("chain:50").data(), 8)), "");
  EXPECT_EQ(shown(limbs_that_pay(make_model("geared:4").data(), 4)), "") << "aggregates are swept one by one";
  EXPECT_EQ(shown(limbs_that_pay(make_model("star:8x3").data(), 1)), "");
  const Model tree = make_model("tree:3x4");
  for (const int width : {2, 4, 8}) {
    const Limbs limbs = limbs_that_pay(tree.data(), width);
    std::vector<int> times(tree.data().parent.size(), 0);
    for (const LaneGroup& group : limbs.groups) {
      EXPECT_LE(group.lanes(), width);
      for (int place = 0; place < group.places(); ++place)
        for (int lane = 0; lane < group.lanes(); ++lane) {
          const int body = group.body[static_cast<std::size_t>(place)][static_cast<std::size_t>(lane)];
          if (body < 0) continue;
          ++times[static_cast<std::size_t>(body)];
          if (const int outer = group.parent[static_cast<std::size_t>(place)]; outer >= 0) {
            EXPECT_EQ(tree.data().parent[static_cast<std::size_t>(body)],
                      group.body[static_cast<std::size_t>(outer)][static_cast<std::size_t>(lane)]);
          }
        }
    }
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(times[i], limbs.taken[i] ? 1 : 0) << i;
    EXPECT_LT(work(tree, limbs), work(tree, {})) << "nothing goes side by side that does not pay";
  }
}

TEST(Limbs, AreFoundAmongManyShapesThatNobodyShares) {
  // the rest of a comb's spine is a limb at every tooth, larger than all teeth, and another shape each time
  const Model comb = make_model("comb:1024");
  const Limbs limbs = limbs_that_pay(comb.data(), 8);
  int teeth = 0;
  for (const LaneGroup& group : limbs.groups) teeth += group.lanes();
  EXPECT_EQ(teeth, 1024);
  EXPECT_LT(work(comb, limbs), 0.8 * work(comb, {}));
}

/// Two arms of turns, and nothing else known of them.
ModelData two_arms(int longer, int shorter) {
  ModelData m;
  for (int i = 0; i < longer + shorter; ++i) {
    m.parent.push_back(i == longer ? -1 : i - 1);
    m.q_index.push_back(i), m.v_index.push_back(i);
  }
  m.q_index.push_back(longer + shorter), m.v_index.push_back(longer + shorter);
  m.joint_type.assign(m.parent.size(), JointType::revolute);
  m.link.resize(m.parent.size());
  connect(m);
  return m;
}

TEST(Limbs, MayBeLongerThanACallStackIsDeep) {
  const Limbs limbs = find_limbs(two_arms(150000, 149000), 2, std::vector<BodyPrice>(299000, {300, 400, 0}));
  ASSERT_EQ(shown(limbs), "2x150000");
  EXPECT_EQ(std::count(limbs.groups[0].body[148999].begin(), limbs.groups[0].body[148999].end(), -1), 0);
  EXPECT_EQ(std::count(limbs.groups[0].body[149000].begin(), limbs.groups[0].body[149000].end(), -1), 1);
}

TEST(Limbs, InFloatEqualBodiesOneByOne) {
  int differ = 0;
  for (const char* family : {"tree:2x6", "star:7x4", "comb:9"})
    for (const InstructionSet set : sets())
      for (const int width : limb_widths(set)) {
        const Environment limited(name_of(set));
        const Model model = make_model(family);
        const TestState s = random_state(model, 5);
        const Eigen::VectorXf q = s.q.cast<float>(), v = s.v.cast<float>(), tau = s.tau.cast<float>();
        Eigen::VectorXf a[2] = {Eigen::VectorXf(model.nv()), Eigen::VectorXf(model.nv())};
        for (const bool limbs : {false, true}) {
          ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab, .limbs = limbs ? width : 1});
          EXPECT_TRUE(dynamics.solve(q, v, tau, a[limbs]).ok());
        }
        EXPECT_LE((a[1] - a[0]).norm() / a[0].norm(), 1e-2) << family << ", " << name_of(set);
        differ += !(a[1] == a[0]);
      }
  if (!sets().empty() && sets().back() != InstructionSet::baseline) {  // which takes limbs in float one by one
    EXPECT_GT(differ, 0) << "kernels for limbs round otherwise here and there";
  }
}

TEST(Limbs, AreTakenByOneStateAloneAndSayWhatFailed) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const Model model = make_model("tree:2x5");
  ForwardDynamics dynamics(model);
  EXPECT_GT(dynamics.plan().limbs, 1);
  const auto planned = [](const char* family, const Options& o) {
    return ForwardDynamics(make_model(family), o).plan().limbs;
  };
  EXPECT_EQ(planned("tree:2x5", {.limbs = 1}), 1);
  EXPECT_EQ(planned("tree:2x5", {.algorithm = Algorithm::crb}), 1);
  EXPECT_EQ(planned("tree:2x5", {.algorithm = Algorithm::ab}), 1) << "the same bits on any number of threads";
  EXPECT_EQ(planned("chain:9", {}), 1);
  EXPECT_EQ(planned("geared:9", {}), 1);
  TestState s = random_state(model, 3);
  Eigen::VectorXd a(model.nv()), again(model.nv());
  ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, a).ok());
  s.v[7] = std::nan("");
  const Status status = dynamics.solve(s.q, s.v, s.tau, again);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_EQ(status.body, 7);
  EXPECT_TRUE(again.array().isNaN().all());
  s.v = random_state(model, 3).v;
  ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, again).ok());
  EXPECT_EQ(a, again) << "bit by bit";
  try {
    const ForwardDynamics refused(model, {.algorithm = Algorithm::ab, .limbs = 3});
    ADD_FAILURE() << "three limbs were taken";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("limbs is 3"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace kinetree::oracle
