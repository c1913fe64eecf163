// Loops as a user of the command meets them: where models start, residuals that cover constraints, digits that are
// lost.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/pictures.hpp"
#include "bench/residual.hpp"
#include "engine/model/model_data.hpp"
#include "loops/closed_oracle.hpp"
#include "loops/coupling_rods.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string model_file(const char* name) { return std::string(KINETREE_MODELS) + "/" + name; }

TEST(LoopsCommand, ModelsStartWhereLoadingFoundThemClosed) {
  for (const char* name : {"four_bar.yaml", "five_bar.yaml", "biped.yaml"}) {
    const Folder folder;
    const Outcome outcome = run({"simulate", model_file(name), "--seconds", "0.2", "--out", folder.path()});
    EXPECT_EQ(outcome.status, 0) << name << ": " << outcome.err;
    EXPECT_NE(outcome.out.find("time         0.2 s"), std::string::npos) << outcome.out;
  }
}

/// H a + bias - tau = Kᵀ lambda holds for any accelerations that constraint forces alone tell apart: only the
/// constraints themselves see those.
TEST(LoopsCommand, TheResidualCoversTheConstraints) {
  const Description d = oracle::flat_four_bar(0.15, 0.4, 0.3);
  const Model model = make_model(d);
  oracle::ClosedOracle oracle(d, model);
  VectorXd q = Eigen::Map<const VectorXd>(model.data().assembled.data(), 3), v = VectorXd::Ones(3);
  oracle.set(q, v);
  v = oracle.allowed(v);
  oracle.set(q, v);
  const VectorXd tau{{0.3, -0.2, 0.5}}, a = oracle.accelerations(tau);
  Workspace workspace(model);
  EXPECT_LE(residual(model, workspace, q, v, tau, {}, a), 1e-13);
  const MatrixXd across = oracle.mass_matrix().ldlt().solve(oracle.K().transpose());
  ASSERT_GE(across.col(2).norm() + across.col(4).norm(), 1e-3);
  VectorXd wrong = a;
  for (int row = 0; row < across.cols(); ++row)
    if (across.col(row).norm() > 1e-6) wrong += 0.01 * a.norm() * across.col(row).normalized();
  EXPECT_GE(residual(model, workspace, q, v, tau, {}, wrong), 1e-4);
  // the velocity terms as well
  EXPECT_GE(residual(model, workspace, q, 2 * v, tau, {}, a), 1e-4);
  EXPECT_TRUE(std::isnan(residual(model, workspace, q, v, tau, {}, a * NAN)));
}

/// At 1e-6 rad from folding flat about six digits go; no residual tells.
TEST(LoopsCommand, DigitsLostNearChangePointsAreTold) {
  const Folder folder;
  const std::string model = (folder / "rods.yaml").string(), states = (folder / "states.json").string();
  std::ofstream(model) << R"(name: rods
bodies:
  - {name: crank, parent: world, joint: {name: crank, type: revolute, axis: [0, 1, 0]}, inertial: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: rod, parent: crank, joint: {name: rod, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.2, 0, 0]}}, inertial: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02, 0, 0, 0]}}
  - {name: other, parent: world, joint: {name: other, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.4, 0, 0]}}, inertial: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
loops:
  - {name: pin, type: revolute, axis: [0, 1, 0], between: [{body: rod, xyz: [0.4, 0, 0]}, {body: other, xyz: [0.2, 0, 0]}]}
)";
  std::ofstream(states) << R"({"states": [{"q": [1e-6, -1e-6, 1e-6]}, {"q": [0.5, -0.5, 0.5]}, {"q": [0, 0, 0]}]})";
  const std::string multipliers = "multipliers";
  for (const std::string& loops : {std::string("embed"), multipliers}) {
    const Outcome outcome = run({"solve", model, "--states", states, "--algorithm", "ab", "--loops", loops});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_NE(
        outcome.err.find("state 0: loop \"pin\" near a change point: about 6 digits of the accelerations are lost"),
        std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.err.find("up to twice as many by multipliers") != std::string::npos, loops == multipliers)
        << outcome.err;
    EXPECT_EQ(outcome.err.find("state 1"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("state 2: loop \"pin\" near"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("state 2: loop \"pin\": the constraints lose rank"), std::string::npos) << outcome.err;
    const auto answer = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(answer["statuses"][0], "ok");
    EXPECT_LE(answer["residuals"][0].get<double>(), 1e-12);
  }
}

/// A thin rod between two balls spins as it likes: its own joint is named, wherever it stands in the tree.
TEST(LoopsCommand, AnIdleRodIsNamed) {
  const auto text = [](double spin) {
    return R"(name: rssr
bodies:
  - {name: crank, parent: world, joint: {name: crank_pivot, type: revolute, axis: [0, 0, 1]}, inertial: {mass: 0.3, com: [0.05, 0, 0], inertia: [1.0e-4, 5.0e-4, 5.0e-4, 0, 0, 0]}}
  - {name: rod, parent: crank, joint: {name: rod_ball, type: spherical, origin: {xyz: [0.1, 0, 0]}}, inertial: {mass: 0.5, com: [0.2, 0, 0], inertia: [)" +
           std::to_string(spin) + R"(, 0.0067, 0.0067, 0, 0, 0]}}
  - {name: rocker, parent: world, joint: {name: rocker_pivot, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.4, 0.1, -0.2]}}, inertial: {mass: 0.4, com: [0, 0, 0.1], inertia: [1.0e-3, 1.0e-3, 1.0e-4, 0, 0, 0]}}
loops:
  - {name: closure, type: spherical, between: [{body: rod, xyz: [0.4, 0, 0]}, {body: rocker, xyz: [0, 0, 0.25]}]}
)";
  };
  const Folder folder;
  const std::string thin = (folder / "thin.yaml").string(), thick = (folder / "thick.yaml").string();
  std::ofstream(thin) << text(0);
  std::ofstream(thick) << text(1e-4);
  for (const char* loops : {"embed", "multipliers"}) {
    const auto simulate = [&](const std::string& file) {
      return run(
          {"simulate", file, "--seconds", "0.05", "--algorithm", "ab", "--loops", loops, "--out", folder.path()});
    };
    const Outcome idle = simulate(thin);
    EXPECT_EQ(idle.status, 3);
    EXPECT_NE(idle.err.find("joint \"rod_ball\": the inertia it moves is singular"), std::string::npos) << idle.err;
    EXPECT_EQ(simulate(thick).status, 0);
  }
}

/// The load of a four-bar at rest: what its motor needs, by the loop's forces or in the model's independent coordinate.
TEST(LoopsCommand, EvaluateHasForcesThatHoldAndIndependentCoordinates) {
  const Folder folder;
  const std::string model = model_file("four_bar.yaml"), states = (folder / "states.json").string();
  const Outcome closed = run({"assemble", model, "--hold", "crank_pivot=0.5"});
  ASSERT_EQ(closed.status, 0) << closed.err;
  std::ofstream(states) << closed.out;
  const Outcome outcome = run({"evaluate", model, "--states", states, "--axes", "world"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  const auto& state = json["states"][0];
  const auto vector = [](const nlohmann::json& list) {
    const auto numbers = list.get<std::vector<double>>();
    return VectorXd(Eigen::Map<const VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size())));
  };
  const auto& loop = state["loop_forces"][0];
  EXPECT_EQ(loop["loop"], "rocker_end");
  EXPECT_GT(vector(loop["first"]).norm(), 0.1);
  EXPECT_LE((vector(loop["first"]) + vector(loop["second"])).norm(), 1e-13);
  EXPECT_TRUE(state["coupling_forces"].empty());
  ASSERT_EQ(state["joint_reactions"].size(), 3u);
  EXPECT_EQ(state["joint_reactions"][0]["joint"], "crank_pivot");
  ASSERT_EQ(state["constraint_errors"].size(), 5u);
  for (const auto& row : state["constraint_errors"]) EXPECT_LE(std::abs(row["error"].get<double>()), 1e-14);
  // X_Sᵀ of what the spanning tree asks is what the independent coordinate asks; a is X_S a_R and the rate's part
  const VectorXd X = [&] {
    VectorXd column(3);
    for (int k = 0; k < 3; ++k) column[k] = state["spanning_matrix"][static_cast<std::size_t>(k)][0];
    return column;
  }();
  const auto one = [&](const char* name) { return state[name][0].get<double>(); };
  EXPECT_NEAR(one("independent_gravity_force"), X.dot(vector(state["gravity_force"])), 1e-12);
  EXPECT_NEAR(one("independent_bias"), one("independent_gravity_force"), 1e-12);
  EXPECT_NEAR(one("independent_inverse_dynamics"), one("independent_force"), 1e-12);
  const int independent = X[0] == 1 ? 0 : X[1] == 1 ? 1 : 2;
  const VectorXd a = vector(state["a"]);
  EXPECT_LE((X * a[independent] + vector(state["spanning_matrix_rate_v"]) - a).norm(), 1e-12 * a.norm());
  EXPECT_NEAR(state["mass_matrix"][0][0].get<double>() * a[independent],
              one("independent_force") - one("independent_bias"), 1e-12);
}

}  // namespace
}  // namespace kinetree::bench
