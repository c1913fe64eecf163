// Why joints stay uncut: each reason is the true one, and no joint with a reason is ever cut.
#include "engine/partition/uncut.hpp"

#include <gtest/gtest.h>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/modules.hpp"
#include "loops/closed_mechanisms.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace {

/// A chain a, b, c, d of which b's body or joint is changed.
template <class Change>
Model chain_with(Change&& change) {
  Description d = mechanism({body("a", "world"), body("b", "a"), body("c", "b"), body("d", "c")});
  change(d.bodies[1]);
  return make_model(d);
}

std::vector<Uncut> reasons(const Model& model) {
  std::vector<Uncut> all;
  for (int i = 0; i < model.body_count(); ++i) {
    all.push_back(why_uncut(model.data(), i));
    EXPECT_EQ(reason_uncut(model.data(), i).empty(), all.back() == Uncut::may_be_cut);
  }
  return all;
}
using Reasons = std::vector<Uncut>;

TEST(Uncut, RotorsInertiasAndAggregatesAreToldApart) {
  constexpr Uncut free = Uncut::may_be_cut, inboard = Uncut::inboard;
  EXPECT_EQ(reasons(chain_with([](BodyDescription&) {})), (Reasons{free, free, free, free}));

  const Model rotor = chain_with([](BodyDescription& b) { b.joint.armature = 0.25; });
  EXPECT_EQ(reasons(rotor), (Reasons{free, Uncut::rotor, free, free}));
  EXPECT_EQ(reason_uncut(rotor.data(), 1), "the joint has a rotor (armature 0.25), which ties its two sides together");

  const Model rod = chain_with([](BodyDescription& b) {
    b.inertial = InertialDescription{2, {{0.1, 0, 0}, {0, 0, 0, 1}}, {0, 0.1, 0.1, 0, 0, 0}, 0};
  });
  EXPECT_EQ(reasons(rod), (Reasons{free, Uncut::inertia, inboard, free}));
  EXPECT_EQ(reason_uncut(rod.data(), 1),
            "the inertia of link \"b\" (2 kg, smallest principal moment 0 kg m²) is singular, ill-conditioned or "
            "negligible beside what hangs from it");
  EXPECT_EQ(reason_uncut(rod.data(), 2),
            "link \"b\" inboard of it would be left to itself, and joint \"jb\" may not be cut either: " +
                reason_uncut(rod.data(), 1));

  const Model four_bars = make_model("fourbars:1");
  for (int i = 0; i < four_bars.body_count(); ++i) {
    if (four_bars.data().aggregate_of[static_cast<std::size_t>(i)] < 0) continue;
    EXPECT_EQ(why_uncut(four_bars.data(), i), Uncut::aggregate);
    EXPECT_EQ(reason_uncut(four_bars.data(), i),
              "the joint stands in an aggregate, which loop \"" + four_bars.data().loops[0].name + "\" ties together");
  }
}

TEST(Uncut, NoJointWithAReasonIsCut) {
  int with_reason = 0, cuts = 0, notices = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Description d = seed % 3 == 0 ? oracle::random_closed_mechanism(seed).description
                                  : make_description("random:30:seed=" + std::to_string(seed));
    for (std::size_t k = seed % 5; seed % 3 != 0 && k < d.bodies.size(); k += 7)
      if (d.bodies[k].joint.type == "revolute" || d.bodies[k].joint.type == "prismatic")
        d.bodies[k].joint.armature = 0.1;
    const Model model = make_model(d);
    for (const Cuts way : {Cuts::paths, Cuts::main, Cuts::all}) {
      const Modules modules = make_modules(model.data(), {.grain = 1, .cuts = way});
      std::vector<bool> cut(static_cast<std::size_t>(model.body_count()), false);
      const ModelData& parts = modules.parts_of(model.data());
      for (const CutJoint& c : modules.cuts)
        if (parts.joint_type[static_cast<std::size_t>(c.body)] != JointType::fixed)
          cut[static_cast<std::size_t>(parts.whole_of(c.body))] = true;
      int because[5]{};
      for (int i = 0; i < model.body_count(); ++i) {
        const Uncut why = why_uncut(model.data(), i);
        ++because[static_cast<int>(why)];
        const bool reason = why != Uncut::may_be_cut;
        EXPECT_FALSE(reason && cut[static_cast<std::size_t>(i)]) << "seed " << seed << ", body " << i;
        with_reason += reason, cuts += cut[static_cast<std::size_t>(i)];
      }
      const auto number = [&](Uncut why) { return std::to_string(because[static_cast<int>(why)]); };
      const std::string counted = number(Uncut::aggregate) + " in aggregates, " + number(Uncut::rotor) +
                                  " with a rotor, " + number(Uncut::inertia) + " by the inertia outboard";
      if (counted == "0 in aggregates, 0 with a rotor, 0 by the inertia outboard") continue;
      ASSERT_FALSE(modules.notices.empty());
      EXPECT_NE(modules.notices[0].find(counted), std::string::npos) << modules.notices[0] << ", but " << counted;
      ++notices;
    }
  }
  EXPECT_GT(with_reason, 300);
  EXPECT_GT(cuts, 300);
  EXPECT_GT(notices, 100);
}

}  // namespace
}  // namespace kinetree::test
