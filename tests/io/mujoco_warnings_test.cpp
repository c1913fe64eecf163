// What libmujoco would print becomes findings; nothing is left behind.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <filesystem>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <string>

#if KINETREE_WITH_MJCF

namespace kinetree {
namespace {

void somebody(const char*) {}

TEST(MujocoWarnings, AreFindingsAndNothingElse) {
  const std::filesystem::path before = std::filesystem::current_path();
  const auto folder = std::filesystem::temp_directory_path() / "kinetree_mujoco_warnings";
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  mju_user_warning = somebody;
  testing::internal::CaptureStdout();
  const Reading reading = read_mjcf_text(
      "<mujoco><worldbody><body name='a'><joint/><geom size='1' rgba='nan 0 0 1'/><geom size='1' rgba='nan 0 0 1'/>"
      "</body></worldbody></mujoco>",
      "f.xml");
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(mju_user_warning, somebody) << "who took warnings before takes them again";
  mju_user_warning = nullptr;
  EXPECT_TRUE(std::filesystem::is_empty(folder)) << "no MUJOCO_LOG.TXT";
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(has_error(reading.findings));
  const auto warns = std::count_if(reading.findings.begin(), reading.findings.end(), [](const Finding& f) {
    return f.severity == Severity::warning && f.message.find("MuJoCo warns: XML contains a 'NaN'") == 0;
  });
  EXPECT_EQ(warns, 1) << "each text once";
}

}  // namespace
}  // namespace kinetree

#endif
