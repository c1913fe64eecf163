// `kinetree simulate`: poses and velocities of points, and the last state as a file that goes on.
#include <cmath>

#include "bench/page.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

TEST(SimulatePoints, AreWhereTheCrankTakesThem) {
  const Folder folder;
  ASSERT_EQ(run({"simulate", four_bar_file, "--seconds", "0.3", "--points", "crank=0.1:0:0.02,rocker", "--out",
                 folder.path()})
                .status,
            0);
  const auto cells = cells_of(slurp(folder / "trajectory.csv"));
  const auto column = [&](const std::string& head) { return column_of(cells, head); };
  const auto q = column("q:crank_pivot"), v = column("v:crank_pivot");
  const auto x = column("pose:crank=0.1:0:0.02[0]"), z = column("pose:crank=0.1:0:0.02[2]");
  const auto turn = column("pose:crank=0.1:0:0.02[4]"), rate = column("velocity:crank=0.1:0:0.02[1]");
  const auto xdot = column("velocity:crank=0.1:0:0.02[3]"), zdot = column("velocity:crank=0.1:0:0.02[5]");
  const auto pivot = column("pose:rocker[0]");
  ASSERT_EQ(q.size(), 31u);
  for (std::size_t k = 0; k < q.size(); ++k) {  // a turn by q about y
    const double c = std::cos(q[k]), s = std::sin(q[k]);
    EXPECT_NEAR(x[k], 0.1 * c + 0.02 * s, 1e-14);
    EXPECT_NEAR(z[k], -0.1 * s + 0.02 * c, 1e-14);
    EXPECT_NEAR(turn[k], std::sin(q[k] / 2), 1e-14);
    EXPECT_NEAR(rate[k], v[k], 1e-13);
    EXPECT_NEAR(xdot[k], v[k] * z[k], 1e-13);
    EXPECT_NEAR(zdot[k], -v[k] * x[k], 1e-13);
    EXPECT_EQ(pivot[k], 0.4);
  }
  const auto scene = scene_of(slurp(folder / "trajectory.html"));
  EXPECT_EQ(scene["plots"].back()["title"], "Velocities of points (m/s)");
}

TEST(SimulatePoints, WrongOnesAreFindings) {
  const Folder folder;
  const Outcome wrong =
      run({"simulate", four_bar_file, "--points", "cranck,crank=1:2,crank=1:2:nan,rocker", "--out", folder.path()});
  EXPECT_EQ(wrong.status, 1);
  for (const char* words : {"\"cranck\" is no link",
                            "\"crank=1:2\": behind = stands \"1:2\"; give three finite numbers", "\"crank=1:2:nan\""})
    EXPECT_NE(wrong.err.find(words), std::string::npos) << words << "\n" << wrong.err;
  EXPECT_FALSE(fs::exists(folder / "trajectory.csv"));
}

TEST(SimulateLastState, GoesOn) {
  const Folder folder;
  const std::string one = (folder / "one").string(), two = (folder / "two").string(), all = (folder / "all").string();
  std::ofstream(folder / "start.json") << R"({"states": [{"q": [0.1, 0.2, 0.3], "v": [1, 0, 0], "tau": [0.5, 0, 0],
    "f_ext": {"body3": [0, 0, 0, 0, 2, 0]}}]})";
  const std::string start = (folder / "start.json").string();
  const std::vector<std::string> how{"--integrator", "rk4", "--step", "0.001"};
  const auto simulate = [&](const std::string& from, const char* seconds, const std::string& out) {
    std::vector<std::string> words{"simulate", "chain:3", "--states", from, "--seconds", seconds, "--out", out};
    words.insert(words.end(), how.begin(), how.end());
    return run(words).status;
  };
  ASSERT_EQ(simulate(start, "0.5", one), 0);
  ASSERT_EQ(simulate(one + "/last_state.json", "0.5", two), 0);
  ASSERT_EQ(simulate(start, "1", all), 0);
  const auto parts = cells_of(slurp(two + "/trajectory.csv")), whole = cells_of(slurp(all + "/trajectory.csv"));
  for (const char* head : {"q:joint1", "q:joint3", "v:joint2"}) {
    EXPECT_EQ(column_of(parts, head).front(), column_of(whole, head)[50]) << head;  // bit for bit
    EXPECT_NEAR(column_of(parts, head).back(), column_of(whole, head).back(), 1e-12) << head;
  }
}

}  // namespace
}  // namespace kinetree::bench
