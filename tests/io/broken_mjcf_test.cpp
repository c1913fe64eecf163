// Faults in MJCF files: each is told once, with its place, and no slip of the pen gives anything but a model or an
// error.
#include <kinetree/mjcf.hpp>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_MJCF
#include <mujoco/mujoco.h>

#include "io/mjcf_text.hpp"

namespace kinetree::test {
namespace {

TEST(BrokenMjcf, EachFaultIsToldOnceWithItsPlace) {
  const std::string arm = "<body name=\"arm\">\n<joint name=\"j\"/>" + inertial + "</body>\n";
  const std::string two = arm + "<body name=\"leg\"><joint name=\"k\"/>" + inertial + "</body>\n";
  const auto equality = [&](const std::string& e) { return file(two, "<equality>\n" + e + "\n</equality>"); };
  const std::vector<Broken> list{
      {"no XML", "<mujoco>\n<worldbody>\n</mujoco>", 2, "file", {"not well-formed XML"}},
      {"empty", "", 0, "file", {"not well-formed XML"}},
      {"URDF", "\n<robot name=\"r\"/>", 2, "file", {"<robot>", "<mujoco>", ".urdf"}},
      {"another root", "<sdf/>", 1, "file", {"<sdf>", "<mujoco>"}},
      {"unknown element", file("<body name=\"a\">\n<hinge/></body>"), 4, "<hinge>", {"unrecognized element"}},
      {"unknown attribute", file("<body name=\"a\" colour=\"red\"/>"), 3, "<body>", {"unrecognized attribute"}},
      {"unknown joint type",
       file("<body>\n<joint type=\"screw\"/></body>"),
       4,
       "<joint>",
       {"invalid keyword: 'screw'"}},
      {"no number", file("<body pos=\"0 0 x\"/>"), 3, "<body>", {"'pos'"}},
      {"massless and movable",
       file("<body name=\"ghost\"><joint/></body>"),
       3,
       "\"ghost\"",
       {"mass and inertia of moving bodies"}},
      {"mass 0",
       file("<body name=\"ghost\"><joint/>\n<inertial pos=\"0 0 0\" mass=\"0\" diaginertia=\"0 0 0\"/></body>"),
       3,
       "\"ghost\"",
       {"mass and inertia of moving bodies"}},
      {"negative mass",
       file("<body name=\"a\"><joint/>\n<inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/></body>"),
       3,
       "\"a\"",
       {"mass"}},
      {"no inertia of a rigid body",
       file("<body name=\"a\"><joint/>\n<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/></body>"),
       3,
       "\"a\"",
       {"A + B >= C", mj_versionString(), "balanceinertia", "changes the inertia"}},
      {"duplicate names", file(arm + "<body name=\"arm\"/>"), 5, "\"arm\"", {"repeated name"}},
      {"free joint inside",
       file("<body name=\"a\">\n<body name=\"b\"><freejoint/>" + inertial + "</body></body>"),
       4,
       "\"b\"",
       {"top level"}},
      {"unknown joint in an equality", equality("<joint joint1=\"j\" joint2=\"q\"/>"), 8, "file", {"unknown"}},
      {"unknown body in an equality", equality("<connect body1=\"q\" anchor=\"0 0 0\"/>"), 8, "file", {"unknown"}},
      {"coupling that is not linear",
       equality("<joint name=\"cam\" joint1=\"j\" joint2=\"k\" polycoef=\"0 1 .5 0 0\"/>"),
       8,
       "equality \"cam\"",
       {"polycoef \"0 1 0.5 0 0\"", "not linear", "last three to 0"}},
      {"spatial tendon coupled",
       file("<site name=\"s\"/><body name=\"a\"><joint/><site name=\"t\"/>" + inertial + "</body>",
            "<tendon><spatial name=\"w\"><site site=\"s\"/><site site=\"t\"/></spatial></tendon>\n"
            "<equality><tendon name=\"taut\" tendon1=\"w\"/></equality>"),
       5,
       "equality \"taut\"",
       {"spatial tendon", "make it inactive"}},
      {"missing include", file("<include file=\"none.xml\"/>"), 3, "<include>", {"FILE_NOT_FOUND", "none.xml"}},
      {"nothing moves", file("<body name=\"a\"/>"), 0, "model", {"nothing moves"}},
      {"nothing at all", file(""), 0, "model", {"no bodies"}},
  };
  for (const Broken& broken : list)
    expect_finding(broken, "broken.xml", findings_of(read_mjcf_text(broken.text, "broken.xml")));
}

/// Any line or word left out or doubled gives a model or an error, never anything else.
TEST(BrokenMjcf, SlipsGiveAModelOrAnError) {
  const std::string text = file(
      "<body name=\"a\" pos=\"0 0 1\"> <joint name=\"j\" axis=\"0 1 0\"/> " + inertial +
          " <body name=\"b\"> <joint name=\"k\" type=\"ball\"/> " + inertial + " </body> </body>\n",
      "<equality> <connect body1=\"b\" anchor=\"0 0 1\"/> <joint joint1=\"j\" polycoef=\"0 0 0 0 0\"/> </equality>");
  expect_models_or_errors(text, [](const std::string& slipped) { return read_mjcf_text(slipped, "f"); });
}

}  // namespace
}  // namespace kinetree::test

#endif
