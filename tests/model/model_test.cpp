// From the user's names to bodies and to entries of q and v, against the description and the counts of joint types.
#include <gtest/gtest.h>

#include <kinetree/kinetree.hpp>
#include <map>
#include <utility>

namespace kinetree::test {
namespace {

TEST(Model, NamesLeadToBodiesAndEntries) {
  for (const char* family : {"chain:5", "star:2x6", "random:40:seed=3:floating=1:special=1", "fourbars:2"}) {
    const Description description = make_description(family);
    const Model model = make_model(description);
    std::map<std::string, const BodyDescription*> by_joint;
    for (const BodyDescription& b : description.bodies) by_joint[b.joint.name] = &b;
    int q = 0, v = 0;
    for (int i = 0; i < model.body_count(); ++i) {
      const BodyDescription& said = *by_joint.at(std::string(model.joint_name(i)));
      EXPECT_EQ(model.q_index(i), q);
      EXPECT_EQ(model.v_index(i), v);
      q += position_count(model.joint_type(i));
      v += velocity_count(model.joint_type(i));
      EXPECT_EQ(name_of(model.joint_type(i)), said.joint.type);
      EXPECT_EQ(model.body_name(i), said.name);
      EXPECT_EQ(model.body_of_joint(said.joint.name), i);
      EXPECT_EQ(model.body_of_link(said.name), i);
      EXPECT_LT(model.parent(i), i);
      EXPECT_EQ(model.parent(i), said.parent == "world" ? -1 : model.body_of_link(said.parent));
    }
    EXPECT_EQ(model.nq(), q);
    EXPECT_EQ(model.nv(), v);
  }
}

TEST(Model, LinksOnFixedJointsAreThoseOfTheirBody) {
  Description d = make_description("chain:2");
  const auto bolt = [&](const std::string& link, const std::string& on, const std::string& joint) {
    BodyDescription b;
    b.name = link, b.parent = on, b.joint.name = joint, b.joint.type = "fixed";
    d.bodies.push_back(b);
  };
  bolt("tool", d.bodies[1].name, "mount");
  bolt("pedestal", "world", "bolts");
  const Model model = make_model(d);
  EXPECT_EQ(model.body_of_link("tool"), 1);
  EXPECT_EQ(model.body_of_link("pedestal"), -1);
  EXPECT_THROW((void)model.body_of_joint("mount"), std::invalid_argument);
}

TEST(Model, UnknownNamesAreToldWithThoseThereAre) {
  const Model model = make_model("chain:20");
  const auto message = [](auto&& call) {
    try {
      call();
    } catch (const std::invalid_argument& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  const std::string joint = message([&] { (void)model.body_of_joint("elbow"); }),
                    link = message([&] { (void)model.body_of_link("hand"); });
  EXPECT_NE(joint.find("has no moving joint 'elbow'; there are '" + std::string(model.joint_name(0)) + "', '"),
            std::string::npos)
      << joint;
  EXPECT_NE(joint.find("and 12 more"), std::string::npos) << joint;
  EXPECT_NE(link.find("has no link 'hand'; there are '"), std::string::npos) << link;
  EXPECT_EQ(link, message([&] { (void)frame_index(model, "hand"); }));
}

/// Digits that were printed leave so little; from a millionth on a notice tells that a quaternion was normalized.
TEST(Model, QuaternionsAreNormalizedWithAWordFromAMillionthOn) {
  for (const auto& [off, findings] : {std::pair{0.9e-6, 0}, {1.1e-6, 1}, {-0.9e-6, 0}, {-1.1e-6, 1}}) {
    Description d = make_description("chain:2");
    d.bodies[1].joint.origin.quaternion = {0, 0, 0, 1 + off};
    const Model model = make_model(d);
    EXPECT_EQ(static_cast<int>(model.findings().size()), findings) << off;
    for (const Finding& f : model.findings()) EXPECT_NE(f.message.find("was normalized"), std::string::npos);
  }
}

}  // namespace
}  // namespace kinetree::test
