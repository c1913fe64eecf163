// What a status says of constraints: one is named before the reason, many are listed after it.
#include <gtest/gtest.h>

#include <kinetree/kinetree.hpp>
#include <kinetree/status.hpp>
#include <string>

namespace kinetree::oracle {
namespace status_words {

/// Wheels side by side, each coupled to the one before.
Model wheels(int couplings) {
  Description d;
  d.name = "wheels";
  for (int k = 0; k <= couplings; ++k) {
    BodyDescription b;
    b.name = "w" + std::to_string(k), b.parent = "world";
    b.joint.name = "j" + std::to_string(k), b.joint.type = "continuous";
    b.inertial = InertialDescription{1, {}, {0.5, 0.5, 0.5, 0, 0, 0}};
    d.bodies.push_back(b);
  }
  for (int k = 0; k < couplings; ++k) {
    CouplingDescription c;
    c.name = "belt" + std::to_string(k);
    c.terms = {{"j" + std::to_string(k), 1}, {"j" + std::to_string(k + 1), -1}};
    d.couplings.push_back(c);
  }
  return make_model(d);
}

TEST(StatusWords, ManyConstraintsAreListedAfterTheReason) {
  const std::string reason =
      "from here no closed configuration is found, the nearest is off by 0.25 (m or rad); start "
      "closer to one that closes, or take shorter steps";
  const Status open{StatusCode::not_closed, 0, 0, 0.25};
  EXPECT_EQ(open.message(wheels(1)), "coupling \"belt0\": " + reason);
  EXPECT_EQ(open.message(wheels(2)), reason + " (couplings \"belt0\", \"belt1\")");
  const Model many = wheels(40);
  for (const StatusCode code :
       {StatusCode::not_closed, StatusCode::singular_loop, StatusCode::change_point, StatusCode::other_branch}) {
    const std::string said = Status{code, 0, 3, 0.25}.message(many);
    const std::size_t list = said.find("(couplings \"belt0\", \"belt1\"");
    EXPECT_NE(list, std::string::npos) << said;
    EXPECT_LT(said.find("constraints") == std::string::npos ? said.find("closed") : said.find("constraints"), list);
    EXPECT_EQ(said.substr(said.size() - 8), "belt39\")") << said;
  }
}

}  // namespace status_words
}  // namespace kinetree::oracle
