// The neutral configuration: every joint at zero, quaternions units, loops closed.
#include <gtest/gtest.h>

#include <kinetree/configuration.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/load_model.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"
#include "loops/closed_mechanisms.hpp"

namespace kinetree::oracle {
namespace {

TEST(Neutral, IsZeroButForQuaternions) {
  const Model model = make_model("random:20:seed=3:floating=1:special=1");
  const Eigen::VectorXd q = neutral(model);
  ASSERT_EQ(q.size(), model.nq());
  int quaternions = 0;
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const JointType type = model.data().joint_type[k];
    const bool turns_freely = type == JointType::spherical || type == JointType::floating;
    quaternions += turns_freely;
    for (int n = model.data().q_index[k]; n < model.data().q_index[k + 1]; ++n)
      EXPECT_EQ(q[n], turns_freely && n + 1 == model.data().q_index[k + 1] ? 1 : 0) << "w comes last";
  }
  EXPECT_GT(quaternions, 1);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd a(model.nv());
  EXPECT_TRUE(ForwardDynamics(model).solve(q, zero, zero, a).ok());
}

TEST(Neutral, ClosesLoops) {
  std::vector<Model> models;
  for (const char* file : {"four_bar.yaml", "five_bar.yaml", "biped.yaml", "standing_biped.yaml", "gripper.yaml"})
    models.push_back(load_model(std::string(KINETREE_MODELS) + "/" + file, {}));
  models.push_back(make_model("fourbars:5"));
  for (const Model& model : models) {
    const Eigen::VectorXd q = neutral(model), v = Eigen::VectorXd::Zero(model.nv());
    Closure closure(model.data());
    const std::vector<Violation> broken = closure.violations(q.data(), v.data());
    EXPECT_TRUE(broken.empty()) << model.name() << ": " << broken.front().constraint << " by " << broken.front().amount;
  }
}

TEST(Neutral, StandsWhereTheFileSaysThatItIsAssembled) {
  const Model biped = load_model(std::string(KINETREE_MODELS) + "/standing_biped.yaml", {});
  const Eigen::VectorXd q = neutral(biped);
  double away = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k)
    away += std::abs(q[k] - biped.data().assembled[static_cast<std::size_t>(k)]);
  EXPECT_LE(away, 0.1) << "closed from nearby";
  EXPECT_GT(q.cwiseAbs().sum(), 1.2) << "and not at zero";
}

}  // namespace
}  // namespace kinetree::oracle
