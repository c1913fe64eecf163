#include "engine/io/states.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/load_model.hpp>

namespace kinetree::test {
namespace {

/// Three links in a row: j1 turns about z at the ground, j2 slides along x, tool is fixed to the last, pad to the
/// ground.
Model arm() {
  return make_model(read_yaml_text(R"(
bodies:
  - {name: a, parent: world, joint: {name: j1, type: revolute, axis: [0, 0, 1]}, inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
  - {name: b, parent: a, joint: {name: j2, type: cylindrical, axis: [1, 0, 0], origin: {xyz: [1, 0, 0]}}, inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
  - {name: tool, parent: b, joint: {name: mount, type: fixed, axis: [0, 0, 1], origin: {xyz: [0, 0, 2]}}}
  - {name: pad, parent: world, joint: {name: rest, type: fixed}}
)",
                                   "arm")
                        .description);
}

std::vector<Finding> refused(const std::string& text, const Model& model) {
  try {
    read_states_text(text, "s.json", model);
  } catch (const InputError& e) {
    return e.findings();
  }
  ADD_FAILURE() << "not refused: " << text;
  return {};
}

TEST(States, CallersOrderIsTurnedToTheModelsAndBack) {
  const Model model = arm();
  const States s = read_states_text(
      R"({"joints": ["j2", "j1"], "states": [{"q": [1, 2, 3], "v": [4, 5, 6], "tau": [7, 8, 9]}, {"q": [0, 0, 0]}]})",
      "s", model);
  ASSERT_EQ(s.count(), 2);
  EXPECT_EQ(s.q[0], (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(s.v[0], (std::vector<double>{6, 4, 5}));
  EXPECT_EQ(s.tau[0], (std::vector<double>{9, 7, 8}));
  EXPECT_EQ(s.v[1], (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(in_callers_order(s, model, s.v[0]), (std::vector<double>{4, 5, 6}));
  const States own = read_states_text(R"({"states": [{"q": [1, 2, 3]}]})", "s", model);
  EXPECT_EQ(own.joints, (std::vector<std::string>{"j1", "j2"}));
  EXPECT_EQ(own.q[0], (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(own.f_ext[0].empty());
}

TEST(States, ForceOnAMergedLinkIsMovedToItsBodysOrigin) {
  const Model model = arm();
  // j1 at a quarter turn, j2 turned by a quarter about the arm: tool stands 2 m from b's origin, along world x
  const double quarter = std::acos(-1.0) / 2;
  const States s =
      read_states_text(R"({"states": [{"q": [)" + std::to_string(quarter) + ", " + std::to_string(quarter) +
                           R"(, 0.5], "f_ext": {"tool": [1, 2, 3, 0, 0, 10], "b": [0, 0, 0, 1, 0, 0]}}]})",
                       "s", model);
  const std::vector<double> expected{0, 0, 0, 0, 0, 0, 1, 2 - 2 * 10, 3, 1, 0, 10};
  ASSERT_EQ(s.f_ext[0].size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(s.f_ext[0][k], expected[k], 1e-5) << k;
}

TEST(States, ForceOnTheGroundIsLeftOutWithANotice) {
  const States s =
      read_states_text(R"({"states": [{"q": [0, 0, 0], "f_ext": {"pad": [0, 0, 0, 1, 0, 0]}}]})", "s", arm());
  ASSERT_EQ(s.findings.size(), 1u);
  EXPECT_EQ(s.findings[0].severity, Severity::notice);
  EXPECT_NE(s.findings[0].message.find("\"pad\""), std::string::npos);
  const States none = read_states_text(R"({"states": []})", "s", arm());
  ASSERT_EQ(none.findings.size(), 1u);
  EXPECT_EQ(to_string(none.findings[0]), "s: notice: states: is an empty list, so there is nothing to do");
}

TEST(States, NoticesStandBesideErrors) {
  const auto findings =
      refused(R"({"states": [{"q": [0, 0, 0], "f_ext": {"pad": [0, 0, 0, 1, 0, 0]}}, {"q": [0]}]})", arm());
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].severity, Severity::notice);
  EXPECT_EQ(findings[1].severity, Severity::error);
}

TEST(States, EachFaultIsTold) {
  const Model model = arm();
  struct Case {
    std::string text, element;
    std::vector<std::string> words;
  };
  const std::string q = R"("q": [0, 0, 0])";
  const std::vector<Case> cases{
      {"{", "file", {"not well-formed JSON: it ends before"}},
      {R"({"states": [{"q": [0, NaN, 0]}]})", "file", {"at column 23 \"NaN\": JSON has no NaN"}},
      {R"({"states": [{"q": [0, -Infinity, 0]}]})", "file", {"at column 23 \"-Infinity\": JSON has no NaN"}},
      {R"({"states": [{"q": [0, 1, ]}]})", "file", {"at column 26 a comma stands before ]; take it out"}},
      {R"({"states": [{"q": [0 1 0]}]})", "file", {"before \"1\" a comma or a ] is missing"}},
      {R"({"states" [{"q": [0, 1, 0]}]})", "file", {"before \"[\" a colon is missing"}},
      {R"({'states': []})", "file", {"double quotes"}},
      {R"({"states": [{"q": [one]}]})", "file", {"\"one\" is no value"}},
      {"[]", "file", {"a list of 0"}},
      {"{}", "states", {"missing"}},
      {R"({"states": 1})", "states", {"is 1"}},
      {R"({"states": [{)" + q + R"(}], "extra": 1})", "file", {"unknown key \"extra\""}},
      {R"({"states": [], "states": [{)" + q + R"(}]})", "file", {"\"states\" stands twice"}},
      {R"({"joints": ["j1", "j2", "j3"], "states": [0]})",
       "joints",
       {"\"j3\" is no moving joint of this model; its moving joints are \"j1\", \"j2\""}},
      {R"({"joints": ["j1", "j2", "j1"], "states": [0]})", "joints", {"\"j1\" stands twice"}},
      {R"({"joints": ["j1"], "states": [0]})", "joints", {"\"j2\" is missing"}},
      {R"({"states": [{"v": [0, 0, 0]}]})", "state 0", {"no q"}},
      {R"({"states": [{)" + q + R"(}, {"q": [0, 0]}]})",
       "state 1",
       {"q is a list of 2", "3 numbers", "(states count from 0)"}},
      {R"({"states": [{)" + q + R"(, "v": [0, null, 0]}]})", "state 0", {"v of joint \"j2\" is null"}},
      {R"({"states": [{)" + q + R"(, "tau": 3}]})", "state 0", {"tau is 3"}},
      {R"({"states": [{)" + q + R"(, "tau": [0, 0, 1e999]}]})", "file", {"1e999"}},
      {R"({"states": [{)" + q + R"(, "qd": []}]})", "state 0", {"unknown key \"qd\""}},
      {R"({"states": [{)" + q + R"(, "f_etx": {}}]})", "state 0", {"unknown key \"f_etx\"; write f_ext if"}},
      {R"({"states": [{)" + q + R"(, "f_ext": {"hand": [0, 0, 0, 0, 0, 0]}}]})",
       "state 0",
       {"\"hand\", which is no link", "\"a\", \"b\""}},
      {R"({"states": [{)" + q + R"(, "f_ext": {"b": [0, 0, 0]}}]})",
       "state 0",
       {"f_ext of \"b\" is a list of 3", "six"}},
  };
  for (const Case& c : cases) {
    const std::vector<Finding> findings = refused(c.text, model);
    ASSERT_EQ(findings.size(), 1u) << c.text;
    EXPECT_EQ(findings[0].file, "s.json");
    EXPECT_EQ(findings[0].element, c.element) << to_string(findings[0]);
    for (const std::string& word : c.words)
      EXPECT_NE(findings[0].message.find(word), std::string::npos) << to_string(findings[0]);
  }
}

TEST(States, QuaternionsAreUnitWithinAMillionth) {
  LoadOptions options;
  options.floating_base = true;
  const Model model = make_model("chain:1", options);
  EXPECT_EQ(read_states_text(R"({"states": [{"q": [0, 0, 0, 0, 0, 0, 1.0000009]}]})", "s", model).count(), 1);
  const auto findings =
      refused(R"({"states": [{"q": [0, 0, 0, 0, 0, 0, 1]}, {"q": [0, 0, 0, 0, 0, 0, 1.01]}]})", model);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(refused(R"({"states": [{"q": [0, 0, 0, 0, 0, 0, 0]}]})", model)[0].message.find("is zero"),
            std::string::npos);
  EXPECT_EQ(findings[0].element, "state 1");
  EXPECT_NE(findings[0].message.find("joint \"floating_base\": the quaternion's norm is 1.01"), std::string::npos)
      << findings[0].message;
}

TEST(States, MissingFile) { EXPECT_THROW(read_states("no/such/file.json", arm()), InputError); }

}  // namespace
}  // namespace kinetree::test
