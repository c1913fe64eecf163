// States in degrees: angles and their rates alone are converted.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/load_model.hpp>
#include <string>

#include "engine/io/states.hpp"

namespace kinetree {
namespace {

Model every_type() {
  std::string text = "bodies:\n";
  const auto body = [&](const std::string& type, const std::string& more) {
    text += "  - {name: b_" + type + ", parent: world, joint: {name: j_" + type + ", type: " + type + more +
            "}, inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n";
  };
  for (const char* type : {"revolute", "prismatic", "cylindrical", "planar"}) body(type, ", axis: [0, 0, 1]");
  body("helical", ", axis: [0, 0, 1], pitch: 0.1");
  body("universal", ", axis: [1, 0, 0], axis2: [0, 1, 0]");
  body("spherical", ""), body("floating", "");
  Reading reading = read_yaml_text(text, "all.yaml");
  return make_model(reading.description, {}, reading.findings);
}

TEST(StatesUnits, DegreesAreOfAnglesAlone) {
  const Model model = every_type();
  const std::string joints =
      R"("joints": ["j_revolute", "j_prismatic", "j_cylindrical", "j_planar", "j_helical", "j_universal", "j_spherical", "j_floating"])";
  const States states = read_states_text("{" + joints + R"(, "units": "degrees", "states": [{
        "q": [180, 2, 90, 3, 4, 5, 45, 360, 30, 60, 0, 0, 0, 1, 6, 7, 8, 0, 0, 1, 0],
        "v": [180, 2, 90, 3, 4, 5, 45, 360, 30, 60, 18, 36, 54, 6, 7, 8, 72, 90, 108],
        "tau": [180, 2, 90, 3, 4, 5, 45, 360, 30, 60, 18, 36, 54, 6, 7, 8, 72, 90, 108]}]})",
                                         "s.json", model);
  const double pi = M_PI, d = M_PI / 180;
  const std::vector<double> q{pi, 2, pi / 2, 3, 4, 5, pi / 4, 2 * pi, pi / 6, pi / 3, 0, 0, 0, 1, 6, 7, 8, 0, 0, 1, 0};
  const std::vector<double> v{pi,     2,      pi / 2, 3, 4, 5, pi / 4, 2 * pi, pi / 6, pi / 3,
                              18 * d, 36 * d, 54 * d, 6, 7, 8, 72 * d, 90 * d, 108 * d};
  ASSERT_EQ(states.q[0].size(), q.size());
  ASSERT_EQ(states.v[0].size(), v.size());
  // the model has joints in the file's order, since all hang from the world
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(states.q[0][k], q[k], 1e-15 * 8) << k;
  for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(states.v[0][k], v[k], 1e-15 * 8) << k;
  EXPECT_EQ(states.tau[0][0], 180);
}

TEST(StatesUnits, OthersAreRefusedAndRadiansChangeNothing) {
  const Model model = every_type();
  const std::string q = R"("states": [{"q": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 1, 6, 7, 8, 0, 0, 1, 0]}]})";
  EXPECT_EQ(read_states_text(R"({"units": "radians", )" + q, "s.json", model).q,
            read_states_text("{" + q, "s.json", model).q);
  for (const char* units : {R"("grad")", "1", "null"}) {
    try {
      (void)read_states_text("{\"units\": " + std::string(units) + ", " + q, "s.json", model);
      FAIL() << units;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("s.json: error: units: is " + std::string(units) +
                                           "; give \"degrees\" or \"radians\""),
                std::string::npos)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace kinetree
