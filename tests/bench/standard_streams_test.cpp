// stdout is whole or the exit status tells, and it carries JSON alone.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/spawn.hpp"

namespace kinetree::bench {
namespace {

TEST(StandardStreams, WhatCouldNotBeWrittenIsNoSuccess) {
  const Scratch folder;
  write_text(folder / "states.json", R"({"states": [{"q": [0, 0, 0]}]})");
  const std::vector<std::vector<std::string>> calls{{"info", "chain:3"},
                                                    {"info", "chain:2000", "--json"},
                                                    {"solve", "chain:3", "--states", (folder / "states.json").string()},
                                                    {"show", "chain:3", "--out", (folder / "pictures").string()},
                                                    {"info", "--help"}};
  for (const auto& call : calls) {
    EXPECT_EQ(Command(call, folder / "out", folder / "err").wait(), 0) << call[0];
    EXPECT_EQ(Command(call, "/dev/full", folder / "err").wait(), 1) << call[0];
    const std::string full = text_of(folder / "err");
    EXPECT_NE(full.find("No space left on device"), std::string::npos) << full;
    EXPECT_EQ(Command(call, "", folder / "err").wait(), 1) << call[0];
    const std::string closed = text_of(folder / "err");
    EXPECT_NE(closed.find("Bad file descriptor"), std::string::npos) << closed;
  }
}

TEST(StandardStreams, NamesThatAreNotUtf8LoseNothing) {
  const Scratch folder;
  const fs::path model = folder / "arm\xff.urdf";
  write_text(model,
             "<robot name=\"a\xfe\"><link name=\"base\"/><link name=\"l\xff\"><inertial><mass value=\"1\"/><inertia "
             "ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j\xff\" "
             "type=\"continuous\"><parent link=\"base\"/><child link=\"l\xff\"/><axis xyz=\"0 0 1\"/></joint></robot>");
  write_text(folder / "states.json", R"({"states": [{"q": [0], "tau": [2]}]})");
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"info", model.string(), "--json"},
        {"solve", model.string(), "--states", (folder / "states.json").string()}}) {
    ASSERT_EQ(Command(call, folder / "out", folder / "err").wait(), 0) << text_of(folder / "err");
    const auto json = nlohmann::json::parse(text_of(folder / "out"));
    const auto& joint = json["joints"][0];
    EXPECT_EQ(joint.is_object() ? joint["name"] : joint, "j\xEF\xBF\xBD");
    const std::string err = text_of(folder / "err");
    const std::size_t first = err.find("is not UTF-8");
    EXPECT_NE(first, std::string::npos) << err;
    EXPECT_EQ(err.find("is not UTF-8", first + 1), std::string::npos) << "said once: " << err;
  }
  write_text(folder / "s.yaml", "repetitions: 2\nseconds: 1e-5\nruns:\n  - {models: [chain:3], algorithms: [ab]}\n");
  const fs::path out = folder / "out\xff";
  EXPECT_EQ(
      Command({"sweep", (folder / "s.yaml").string(), "--out", out.string()}, folder / "out", folder / "err").wait(), 0)
      << text_of(folder / "err");
  EXPECT_TRUE(fs::exists(out / "report.html"));
}

}  // namespace
}  // namespace kinetree::bench
