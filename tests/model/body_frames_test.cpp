// Body frames as the Model chooses them: joints by screws, and the mechanism the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/joint/joint.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "model/describe.hpp"

namespace kinetree {
namespace {

int count(const Model& model, bool Link<double>::*flag) {
  const auto& links = model.data().link;
  return static_cast<int>(std::count_if(links.begin(), links.end(), [&](const auto& l) { return l.*flag; }));
}

int with_inner(const Model& model) {
  const auto& links = model.data().link;
  return static_cast<int>(
      std::count_if(links.begin(), links.end(), [](const auto& l) { return l.axial && l.placement.has_inboard(); }));
}

/// Largest difference of X_up by screws and by the general transform.
double difference(const Model& model) {
  const ModelData& m = model.data();
  double worst = 0;
  for (std::size_t i = 0; i < m.link.size(); ++i) {
    const double q[7]{0.7, -0.4, 0.2, 0, 0, 0, 1}, v[6]{};
    Transform<double> general, kept;
    JointTransform<double> X;
    X.general = &kept;
    Motion<double> columns[6], cJ;
    joint_at(m.joint_type[i], m.link[i], q, v, general, columns, cJ);
    joint_at(m.joint_type[i], m.link[i], q, v, X, columns, cJ);
    const auto screws = static_cast<Transform<double>>(X);
    for (int k = 0; k < 9; ++k) keep_worst(worst, std::abs((&general.E.xx)[k] - (&screws.E.xx)[k]));
    for (int k = 0; k < 3; ++k) keep_worst(worst, std::abs((&general.r.x)[k] - (&screws.r.x)[k]));
  }
  return worst;
}

TEST(BodyFrames, ChainsNeedTwoScrewsAndBranchesThree) {
  const Model chain = make_model("chain:20"), tree = make_model("tree:2x5");
  EXPECT_EQ(count(chain, &Link<double>::axial), 20);
  EXPECT_EQ(with_inner(chain), 0);
  EXPECT_EQ(count(tree, &Link<double>::axial), 31);
  EXPECT_LE(with_inner(tree), 15) << "one child of each body at most needs a third screw";
}

TEST(BodyFrames, ScrewsAreTheTransformTheyStandFor) {
  for (int seed = 1; seed <= 40; ++seed) {
    const Model model = make_model("random:30:seed=" + std::to_string(seed) + ":joints=mixed");
    EXPECT_GT(count(model, &Link<double>::axial), 0) << seed;
    EXPECT_LT(difference(model), 2e-14) << seed;
  }
}

TEST(BodyFrames, EveryJointThatMovesAlongItsAxisHasScrews) {
  for (const JointFacts& facts : joint_facts) {
    if (!facts.along_axis) continue;
    const std::string type(facts.name);
    BodyDescription a =
        test::body("a", "world", type, {0.3, 1, 0.2}, {{1, 2, 3}, quaternion_from_rpy({0.3, 0.2, 0.1})});
    BodyDescription b = test::body("b", "a", type, {1, 0, 0.5}, {{0.3, 0.1, 0}, quaternion_from_rpy({0, 1, 0})});
    a.joint.pitch = b.joint.pitch = facts.pitch ? 0.3 : 0;
    const Model model = make_model(test::mechanism({a, b}));
    EXPECT_EQ(count(model, &Link<double>::axial), 2) << type;
    EXPECT_LT(difference(model), 1e-14) << type;
  }
}

TEST(BodyFrames, AlmostParallelAxesKeepAGeneralTransform) {
  for (const double tilt : {0.0, 1e-16, 1e-9, 1e-5, 1e-3, 0.5}) {
    const Model model =
        make_model(test::mechanism({test::body("a", "world", "revolute"),
                                    test::body("b", "a", "revolute", {0, 0, 1},
                                               {{0.3, 0.1, 0.2}, quaternion_from_rpy({0.6 * tilt, 0.8 * tilt, 0})})}));
    const bool far = tilt > 1e-15 && tilt < 0.05;
    EXPECT_EQ(model.data().link[1].axial, !far) << tilt;
    EXPECT_LT(difference(model), 1e-14) << tilt;
  }
}

}  // namespace
}  // namespace kinetree
