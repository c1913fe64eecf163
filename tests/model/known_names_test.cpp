// What messages say of names that are none: the nearest first.
#include "engine/model/known_names.hpp"

#include <gtest/gtest.h>

#include <kinetree/kinetree.hpp>

#include "engine/model/random.hpp"

namespace kinetree::test {
namespace {

using Texts = std::vector<std::string>;

/// Optimal string alignment by its definition: every way of one step less.
std::size_t slips_by_definition(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::string a1 = a.substr(1), b1 = b.substr(1);
  std::size_t least = slips_by_definition(a1, b1) + (a[0] == b[0] ? 0 : 1);
  least = std::min({least, slips_by_definition(a1, b) + 1, slips_by_definition(a, b1) + 1});
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
    least = std::min(least, slips_by_definition(a.substr(2), b.substr(2)) + 1);
  return least;
}

TEST(KnownNames, SlipsAreCountedAsDefined) {
  Random random(3);
  const auto word = [&] {
    std::string text;
    for (int k = static_cast<int>(random.uniform(0, 7)); k > 0; --k)
      text += static_cast<char>('a' + static_cast<int>(random.uniform(0, 2.99)));
    return text;
  };
  for (int k = 0; k < 2000; ++k) {
    const std::string a = word(), b = word();
    EXPECT_EQ(slips_between(a, b), slips_by_definition(a, b)) << a << " and " << b;
  }
  EXPECT_EQ(slips_between("Damping", "damping"), 0u);
}

TEST(KnownNames, AWordIsMeantFromOneSlipOnAndFromTwoInALongOne) {
  const Texts words{"damping", "multiplier", "ab", "xyz"};
  for (const auto& [tag, meant] : std::vector<std::pair<std::string, std::string>>{{"dampling", "damping"},
                                                                                   {"dmaping", "damping"},
                                                                                   {"DAMPING", "damping"},
                                                                                   {"dampplling", ""},
                                                                                   {"mutiplyer", "multiplier"},
                                                                                   {"muliplyyer", ""},
                                                                                   {"ac", ""},
                                                                                   {"xy", "xyz"},
                                                                                   {"stiffness", ""}})
    EXPECT_EQ(slip_of(tag, words), meant) << tag;
}

TEST(KnownNames, TheNearestStandFirstAndEquallyNearInTheirOrder) {
  EXPECT_EQ(nearest_first({"base", "left_knee", "right_knee", "left_ankle"}, "left_kne"),
            (Texts{"left_knee", "left_ankle", "right_knee", "base"}));
  EXPECT_EQ(nearest_first({"elbow", "panda_shoulder_joint", "shrug"}, "shoulder").front(), "panda_shoulder_joint");
  EXPECT_EQ(nearest_first({"elbow", "shoulder"}, "robot/shoulder").front(), "shoulder");
  EXPECT_EQ(nearest_first({"b", "a", "c"}, "x"), (Texts{"b", "a", "c"}));
  Texts many;
  for (int k = 0; k < 30; ++k) many.push_back("joint" + std::to_string(k));
  const std::string text = is_none_of({"joint", many}, {"link", {}}, "jiont27");
  EXPECT_EQ(text.find("is no joint of this model; its joints are \"joint27\", "), 0u) << text;
}

/// Comparing takes the product of the lengths: two names of 20 000 letters took 5 s.
TEST(KnownNames, LongNamesAreFarFromAnyOther) {
  const std::string one(20'000, 'x');
  EXPECT_EQ(nearest_first({"elbow", one}, one + "y"), (Texts{"elbow", one}));
  EXPECT_EQ(nearest_first({one, "xxx"}, "xx").front(), "xxx");
}

TEST(KnownNames, TheNearestAreNamedInTheFirstFindingsAlone) {
  const Texts names{"elbow", "wrist"};
  const auto same = [](const std::string& name) { return name; };
  EXPECT_EQ(nearest_of("elbw", names, same, 100), " (nearest: \"elbow\", \"wrist\")");
  EXPECT_EQ(nearest_of("elbw", names, same, 101), "");
}

TEST(KnownNames, LookUpsByNameSayTheNearest) {
  const Model model = make_model("chain:40");
  try {
    frame_index(model, "bodyy33");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("there are 'body33', "), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace kinetree::test
