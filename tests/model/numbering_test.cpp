#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "engine/model/model_data.hpp"
#include "model/describe.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::test {
namespace {

TEST(Numbering, DepthFirstSiblingsInTheUsersOrder) {
  // children before parents in the list, a fixed link between, two roots
  const Model model = make_model(
      mechanism({body("c", "b"), body("b", "a", "spherical"), body("a", "world", "floating"), body("e", "weld"),
                 body("weld", "a", "fixed"), body("d", "a", "planar"), body("z", "world", "prismatic")}));
  const ModelData& m = model.data();
  std::vector<std::string> names, joints;
  for (int i = 0; i < model.body_count(); ++i) {
    names.emplace_back(model.body_name(i));
    joints.emplace_back(model.joint_name(i));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c", "e", "d", "z"}));
  EXPECT_EQ(joints, (std::vector<std::string>{"ja", "jb", "jc", "je", "jd", "jz"}));
  EXPECT_EQ(m.parent, (std::vector<int>{-1, 0, 1, 0, 0, -1}));
  EXPECT_EQ(m.subtree_end, (std::vector<int>{5, 3, 3, 4, 5, 6}));
  EXPECT_EQ(m.roots, (std::vector<int>{0, 5}));
  EXPECT_EQ(m.children_begin, (std::vector<int>{0, 3, 4, 4, 4, 4, 4}));
  EXPECT_EQ(m.children, (std::vector<int>{1, 3, 4, 2}));
  EXPECT_EQ(m.q_index, (std::vector<int>{0, 7, 11, 12, 13, 16, 17}));
  EXPECT_EQ(m.v_index, (std::vector<int>{0, 6, 9, 10, 11, 14, 15}));
  ASSERT_EQ(m.frames.size(), 7u);
  EXPECT_EQ(m.frames[4].name, "weld");
  EXPECT_EQ(m.frames[4].body, 0);
}

TEST(Numbering, FloatingBaseTakesTheRootLinkOnly) {
  LoadOptions options;
  options.floating_base = true;
  BodyDescription root = body("root", "world", "fixed");
  root.inertial.reset();  // massless, and yet its frame is the base's
  const Model model = make_model(mechanism({root, body("trunk", "root", "fixed"), body("leg", "trunk")}), options);
  EXPECT_EQ(model.joint_name(0), "floating_base");
  EXPECT_EQ(model.body_name(0), "root");
  EXPECT_EQ(model.nv(), 7);
  EXPECT_EQ(model.data().frames[1].body, 0);
  EXPECT_THROW(make_model(mechanism({body("a", "world", "floating")}), options), InputError);
  EXPECT_THROW(make_model(mechanism({body("a", "world")}), options), InputError);
  EXPECT_THROW(
      make_model(mechanism({body("a", "world", "fixed"), body("b", "world", "fixed"), body("c", "a")}), options),
      InputError);
}

TEST(Numbering, TheFloatingBaseSharesItsNameWithNoJoint) {
  LoadOptions options;
  options.floating_base = true;
  BodyDescription arm = body("arm", "root");
  arm.joint.name = "floating_base";
  const Model model = make_model(mechanism({body("root", "world", "fixed"), arm}), options);
  EXPECT_EQ(model.joint_name(0), "floating_base_2");
  EXPECT_EQ(model.joint_name(1), "floating_base");
  ASSERT_EQ(model.findings().size(), 1u);
  EXPECT_EQ(model.findings()[0].severity, Severity::notice);
  EXPECT_EQ(model.findings()[0].element, "joint \"floating_base\"");
  EXPECT_NE(model.findings()[0].message.find("\"floating_base_2\""), std::string::npos);

  // a link may have the name as well, and the next name be taken too; the root's own joint is the base's
  arm.joint.name = "floating_base_2";
  BodyDescription root = body("floating_base", "world", "fixed");
  root.joint.name = "floating_base_3";
  arm.parent = root.name;
  EXPECT_EQ(make_model(mechanism({root, arm}), options).joint_name(0), "floating_base_3");
}

TEST(Numbering, ALongCycleIsToldShort) {
  Description d = make_description("chain:100000");
  d.bodies[0].parent = d.bodies.back().name;
  try {
    make_model(d);
    FAIL();
  } catch (const InputError& e) {
    ASSERT_EQ(e.findings().size(), 1u);
    EXPECT_NE(e.findings()[0].message.find("closes a cycle"), std::string::npos);
    EXPECT_LT(e.findings()[0].message.size(), 300u);
  }
}

TEST(Numbering, ManyRoots) {
  const Model model = make_model("star:1000x3");
  EXPECT_EQ(model.data().roots.size(), 1000u);
  EXPECT_EQ(model.body_count(), 3000);
}

TEST(Numbering, MemoryThatRanOutIsSaidInGigabytes) {
  if (!oracle::can_count_allocations()) GTEST_SKIP() << "the sanitizer takes more address space than is left here";
  const auto build = [] {
    const rlimit most{rlim_t{4} << 30, rlim_t{4} << 30};
    setrlimit(RLIMIT_AS, &most);
    try {
      (void)make_model("chain:10000000");
    } catch (const std::bad_alloc& e) {
      std::fputs(e.what(), stderr);
      std::_Exit(7);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(build(), testing::ExitedWithCode(7),
              "memory ran out: to build a model of 10000000 links takes about 12.0 GB");
}

TEST(NumberingLong, AMillionBodiesInARow) {
  const Model model = make_model("chain:1000000");
  EXPECT_EQ(model.body_count(), 1000000);
  EXPECT_EQ(model.data().subtree_end[0], 1000000);
  // the slow way through every check: a massless link at the base makes all the inertias outboard matter
  Description d = make_description("chain:300000");
  d.bodies[0].inertial.reset();
  EXPECT_EQ(make_model(d).body_count(), 300000);
}

}  // namespace
}  // namespace kinetree::test
