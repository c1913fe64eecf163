// `kinetree simulate`: options that it would ignore, older files, and folders that can't be written.
#include <gtest/gtest.h>

#include <filesystem>

#include "bench/pictures.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

TEST(SimulateOptions, RefusesWhatItWouldIgnore) {
  const Folder folder;
  const Outcome rk4 =
      run({"simulate", "chain:3", "--integrator", "rk4", "--tolerance", "1e-3", "--out", folder.path()});
  EXPECT_EQ(rk4.status, 2);
  EXPECT_NE(rk4.err.find("--tolerance"), std::string::npos) << rk4.err;
  for (const char* seconds : {"nan", "inf", "-1", "0"})
    EXPECT_EQ(run({"simulate", "chain:3", "--seconds", seconds, "--out", folder.path()}).status, 2) << seconds;
  EXPECT_FALSE(std::filesystem::exists(folder / "trajectory.csv"));
}

TEST(SimulateOptions, LeavesOlderFilesWhereNoFolderIsNamed) {
  const Folder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(run({"simulate", "chain:3", "--seconds", "0.02"}).status, 0);
  const std::string older = slurp(folder / "trajectory.csv");
  const Outcome second = run({"simulate", "chain:4", "--seconds", "0.02"});
  const int named = run({"simulate", "chain:4", "--seconds", "0.02", "--out", "."}).status;
  std::filesystem::current_path(before);
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("trajectory.csv is there already"), std::string::npos) << second.err;
  EXPECT_EQ(named, 0);
  EXPECT_NE(slurp(folder / "trajectory.csv"), older);
  EXPECT_FALSE(std::filesystem::exists(folder / "trajectory.incomplete.csv"));
}

}  // namespace
}  // namespace kinetree::bench
