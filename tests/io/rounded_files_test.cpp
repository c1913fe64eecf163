// Files that have 1.5708 for a right angle: their loops hold what agrees, and go as those with all digits.
#include <cmath>
#include <kinetree/kinetree.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <string>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace {

using Eigen::VectorXd;

constexpr const char* right_angle = "1.5707963267948966";

std::string urdf(const std::string& angle) {
  const auto link = [](const std::string& name, const std::string& half, const std::string& mass,
                       const std::string& inertia) {
    return "<link name=\"" + name + "\"><inertial><origin xyz=\"" + half + " 0 0\"/><mass value=\"" + mass +
           "\"/><inertia ixx=\".0001\" iyy=\"" + inertia + "\" izz=\"" + inertia +
           "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n";
  };
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child,
                        const std::string& at, const std::string& turn) {
    return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent + "\"/><child link=\"" + child +
           "\"/><origin xyz=\"" + at + " 0 0\" rpy=\"" + turn + " 0 0\"/><axis xyz=\"0 0 1\"/></joint>\n";
  };
  return "<robot name=\"fourbar\">\n<link name=\"base\"/>\n" + link("crank", ".075", ".3", ".0006") +
         link("coupler", ".2", ".8", ".0106") + link("rocker", ".15", ".6", ".0045") +
         joint("j1", "base", "crank", "0", right_angle) + joint("j2", "crank", "coupler", ".15", "0") +
         joint("j3", "base", "rocker", ".4", angle) +
         "<loop name=\"close\" type=\"revolute\"><predecessor link=\"coupler\"><origin xyz=\".4 0 0\"/></predecessor>"
         "<successor link=\"rocker\"><origin xyz=\".3 0 0\"/></successor><axis xyz=\"0 0 1\"/></loop>\n</robot>\n";
}

std::string mjcf(const std::string& angle) {
  const std::string inertial = "<inertial pos=\".1 0 0\" mass=\"1\" diaginertia=\".01 .01 .01\"/>";
  return "<mujoco model=\"m\"><compiler angle=\"radian\"/><worldbody>\n<body name=\"crank\" euler=\"" +
         std::string(right_angle) + " 0 0\"><joint name=\"j1\" axis=\"0 0 1\"/>" + inertial +
         "\n<body name=\"coupler\" pos=\"0 .2 0\"><joint name=\"j2\" axis=\"0 0 1\"/>" + inertial +
         "</body></body>\n<body name=\"rocker\" pos=\".4 0 0\" euler=\"" + angle +
         " 0 0\"><joint name=\"j3\" axis=\"0 0 1\"/>" + inertial +
         "</body>\n</worldbody><equality><connect body1=\"coupler\" body2=\"rocker\" anchor=\".4 .2 0\"/></equality>"
         "</mujoco>";
}

/// Loads, is told, and moves as the one with all digits does; energy is kept for two seconds.
void expect_four_bar(const Reading& rounded, const Reading& exact, int redundant) {
  const std::vector<Finding> said = findings_of(rounded);
  ASSERT_FALSE(has_error(said)) << all(said);
  EXPECT_NE(all(said).find(std::to_string(redundant) + " of its "), std::string::npos) << all(said);
  EXPECT_NE(all(said).find("redundant but for rounding"), std::string::npos) << all(said);
  EXPECT_EQ(all(findings_of(exact)).find("rounding"), std::string::npos);
  const Model model = make_model(rounded.description), right = make_model(exact.description);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    VectorXd q(3), v(3), tau = VectorXd::Constant(3, 0.1), a(3), b(3);
    ASSERT_TRUE(random_state(right, seed, q, v).ok());
    ASSERT_TRUE(ForwardDynamics(right, {}).solve(q, v, tau, b).ok());
    Closure closure(model.data());
    ASSERT_LE(closure.project(model.data().aggregates.front(), q.data()), 1e-13);
    closure.project_velocity(model.data().aggregates.front(), q.data(), v.data());
    EXPECT_TRUE(closure.violations(q.data(), v.data()).empty());
    for (const Loops way : {Loops::embed, Loops::multipliers}) {
      const Status status = ForwardDynamics(model, {.algorithm = Algorithm::ab, .loops = way}).solve(q, v, tau, a);
      ASSERT_TRUE(status.ok()) << status.message(model);
      EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-4 * b.cwiseAbs().maxCoeff()) << "seed " << seed;
    }
  }
  Simulation simulation(model, {}, {.integrator = Integrator::adaptive, .tolerance = 1e-10});
  const VectorXd q = neutral(model), v = VectorXd::Zero(3);
  ASSERT_TRUE(simulation.reset(q, v).ok());
  Workspace workspace(model);
  Energy before, after;
  ASSERT_TRUE(energy(model, workspace, simulation.q(), simulation.v(), before).ok());
  const Status status = simulation.advance_to(2);
  ASSERT_TRUE(status.ok()) << status.message(model);
  ASSERT_TRUE(energy(model, workspace, simulation.q(), simulation.v(), after).ok());
  EXPECT_GT(after.kinetic, 0.01);
  EXPECT_NEAR(after.kinetic + after.potential, before.kinetic + before.potential, 1e-8);
}

TEST(RoundedFiles, AFourBarOfUrdf) {
  for (const char* angle : {"1.571", "1.5708", "1.57080", "1.570796", "1.5707963", "1.57079633", "1.570796327"}) {
    SCOPED_TRACE(angle);
    expect_four_bar(read_urdf_text(urdf(angle), "r.urdf"), read_urdf_text(urdf(right_angle), "r.urdf"), 3);
  }
}

TEST(RoundedFiles, AFourBarOfMjcf) {
  const Reading exact = read_mjcf_text(mjcf(right_angle), "m.xml");
  if (has_error(exact.findings)) GTEST_SKIP() << all(exact.findings);  // no reader of MJCF
  for (const char* angle : {"1.5708", "1.570796", "1.57079633"}) {
    SCOPED_TRACE(angle);
    expect_four_bar(read_mjcf_text(mjcf(angle), "m.xml"), exact, 1);
  }
}

TEST(RoundedFiles, CouplingsOfYaml) {
  const std::string text =
      "bodies:\n"
      "- {name: a, parent: world, joint: {name: ja, type: revolute, axis: [0, 1, 0]}, inertial: {mass: 1, com: [0.2, "
      "0, "
      "0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}\n"
      "- {name: b, parent: world, joint: {name: jb, type: revolute, axis: [0, 1, 0]}, inertial: {mass: 1, com: [0.1, "
      "0, "
      "0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}\n"
      "couplings:\n"
      "- {name: one, terms: {ja: 1, jb: 1}, offset: 0}\n"
      "- {name: two, terms: {ja: 1, jb: 1.0000001}, offset: 0}\n";
  const Reading reading = read_yaml_text(text, "c.yaml");
  expect_finding({"couplings",
                  text,
                  5,
                  "coupling \"one\", \"two\"",
                  {"1 of its 2 constraints", "coupling \"two\""},
                  Severity::notice},
                 "c.yaml", findings_of(reading));
  const Model model = make_model(reading.description);
  VectorXd zero = VectorXd::Zero(2), a(2);
  ASSERT_TRUE(ForwardDynamics(model, {}).solve(zero, zero, zero, a).ok());
  EXPECT_NEAR(a[0], 9.81 * (0.2 - 0.1) / (0.05 + 0.02), 1e-5);  // m g (arms' difference) over both inertias
  EXPECT_NEAR(a[1], -a[0], 1e-5);
  Simulation simulation(model);
  ASSERT_TRUE(simulation.reset(zero, zero).ok());
  ASSERT_TRUE(simulation.step(1e-3).ok());
  EXPECT_NEAR(simulation.v()[0], 1e-3 * a[0], 1e-5);
}

}  // namespace
}  // namespace kinetree::test
