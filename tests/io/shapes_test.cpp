// Visuals, collision shapes and sensors: what each format says of them is kept, written as YAML and read back; a fault
// in one costs that shape alone.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/kinetree.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>
#include <kinetree/write_model.hpp>

#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace {

using Shapes = std::span<const ShapeDescription>;

Model model_of(const Reading& reading) { return make_model(reading.description, {}, reading.findings); }

void expect_placed(const Placement& p, const Numbers3& xyz, const std::array<double, 4>& quaternion) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p.xyz[k], xyz[k], 1e-15);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(p.quaternion[k], quaternion[k], 1e-12);
}

void expect_shape(const ShapeDescription& s, const std::string& name, const std::string& type,
                  const std::vector<double>& size) {
  EXPECT_EQ(s.name, name);
  EXPECT_EQ(s.type, type);
  EXPECT_EQ(s.size, size);
}

/// On the link `a`, turned as that.
void expect_sensor(const SensorDescription& s, const std::string& type, const Numbers3& xyz) {
  EXPECT_EQ(s.type, type);
  EXPECT_EQ(s.link, "a");
  expect_placed(s.frame, xyz, {0, 0, 0, 1});
}

void expect_same(Shapes a, Shapes b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    expect_shape(a[k], b[k].name, b[k].type, b[k].size);
    EXPECT_EQ(a[k].mesh, b[k].mesh);
    EXPECT_EQ(a[k].material, b[k].material);
    expect_placed(a[k].frame, b[k].frame.xyz, b[k].frame.quaternion);
  }
}

/// As a YAML file and back.
void expect_kept(const Reading& reading) {
  const Model before = model_of(reading), after = model_of(read_yaml_text(yaml_text(reading.description), "w.yaml"));
  ASSERT_EQ(after.frame_count(), before.frame_count());
  for (int k = 0; k < before.frame_count(); ++k) {
    expect_same(after.visuals(k), before.visuals(k));
    expect_same(after.collisions(k), before.collisions(k));
  }
  ASSERT_EQ(after.sensors().size(), before.sensors().size());
  for (std::size_t k = 0; k < before.sensors().size(); ++k) {
    const SensorDescription &a = after.sensors()[k], &b = before.sensors()[k];
    EXPECT_EQ(a.name + "," + a.type + "," + a.link, b.name + "," + b.type + "," + b.link);
    expect_placed(a.frame, b.frame.xyz, b.frame.quaternion);
  }
}

const double half = std::sqrt(0.5);

TEST(Shapes, OfYaml) {
  const Reading reading = read_yaml_text(R"(
bodies:
  - name: a
    parent: world
    joint: {name: j, type: revolute, axis: [0, 1, 0]}
    inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
    visuals:
      - {name: shell, type: mesh, mesh: "package://x/a b.stl", size: [1, 1, -2], xyz: [1, 2, 3], quat: [0, 0, 2, 0]}
      - {type: capsule, size: [0.1, 0.5], material: {name: red, rgba: [1, 0, 0, 0.5], texture: t.png}}
    collisions:
      - {type: plane}
      - {type: sphere, size: 0.25}
sensors:
  - {name: imu, type: imu, link: a, xyz: [0, 0, 0.5]}
  - {name: eye, type: camera, link: world}
)",
                                         "m.yaml");
  const Model model = make_model(reading.description);
  ASSERT_EQ(model.visuals(0).size(), 2u);
  expect_shape(model.visuals(0)[0], "shell", "mesh", {1, 1, -2});
  expect_placed(model.visuals(0)[0].frame, {1, 2, 3}, {0, 1, 0, 0});
  EXPECT_EQ(model.visuals(0)[1].material, (MaterialDescription{"red", {{1, 0, 0, 0.5}}, "t.png"}));
  ASSERT_EQ(model.collisions(0).size(), 2u);
  expect_shape(model.collisions(0)[1], "", "sphere", {0.25});
  ASSERT_EQ(model.sensors().size(), 2u);
  EXPECT_EQ(model.sensors()[0].link, "a");
  expect_kept(reading);
}

std::string urdf(const std::string& shapes) {
  return "<robot name='r'>\n<material name='blue'><color rgba='0 0 1 1'/></material>\n<link name='base'/>\n<link "
         "name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\n" +
         shapes + "\n</link><joint name='j' type='continuous'><parent link='base'/><child link='a'/></joint></robot>";
}

TEST(Shapes, OfUrdf) {
  const Reading reading = read_urdf_text(
      urdf("<visual name='v'><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><geometry><mesh filename='m.dae' "
           "scale='2 2 2'/></geometry><material name='blue'/></visual>"
           "<visual><geometry><cylinder radius='.1' length='.5'/></geometry><material name='own'><color rgba='1 0 0 "
           "1'/><texture filename='t.png'/></material></visual>"
           "<collision><geometry><box size='1 2 3'/></geometry></collision>"
           "<collision><geometry><sphere radius='.5'/></geometry></collision>"),
      "m.urdf");
  EXPECT_TRUE(reading.findings.empty()) << all(reading.findings);
  const Model model = make_model(reading.description);
  const int a = frame_index(model, "a");
  ASSERT_EQ(model.visuals(a).size(), 2u);
  expect_shape(model.visuals(a)[0], "v", "mesh", {2, 2, 2});
  EXPECT_EQ(model.visuals(a)[0].mesh, "m.dae");
  EXPECT_EQ(model.visuals(a)[0].material, (MaterialDescription{"blue", {{0, 0, 1, 1}}, ""}));
  expect_placed(model.visuals(a)[0].frame, {1, 2, 3}, {0, 0, half, half});
  expect_shape(model.visuals(a)[1], "", "cylinder", {0.1, 0.5});
  EXPECT_EQ(model.visuals(a)[1].material, (MaterialDescription{"own", {{1, 0, 0, 1}}, "t.png"}));
  ASSERT_EQ(model.collisions(a).size(), 2u);
  expect_shape(model.collisions(a)[0], "", "box", {1, 2, 3});
  expect_shape(model.collisions(a)[1], "", "sphere", {0.5});
  expect_kept(reading);
}

/// A warning each; the dynamics, and other shapes, load as they are.
TEST(Shapes, AFaultOfUrdfCostsThatShapeAlone) {
  const std::string good = "<visual><geometry><sphere radius='1'/></geometry></visual>";
  const std::vector<Broken> cases{
      {"no geometry", urdf(good + "<visual/>"), 5, "link \"a\"", {"<visual> is left out", "no <geometry>"}},
      {"words",
       urdf(good + "<collision><geometry><box size='1 x 2'/></geometry></collision>"),
       5,
       "link \"a\"",
       {"<collision> is left out", "<box size> is \"1 x 2\""}},
      {"negative",
       urdf(good + "<visual><geometry><sphere radius='-1'/></geometry></visual>"),
       5,
       "link \"a\"",
       {"size -1 is negative"}},
      {"unknown",
       urdf(good + "<visual><geometry><cone radius='1'/></geometry></visual>"),
       5,
       "link \"a\"",
       {"unknown type \"cone\"", "cylinder"}},
      {"no file", urdf(good + "<visual><geometry><mesh/></geometry></visual>"), 5, "link \"a\"", {"names no file"}},
      {"colour",
       urdf(good + "<visual><geometry><sphere radius='1'/></geometry><material name='x'><color rgba='2 0 0 1'/>"
                   "</material></visual>"),
       5,
       "link \"a\"",
       {"rgba 2 is not between 0 and 1"}}};
  for (Broken broken : cases) {
    broken.severity = Severity::warning;
    const Reading reading = read_urdf_text(broken.text, "m.urdf");
    expect_finding(broken, "m.urdf", reading.findings);
    const Model model = model_of(reading);
    EXPECT_EQ(model.visuals(frame_index(model, "a")).size(), 1u) << broken.name;
  }
}

TEST(Shapes, AFaultOfYamlIsAnError) {
  const auto body = [](const std::string& shape, const std::string& sensor = "{name: s, type: imu, link: a}") {
    return "bodies:\n  - {name: a, parent: world, joint: {name: j, type: floating}, inertial: {mass: 1, inertia: [1, "
           "1, "
           "1, 0, 0, 0]},\n     visuals: [" +
           shape + "]}\nsensors:\n  - " + sensor + "\n";
  };
  const std::string sphere = "{type: sphere, size: 1}";
  const std::vector<Broken> cases{
      {"size", body("{type: box, size: [1, 2]}"), 3, "link \"a\", visual", {"size has 2 numbers", "box takes 3"}},
      {"type", body("{name: v, type: cone}"), 3, "link \"a\", visual \"v\"", {"unknown type \"cone\"", "capsule"}},
      {"mesh", body("{type: sphere, size: 1, mesh: m.stl}"), 3, "link \"a\", visual", {"has a mesh"}},
      {"key", body("{type: sphere, size: 1, radius: 1}"), 3, "link \"a\"", {"unknown key \"radius\"", "size"}},
      {"colour",
       body("{type: sphere, size: 1, material: {rgba: [1, 0, 0]}}"),
       3,
       "link \"a\"",
       {"rgba is a list of 3"}},
      {"no list",
       "bodies:\n  - {name: a, parent: world, joint: {name: j, type: floating}, collisions: 3}\n",
       2,
       "link \"a\"",
       {"collisions is \"3\"", "list of shapes"}},
      {"link", body(sphere, "{name: s, type: imu, link: b}"), 5, "sensor \"s\"", {"\"b\" is no link"}},
      {"place", body(sphere, "{name: s, type: imu, link: a, xyz: 3}"), 5, "sensor \"s\"", {"xyz is \"3\""}}};
  for (const Broken& broken : cases)
    expect_finding(broken, "m.yaml", findings_of(read_yaml_text(broken.text, "m.yaml")));
}

#if KINETREE_WITH_MJCF
TEST(Shapes, OfMjcf) {
  const Reading reading = read_mjcf_text(
      "<mujoco><compiler angle='radian'/><asset><material name='blue' rgba='0 0 1 1'/></asset><worldbody><geom "
      "type='plane' size='1 1 1'/><body name='a'><joint name='j'/>"
      "<geom name='g' type='capsule' size='.25 .5' pos='1 2 3' quat='0 0 1 0' material='blue'/>"
      "<geom type='box' size='1 2 3' contype='0' conaffinity='0' rgba='1 0 0 1'/><site name='s' pos='0 0 "
      "2'/></body></worldbody><sensor><gyro name='turn' site='s'/><jointpos joint='j' name='q'/></sensor></mujoco>",
      "m.xml");
  const Model model = model_of(reading);
  ASSERT_EQ(model.visuals(0).size(), 2u);
  expect_shape(model.visuals(0)[0], "g", "capsule", {0.25, 1});
  expect_placed(model.visuals(0)[0].frame, {1, 2, 3}, {0, 1, 0, 0});
  EXPECT_EQ(model.visuals(0)[0].material, (MaterialDescription{"blue", {{0, 0, 1, 1}}, ""}));
  expect_shape(model.visuals(0)[1], "", "box", {2, 4, 6});
  ASSERT_EQ(model.collisions(0).size(), 1u);
  EXPECT_EQ(model.collisions(0)[0].name, "g");
  ASSERT_EQ(model.sensors().size(), 1u);
  expect_sensor(model.sensors()[0], "gyro", {0, 0, 2});
  int left_out = 0;
  for (const Finding& f : reading.findings) left_out += f.element == "<sensor>" || f.element == "<geom>";
  EXPECT_EQ(left_out, 2) << all(reading.findings);
  expect_kept(reading);
}
#endif

#if KINETREE_WITH_SDF
TEST(Shapes, OfSdf) {
  const std::string inertial = "<inertial><mass>1</mass></inertial>";
  const Reading reading = read_sdf_text(
      "<sdf version='1.9'><model name='m'><link name='a'><pose>9 9 9 0 0 0</pose>" + inertial +
          "<visual name='v'><pose>1 2 3 0 0 1.5707963267948966</pose><geometry><mesh><uri>m.dae</uri><scale>2 2 "
          "2</scale></mesh></geometry><material><diffuse>0 0 1 1</diffuse></material></visual>"
          "<collision name='c'><geometry><cylinder><radius>.25</radius><length>.5</length></cylinder></geometry>"
          "</collision><collision name='p'><geometry><plane><normal>1 0 0</normal><size>2 3</size></plane></geometry>"
          "</collision><sensor name='i' type='imu'><pose>0 0 2 0 0 0</pose></sensor></link></model></sdf>",
      "m.sdf");
  const Model model = model_of(reading);
  ASSERT_EQ(model.visuals(0).size(), 1u);
  expect_shape(model.visuals(0)[0], "v", "mesh", {2, 2, 2});
  EXPECT_EQ(model.visuals(0)[0].mesh, "m.dae");
  EXPECT_EQ(model.visuals(0)[0].material, (MaterialDescription{"", {{0, 0, 1, 1}}, ""}));
  expect_placed(model.visuals(0)[0].frame, {1, 2, 3}, {0, 0, half, half});
  ASSERT_EQ(model.collisions(0).size(), 2u);
  expect_shape(model.collisions(0)[0], "c", "cylinder", {0.25, 0.5});
  expect_shape(model.collisions(0)[1], "p", "plane", {2, 3});
  expect_placed(model.collisions(0)[1].frame, {0, 0, 0}, {0, half, 0, half});
  ASSERT_EQ(model.sensors().size(), 1u);
  expect_sensor(model.sensors()[0], "imu", {0, 0, 2});
  expect_kept(reading);
}
#endif

}  // namespace
}  // namespace kinetree::test
