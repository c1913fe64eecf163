// Split bodies as `kinetree info` and `kinetree show` tell of them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

TEST(SplitBodies, InfoNamesThem) {
  const Outcome told = run({"info", "geared:4", "--algorithm", "cfa", "--json"});
  ASSERT_EQ(told.status, 0) << told.err;
  const auto info = nlohmann::json::parse(told.out);
  EXPECT_EQ(info["split_bodies"], nlohmann::json({"link1", "link2", "link3"}));
  EXPECT_EQ(info["cut_joints"], nlohmann::json({"weld in link1", "weld in link2", "weld in link3"}));
  ASSERT_EQ(info["modules"].size(), 4u);
  EXPECT_EQ(info["modules"][1]["base"], "link1 (outboard half)");
  EXPECT_EQ(info["modules"][1]["bodies"], 3);
  EXPECT_EQ(info["notices"][1], "3 of 8 bodies are split in halves beside such joints");
  EXPECT_EQ(nlohmann::json::parse(run({"info", "chain:4", "--algorithm", "cfa", "--json"}).out)["split_bodies"],
            nlohmann::json::array());
}

TEST(SplitBodies, ShowDrawsHalvesInTheirOwnModules) {
  const Folder folder;
  const Outcome shown = run({"show", "chain:6:armature=0.1", "--grain", "1", "--out", folder.path()});
  ASSERT_EQ(shown.status, 0) << shown.err;
  Picture picture(folder / "modules.svg"), whole(folder / "digraph.svg");
  EXPECT_EQ(whole["body"].size(), 6u);
  ASSERT_EQ(picture["body"].size(), 11u) << "six bodies, five of them in halves";
  EXPECT_EQ(picture["cut"].size(), 5u);
  // tips first: a half and the body outboard of it are one module
  for (std::size_t k = 0; k + 1 < 11; ++k)
    EXPECT_EQ(fill(*picture["body"][k]) == fill(*picture["body"][k + 1]), k % 2 == 0) << k;
}

}  // namespace
}  // namespace kinetree::bench
