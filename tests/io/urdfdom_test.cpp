// A second, independent reader on a valid URDF: the same links, joints, masses, placements.
#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <kinetree/load_model.hpp>

namespace kinetree::test {
namespace {

const std::string text = R"(<?xml version="1.0"?>
<robot name="two_arms">
  <link name="base"><inertial><origin xyz="0.01 0 0.1" rpy="0.1 -0.2 0.3"/><mass value="3.5"/>
    <inertia ixx="0.11" iyy="0.12" izz="0.13" ixy="0.001" ixz="-0.002" iyz="0.003"/></inertial></link>
  <link name="left"><inertial><mass value="1e-1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><origin xyz=" 0  0.5 0 "/><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.15" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"/>
  <joint name="z_left" type="revolute"><parent link="base"/><child link="left"/><origin xyz="1 2 3" rpy="0.5 -1.1 2.2"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="a_right" type="prismatic"><parent link="base"/><child link="right"/><origin rpy="0 0 -3.0"/><axis xyz="0 -1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="mount" type="fixed"><parent link="left"/><child link="tool"/><origin xyz="0 0 0.2"/></joint>
</robot>
)";

void expect_same(const Placement& a, const urdf::Pose& b) {
  EXPECT_NEAR(a.xyz[0], b.position.x, 1e-15);
  EXPECT_NEAR(a.xyz[1], b.position.y, 1e-15);
  EXPECT_NEAR(a.xyz[2], b.position.z, 1e-15);
  // a quaternion and its negative are one rotation
  const double d = a.quaternion[0] * b.rotation.x + a.quaternion[1] * b.rotation.y + a.quaternion[2] * b.rotation.z +
                   a.quaternion[3] * b.rotation.w;
  EXPECT_NEAR(std::abs(d), 1, 1e-14);
}

TEST(Urdfdom, ReadsTheSame) {
  const Reading ours = read_urdf_text(text, "f");
  ASSERT_FALSE(has_error(ours.findings));
  const urdf::ModelInterfaceSharedPtr theirs = urdf::parseURDF(text);
  ASSERT_TRUE(theirs);
  EXPECT_EQ(ours.description.name, theirs->getName());
  ASSERT_EQ(ours.description.bodies.size(), theirs->links_.size());
  for (const BodyDescription& body : ours.description.bodies) {
    SCOPED_TRACE(body.name);
    const auto link = theirs->getLink(body.name);
    ASSERT_TRUE(link);
    ASSERT_EQ(body.inertial.has_value(), link->inertial != nullptr);
    if (body.inertial) {
      EXPECT_EQ(body.inertial->mass, link->inertial->mass);
      expect_same(body.inertial->frame, link->inertial->origin);
      const urdf::Inertial& i = *link->inertial;
      EXPECT_EQ(body.inertial->inertia, (std::array<double, 6>{i.ixx, i.iyy, i.izz, i.ixy, i.ixz, i.iyz}));
    }
    if (body.parent == "world") {
      EXPECT_EQ(link, theirs->getRoot());
      continue;
    }
    const auto joint = link->parent_joint;
    EXPECT_EQ(body.parent, joint->parent_link_name);
    EXPECT_EQ(body.joint.name, joint->name);
    expect_same(body.joint.origin, joint->parent_to_joint_origin_transform);
    if (body.joint.type == "fixed") continue;
    EXPECT_EQ(body.joint.type, joint->type == urdf::Joint::REVOLUTE ? "revolute" : "prismatic");
    EXPECT_EQ(body.joint.axis, (Numbers3{joint->axis.x, joint->axis.y, joint->axis.z}));
  }
}

TEST(Urdfdom, WeKeepTheOrderOfTheFile) {
  const Model model = make_model(read_urdf_text(text, "f").description);
  ASSERT_EQ(model.body_count(), 2);
  EXPECT_EQ(model.joint_name(0), "z_left");
  EXPECT_EQ(model.joint_name(1), "a_right");
}

}  // namespace
}  // namespace kinetree::test
