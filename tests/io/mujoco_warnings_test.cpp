// Masses of meshes by libmujoco: it prints nothing, leaves nothing behind, and what it refuses is a finding.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <string>

#if KINETREE_WITH_MJCF

namespace kinetree {
namespace {

void somebody(const char*) {}

TEST(MujocoWarnings, LeaveNothingBehind) {
  const std::filesystem::path before = std::filesystem::current_path();
  const auto folder = std::filesystem::temp_directory_path() / "kinetree_mujoco_warnings";
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  mju_user_warning = somebody;
  testing::internal::CaptureStdout();
  const auto read = [](const std::string& vertices) {
    return read_mjcf_text("<mujoco><asset><mesh name='m' vertex='" + vertices +
                              "'/></asset><worldbody><body name='a'><joint/>\n<geom type='mesh' mesh='m'/></body>"
                              "</worldbody></mujoco>",
                          "f.xml");
  };
  const Reading reading = read("0 0 0 1 0 0 0 1 0 0 0 1"), refused = read("0 0 0 1 0 0 0 1 0");
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(mju_user_warning, somebody) << "who took warnings before takes them again";
  mju_user_warning = nullptr;
  EXPECT_TRUE(std::filesystem::is_empty(folder)) << "no MUJOCO_LOG.TXT";
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(has_error(reading.findings));
  EXPECT_GT(reading.description.bodies[0].inertial.value().mass, 0);
  ASSERT_TRUE(has_error(refused.findings));
  EXPECT_EQ(refused.findings[0].line, 2);
  EXPECT_NE(refused.findings[0].message.find("its mesh \"m\" gives the body no inertia"), std::string::npos);
}

}  // namespace
}  // namespace kinetree

#endif
