// Models written as YAML and read back: the same bits of accelerations, names, passive forces and limits.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <kinetree/kinetree.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>
#include <kinetree/write_model.hpp>

#include "engine/model/model_data.hpp"
#include "engine/model/random_state.hpp"

namespace kinetree::test {
namespace {

using Eigen::MatrixXd;

MatrixXd accelerations(const Model& model) {
  MatrixXd q(model.nq(), 3), v(model.nv(), 3), a(model.nv(), 3);
  EXPECT_TRUE(random_state(model, 5, q, v).ok());
  EXPECT_TRUE(ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(q, v, MatrixXd::Ones(model.nv(), 3), a).ok());
  return a;
}

bool same_bits(const MatrixXd& a, const MatrixXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}
bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void expect_round_trip(const Description& d, const LoadOptions& options = {}) {
  SCOPED_TRACE(d.name + " " + d.file);
  const std::string text = yaml_text(d, options);
  const Reading reading = read_yaml_text(text, "written.yaml");
  ASSERT_TRUE(reading.findings.empty()) << to_string(reading.findings.front()) << "\n" << text;
  EXPECT_EQ(yaml_text(reading.description), text);
  const Model before = make_model(d, options), after = make_model(reading.description);
  EXPECT_EQ(after.name(), before.name());
  EXPECT_EQ(after.data().joint_name, before.data().joint_name);
  EXPECT_EQ(after.data().gravity, before.data().gravity);
  ASSERT_EQ(after.frame_count(), before.frame_count());
  for (int k = 0; k < before.frame_count(); ++k) EXPECT_EQ(after.frame_name(k), before.frame_name(k));
  EXPECT_TRUE(same_bits(after.data().assembled, before.data().assembled));
  EXPECT_EQ(independent_joints(after), independent_joints(before));
  for (const auto& numbers :
       {&Model::damping, &Model::friction, &Model::stiffness, &Model::spring_reference, &Model::lower_limits,
        &Model::upper_limits, &Model::velocity_limits, &Model::effort_limits})
    EXPECT_TRUE(same_bits((after.*numbers)(), (before.*numbers)()));
  EXPECT_TRUE(same_bits(accelerations(after), accelerations(before)));
}

TEST(WriteYaml, GivesBackTheModelsOfTheRepository) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(KINETREE_MODELS))
    if (entry.path().extension() == ".yaml") expect_round_trip(read_yaml(entry.path()).description), ++count;
  EXPECT_GE(count, 10);
}

TEST(WriteYaml, GivesBackFamiliesWithEveryJoint) {
  for (const char* family : {"random:40:seed=3:special=1:floating=1", "random:30:seed=8", "geared:4", "fourbars:3",
                             "chain:4:armature=0.1", "rope:3"})
    expect_round_trip(make_description(family));
}

/// Every number a joint may have, and words that YAML would take for others.
TEST(WriteYaml, GivesBackJointNumbersAndStrangeNames) {
  Description d = make_description("random:12:seed=4");
  const char* names[] = {"null", "yes", "1.5",    "a: b", "- c",      "\"quoted\"", "tab\there",          "back\\slash",
                         "#",    "~",   "[x, y]", " e ",  "*{alias}", "line\nend",  "Gr\xc3\xb6\xc3\x9f", "x,y"};
  for (std::size_t k = 0; k < d.bodies.size(); ++k) {
    const std::string old = d.bodies[k].name;
    for (BodyDescription& b : d.bodies)
      if (b.parent == old) b.parent = names[k];
    d.bodies[k].name = names[k];
    JointDescription& j = d.bodies[k].joint;
    if (j.type != "fixed") j.name = names[(k + 1) % 16];
    j.passive = {{0.1 / 3}, {1e-300}, {2.0 / 7}, {}};
    j.limits = {{}, {}, {HUGE_VAL}, {1e22 / 3}};
    if (velocity_count(*joint_type_named(j.type)) == 1) j.passive.reference = {-0.1}, j.limits.lower = {-1.0 / 3};
    if (j.type == "universal") j.passive.damping = {1, 2.5}, j.limits.upper = {1, HUGE_VAL};
    if (j.type == "spherical") j.passive.reference = {0.6, 0, 0, 0.8};
  }
  expect_round_trip(d);
}

TEST(WriteYaml, FreesTheBaseAndCouplesMimicsAsLoadingDoes) {
  const std::string inertial =
      "<inertial><origin xyz='0.1 0.2 0.3' rpy='0.3 0.2 0.1'/><mass value='1'/><inertia ixx='1' iyy='1.25' izz='1.5' "
      "ixy='0.1' ixz='0' iyz='0.3'/></inertial>";
  const Description d =
      read_urdf_text(
          "<robot name='r'><link name='a'>" + inertial + "</link><link name='b'>" + inertial +
              "</link><link name='c'>" + inertial +
              "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 2'/>"
              "<origin xyz='1 0 0' rpy='0.1 0.2 0.3'/></joint><joint name='k' type='prismatic'><parent "
              "link='b'/><child link='c'/><mimic joint='j' multiplier='-0.3' offset='0.1'/></joint></robot>",
          "m.urdf")
          .description;
  for (const LoadOptions& options :
       {LoadOptions{}, LoadOptions{.floating_base = true}, LoadOptions{.floating_base = true, .ignore_mimic = true}})
    expect_round_trip(d, options);
}

TEST(WriteYaml, GivesBackPowersInCouplings) {
  const std::string inertial = "inertial: {mass: 1, com: [0.1, 0, 0], inertia: [1, 2, 2.5, 0, 0, 0]}";
  const Reading reading = read_yaml_text(
      "name: cam\nbodies:\n  - {name: a, parent: world, joint: {name: turn, type: revolute, axis: [0, 0, 1]}, " +
          inertial + "}\n  - {name: b, parent: world, joint: {name: slide, type: prismatic, axis: [0, 1, 0]}, " +
          inertial + "}\ncouplings:\n  - {name: cam, terms: {slide: 1, turn: [0.5, -0.25, 0, 0.125]}, offset: 0.1}\n",
      "m.yaml");
  ASSERT_EQ(reading.description.couplings.size(), 1u);
  EXPECT_EQ(reading.description.couplings[0].terms[1].powers, (std::array<double, 3>{-0.25, 0, 0.125}));
  expect_round_trip(reading.description);
}

#if KINETREE_WITH_MJCF
TEST(WriteYaml, GivesBackMjcf) {
  const std::string inertial = "<inertial pos='.1 -.2 .05' quat='1 .2 -.3 .1' mass='1.3' diaginertia='.02 .03 .04'/>";
  expect_round_trip(
      read_mjcf_text("<mujoco><worldbody><body><freejoint/>" + inertial +
                         "<body pos='.1 .2 .3'><joint type='ball' stiffness='2'/><joint type='slide' axis='1 1 0' "
                         "ref='.2' range='-.3 .4' damping='1'/>" +
                         inertial + "</body></body></worldbody></mujoco>",
                     "m.xml")
          .description);
}
#endif

TEST(WriteYaml, RefusesWhatLoadingRefuses) {
  Description d = make_description("chain:2");
  d.bodies[1].inertial->mass = -1;
  try {
    (void)yaml_text(d);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("mass -1 is negative"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace kinetree::test
