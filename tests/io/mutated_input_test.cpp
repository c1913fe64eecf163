// Malformed inputs made from valid ones by deleting, doubling and swapping: each gives a Model or an InputError that
// holds an error, never anything else.
#include <gtest/gtest.h>

#include <functional>
#include <kinetree/load_model.hpp>
#include <sstream>

#include "engine/io/states.hpp"
#include "engine/model/random.hpp"

namespace kinetree::test {
namespace {

const std::string urdf = R"(<robot name="r">
  <link name="base">
    <inertial><origin xyz="0 0 0.1" rpy="0.1 0 0"/><mass value="3"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0.01" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="hand">
    <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="arm"/>
    <origin xyz="0 0 0.5" rpy="0 0.2 0"/>
    <axis xyz="0 1 0"/>
    <limit effort="1" velocity="1"/>
  </joint>
  <joint name="wrist" type="prismatic">
    <parent link="arm"/><child link="hand"/>
    <mimic joint="elbow" multiplier="1"/>
    <axis xyz="0 0 1"/>
  </joint>
</robot>
)";

const std::string yaml = R"(name: m
gravity: [0, 0, -9.81]
bodies:
  - name: a
    parent: world
    joint: {name: j1, type: universal, axis: [0, 0, 1], axis2: [0, 1, 0], origin: {xyz: [0, 0, 1], rpy: [0, 0, 1]}}
    inertial: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - name: b
    parent: a
    joint:
      name: j2
      type: helical
      axis: [1, 0, 0]
      pitch: 0.1
      origin: {quat: [1, 0, 0, 0]}
    inertial:
      mass: 1
      inertia: [1, 1, 1, 0, 0, 0]
)";

const std::string json = R"({"joints": ["j2", "j1"],
"states": [{"q": [0.1, 0.2, 0.3],
"v": [1, 2, 3],
"tau": [1, 2, 3],
"f_ext": {"b": [1, 2, 3, 4, 5, 6]}}]}
)";

/// Pieces of a text that a slip may touch: lines, or words with the spaces after them.
std::vector<std::string> split(const std::string& text, bool lines) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    parts.back() += c;
    if (c == '\n' || (!lines && (c == ' ' || c == '"' || c == ',' || c == '>'))) parts.emplace_back();
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

/// Calls `use` with every text that one slip makes, and with some that two to four make.
void mutations(const std::string& text, const std::function<void(const std::string&)>& use) {
  Random random(11);
  for (bool lines : {true, false}) {
    const std::vector<std::string> parts = split(text, lines);
    const auto slip = [](std::vector<std::string> p, std::size_t k, std::size_t m, int kind) {
      if (kind == 0) p.erase(p.begin() + static_cast<std::ptrdiff_t>(k));
      if (kind == 1) p.insert(p.begin() + static_cast<std::ptrdiff_t>(k), p[k]);
      if (kind == 2) std::swap(p[k], p[m]);
      return p;
    };
    for (std::size_t k = 0; k < parts.size(); ++k) {
      use(join(slip(parts, k, 0, 0)));
      use(join(slip(parts, k, 0, 1)));
      for (std::size_t m = k + 1; m < parts.size(); m += lines ? 1 : 7) use(join(slip(parts, k, m, 2)));
    }
    for (int round = 0; round < 500; ++round) {
      std::vector<std::string> p = parts;
      for (int slips = 2 + random.below(3); slips > 0 && p.size() > 1; --slips) {
        const auto count = static_cast<int>(p.size());
        const auto k = static_cast<std::size_t>(random.below(count)), m = static_cast<std::size_t>(random.below(count));
        p = slip(p, k, m, random.below(3));
      }
      use(join(p));
    }
  }
  for (std::size_t cut = 0; cut < text.size(); cut += 3) use(text.substr(0, cut));
}

struct Count {
  int models = 0, refused = 0;
};

Count try_all(const std::string& text, const std::function<void(const std::string&)>& load) {
  Count count;
  mutations(text, [&](const std::string& mutated) {
    try {
      load(mutated);
      ++count.models;
    } catch (const InputError& e) {
      ++count.refused;
      EXPECT_TRUE(has_error(e.findings())) << mutated;
      for (const Finding& f : e.findings()) EXPECT_FALSE(f.message.empty() || f.element.empty()) << to_string(f);
    }
  });
  EXPECT_GT(count.models, 10);
  EXPECT_GT(count.refused, 100);
  return count;
}

TEST(MutatedInput, Urdf) {
  for (bool floating : {false, true}) {
    LoadOptions options;
    options.ignore_mimic = true;
    options.floating_base = floating;
    try_all(urdf, [&](const std::string& text) {
      Reading reading = read_urdf_text(text, "f");
      make_model(reading.description, options, std::move(reading.findings));
    });
  }
}

TEST(MutatedInput, Yaml) {
  try_all(yaml, [](const std::string& text) {
    Reading reading = read_yaml_text(text, "f");
    make_model(reading.description, {}, std::move(reading.findings));
  });
}

TEST(MutatedInput, States) {
  const Model model = make_model(read_yaml_text(yaml, "f").description);
  try_all(json, [&](const std::string& text) { read_states_text(text, "f", model); });
}

/// A little deeper than yaml-cpp and tinyxml2 go, which say so; messages name nested values without writing them out.
TEST(MutatedInput, DeepNesting) {
  constexpr int levels = 600;
  const Model model = make_model("chain:1");
  const std::string deep(levels, '[');
  try {
    read_states_text("{\"states\": [{\"q\": [" + deep + std::string(levels, ']') + "]}]}", "f", model);
    ADD_FAILURE() << "was read";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("is a list of 1"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(has_error(read_yaml_text("bodies: " + deep, "f").findings));
  std::string tags;
  for (int k = 0; k < levels; ++k) tags += "<a>";
  EXPECT_TRUE(has_error(read_urdf_text("<robot>" + tags, "f").findings));
}

}  // namespace
}  // namespace kinetree::test
