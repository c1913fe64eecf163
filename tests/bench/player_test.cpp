// Pages that play a motion: what they were given is read back and held against the mechanism.
#include <cmath>
#include <cstdint>

#include "bench/page.hpp"
#include "bench/player/meshes.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(Player, PosesAreTheTrajectorys) {
  const Folder folder;
  ASSERT_EQ(run({"simulate", four_bar_file, "--seconds", "0.5", "--out", folder.path()}).status, 0);
  const auto scene = scene_of(slurp(folder / "trajectory.html"));
  const std::vector<double> q = column_of(cells_of(slurp(folder / "trajectory.csv")), "q:crank_pivot");
  const auto times = numbers_of<float>(scene["frames"]["times"]);
  const auto positions = numbers_of<float>(scene["frames"]["positions"]);
  const auto turns = numbers_of<std::int16_t>(scene["frames"]["turns"]);
  ASSERT_EQ(times.size(), q.size());
  ASSERT_EQ(positions.size(), 3 * 3 * q.size());
  ASSERT_EQ(turns.size(), 4 * 3 * q.size());
  ASSERT_EQ(scene["bodies"][1]["name"], "coupler");
  for (std::size_t k = 0; k < q.size(); ++k) {  // the coupler hangs 0.15 m along a crank that turns about y
    EXPECT_NEAR(positions[9 * k + 3], 0.15 * std::cos(q[k]), 1e-7);
    EXPECT_NEAR(positions[9 * k + 4], 0, 1e-7);
    EXPECT_NEAR(positions[9 * k + 5], -0.15 * std::sin(q[k]), 1e-7);
    EXPECT_NEAR(std::abs(turns[12 * k + 1]) / 32767., std::abs(std::sin(q[k] / 2)), 4e-5);
  }
  EXPECT_EQ(scene["loops"][0]["name"], "rocker_end");
  EXPECT_NEAR(scene["loops"][0]["second"]["at"][0], 0.3, 1e-9);
  EXPECT_EQ(scene["bodies"][0]["axis"], nlohmann::json({0, 1, 0}));
  std::vector<std::string> titles;
  for (const auto& plot : scene["plots"]) titles.push_back(plot["title"]);
  EXPECT_EQ(titles, (std::vector<std::string>{"Energy (J)", "Change of energy since the start (J)",
                                              "Largest error of loops and couplings (m, rad)", "Positions q (rad, m)",
                                              "Velocities v (rad/s, m/s)"}));
  const auto plotted = numbers_of<float>(scene["plots"][3]["curves"][0]["values"]);
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_FLOAT_EQ(plotted[k], static_cast<float>(q[k]));
}

/// Forces that were asked for: of a loop those on its first end, and no plot of moments where a row is zero throughout.
TEST(Player, PlotsHaveTheForcesThatAreAskedFor) {
  const Folder folder;
  ASSERT_EQ(
      run({"simulate", four_bar_file, "--seconds", "0.2", "--forces", "loops,joints", "--out", folder.path()}).status,
      0);
  const auto scene = scene_of(slurp(folder / "trajectory.html"));
  const auto cells = cells_of(slurp(folder / "trajectory.csv"));
  int found = 0;
  for (const auto& plot : scene["plots"]) {
    const std::string title = plot["title"];
    const bool loops = title.rfind("Forces of loops on their first ends (N", 0) == 0;
    if (!loops && title.rfind("Forces of joints (N", 0) != 0) continue;
    const auto& curve = plot["curves"][2];
    const auto values = column_of(cells, loops ? "loop:rocker_end:first:fz" : "reaction:crank_pivot:fz");
    EXPECT_EQ(curve["name"], loops ? "rocker_end fz" : "crank_pivot fz");
    const auto plotted = numbers_of<float>(curve["values"]);
    ASSERT_EQ(plotted.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_FLOAT_EQ(plotted[k], static_cast<float>(values[k]));
    EXPECT_EQ(plot["curves"].size(), loops ? 3u : 9u);
    ++found;
  }
  EXPECT_EQ(found, 2);
}

TEST(Player, NeedsNothingBesideIt) {
  const Folder folder;
  ASSERT_EQ(run({"show", four_bar_file, "--3d", "--out", folder.path()}).status, 0);
  const std::string page = slurp(folder / "mechanism.html");
  EXPECT_EQ(page.find(" src="), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.substr(0, page.find("<script")).find("{{"), std::string::npos);
  const auto scene = scene_of(page);
  EXPECT_EQ(numbers_of<float>(scene["frames"]["times"]).size(), 1u);
  EXPECT_TRUE(scene["plots"].empty());
  EXPECT_FALSE(fs::exists(folder / "digraph.svg"));
}

TEST(Player, PagesStaySmall) {
  const Folder folder;
  ASSERT_EQ(run({"simulate", "rope:1000:joints=spherical", "--seconds", "3", "--integrator", "semi-implicit-euler",
                 "--step", "0.01", "--every", "0.01", "--out", folder.path()})
                .status,
            0);
  const std::string page = slurp(folder / "trajectory.html");
  EXPECT_LT(page.size(), 10'000'000u);
  const auto scene = scene_of(page);
  const std::size_t frames = numbers_of<float>(scene["frames"]["times"]).size();
  EXPECT_LE(frames, 200u);
  EXPECT_GE(frames, 100u);
  EXPECT_EQ(numbers_of<float>(scene["frames"]["times"]).back(), 3);
  EXPECT_EQ(numbers_of<float>(scene["frames"]["positions"]).size(), 3000 * frames);
  EXPECT_EQ(scene["plots"][2]["curves"].size(), 24u);
  EXPECT_NE(scene["notes"].dump().find("of 301 rows"), std::string::npos) << scene["notes"];
  EXPECT_NE(scene["notes"].dump().find("24 of 4000 curves"), std::string::npos) << scene["notes"];
}

TEST(Player, StrangersNamesStayTexts) {
  const Folder folder;
  const std::string name = "</script><script>alert(1)</script>{{three}}<!--";
  std::ofstream(folder / "m.yaml") << "name: \"" << name
                                   << "\"\nbodies:\n  - name: a\n    parent: world\n    joint: {name: j, type: "
                                      "revolute, axis: [0, 1, 0]}\n    inertial: {mass: 1, com: [1, 0, 0]}\n";
  ASSERT_EQ(run({"show", (folder / "m.yaml").string(), "--3d", "--out", folder.path()}).status, 0);
  const std::string page = slurp(folder / "mechanism.html");
  EXPECT_EQ(scene_of(page)["name"], name);
  EXPECT_EQ(count_of(page, "<script"), 4u);
  EXPECT_EQ(count_of(page, "</script>"), 4u);
}

TEST(Player, ShapesStandWhereTheFileHasThem) {
  const Folder folder;
  fs::create_directories(folder / "pack/urdf");
  fs::create_directories(folder / "pack/meshes");
  std::ofstream(folder / "pack/meshes/part.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder / "pack/urdf/r.urdf")
      << "<robot name='r'><link name='base'><visual><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry>"
         "</visual></link><joint name='j' type='revolute'><parent link='base'/><child link='arm'/><origin xyz='0 0 2'/>"
         "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint><link name='arm'><inertial>"
         "<origin xyz='1 0 0'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
         "</link><joint name='f' type='fixed'><parent link='arm'/><child link='hand'/><origin xyz='4 0 "
         "0'/></joint><link "
         "name='hand'><visual><origin xyz='0 5 0'/><geometry><mesh filename='package://pack/meshes/part.obj' scale='2 "
         "2 "
         "2'/></geometry><material name='m'><color rgba='1 0.5 0 1'/></material></visual><visual><geometry><mesh "
         "filename='package://pack/meshes/gone.stl'/></geometry></visual></link></robot>";
  ASSERT_EQ(run({"show", (folder / "pack/urdf/r.urdf").string(), "--3d", "--out", folder.path()}).status, 0);
  const auto scene = scene_of(slurp(folder / "mechanism.html"));
  ASSERT_EQ(scene["shapes"].size(), 2u) << scene["shapes"];
  const auto& box = scene["shapes"][0];
  EXPECT_EQ(box["body"], -1);
  EXPECT_EQ(box["size"], nlohmann::json({1, 2, 3}));
  EXPECT_EQ(box["pose"], nlohmann::json({0, 0, 1, 0, 0, 0, 1}));
  const auto& part = scene["shapes"][1];
  EXPECT_EQ(part["body"], 0);
  EXPECT_EQ(part["pose"], nlohmann::json({4, 5, 0, 0, 0, 0, 1}));  // in the frame of the arm, which carries the hand
  EXPECT_EQ(part["colour"], nlohmann::json({1, 0.5, 0, 1}));
  ASSERT_EQ(scene["meshes"].size(), 1u);
  EXPECT_EQ(numbers_of<float>(scene["meshes"][0]["points"]).size(), 12u);
  EXPECT_EQ(numbers_of<std::uint16_t>(scene["meshes"][0]["faces"]).size(), 12u);
  EXPECT_NE(scene["notes"].dump().find("1 mesh was not found"), std::string::npos) << scene["notes"];
  EXPECT_NE(scene["notes"].dump().find("gone.stl"), std::string::npos);
}

TEST(Player, LargeMeshesBecomeCoarser) {
  TriangleMesh ball;  // a grid on a unit sphere
  constexpr int n = 100;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < n; ++j) {
      const double a = M_PI * i / n, b = 2 * M_PI * j / n;
      ball.points.emplace_back(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a));
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int k = (j + 1) % n;
      ball.faces.push_back({i * n + j, (i + 1) * n + j, (i + 1) * n + k});
      ball.faces.push_back({i * n + j, (i + 1) * n + k, i * n + k});
    }
  make_fewer(ball, 1000);
  EXPECT_LE(ball.faces.size(), 1000u);
  EXPECT_GE(ball.faces.size(), 300u);
  for (const auto& p : ball.points) EXPECT_NEAR(p.norm(), 1, 0.1);
}

TEST(Player, RefusesWhatItCannotShow) {
  const Folder folder;
  const Outcome both = run({"show", four_bar_file, "--3d", "--grain", "2", "--out", folder.path()});
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.err.find("--grain"), std::string::npos) << both.err;
  EXPECT_EQ(run({"show", four_bar_file, "--states", "x.json", "--out", folder.path()}).status, 2);
  const Outcome large = run({"show", "chain:5001", "--3d", "--out", folder.path()});
  EXPECT_EQ(large.status, 1);
  EXPECT_NE(large.err.find("5001"), std::string::npos) << large.err;
}

}  // namespace
}  // namespace kinetree::bench
