// `--lock`, as its users see it.
#include <gtest/gtest.h>

#include <kinetree/compose.hpp>
#include <kinetree/load_model.hpp>
#include <nlohmann/json.hpp>

#include "bench/in_process.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::bench {
namespace lock_option {

const std::string humanoid = std::string(KINETREE_MODELS) + "/humanoid.yaml";

TEST(LockOption, LocksByNameWhereverAModelIsTaken) {
  const Ended info = command({"info", "--floating", "--lock", "neck_yaw,neck_pitch=0.2", humanoid.c_str(), "--lock",
                              "waist_yaw=-1e-1", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  EXPECT_EQ(nlohmann::json::parse(info.out)["nv"], 33);
  const Ended predict = command({"predict", "chain:4", "chain:5", "--lock", "joint2", "--threads", "1", "--json"});
  ASSERT_EQ(predict.status, 0) << predict.err;
  EXPECT_EQ(nlohmann::json::parse(predict.out)["models"][1]["bodies"], 4);
  const TemporaryFile out("locked.yaml", "");
  const Ended convert = command(
      {"convert", "random:6:seed=3:joints=spherical:floating=1", out.path(), "--lock", "joint2=0:0:0.6:0.8,joint3"});
  ASSERT_EQ(convert.status, 0) << convert.err;
  const Model written = load_model(out.path());
  const Description d = make_description("random:6:seed=3:joints=spherical:floating=1");
  const Model expected = make_model(locked(d, {{"joint2", {0, 0, 0.6, 0.8}}, {"joint3"}}));
  EXPECT_EQ(written.data().joint_name, expected.data().joint_name);
  EXPECT_EQ(written.nv(), expected.nv());
}

TEST(LockOption, SaysWhatIsWrong) {
  const Ended unknown = command({"info", humanoid.c_str(), "--lock", "tail,neck_yaw=1:2"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_NE(unknown.err.find("humanoid.yaml: error: lock: joint \"tail\" is no joint of this model"), std::string::npos)
      << unknown.err;
  EXPECT_NE(unknown.err.find("\"neck_yaw\" is revolute and takes a number; it has 2"), std::string::npos)
      << unknown.err;
  const Ended word = command({"info", humanoid.c_str(), "--lock", "neck_yaw=half"});
  EXPECT_EQ(word.status, 2);
  EXPECT_NE(word.err.find("--lock is neck_yaw=half; give NAME or NAME=POSITION"), std::string::npos) << word.err;
  const Ended none = command({"info", humanoid.c_str(), "--lock", "neck_yaw="});
  EXPECT_EQ(none.status, 2);
}

}  // namespace lock_option
}  // namespace kinetree::bench
