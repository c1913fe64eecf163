#pragma once
// MJCF texts: a file around the bodies of a test.

#include <string>

namespace kinetree::test {

inline std::string file(const std::string& worldbody, const std::string& rest = "") {
  return "<mujoco model=\"m\"><compiler angle=\"radian\"/><option gravity=\"0.3 -0.2 -9\"><flag contact=\"disable\"/>"
         "</option>\n<worldbody>\n" +
         worldbody + "</worldbody>\n" + rest + "</mujoco>\n";
}

inline const std::string inertial =
    "<inertial pos=\".1 -.2 .05\" quat=\"1 .2 -.3 .1\" mass=\"1.3\" diaginertia=\".02 .03 .04\"/>";

}  // namespace kinetree::test
