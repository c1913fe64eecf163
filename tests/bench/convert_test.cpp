// `kinetree convert` as its users see it.
#include <gtest/gtest.h>

#include <kinetree/load_model.hpp>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

TEST(Convert, WritesAModelThatLoads) {
  const Folder folder;
  const std::string out = (folder / "arm.yaml").string(), arm = std::string(KINETREE_MODELS) + "/arm7.yaml";
  const Outcome outcome = run({"convert", arm, out});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("arm.yaml"), std::string::npos);
  EXPECT_EQ(load_model(out).nv(), load_model(arm).nv());
  EXPECT_EQ(run({"convert", "chain:3", out, "--floating"}).status, 0);
  EXPECT_EQ(load_model(out).nv(), make_model("chain:3", {.floating_base = true}).nv());
}

TEST(Convert, RefusesOtherFormatsItselfAndBrokenModels) {
  const Folder folder;
  const Outcome urdf = run({"convert", "chain:3", (folder / "m.urdf").string()});
  EXPECT_EQ(urdf.status, 2);
  EXPECT_NE(urdf.err.find("m.urdf; YAML alone is written"), std::string::npos) << urdf.err;
  const std::string out = (folder / "m.yaml").string();
  ASSERT_EQ(run({"convert", "chain:3", out}).status, 0);
  const std::string before = slurp(folder / "m.yaml");
  const Outcome itself = run({"convert", out, out});
  EXPECT_EQ(itself.status, 2);
  EXPECT_NE(itself.err.find("OUT is MODEL itself"), std::string::npos) << itself.err;
  EXPECT_EQ(run({"convert", "nowhere.urdf", out}).status, 1);
  EXPECT_EQ(slurp(folder / "m.yaml"), before);
}

}  // namespace
}  // namespace kinetree::bench
