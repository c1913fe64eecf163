#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <kinetree/load_model.hpp>

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

/// The message of the one finding a path leads to.
std::string refusal(const fs::path& path) {
  try {
    load_model(path);
  } catch (const InputError& e) {
    EXPECT_EQ(e.findings().size(), 1u) << e.what();
    EXPECT_EQ(e.findings()[0].file, path.string());
    EXPECT_EQ(e.what(), to_string(e.findings()[0]));
    return e.findings()[0].message;
  }
  ADD_FAILURE() << path << " was not refused";
  return "";
}

class LoadModel : public testing::Test {
 protected:
  LoadModel() { fs::create_directories(folder_); }
  ~LoadModel() override { fs::remove_all(folder_); }
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("kinetree_load_model_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(LoadModel, TellsWhatAPathMustBe) {
  EXPECT_NE(refusal(folder_ / "none.urdf").find("does not exist"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "none.xyz").find("does not exist"), std::string::npos);
  EXPECT_NE(refusal(folder_).find("folder"), std::string::npos);
  const std::string ending = refusal(write("model.txt", "x"));
  EXPECT_NE(ending.find("\".txt\" names no format; give a .urdf, .xml (MJCF), .sdf, .world, .yaml or .yml file"),
            std::string::npos)
      << ending;
  EXPECT_NE(refusal(write("empty.urdf", "")).find("not well-formed XML"), std::string::npos);
  EXPECT_NE(refusal(write("empty.yaml", "")).find("empty"), std::string::npos);
}

TEST_F(LoadModel, ReadsByEnding) {
  const std::string yaml =
      "bodies: [{name: a, parent: world, joint: {name: j, type: floating}, inertial: {mass: 1, inertia: [1, 1, 1, 0, "
      "0, 0]}}]";
  const std::string urdf =
      "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
      "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>";
  LoadOptions options;
  EXPECT_EQ(load_model(write("a.yaml", yaml)).nv(), 6);
  EXPECT_EQ(load_model(write("a.yml", yaml)).nv(), 6);
  options.floating_base = true;
  EXPECT_EQ(load_model(write("a.URDF", urdf), options).nv(), 6);
}

TEST_F(LoadModel, FindingsOfReadingAndCheckingComeTogetherInTheFilesOrder) {
  const fs::path file =
      write("b.yaml", "bodies:\n- name: a\n  parent: nowhere\n  colour: red\n  joint: {name: j, type: hinge}\n");
  try {
    load_model(file);
    FAIL();
  } catch (const InputError& e) {
    ASSERT_EQ(e.findings().size(), 3u) << e.what();
    EXPECT_EQ(e.findings()[0].line, 4);
    EXPECT_EQ(e.findings()[1].line, 5);
    EXPECT_EQ(e.findings()[2].line, 5);
  }
}

}  // namespace
}  // namespace kinetree::test
