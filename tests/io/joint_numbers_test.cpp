// Passive forces and limits of joints: every format gives the same numbers; random states keep to limits.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>

#include "engine/model/model_data.hpp"

namespace kinetree::test {
namespace {

using Eigen::VectorXd;

Model model_of(const Reading& reading) { return make_model(reading.description, {}, reading.findings); }

VectorXd eigen(std::span<const double> x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// A turning and a sliding joint; URDF has no springs, MJCF no limits of velocities and forces.
void expect_numbers(const Model& model, bool springs, bool magnitudes) {
  const auto two = [](double a, double b) { return (VectorXd(2) << a, b).finished(); };
  EXPECT_EQ(eigen(model.damping()), two(0.5, 3));
  EXPECT_EQ(eigen(model.friction()), two(0.25, 0));
  EXPECT_EQ(eigen(model.stiffness()), springs ? two(0, 40) : two(0, 0));
  EXPECT_EQ(eigen(model.spring_reference()), springs ? two(0, 0.125) : two(0, 0));
  EXPECT_EQ(eigen(model.lower_limits()), two(-1.5, -0.125));
  EXPECT_EQ(eigen(model.upper_limits()), two(2, 0.5));
  EXPECT_EQ(eigen(model.velocity_limits()), magnitudes ? two(4, 1) : two(HUGE_VAL, HUGE_VAL));
  EXPECT_EQ(eigen(model.effort_limits()), magnitudes ? two(30, 60) : two(HUGE_VAL, HUGE_VAL));
}

TEST(JointNumbers, OfYaml) {
  const Model model = model_of(read_yaml_text(R"(
bodies:
  - name: a
    parent: world
    joint: {name: j, type: revolute, axis: [0, 1, 0], damping: 0.5, friction: [0.25],
            limits: {lower: -1.5, upper: 2, velocity: 4, effort: 30}}
    inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - name: b
    parent: a
    joint: {name: k, type: prismatic, axis: [0, 1, 0], damping: 3, stiffness: 40, reference: 0.125,
            limits: {lower: -0.125, upper: 0.5, velocity: 1, effort: 60}}
    inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)",
                                              "m.yaml"));
  expect_numbers(model, true, true);
}

TEST(JointNumbers, OfUrdf) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
  const Reading reading = read_urdf_text(
      "<robot name='r'><link name='base'/><link name='a'>" + inertial + "</link><link name='b'>" + inertial +
          "</link><joint name='j' type='revolute'><parent link='base'/><child link='a'/><axis xyz='0 1 0'/>"
          "<dynamics damping='0.5' friction='0.25'/><limit lower='-1.5' upper='2' velocity='4' effort='30'/></joint>"
          "<joint name='k' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/>"
          "<dynamics damping='3'/><limit lower='-0.125' upper='0.5' velocity='1' effort='60'/></joint></robot>",
      "m.urdf");
  EXPECT_TRUE(reading.findings.empty());
  expect_numbers(model_of(reading), false, true);
}

/// What URDF says of limits that it gives in part, or where the type has none.
TEST(JointNumbers, OfUrdfInPart) {
  const auto limits = [](const std::string& type, const std::string& limit) {
    return read_urdf_text("<robot name='r'><link name='base'/><link name='a'/><joint name='j' type='" + type +
                              "'><parent link='base'/><child link='a'/><limit " + limit + "/></joint></robot>",
                          "m.urdf")
        .description.bodies.back()
        .joint.limits;
  };
  EXPECT_EQ(limits("revolute", "upper='1'").lower, PerFreedom{0});
  EXPECT_EQ(limits("revolute", "effort='1'").upper, PerFreedom{});
  EXPECT_EQ(limits("continuous", "lower='0' upper='0' effort='1'").lower, PerFreedom{});
  EXPECT_EQ(limits("continuous", "lower='0' upper='0' effort='1'").effort, PerFreedom{1});
}

#if KINETREE_WITH_MJCF
TEST(JointNumbers, OfMjcf) {
  const std::string inertial = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";
  const Reading reading = read_mjcf_text(
      "<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='j' axis='0 1 0' damping='0.5' "
      "frictionloss='0.25' range='-1.5 2'/>" +
          inertial +
          "<body name='b'><joint name='k' type='slide' axis='0 1 0' damping='3' stiffness='40' springref='0.125' "
          "range='-0.125 0.5'/>" +
          inertial + "</body></body></worldbody></mujoco>",
      "m.xml");
  EXPECT_TRUE(reading.findings.empty());
  expect_numbers(model_of(reading), true, false);
}
#endif

#if KINETREE_WITH_SDF
TEST(JointNumbers, OfSdf) {
  const std::string inertial = "<inertial><mass>1</mass></inertial>";
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child, const std::string& rest) {
    return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child +
           "</child><axis><xyz>0 1 0</xyz>" + rest + "</axis></joint>";
  };
  const Reading reading = read_sdf_text(
      "<sdf version='1.9'><model name='m'><link name='a'>" + inertial + "</link><link name='b'>" + inertial +
          "</link>" +
          joint("j", "revolute", "world", "a",
                "<dynamics><damping>0.5</damping><friction>0.25</friction></dynamics><limit><lower>-1.5</lower>"
                "<upper>2</upper><velocity>4</velocity><effort>30</effort></limit>") +
          joint("k", "prismatic", "a", "b",
                "<dynamics><damping>3</damping><spring_stiffness>40</spring_stiffness><spring_reference>0.125"
                "</spring_reference></dynamics><limit><lower>-0.125</lower><upper>0.5</upper><velocity>1</velocity>"
                "<effort>60</effort></limit>") +
          "</model></sdf>",
      "m.sdf");
  EXPECT_TRUE(reading.findings.empty());
  expect_numbers(model_of(reading), true, true);
}
#endif

/// Limits of one side and of both, beside joints without; couplings and loops are drawn until they keep to theirs.
TEST(JointNumbers, RandomStatesKeepToLimits) {
  Description d = make_description("random:12:seed=4");
  for (std::size_t k = 0; k < d.bodies.size(); ++k) {
    JointDescription& j = d.bodies[k].joint;
    if (j.type == "spherical" || j.type == "floating") continue;
    if (k % 3 != 1) j.limits.lower = {4.0};
    if (k % 3 != 2) j.limits.upper = {4.5};
  }
  Reading loop = read_yaml(std::string(KINETREE_MODELS) + "/five_bar.yaml");
  for (BodyDescription& b : loop.description.bodies) b.joint.limits = {{-1.5}, {2.5}, {}, {}};
  for (const Model& model : {make_model(d), model_of(loop)}) {
    Eigen::MatrixXd q(model.nq(), 50), v(model.nv(), 50);
    ASSERT_TRUE(random_state(model, 1, q, v).ok());
    for (Eigen::Index c = 0; c < 50; ++c)
      for (Eigen::Index k = 0; k < q.rows(); ++k) {
        EXPECT_GE(q(k, c), model.lower_limits()[static_cast<std::size_t>(k)] - 1e-12) << model.name();
        EXPECT_LE(q(k, c), model.upper_limits()[static_cast<std::size_t>(k)] + 1e-12) << model.name();
      }
    EXPECT_GT((q.rowwise().maxCoeff() - q.rowwise().minCoeff()).minCoeff(), 0.2) << model.name();
  }
}

}  // namespace
}  // namespace kinetree::test
