// Faults in MJCF files: each is told once, with its place, and no slip of the pen gives anything but a model or an
// error.
#include <kinetree/mjcf.hpp>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_MJCF
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
      {"unknown element", file("<body name=\"a\">\n<hinge/></body>"), 4, "<hinge>", {"unknown element in <body>"}},
      {"unknown attribute", file("<body name=\"a\" colour=\"red\"/>"), 3, "body \"a\"", {"unknown attribute colour"}},
      {"misspelt attribute",
       file("<body name=\"a\">\n<joint dampling=\"1\"/></body>"),
       4,
       "<joint>",
       {"unknown attribute dampling", "write damping if that is meant"}},
      {"misspelt element", file("<body name=\"a\">\n<jiont/></body>"), 4, "<jiont>", {"write joint if that is meant"}},
      {"unknown joint type",
       file("<body>\n<joint type=\"screw\"/></body>"),
       4,
       "<joint>",
       {"type \"screw\" is unknown", "free, ball, slide, hinge"}},
      {"no number", file("<body pos=\"0 0 x\"/>"), 3, "<body>", {"pos \"0 0 x\" is not 3 numbers"}},
      {"too many numbers", file("<body pos=\"0 0 1 2\"/>"), 3, "<body>", {"is not 3 numbers"}},
      {"two orientations", file("<body quat=\"1 0 0 0\" euler=\"0 0 1\"/>"), 3, "<body>", {"both quat and euler"}},
      {"massless and movable",
       file("<body name=\"ghost\"><joint/></body>"),
       3,
       "joint \"ghost_joint\"",
       {"moves no inertia"}},
      {"mass 0",
       file("<body name=\"ghost\"><joint/>\n<inertial pos=\"0 0 0\" mass=\"0\" diaginertia=\"0 0 0\"/></body>"),
       3,
       "joint \"ghost_joint\"",
       {"moves no inertia"}},
      {"negative mass",
       file("<body name=\"a\"><joint/>\n<inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/></body>"),
       4,
       "link \"a\"",
       {"mass -1 is negative"}},
      {"no inertia of a rigid body",
       file("<body name=\"a\"><joint/>\n<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/></body>"),
       4,
       "link \"a\"",
       {"sum of the other two"},
       Severity::warning},
      {"duplicate names", file(arm + "<body name=\"arm\"/>"), 5, "link \"arm\"", {"is taken", "line 3"}},
      {"free joint inside",
       file("<body name=\"a\">\n<body name=\"b\"><freejoint/>" + inertial + "</body></body>"),
       4,
       "<freejoint>",
       {"top level"}},
      {"unknown joint in an equality",
       equality("<joint joint1=\"j\" joint2=\"q\"/>"),
       8,
       "equality \"equality_0\"",
       {"joint2 \"q\" is no joint"}},
      {"unknown body in an equality",
       equality("<connect body1=\"q\" anchor=\"0 0 0\"/>"),
       8,
       "equality \"equality_0\"",
       {"body1 \"q\" is no body"}},
      {"a bent sum of joints",
       file(two,
            "<tendon><fixed name=\"t\"><joint joint=\"j\" coef=\"1\"/></fixed><fixed name=\"u\"><joint joint=\"j\" "
            "coef=\"1\"/><joint joint=\"k\" coef=\"1\"/></fixed></tendon>\n<equality><tendon name=\"cam\" "
            "tendon1=\"t\" tendon2=\"u\" polycoef=\"0 1 .5 0 0\"/></equality>"),
       8,
       "equality \"cam\"",
       {"polycoef \"0 1 .5 0 0\"", "tendon \"u\"", "last three numbers to 0"}},
      {"unknown class", file("<body name=\"a\">\n<joint class=\"q\"/></body>"), 4, "<joint>", {"no default class"}},
      {"composite",
       file("<body name=\"a\">\n<composite type=\"cable\"/></body>"),
       4,
       "<composite>",
       {"mj_saveLastXML"}},
      {"unknown mesh",
       file("<body name=\"a\">\n<geom type=\"mesh\" mesh=\"q\"/></body>"),
       4,
       "<geom>",
       {"mesh \"q\" is no mesh"}},
      {"no size", file("<body name=\"a\">\n<geom type=\"box\" size=\"1 1\"/></body>"), 4, "<geom>", {"number 3"}},
      {"spatial tendon coupled",
       file("<site name=\"s\"/><body name=\"a\"><joint/><site name=\"t\"/>" + inertial + "</body>",
            "<tendon><spatial name=\"w\"><site site=\"s\"/><site site=\"t\"/></spatial></tendon>\n"
            "<equality><tendon name=\"taut\" tendon1=\"w\"/></equality>"),
       5,
       "equality \"taut\"",
       {"spatial tendon", "make it inactive"}},
      {"missing include", file("<include file=\"none.xml\"/>"), 3, "include \"none.xml\"", {"none.xml"}},
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
