// SDFormat 1.10 to 1.12: mimicked axes, screw_thread_pitch and automatic inertias against closed forms and sums over
// slices, and what is said of wrong ones.
#include <array>
#include <cmath>
#include <functional>
#include <kinetree/kinetree.hpp>
#include <kinetree/sdf.hpp>
#include <numbers>

#include "io/closed_state.hpp"
#include "io/expect_finding.hpp"

#if KINETREE_WITH_SDF
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace kinetree::test {
namespace {

using std::numbers::pi;

std::string inertial(double about_z) {
  return "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>" + std::to_string(about_z) +
         "</izz></inertia></inertial>";
}
/// Line 3: link a; 4: link b; 5: joint ja; 6: joint jb; 7: what is added.
std::string wheels(const std::string& in_jb, const std::string& type_of_jb = "revolute", const std::string& more = "",
                   const std::string& in_ja = "") {
  return "<sdf version=\"1.11\">\n<model name=\"m\">\n<link name=\"a\">" + inertial(1) + "</link>\n<link name=\"b\">" +
         inertial(1.5) +
         "</link>\n<joint name=\"ja\" type=\"revolute\"><parent>world</parent><child>a</child><axis><xyz>0 0 "
         "1</xyz>" +
         in_ja + "</axis></joint>\n<joint name=\"jb\" type=\"" + type_of_jb +
         "\"><parent>world</parent><child>b</child>" + in_jb + "</joint>\n" + more + "</model></sdf>\n";
}
std::string axis(const std::string& inside) { return "<axis><xyz>0 0 1</xyz>" + inside + "</axis>"; }
std::string mimic(const std::string& joint, const std::string& inside) {
  return "<mimic joint=\"" + joint + "\">" + inside + "</mimic>";
}
const std::string numbers =
    "<multiplier>-2</multiplier>\n<offset>.1</offset><reference>.3</reference>";  // q_b = -2 (q_a - .3) + .1

Description description_of(const std::string& text) {
  const Reading reading = read_sdf_text(text, "model.sdf");
  EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
  return reading.description;
}
const BodyDescription& body(const Description& d, const std::string& name) {
  for (const BodyDescription& b : d.bodies)
    if (b.name == name) return b;
  throw std::runtime_error("no body " + name);
}

TEST(SdfNewer, VersionsUpTo112AreRead) {
  for (const std::string version : {"1.9", "1.10", "1.11", "1.12"}) {
    std::string text = wheels(axis(""));
    text.replace(text.find("1.11"), 4, version);
    const Reading reading = read_sdf_text(text, "f");
    EXPECT_TRUE(reading.findings.empty()) << version << all(reading.findings);
    EXPECT_EQ(reading.description.bodies.size(), 2u);
    EXPECT_EQ(reading.description.bodies[1].joint.line, 6);
  }
}

/// Wheels about one line, of 1 and 1.5 kg m²: (I_a + r² I_b) a = tau_a + r tau_b.
TEST(SdfNewer, MimickedAxesAreCouplings) {
  const Model model = make_model(description_of(wheels(axis(mimic("ja", numbers)))));
  ASSERT_EQ(independent_joints(model).size(), 1u);
  ASSERT_EQ(model.joint_name(0), "ja");
  const double r = -2, q_a = .7;
  Eigen::VectorXd q(2), v(2), tau(2), a(2);
  q << q_a, r * (q_a - .3) + .1;
  v << .4, r * .4;
  tau << .3, 1.1;
  EXPECT_TRUE(Closure(model.data()).violations(q.data(), v.data()).empty());
  ASSERT_TRUE(ForwardDynamics(model, {}).solve(q, v, tau, a).ok());
  const double expected = (tau[0] + r * tau[1]) / (1 + r * r * 1.5);
  EXPECT_NEAR(a[0], expected, 1e-14);
  EXPECT_NEAR(a[1], r * expected, 1e-14);
  q[1] += 1e-6;
  EXPECT_FALSE(Closure(model.data()).violations(q.data(), v.data()).empty());
}

TEST(SdfNewer, MimicNumbersThatAreNotGivenAreTheSpecificationsOwn) {
  const Description d = description_of(wheels(axis("<mimic joint=\"ja\" axis=\"axis\"/>")));
  const JointDescription jb = body(d, "b").joint;
  ASSERT_TRUE(jb.mimic);
  EXPECT_EQ(jb.mimic->joint, "ja");
  EXPECT_EQ(jb.mimic->multiplier, 1);
  EXPECT_EQ(jb.mimic->offset, 0);
}

/// The joint names of a nested model stand in its scope.
TEST(SdfNewer, MimicsOfNestedModelsFollowTheirOwnJoints) {
  std::string text = wheels(axis(mimic("ja", numbers)));
  text.replace(text.find("<model name=\"m\">"), 16, "<model name=\"outer\"><model name=\"m\">");
  text.replace(text.find("</model>"), 8, "</model></model>");
  const Description d = description_of(text);
  ASSERT_TRUE(body(d, "m::b").joint.mimic);
  EXPECT_EQ(body(d, "m::b").joint.mimic->joint, "m::ja");
}

/// A joint that is written from child to parent keeps its position, and so what it follows.
TEST(SdfNewer, MimicsOfTurnedJointsKeepTheirNumbers) {
  std::string text = wheels(axis(mimic("ja", numbers)));
  const std::string ends = "<parent>world</parent><child>b</child>";
  text.replace(text.find(ends), ends.size(), "<parent>b</parent><child>a</child>");
  const Description d = description_of(text);
  const JointDescription jb = body(d, "b").joint;
  ASSERT_TRUE(jb.mimic);
  EXPECT_EQ(jb.axis[2], -1);
  EXPECT_EQ(jb.mimic->multiplier, -2);
  EXPECT_DOUBLE_EQ(jb.mimic->offset, .1 + 2 * .3);
}

/// (I + m p²) a = tau - m g p for a screw that stands upright, p in m/rad.
TEST(SdfNewer, AScrewMovesByItsThreadPitchATurn) {
  for (const double a_turn : {.05, -.3}) {
    const std::string pitch = "<screw_thread_pitch>" + std::to_string(a_turn) + "</screw_thread_pitch>";
    const Description d = description_of(wheels(pitch + axis(""), "screw"));
    const double p = a_turn / (2 * pi), g = -d.gravity[2];
    Eigen::VectorXd q = Eigen::VectorXd::Zero(2), v = q, tau(2), a(2);
    tau << 0, .7;
    ASSERT_TRUE(ForwardDynamics(make_model(d), {}).solve(q, v, tau, a).ok());
    EXPECT_NEAR(a[1], (.7 - 2 * g * p) / (1.5 + 2 * p * p), 1e-14);
  }
}

TEST(SdfNewer, WithoutAPitchTheDefaultOfTheVersionCounts) {
  std::string text = wheels(axis(""), "screw");
  EXPECT_DOUBLE_EQ(body(description_of(text), "b").joint.pitch, 1 / (2 * pi));
  EXPECT_DOUBLE_EQ(body(description_of(text.replace(text.find("1.11"), 4, "1.9")), "b").joint.pitch, -1);
}

TEST(SdfNewer, TheNewerPitchCounts) {
  const std::string both = "<thread_pitch>3</thread_pitch><screw_thread_pitch>.2</screw_thread_pitch>" + axis("");
  const Reading reading = read_sdf_text(wheels(both, "screw"), "f");
  EXPECT_DOUBLE_EQ(body(reading.description, "b").joint.pitch, .2 / (2 * pi));
  expect_finding({"both", "", 6, "joint \"jb\"", {"which counts", "give one"}, Severity::warning}, "f",
                 reading.findings);
}

/// One link with collisions; line 4 begins them.
std::string solids(const std::string& collisions, const std::string& in_inertial = "") {
  return "<sdf version=\"1.11\">\n<model name=\"m\"><link name=\"a\">\n<inertial auto=\"true\">" + in_inertial +
         "</inertial>\n" + collisions + "</link></model></sdf>\n";
}
std::string solid(const std::string& name, const std::string& shape, const std::string& rest = "") {
  return "<collision name=\"" + name + "\">" + rest + "<geometry>" + shape + "</geometry></collision>\n";
}

/// Mass, height of the centre, moments across and about the axis of what lies between radius(z) and the axis z, by sums
/// over slices.
std::array<double, 4> turned_solid(const std::vector<double>& breaks, const std::function<double(double)>& radius,
                                   double density) {
  double mass = 0, first = 0, second = 0, about = 0, across = 0;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    constexpr int n = 4000;
    const double h = (breaks[k + 1] - breaks[k]) / n;
    for (int i = 0; i <= n; ++i) {  // Simpson's rule
      const double z = breaks[k] + i * h, weight = density * h / 3 * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
      const double r2 = std::pow(radius(z), 2);
      mass += weight * pi * r2;
      first += weight * pi * r2 * z;
      second += weight * pi * r2 * z * z;
      about += weight * pi / 2 * r2 * r2;
      across += weight * pi / 4 * r2 * r2;
    }
  }
  return {mass, first / mass, across + second - first * first / mass, about};
}

TEST(SdfNewer, AutomaticInertiasAreThoseOfSlices) {
  const double r = .3, l = .8, density = 1700;
  const auto ball = [&](double z, double along) { return r * std::sqrt(std::max(0., 1 - z * z / (along * along))); };
  struct Case {
    std::string shape;
    std::vector<double> breaks;
    std::function<double(double)> radius;
  };
  const std::string size = "<radius>.3</radius><length>.8</length>";
  const std::vector<Case> cases{
      {"<sphere><radius>.3</radius></sphere>", {-r, r}, [&](double z) { return ball(z, r); }},
      {"<cylinder>" + size + "</cylinder>", {-l / 2, l / 2}, [&](double) { return r; }},
      {"<cone>" + size + "</cone>", {-l / 2, l / 2}, [&](double z) { return r * (.5 - z / l); }},
      {"<ellipsoid><radii>.3 .3 .8</radii></ellipsoid>", {-l, l}, [&](double z) { return ball(z, l); }},
      {"<capsule>" + size + "</capsule>", {-l / 2 - r, -l / 2, l / 2, l / 2 + r}, [&](double z) {
         return std::abs(z) <= l / 2 ? r : ball(std::abs(z) - l / 2, r);
       }}};
  for (const Case& c : cases) {
    const Description d = description_of(solids(solid("c", c.shape, "<density>1700</density>")));
    const auto& is = body(d, "a").inertial;
    ASSERT_TRUE(is) << c.shape;
    const auto [mass, centre, across, about] = turned_solid(c.breaks, c.radius, density);
    EXPECT_NEAR(is->mass, mass, 1e-12 * mass) << c.shape;
    EXPECT_NEAR(is->frame.xyz[2], centre, 1e-12) << c.shape;
    EXPECT_NEAR(is->inertia[0], across, 1e-11 * across) << c.shape;
    EXPECT_NEAR(is->inertia[1], across, 1e-11 * across) << c.shape;
    EXPECT_NEAR(is->inertia[2], about, 1e-11 * about) << c.shape;
  }
}

/// Halves of a box, one of them turned by a quarter about x, are the box.
TEST(SdfNewer, AutomaticInertiasOfSeveralCollisionsAreThatOfTheWhole) {
  const Description d = description_of(solids(
      solid("c", "<box><size>1 2 1.5</size></box>", "<pose>.5 0 .75 0 0 0</pose>") +
          solid("d", "<box><size>1 1.5 2</size></box>", "<pose>.5 0 -.75 " + std::to_string(pi / 2) + " 0 0</pose>"),
      "<density>20</density>"));
  const auto& is = body(d, "a").inertial;
  ASSERT_TRUE(is);
  const double mass = 20 * 1 * 2 * 3;
  EXPECT_NEAR(is->mass, mass, 1e-12 * mass);
  EXPECT_NEAR(is->frame.xyz[0], .5, 1e-12);
  EXPECT_NEAR(is->frame.xyz[1], 0, 1e-12);
  EXPECT_NEAR(is->frame.xyz[2], 0, 1e-12);
  const double moments[6] = {mass / 12 * (4 + 9), mass / 12 * (1 + 9), mass / 12 * (1 + 4), 0, 0, 0};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(is->inertia[k], moments[k], 1e-5 * mass) << k;  // pi has 6 digits
}

TEST(SdfNewer, TheNearestDensityCountsAndAMassScales) {
  const std::string box = "<ellipsoid><radii>1 2 3</radii></ellipsoid>";
  const double volume = 4 * pi / 3 * 6;
  const auto inertia = [&](const std::string& in_inertial, const std::string& in_collision) {
    return *body(description_of(solids(solid("c", box, in_collision), in_inertial)), "a").inertial;
  };
  EXPECT_NEAR(inertia("", "").mass, 1000 * volume, 1e-9);
  EXPECT_NEAR(inertia("<density>3</density>", "").mass, 3 * volume, 1e-12);
  EXPECT_NEAR(inertia("<density>3</density>", "<density>5</density>").mass, 5 * volume, 1e-12);
  const InertialDescription scaled = inertia("<mass>7</mass><density>3</density>", "");
  EXPECT_DOUBLE_EQ(scaled.mass, 7);
  EXPECT_NEAR(scaled.inertia[0], 7. / 5 * (4 + 9), 1e-12);
  EXPECT_NEAR(scaled.inertia[1], 7. / 5 * (1 + 9), 1e-12);
  EXPECT_NEAR(scaled.inertia[2], 7. / 5 * (1 + 4), 1e-12);
  std::string off = solids(solid("c", box), "<mass>7</mass>");
  off.replace(off.find("\"true\""), 6, "\"false\"");
  EXPECT_EQ(body(description_of(off), "a").inertial->inertia[0], 1);  // SDFormat's default
}

TEST(SdfNewer, FaultsNameFileElementAndRule) {
  const std::string jb = "joint \"jb\"", a = "link \"a\"", box = "<box><size>1 1 1</size></box>";
  const auto follows = [](const std::string& joint, const std::string& inside) {
    return wheels(axis(mimic(joint, inside)));
  };
  for (const Broken& broken : std::vector<Broken>{
           {"no such joint", follows("jc", ""), 6, jb, {"mimics \"jc\"", "no joint of this model", "give a joint's name"}},
           {"itself", follows("jb", ""), 6, jb, {"itself", "another joint's name"}},
           {"no joint", wheels(axis("<mimic/>")), 6, jb, {"names no joint", "joint="}},
           {"axis2", wheels(axis("<mimic joint=\"ja\" axis=\"axis2\"/>")), 6, jb, {"<axis2> of \"ja\"", "one freedom"}},
           {"no axis", wheels(axis("<mimic joint=\"ja\" axis=\"x\"/>")), 6, jb, {"\"x\"", "axis or axis2"}},
           {"nan", follows("ja", "<offset>nan</offset>"), 6, jb, {"<offset> is nan", "finite"}},
           {"infinite", follows("ja", "<multiplier>inf</multiplier>"), 6, jb, {"<multiplier> is inf", "finite"}},
           {"comma", follows("ja", "\n<offset>1,5</offset>"), 7, jb, {"<offset> is \"1,5\"", "Write 1.5"}},
           {"slip", follows("ja", "\n<mutiplier>2</mutiplier>"), 7, "<mutiplier>", {"write <multiplier>"}},
           {"of a loop",
            wheels(axis(""), "revolute",
                   "<joint name=\"l\" type=\"revolute\"><parent>a</parent><child>b</child>" +
                       axis(mimic("ja", "")) + "</joint>"),
            7,
            "joint \"l\"",
            {"no position here", "loop"}},
           {"pitch 0",
            wheels("<screw_thread_pitch>0</screw_thread_pitch>" + axis(""), "screw"),
            6,
            jb,
            {"<screw_thread_pitch> is 0", "revolute"}},
           {"pitch nan",
            wheels("<screw_thread_pitch>nan</screw_thread_pitch>" + axis(""), "screw"),
            6,
            jb,
            {"<screw_thread_pitch> is nan"}},
           {"a world's joint",
            "<sdf version=\"1.10\"><world name=\"w\">\n<joint name=\"j\" type=\"fixed\"/></world></sdf>",
            2,
            "joint \"j\"",
            {"in a <world>", "<model>"}},
           {"no collision", solids(""), 2, a, {"no <collision>", "<mass> and <inertia>"}},
           {"plane", solids(solid("c", "<plane><normal>0 0 1</normal></plane>")), 2, a, {"is a plane", "no volume"}},
           {"density below 0", solids(solid("c", box, "<density>-5</density>")), 2, a, {"<density> is -5", "above 0"}},
           {"density nan", solids(solid("c", box), "<density>nan</density>"), 2, a, {"<inertial>", "<density> is nan"}},
           {"density's unit",
            solids(solid("c", box, "<density>5kg</density>")),
            4,
            "collision \"c\"",
            {"<density> is \"5kg\"", "without a unit"}},
           {"size in a collision that counts",
            solids(solid("c", "<sphere><radius>0,5</radius></sphere>")),
            4,
            "collision \"c\"",
            {"<radius> is \"0,5\"", "0.5"}},
           {"cone's radius",
            solids(solid("c", "<cone><radius>-1</radius><length>1</length></cone>")),
            2,
            a,
            {"<radius> is -1 m", "above 0"}},
           {"cone's length", solids(solid("c", "<cone><radius>1</radius></cone>")), 2, a, {"<length> is missing"}},
           {"no flag",
            [&] {
              std::string text = solids(solid("c", box));
              return text.replace(text.find("\"true\""), 6, "\"yes\"");
            }(),
            3,
            "<inertial auto>",
            {"\"yes\"", "true or false"}},
           {"slip in auto",
            [&] {
              std::string text = solids(solid("c", box));
              return text.replace(text.find("auto="), 5, "atuo=");
            }(),
            3,
            "<inertial atuo>",
            {"write auto"}},
           {"slip in density", solids(solid("c", box, "<desnity>5</desnity>")), 4, "<desnity>", {"write <density>"}}})
    expect_finding(broken, "f.sdf", findings_of(read_sdf_text(broken.text, "f.sdf")));
}

TEST(SdfNewer, WhatIsLeftOutOrTakenForGrantedIsTold) {
  const std::string box = "<box><size>1 1 1</size></box>";
  const auto said = [](const Broken& told) {
    expect_finding(told, "f.sdf", findings_of(read_sdf_text(told.text, "f.sdf")));
  };
  said({"parameters",
        solids(solid("c", box), "<density>5</density>\n<auto_inertia_params><p>1</p></auto_inertia_params>"),
        4,
        "<auto_inertia_params>",
        {"left out, 1 time"},
        Severity::notice});
  said({"water", solids(solid("c", box)), 4, "<collision>", {"1 time", "1000 kg/m³"}, Severity::notice});
  said({"a pose beside it",
        solids(solid("c", box), "<pose>1 0 0 0 0 0</pose>"),
        2,
        "<inertial>",
        {"<pose> or <inertia>", "1 time"},
        Severity::warning});
  said({"fluid",
        wheels(axis(""), "revolute",
               "<link name=\"d\"><inertial>\n<fluid_added_mass><xx>1</xx></fluid_added_mass>"
               "</inertial></link>"),
        8,
        "<fluid_added_mass>",
        {"fluids have no mass here"},
        Severity::warning});
}

/// Files under `folder`, which goes again in the end.
struct Folder {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("kinetree_newer_" + std::to_string(getpid()));
  ~Folder() { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
};

/// A model's folder that includes a file, both newer than libsdformat; the including file is older.
TEST(SdfNewer, IncludedFilesMayBeNewer) {
  const Folder at;
  const std::string ball = "<geometry><sphere><radius>.1</radius></sphere></geometry></collision>\n";
  at.write("arm/model.config", "<model><name>arm</name><sdf version=\"1.12\">model.sdf</sdf></model>");
  at.write("arm/model.sdf",
           "<sdf version=\"1.12\"><model name=\"arm\">\n<link name=\"x\"><inertial auto=\"true\"><density>50</density>"
           "</inertial><collision name=\"c\">" +
               ball + "</link><include><uri>wheel.sdf</uri></include></model></sdf>");
  at.write("wheel.sdf",
           "<sdf version=\"1.11\"><model name=\"wheel\">\n<link name=\"y\"><inertial auto=\"true\"/>"
           "<collision name=\"c\">" +
               ball + "</link></model></sdf>");
  at.write("w.sdf",
           "<sdf version=\"1.9\"><world name=\"w\">\n<include><uri>model://arm</uri></include>"
           "<include><uri>model://arm</uri><name>b</name></include></world></sdf>");
  const Reading reading = read_sdf(at.folder / "w.sdf");
  ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
  ASSERT_EQ(reading.description.bodies.size(), 4u);
  const double volume = 4 * pi / 3 * .001;
  EXPECT_NEAR(body(reading.description, "arm::x").inertial->mass, 50 * volume, 1e-14);
  EXPECT_NEAR(body(reading.description, "b::wheel::y").inertial->mass, 1000 * volume, 1e-14);
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    EXPECT_NE(entry.path().filename().string().rfind("kinetree-sdf-", 0), 0u) << "a folder of copies stays";

  at.write("once.sdf",
           "<sdf version=\"1.9\"><world name=\"w\">\n<include><uri>wheel.sdf</uri></include></world></sdf>");
  const auto findings_with = [&](const std::string& in_link) {
    at.write("wheel.sdf",
             "<sdf version=\"1.11\"><model name=\"wheel\">\n<link name=\"y\">" + in_link + "</link></model></sdf>");
    return read_sdf(at.folder / "once.sdf").findings;
  };
  expect_finding({"slip", "", 2, "<poze>", {"write <pose>"}}, (at.folder / "wheel.sdf").string(),
                 findings_with("<poze>0</poze>"));
  for (const Broken& told :
       std::vector<Broken>{{"unknown", "", 2, "<wobble>", {"unknown to SDFormat 1.12", "1 time"}, Severity::warning},
                           {"fluid", "", 2, "<fluid_added_mass>", {"fluids have no mass here"}, Severity::warning}})
    expect_finding(told, (at.folder / "wheel.sdf").string(),
                   findings_with("<inertial><fluid_added_mass/></inertial><wobble/>"));
  testing::internal::CaptureStderr();  // libsdformat prints of included files
  const std::vector<Finding> findings = findings_with("<visual/>");
  testing::internal::GetCapturedStderr();
  EXPECT_NE(all(findings).find((at.folder / "wheel.sdf").string()), std::string::npos) << all(findings);
  EXPECT_EQ(all(findings).find("kinetree-sdf-"), std::string::npos) << all(findings);  // a copy's name
}

TEST(SdfNewer, AttributesThatAreDroppedAreTold) {
  std::string text = wheels(axis(""), "revolute", "<link name=\"d\" colour=\"red\"/>");
  text.replace(text.find("<model name"), 11, "<model namespace=\"n\" name");
  const std::vector<Finding> findings = read_sdf_text(text, "f").findings;
  expect_finding({"unknown", "", 7, "<link colour>", {"unknown to SDFormat 1.12", "1 time"}, Severity::warning}, "f",
                 findings);
  expect_finding({"newer", "", 2, "<model namespace>", {"left out, 1 time"}, Severity::notice}, "f", findings);
}

/// Since 1.10 plugins need no name.
TEST(SdfNewer, PluginsWithoutANameAreNoFault) {
  const std::vector<Finding> findings =
      read_sdf_text(wheels(axis(""), "revolute", "<plugin filename=\"x.so\"/>\n"), "f").findings;
  ASSERT_EQ(findings.size(), 1u) << all(findings);
  EXPECT_EQ(findings[0].severity, Severity::notice);
}

}  // namespace
}  // namespace kinetree::test

#endif
