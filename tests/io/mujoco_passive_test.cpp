// Springs and damping of an MJCF file against MuJoCo's own passive forces, every joint type that it has.
#include <gtest/gtest.h>

#include <kinetree/forces.hpp>
#include <kinetree/mjcf.hpp>

#include "io/mjcf_text.hpp"
#include "io/mujoco_model.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

TEST(MujocoPassive, ForcesAreTheirs) {
  const std::string text = file(
      "<body name=\"a\" pos=\".3 -.2 1\" quat=\"1 .5 -.2 .3\"><joint name=\"fly\" type=\"free\" stiffness=\"3\" "
      "damping=\".7\"/>" +
      inertial + "<body name=\"b\" pos=\"0 0 .3\"><joint name=\"ball\" type=\"ball\" stiffness=\"2\" damping=\".2\"/>" +
      inertial +
      "<body name=\"c\"><joint name=\"turn\" axis=\"1 2 3\" ref=\".2\" stiffness=\"5\" springref=\".4\" "
      "damping=\".3\"/><joint name=\"slide\" type=\"slide\" axis=\"0 1 0\" stiffness=\"9\" springref=\"-.1\" "
      "damping=\"1\"/>" +
      inertial + "</body></body></body>");
  Theirs theirs(text);
  const Reading reading = read_mjcf_text(text, "m.xml");
  const Model model = make_model(reading.description, {}, reading.findings);
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const TestState s = oracle::random_state(model, seed);
    theirs.set(model, s);
    Eigen::VectorXd expected = Eigen::Map<Eigen::VectorXd>(theirs.d->qfrc_passive, model.nv());
    const Eigen::Quaterniond R(s.q[6], s.q[3], s.q[4], s.q[5]);
    expected.head<3>() = R.inverse() * expected.head<3>().eval();
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
    ASSERT_TRUE(add_passive_forces(model, s.q, s.v, tau).ok());
    EXPECT_LE((tau - expected).norm(), 1e-12 * expected.norm()) << seed;
    EXPECT_GT(expected.norm(), 1);
  }
}

}  // namespace
}  // namespace kinetree::test

#endif
