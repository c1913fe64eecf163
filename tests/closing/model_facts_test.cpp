// A model read by names gives back what its description says.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <kinetree/kinetree.hpp>
#include <kinetree/model_facts.hpp>
#include <kinetree/status_name.hpp>

#include "loops/closed_mechanisms.hpp"
#include "loops/regular_mechanisms.hpp"

namespace kinetree::oracle {
namespace model_facts {

TEST(ModelFacts, GiveBackWhatTheDescriptionSays) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Description d = random_closed_mechanism(seed).description;
    const Model model = make_model(d);
    if (static_cast<int>(d.bodies.size()) != model.body_count()) continue;  // some are merged
    ++compared;
    double mass = 0;
    for (const BodyDescription& b : d.bodies) {
      const JointParameters joint = joint_parameters(model, b.joint.name);
      EXPECT_EQ(joint.type, b.joint.type);
      EXPECT_EQ(joint.parent, b.parent);
      EXPECT_EQ(joint.child, b.name);
      for (const double x : joint.armature) EXPECT_EQ(x, b.joint.armature);
      const InertiaFacts inertia = inertia_facts(model, b.name);
      EXPECT_EQ(inertia.link, b.name);
      if (!b.inertial) continue;
      mass += b.inertial->mass;
      EXPECT_NEAR(inertia.mass, b.inertial->mass, 1e-12 * b.inertial->mass);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(inertia.centre_of_mass[k], b.inertial->frame.xyz[k], 1e-10);
      const auto matrix = [](const std::array<double, 6>& six) {
        Eigen::Matrix3d I;
        I << six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2];
        return I;
      };
      const auto& [x, y, z, w] = b.inertial->frame.quaternion;
      const Eigen::Matrix3d turn = Eigen::Quaterniond(w, x, y, z).toRotationMatrix();
      const Eigen::Matrix3d truth = turn * matrix(b.inertial->inertia) * turn.transpose();
      EXPECT_LE((matrix(inertia.inertia) - truth).cwiseAbs().maxCoeff(), 1e-12 * (1 + truth.norm())) << b.name;
    }
    EXPECT_NEAR(total_mass(model), mass, 1e-12 * mass);
    const std::vector<LoopFacts> loops = loop_facts(model);
    ASSERT_EQ(loops.size(), d.loops.size());
    for (std::size_t l = 0; l < loops.size(); ++l) {
      EXPECT_EQ(loops[l].name, d.loops[l].name);
      EXPECT_EQ(loops[l].type, d.loops[l].type);
      EXPECT_EQ(loops[l].first, d.loops[l].first.body);
      EXPECT_EQ(loops[l].second, d.loops[l].second.body);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(loops[l].at_first[k], d.loops[l].first.frame.xyz[k], 1e-10);
        EXPECT_NEAR(loops[l].at_second[k], d.loops[l].second.frame.xyz[k], 1e-10);
      }
    }
    const std::vector<CouplingFacts> couplings = coupling_facts(model);
    ASSERT_EQ(couplings.size(), d.couplings.size());
    for (std::size_t c = 0; c < couplings.size(); ++c) {
      EXPECT_EQ(couplings[c].name, d.couplings[c].name);
      EXPECT_EQ(couplings[c].offset, d.couplings[c].offset);
      ASSERT_EQ(couplings[c].terms.size(), d.couplings[c].terms.size());
      for (std::size_t t = 0; t < couplings[c].terms.size(); ++t) {
        EXPECT_EQ(couplings[c].terms[t].joint, d.couplings[c].terms[t].joint);
        EXPECT_EQ(couplings[c].terms[t].coefficient, d.couplings[c].terms[t].coefficient);
        EXPECT_EQ(couplings[c].terms[t].powers, d.couplings[c].terms[t].powers);
      }
    }
  }
  EXPECT_GT(compared, 5);
}

TEST(ModelFacts, RatiosGoThroughChainsOfCouplings) {
  Description d;
  d.name = "gears";
  for (const char* name : {"a", "b", "c", "d"}) d.bodies.push_back(rod(name, "world", 0, 0.1));
  d.couplings = {{"first", {{"a_joint", 3}, {"b_joint", 1}}, 0}, {"second", {{"b_joint", 2}, {"c_joint", -1}}, 0.5}};
  const Model model = make_model(d);
  EXPECT_NEAR(ratio(model, "b_joint", "a_joint").value(), -3, 1e-12);
  EXPECT_NEAR(ratio(model, "c_joint", "a_joint").value(), -6, 1e-12);
  EXPECT_NEAR(ratio(model, "a_joint", "c_joint").value(), -1 / 6.0, 1e-12);
  EXPECT_FALSE(ratio(model, "d_joint", "a_joint"));
  EXPECT_EQ(ratio(model, "d_joint", "d_joint"), 1);
  try {
    (void)joint_parameters(model, "a_join");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("'a_joint'"), std::string::npos) << e.what();
  }
  // a sum of three: none fixes another
  d.couplings = {{"mean", {{"a_joint", 1}, {"b_joint", 1}, {"c_joint", -2}}, 0}};
  EXPECT_FALSE(ratio(make_model(d), "a_joint", "b_joint"));
}

TEST(ModelFacts, StatusCodesHaveWordsWithoutMemory) {
  static_assert(name_of(StatusCode::not_closed) == "not_closed");
  for (int k = 0; k <= static_cast<int>(StatusCode::out_of_bounds); ++k)
    EXPECT_NE(name_of(static_cast<StatusCode>(k)), "unknown") << k;
}

}  // namespace model_facts
}  // namespace kinetree::oracle
