// `kinetree show` as its users see it: the files are read back, and what is drawn is counted against what is so.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <filesystem>
#include <fstream>
#include <kinetree/kinetree.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/pictures.hpp"
#include "bench/show/mechanism.hpp"
#include "engine/model/model_data.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

TEST(Show, WritesItsFilesAndALineForEach) {
  const Folder folder;
  const fs::path out = folder / "new/deep";
  const Outcome outcome = run({"show", "chain:5", "--out", out.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::string lines;
  for (const std::string& file : all_files) {
    lines += (out / file).string() + "\n";
    EXPECT_EQ(slurp(out / file).substr(0, 5), "<?xml");
    Picture picture(out / file);
    EXPECT_NE(picture.title().find("chain:5"), std::string::npos);
  }
  EXPECT_EQ(outcome.out, lines);
  EXPECT_EQ(outcome.err, "");
}

TEST(Show, WrongUsageIsTwo) {
  const Folder folder;
  const std::string out = folder.path();
  EXPECT_EQ(run({"show", "chain:3"}).status, 2);
  EXPECT_EQ(run({"show", "--out", out}).status, 2);
  EXPECT_EQ(run({"show", "chain:3", "--out", out, "--grain", "-1"}).status, 2);
  EXPECT_EQ(run({"show", "chain:3", "--out", out, "--grain", "many"}).status, 2);
  EXPECT_EQ(run({"show", "chain:3", "--out", out, "--cuts", "none"}).status, 2);
  EXPECT_EQ(run({"show", "chain:3", "--out", out, "--algorithm", "ab"}).status, 2);
  EXPECT_EQ(run({"show", "chain:3", "--out", out, "--threads", "1"}).status, 2);
  EXPECT_TRUE(fs::is_empty(out));
}

TEST(Show, WrongInputIsOneAndSaysWhatToDo) {
  const Folder folder;
  const auto expect_error = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in " << outcome.err;
  };
  const std::string out = folder.path();
  expect_error({"show", "nowhere.urdf", "--out", out}, {"nowhere.urdf"});
  expect_error({"show", "random:2001:seed=1", "--out", out}, {"2001", "at most 2000", "smaller"});
  expect_error({"show", "star:17x1", "--floating", "--out", out, "--cuts", "all", "--grain", "1"}, {"17", "paths"});
  EXPECT_TRUE(fs::is_empty(out));
  const std::string file = (folder / "file").string();
  std::ofstream(file) << "in the way";
  expect_error({"show", "chain:3", "--out", file}, {file, "folder"});
  expect_error({"show", "chain:3", "--out", file + "/below"}, {file, "folder"});
  EXPECT_EQ(slurp(file), "in the way");
  fs::create_directories(folder / "taken/digraph.svg");
  expect_error({"show", "chain:3", "--out", (folder / "taken").string()}, {"digraph.svg", "can't write"});
}

TEST(Show, DigraphHasEveryBodyOnceColouredBySegment) {
  for (const Pictured& c : cases) {
    const Folder folder;
    ASSERT_EQ(run(command(c, folder)).status, 0);
    const Model model = load(c);
    const int n = model.body_count();
    Picture picture(folder / "digraph.svg");
    ASSERT_EQ(picture["body"].size(), at(n)) << c.model;
    EXPECT_EQ(picture["edge"].size(), at(n));
    EXPECT_EQ(picture["ground"].size(), 1u);
    std::vector<std::string> colour(at(n));
    for (int k = 0; k < n; ++k) {
      const std::string expected = std::to_string(k + 1) + ": " + std::string(model.body_name(n - 1 - k)) + "\n";
      EXPECT_EQ(tooltip(*picture["body"][at(k)]).substr(0, expected.size()), expected);
      colour[at(n - 1 - k)] = fill(*picture["body"][at(k)]);
    }
    const ModelData& m = model.data();
    for (int i = 0; i < n; ++i) {
      const int p = m.parent[at(i)];
      if (p < 0) continue;
      const bool only_child = m.children_begin[at(p + 1)] - m.children_begin[at(p)] == 1;
      EXPECT_EQ(colour[at(i)] == colour[at(p)], only_child) << c.model << ", body " << i;
    }
  }
}

TEST(Show, BoxesAndDotsDoNotOverlap) {
  for (const Pictured& c : cases) {
    const Folder folder;
    ASSERT_EQ(run(command(c, folder, {"--grain", "1"})).status, 0);
    for (const char* file : {"digraph.svg", "modules.svg"}) {
      Picture picture(folder / file);
      struct Box {
        double x0, y0, x1, y1;
      };
      std::vector<Box> boxes;
      for (const char* kind : {"ground", "body", "cut"})
        for (const auto* e : picture[kind]) {
          const std::string shape = e->Name();
          if (shape == "circle") {
            const double x = e->DoubleAttribute("cx"), y = e->DoubleAttribute("cy"), r = e->DoubleAttribute("r");
            boxes.push_back({x - r, y - r, x + r, y + r});
          } else if (shape == "rect") {
            const double x = e->DoubleAttribute("x"), y = e->DoubleAttribute("y");
            boxes.push_back({x, y, x + e->DoubleAttribute("width"), y + e->DoubleAttribute("height")});
          }
        }
      const auto* root = picture["ground"].front()->GetDocument()->RootElement();
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box& a = boxes[i];
        EXPECT_TRUE(a.x0 >= 0 && a.y0 >= 0 && a.x1 <= root->DoubleAttribute("width") &&
                    a.y1 <= root->DoubleAttribute("height"));
        for (std::size_t j = 0; j < i; ++j) {
          const Box& b = boxes[j];
          EXPECT_FALSE(a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1) << c.model << " " << file;
        }
      }
    }
  }
}

/// A body stands in the same place in both pictures.
TEST(Show, ATreeHasOneLayout) {
  for (const Pictured& c : cases) {
    const Folder folder;
    ASSERT_EQ(run(command(c, folder, {"--grain", "2"})).status, 0);
    Picture tree(folder / "digraph.svg"), modules(folder / "modules.svg");
    ASSERT_EQ(tree["body"].size(), modules["body"].size());
    for (std::size_t k = 0; k < tree["body"].size(); ++k)
      for (const char* place : {"x", "y", "width", "height", "cx", "cy", "r"})
        EXPECT_EQ(tree["body"][k]->DoubleAttribute(place), modules["body"][k]->DoubleAttribute(place))
            << c.model << " body " << k << " " << place;
    EXPECT_EQ(tree["ground"][0]->DoubleAttribute("x"), modules["ground"][0]->DoubleAttribute("x"));
  }
}

/// Every colour that a picture has has its place in a dark scheme, and no two have the same.
TEST(Show, ADarkSchemeHasEveryColour) {
  for (const char* model : {"random:60:seed=5", KINETREE_MODELS "/four_bar_quadruped.yaml", "geared:4"}) {
    const Folder folder;
    ASSERT_EQ(run({"show", model, "--out", folder.path(), "--grain", "2"}).status, 0);
    for (const std::string& file : all_files) {
      const std::string text = slurp(folder / file), style = text.substr(0, text.find("</style>"));
      EXPECT_NE(style.find("prefers-color-scheme: dark"), std::string::npos);
      std::map<std::string, std::string> dark;
      for (const std::string mark : {" fill=\"#", " stroke=\"#"})
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
          const std::size_t from = text.find('#', at);
          const std::string colour = text.substr(from, text.find('"', from) - from),
                            rule = "[fill=\"" + colour + "\"]{fill:";
          const std::size_t found = style.find(rule);
          EXPECT_NE(found, std::string::npos) << colour << " in " << file;
          EXPECT_NE(style.find("[stroke=\"" + colour + "\"]{stroke:"), std::string::npos) << colour;
          if (found != std::string::npos) dark[colour] = style.substr(found + rule.size(), 7);
        }
      std::set<std::string> different;
      for (const auto& [colour, is] : dark) different.insert(is);
      EXPECT_EQ(different.size(), dark.size()) << file;
    }
  }
}

/// E_A, its resolvent by Eigen's inverse of 1 - E_A, and the mass matrix by composite bodies, against the pictures.
TEST(Show, SparsityIsThatOfTheOperators) {
  for (const Pictured& c : cases) {
    const Folder folder;
    ASSERT_EQ(run(command(c, folder)).status, 0);
    const Model model = load(c);
    const ModelData& m = model.data();
    const int n = model.body_count();
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i)
      if (m.parent[at(i)] >= 0) E(n - 1 - m.parent[at(i)], n - 1 - i) = 1;
    const Eigen::MatrixXd A = (Eigen::MatrixXd::Identity(n, n) - E).inverse();
    Workspace workspace(model);
    Eigen::MatrixXd mass(model.nv(), model.nv());
    ASSERT_TRUE(mass_matrix(model, workspace, oracle::random_state(model, 4).q, mass).ok());
    Eigen::MatrixXd M(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        M(n - 1 - i, n - 1 - j) =
            mass.block(m.v_index[at(i)], m.v_index[at(j)], m.v_index[at(i + 1)] - m.v_index[at(i)],
                       m.v_index[at(j + 1)] - m.v_index[at(j)])
                .cwiseAbs()
                .maxCoeff();
    const std::vector<std::pair<const char*, const Eigen::MatrixXd*>> operators{
        {"adjacency.svg", &E}, {"resolvent.svg", &A}, {"mass_matrix.svg", &M}};
    for (const auto& [file, matrix] : operators) {
      Picture picture(folder / file);
      const Blocks blocks = covered(picture, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const bool drawn = blocks[at(i)][at(j)] != "", there = (*matrix)(i, j) != 0;
          // right angles make a block of the mass matrix zero by chance; in random mechanisms nothing is
          const bool by_chance = matrix == &M && c.model.substr(0, 6) != "random";
          EXPECT_TRUE(drawn == there || (drawn && by_chance)) << c.model << " " << file << " " << i << " " << j;
        }
    }
  }
}

TEST(Show, SegmentsAreFramedAndTheirBlocksColoured) {
  for (const Pictured& c : cases) {
    const Folder folder;
    ASSERT_EQ(run(command(c, folder)).status, 0);
    const sko::Segments segments = sko::serial_chain_segments(Mechanism(load(c)).tree);
    const int n = static_cast<int>(segments.segment_of.size());
    Picture digraph(folder / "digraph.svg"), matrix(folder / "mass_matrix.svg");
    ASSERT_EQ(matrix["frame"].size(), at(segments.size()));
    const double cell = matrix["frame"].front()->DoubleAttribute("width") / double(segments.nodes.front().size());
    for (int s = 0; s < segments.size(); ++s) {
      const auto& frame = *matrix["frame"][at(s)];
      EXPECT_NEAR(frame.DoubleAttribute("width"), cell * double(segments.nodes[at(s)].size()), 0.02 * n);
      EXPECT_EQ(frame.DoubleAttribute("width"), frame.DoubleAttribute("height"));
      EXPECT_NE(tooltip(frame).find("segment " + std::to_string(s + 1) + " "), std::string::npos);
    }
    const Blocks blocks = covered(matrix, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if (blocks[at(i)][at(j)].empty()) continue;
        const bool one_segment = segments.segment_of[at(i)] == segments.segment_of[at(j)];
        EXPECT_EQ(blocks[at(i)][at(j)] == fill(*digraph["body"][at(i)]), one_segment) << i << " " << j;
      }
  }
}

TEST(Show, NamesMayHoldAnyCharacter) {
  const Folder folder;
  const std::string file = (folder / "odd.yaml").string();
  std::ofstream(file)
      << "name: '<&\"> model'\nbodies:\n"
         "  - {name: '<a&\"b\">', parent: world, joint: {name: '</svg>&amp;', type: revolute, axis: [0, "
         "0, 1]}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n"
         "  - {name: \"\\x01bell\", parent: '<a&\"b\">', joint: {name: \"it's\", type: revolute, axis: "
         "[0, 0, 1]}, inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n";
  const Outcome outcome = run({"show", file, "--out", folder.path(), "--grain", "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const std::string& name : all_files) {
    Picture picture(folder / name);
    EXPECT_EQ(picture.title().substr(0, 11), "<&\"> model:") << picture.title();
  }
  Picture digraph(folder / "digraph.svg"), matrix(folder / "mass_matrix.svg");
  EXPECT_TRUE(digraph.has_text("2 <a&\"b\">"));
  EXPECT_TRUE(
      digraph.has_text("1 \xEF\xBF\xBD"
                       "bell"));
  EXPECT_TRUE(matrix.has_text("</svg>&amp; 2"));
  EXPECT_TRUE(matrix.has_text("it's 1"));
}

TEST(Show, LettersAreLegibleForFiveAndForTwoHundredBodies) {
  for (const char* model :
       {"chain:5", "star:2x2", "random:200:seed=1", "tree:3x5", "chain:200", "star:20x10", "comb:200"}) {
    const Folder folder;
    const Outcome outcome = run({"show", model, "--out", folder.path(), "--grain", "4"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const std::string& file : all_files)
      EXPECT_GE(Picture(folder / file).smallest_letters(), 5.9) << model << ", " << file;
  }
}

TEST(Show, FilesStaySmall) {
  for (const auto& [model, most] : {std::pair{"random:200:seed=3", 200'000u}, std::pair{"chain:200", 150'000u},
                                    std::pair{"random:2000:seed=1", 1'200'000u}, std::pair{"chain:2000", 1'500'000u}}) {
    const Folder folder;
    ASSERT_EQ(run({"show", model, "--out", folder.path(), "--grain", "8"}).status, 0);
    for (const std::string& file : all_files) EXPECT_LT(fs::file_size(folder / file), most) << model << " " << file;
  }
}

}  // namespace
}  // namespace kinetree::bench
