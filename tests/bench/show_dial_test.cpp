// The pictures of the dial: modules, cut joints, and the pattern of the constraint forces' system.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <kinetree/sko/constraint_force_matrices.hpp>
#include <kinetree/sko/rigid_body.hpp>
#include <set>
#include <string>
#include <vector>

#include "bench/pictures.hpp"
#include "bench/show/dial_pictures.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

/// The bodies that hang together when the cut joints are taken away, by name of the body nearest the ground.
std::vector<int> connected(const ModelData& m, const Modules& modules) {
  std::vector<int> base(m.parent.size());
  for (int i = 0; i < static_cast<int>(base.size()); ++i) {
    const bool cut =
        std::any_of(modules.cuts.begin(), modules.cuts.end(), [&](const CutJoint& j) { return j.body == i; });
    base[at(i)] = m.parent[at(i)] < 0 || cut ? i : base[at(m.parent[at(i)])];
  }
  return base;
}

TEST(ShowDial, ModulesAndCutJointsAreThoseOfTheDial) {
  for (const Pictured& c : cases)
    for (const char* cuts : {"paths", "main", "all"})
      for (const int grain : {1, 2, 7}) {
        const Folder folder;
        const Outcome outcome = run(command(c, folder, {"--grain", std::to_string(grain), "--cuts", cuts}));
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const Model model = load(c);
        const int n = model.body_count();
        const Cuts kind = cuts[0] == 'p' ? Cuts::paths : cuts[0] == 'm' ? Cuts::main : Cuts::all;
        const Modules modules = make_modules(model.data(), {.grain = grain, .cuts = kind});
        Picture picture(folder / "modules.svg");
        EXPECT_NE(picture.title().find("grain " + std::to_string(grain) + ", cuts " + cuts), std::string::npos);
        ASSERT_EQ(picture["cut"].size(), modules.cuts.size());
        std::size_t filled = 0, carried = 0;
        for (const auto* e : picture["cut"]) filled += fill(*e) != "#fff";
        for (const CutJoint& cut : modules.cuts) carried += cut.carried;
        EXPECT_EQ(filled, carried);
        const std::vector<int> base = connected(model.data(), modules);
        for (int i = 0; i < n; ++i) {
          const int p = model.data().parent[at(i)];
          if (p < 0) continue;
          EXPECT_EQ(fill(*picture["body"][at(n - 1 - i)]) == fill(*picture["body"][at(n - 1 - p)]),
                    base[at(i)] == base[at(p)]);
        }
      }
}

TEST(ShowDial, CutJointsOfTwoHundredBodiesAreNumbered) {
  const Folder folder;
  ASSERT_EQ(run({"show", "random:200:seed=1", "--out", folder.path(), "--grain", "4"}).status, 0);
  Picture picture(folder / "modules.svg");
  const auto rows = static_cast<int>(picture["cut"].size());
  EXPECT_GT(rows, 30);
  for (int row = 1; row <= rows; ++row) EXPECT_TRUE(picture.has_text(std::to_string(row))) << row;
  // where there is no room for numbers, it is said
  const char* notice = "The tree is too large for numbers in the badges (here diamonds); they stand in the tooltips.";
  EXPECT_FALSE(picture.has_text(notice));
  ASSERT_EQ(run({"show", "random:2000:seed=1", "--out", folder.path(), "--grain", "20"}).status, 0);
  EXPECT_TRUE(Picture(folder / "modules.svg").has_text(notice));
}

/// Two cut joints are coupled where they touch one module: the outboard one always, the inboard one where carried.
TEST(ShowDial, SystemCouplesCutJointsThatShareAModule) {
  for (const Pictured& c : cases)
    for (const char* cuts : {"paths", "main", "all"})
      for (const int grain : {1, 3}) {
        const Folder folder;
        ASSERT_EQ(run(command(c, folder, {"--grain", std::to_string(grain), "--cuts", cuts})).status, 0);
        const Model model = load(c);
        const Cuts kind = cuts[0] == 'p' ? Cuts::paths : cuts[0] == 'm' ? Cuts::main : Cuts::all;
        const Modules modules = make_modules(model.data(), {.grain = grain, .cuts = kind});
        const SystemPattern system = system_pattern(modules);
        const int rows = static_cast<int>(system.cuts.size());
        const std::vector<int> base = connected(model.data(), modules);
        std::vector<std::set<int>> touches;
        std::set<int> seen;
        for (const int k : system.cuts) {
          const CutJoint& cut = modules.cuts[at(k)];
          EXPECT_GT(cut.rows, 0);
          EXPECT_TRUE(seen.insert(k).second);
          touches.push_back({cut.body});
          if (cut.carried) touches.back().insert(base[at(model.data().parent[at(cut.body)])]);
        }
        EXPECT_EQ(std::count_if(modules.cuts.begin(), modules.cuts.end(), [](const CutJoint& j) { return j.rows > 0; }),
                  rows);
        Picture picture(folder / "system.svg");
        const Blocks blocks = covered(picture, rows);
        const std::string own = rows > 0 ? blocks[0][0] : "";
        for (int i = 0; i < rows; ++i) {
          const CutJoint& cut = modules.cuts[at(system.cuts[at(i)])];
          EXPECT_TRUE(picture.has_text(std::string(model.joint_name(cut.body)) + " " + std::to_string(i + 1)));
          for (int j = 0; j < rows; ++j) {
            std::vector<int> shared;
            std::set_intersection(touches[at(i)].begin(), touches[at(i)].end(), touches[at(j)].begin(),
                                  touches[at(j)].end(), std::back_inserter(shared));
            EXPECT_EQ(blocks[at(i)][at(j)] != "", !shared.empty()) << c.model << " " << cuts << " " << grain;
            EXPECT_EQ(blocks[at(i)][at(j)] == own, i == j);
          }
        }
        // groups: nothing couples two of them, and every row is in one
        int end = 0;
        for (const SystemPattern::Group& g : system.groups) {
          EXPECT_EQ(g.begin, end);
          end = g.end;
          for (int i = g.begin; i < g.end; ++i)
            for (int j = 0; j < g.begin; ++j) EXPECT_EQ(blocks[at(i)][at(j)], "");
        }
        EXPECT_EQ(end, rows);
        EXPECT_EQ(picture["frame"].size(), system.groups.size());
      }
}

TEST(ShowDial, SystemOfAChainIsTridiagonal) {
  const Modules modules = make_modules(make_model("chain:24").data(), {.grain = 3});
  const SystemPattern system = system_pattern(modules);
  ASSERT_EQ(system.cuts.size(), 8u);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      EXPECT_EQ(system.block[at(i)][at(j)], i == j                 ? SystemBlock::own
                                            : std::abs(i - j) == 1 ? SystemBlock::base_child
                                                                   : SystemBlock::zero);
}

TEST(ShowDial, PlannedGrainIsSaid) {
  const Folder folder;
  ASSERT_EQ(run({"show", "chain:12", "--out", folder.path()}).status, 0);
  EXPECT_NE(Picture(folder / "modules.svg").title().find("(planned)"), std::string::npos);
}

/// On a short mechanism the planned grain may cut nothing; what is drawn is the largest that cuts, and said.
TEST(ShowDial, AGrainThatCutsIsDrawnWhereTheUserNamesNone) {
  const Folder folder;
  const auto title = [&](const std::string& model) {
    EXPECT_EQ(run({"show", model, "--out", folder.path()}).status, 0);
    return Picture(folder / "modules.svg").title();
  };
  const std::string arm = title(KINETREE_MODELS "/arm7.yaml");
  EXPECT_NE(arm.find("grain 4 (the largest that cuts; planned is 5, which does not)"), std::string::npos) << arm;
  EXPECT_GT(Picture(folder / "modules.svg")["cut"].size(), 0u);
  const Model model = load_model(KINETREE_MODELS "/arm7.yaml");
  EXPECT_FALSE(make_modules(model.data(), {.grain = 5}).any_cut());
  const std::string tree = title("tree:2x5");
  EXPECT_NE(tree.find("(planned; no grain cuts a joint)"), std::string::npos) << tree;
}

/// T_2ᵀ I⁻¹ T_2 of Featherstone & Fijany 1999, Eq. 16, written out: the system when every joint is cut.
TEST(ShowDial, SystemOfEveryJointCutIsThatOfConstraintForces) {
  for (const char* family : {"chain:6", "tree:3x3", "random:40:seed=8", "random:30:seed=2"}) {
    const Model model = make_model(family);
    const int n = model.body_count();
    const Modules modules = make_modules(model.data(), {.grain = 1, .cuts = Cuts::all});
    ASSERT_EQ(modules.cuts.size(), at(n)) << family;
    const oracle::TestState state = oracle::random_state(model, 3);
    const sko::RigidBody<double> body = sko::rigid_body(model, state.q.data(), state.v.data());
    const sko::ConstraintBases<double> bases = sko::constraint_bases(model, state.q.data());
    const sko::Matrix<double> A = sko::constraint_force_matrix(body.model, bases);
    std::vector<Eigen::Index> first{0};
    for (const auto& basis : bases) first.push_back(first.back() + basis.cols());
    const SystemPattern system = system_pattern(modules);
    for (std::size_t i = 0; i < system.cuts.size(); ++i)
      for (std::size_t j = 0; j < system.cuts.size(); ++j) {
        const std::size_t a = at(n - 1 - modules.cuts[at(system.cuts[i])].body);
        const std::size_t b = at(n - 1 - modules.cuts[at(system.cuts[j])].body);
        const auto block = A.block(first[a], first[b], bases[a].cols(), bases[b].cols());
        EXPECT_EQ(system.block[i][j] != SystemBlock::zero, (block.array() != 0).any())
            << family << " " << i << " " << j;
      }
  }
}

}  // namespace
}  // namespace kinetree::bench
