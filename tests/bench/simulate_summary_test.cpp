// The summary of `kinetree simulate`: where it starts, whether anything moves, how many digits agree.
#include "bench/page.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

double number_behind(const std::string& text, const std::string& words) {
  const auto at = text.find(words);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + words.size()));
}

TEST(SimulateSummary, SaysWhereItStartsAndWhatMoves) {
  const Folder folder;
  const Outcome rest = run({"simulate", four_bar_file, "--seconds", "0.2", "--out", folder.path()});
  EXPECT_NE(rest.out.find("start        where the model is assembled, at rest; it moves, joint \""), std::string::npos)
      << rest.out;
  EXPECT_NE(rest.out.find("cpu          "), std::string::npos) << rest.out;
  EXPECT_NE(
      rest.out.find("check        not made: --check takes the motion again, by tolerance 1e-12, and counts digits"),
      std::string::npos)
      << rest.out;
  const Outcome hanging = run({"simulate", "rope:3:joints=spherical", "--seconds", "0.2", "--out", folder.path()});
  EXPECT_NE(hanging.out.find("at rest; nothing moves"), std::string::npos) << hanging.out;
  EXPECT_EQ(hanging.out.find("--check"), std::string::npos) << hanging.out;
  std::ofstream(folder / "s.json") << R"({"states": [{"q": [0, 0], "v": [0.25, -3]}]})";
  const std::string states = (folder / "s.json").string();
  const Outcome moving = run({"simulate", "chain:2", "--states", states, "--seconds", "0.1", "--out", folder.path()});
  EXPECT_NE(moving.out.find("start        state 0 of " + states + ", moving: joint \"joint2\" by -3 (rad/s, m/s)"),
            std::string::npos)
      << moving.out;
}

TEST(SimulateSummary, CheckTellsTheDigitsThatATightMotionHas) {
  const Folder folder;
  const auto digits_at = [&](const char* tolerance) {
    const Outcome outcome = run({"simulate", four_bar_file, "--seconds", "2", "--tolerance", tolerance, "--every",
                                 "0.5", "--check", "--out", folder.path()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return number_behind(outcome.out, "q agrees to ");
  };
  const double loose = digits_at("1e-5"), tight = digits_at("1e-9");
  EXPECT_GT(loose, 3);
  EXPECT_LT(loose, 7);
  EXPECT_GT(tight, loose + 2);
  // semi-implicit Euler's error is of first order in the step: a thousandth of a second leaves some three digits
  const Outcome euler = run({"simulate", four_bar_file, "--seconds", "0.5", "--integrator", "semi-implicit-euler",
                             "--check", "--out", folder.path()});
  EXPECT_NE(euler.out.find("check        steps of 0.0005 s, 1000 evaluations"), std::string::npos) << euler.out;
  const double few = number_behind(euler.out, "q agrees to ");
  EXPECT_GT(few, 1.5);
  EXPECT_LT(few, 5);
}

TEST(SimulateSummary, LoopsFromAFileBesideTheModel) {
  const Folder folder;
  const std::string text = slurp(four_bar_file);
  const auto loops = text.find("loops:");
  std::ofstream(folder / "open.yaml") << text.substr(0, loops);
  std::ofstream(folder / "loops.yaml") << text.substr(loops);
  const auto csv_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--seconds", "0.2", "--out", folder.path()});
    EXPECT_EQ(run(words).status, 0);
    return slurp(folder / "trajectory.csv");
  };
  const std::string open = (folder / "open.yaml").string(), beside = (folder / "loops.yaml").string();
  const std::string whole = csv_of({"simulate", four_bar_file});
  EXPECT_EQ(csv_of({"simulate", open, "--loops-from", beside}), whole);
  EXPECT_NE(csv_of({"simulate", open}), whole);
  const std::string converted = (folder / "whole.yaml").string();
  ASSERT_EQ(run({"convert", open, converted, "--loops-from", beside}).status, 0);
  EXPECT_EQ(csv_of({"simulate", converted}), whole);
  const Outcome wrong = run({"info", open, "--loops-from", open});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("unknown key \"bodies\""), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace kinetree::bench
