// What `kinetree show` draws of loops and couplings: counted against the model, matrices against its operators.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <fstream>
#include <kinetree/kinetree.hpp>
#include <set>

#include "bench/pictures.hpp"
#include "bench/show/dial_pictures.hpp"
#include "bench/show/mechanism.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "loops/closed_mechanisms.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

Picture read_back(const Folder& folder, const std::string& svg) {
  std::ofstream(folder / "picture.svg") << svg;
  return Picture(folder / "picture.svg");
}

/// The body that stands for each one's node.
std::vector<int> nodes_of(const ModelData& m) {
  std::vector<int> node(m.parent.size());
  for (std::size_t i = 0; i < node.size(); ++i)
    node[i] = m.aggregate_of.empty() || m.aggregate_of[i] < 0 ? static_cast<int>(i)
                                                              : m.aggregates[at(m.aggregate_of[i])].bodies.front();
  return node;
}

struct Box {
  double x0, y0, x1, y1;
  explicit Box(const tinyxml2::XMLElement& e) {
    if (std::string(e.Name()) == "circle") {
      const double x = e.DoubleAttribute("cx"), y = e.DoubleAttribute("cy"), r = e.DoubleAttribute("r");
      x0 = x - r, y0 = y - r, x1 = x + r, y1 = y + r;
    } else {
      x0 = e.DoubleAttribute("x"), y0 = e.DoubleAttribute("y");
      x1 = x0 + e.DoubleAttribute("width"), y1 = y0 + e.DoubleAttribute("height");
    }
  }
  bool meets(const Box& b) const { return x0 < b.x1 && b.x0 < x1 && y0 < b.y1 && b.y0 < y1; }
};

TEST(ShowLoops, EveryConstraintIsALineEveryAggregateAShade) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Model model = make_model(oracle::random_closed_mechanism(seed).description);
    const ModelData& m = model.data();
    const Folder folder;
    Picture picture = read_back(folder, draw(digraph_picture(Mechanism(model))));
    EXPECT_EQ(picture["loop"].size(), m.loops.size());
    std::size_t lines = 0;
    for (const Coupling& c : m.couplings) lines += std::max<std::size_t>(1, c.terms.size() - 1);
    EXPECT_EQ(picture["coupling"].size(), lines);
    ASSERT_EQ(picture["aggregate"].size(), m.aggregates.size());
    // a shade lies under its aggregate's bodies and no other
    const auto& bodies = picture["body"];
    ASSERT_EQ(bodies.size(), m.parent.size());
    for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
      std::set<int> under;
      for (const auto* e = picture["aggregate"][a]->FirstChildElement(); e; e = e->NextSiblingElement())
        for (int k = 0; k < model.body_count() && std::string(e->Name()) == "rect"; ++k)
          if (Box(*e).meets(Box(*bodies[at(k)]))) under.insert(model.body_count() - 1 - k);
      EXPECT_EQ(under, std::set<int>(m.aggregates[a].bodies.begin(), m.aggregates[a].bodies.end())) << seed;
    }
    const auto* root = picture["ground"].front()->GetDocument()->RootElement();
    for (const auto* e : bodies) EXPECT_LE(Box(*e).y1, root->DoubleAttribute("height"));
  }
}

/// One row per node: E_A by the Model's parents, its resolvent by Eigen's inverse, the mass matrix by composite bodies
/// in independent coordinates.
TEST(ShowLoops, SparsityIsThatOfTheAggregatedTree) {
  int blocks_drawn = 0, blocks_there = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const oracle::ClosedMechanism c = oracle::random_closed_mechanism(seed);
    const Model& model = c.model;
    const ModelData& m = model.data();
    const Mechanism mechanism(model);
    const std::vector<int> node = nodes_of(m);
    const int n = mechanism.nodes.size();
    ASSERT_EQ(at(n), std::set<int>(node.begin(), node.end()).size());
    std::vector<int> row(m.parent.size());  // of a body
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = mechanism.node_of[at(mechanism.number(static_cast<int>(i)))];
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t i = 0; i < row.size(); ++i) {
      EXPECT_EQ(row[i], row[at(node[i])]);
      const int p = m.parent[at(node[i])];
      if (p >= 0) E(row[at(p)], row[i]) = 1;
    }
    const Eigen::MatrixXd A = (Eigen::MatrixXd::Identity(n, n) - E).inverse();
    const std::vector<int> independent = independent_velocities(model);
    Workspace workspace(model);
    Eigen::MatrixXd mass(independent.size(), independent.size()), M = Eigen::MatrixXd::Zero(n, n);
    ASSERT_TRUE(mass_matrix(model, workspace, c.state.q, mass).ok()) << seed;
    const auto row_of = [&](int k) {
      const auto body =
          std::upper_bound(m.v_index.begin(), m.v_index.end(), independent[at(k)]) - m.v_index.begin() - 1;
      return row[static_cast<std::size_t>(body)];
    };
    for (int i = 0; i < mass.rows(); ++i)
      for (int j = 0; j < mass.cols(); ++j)
        M(row_of(i), row_of(j)) = std::max(M(row_of(i), row_of(j)), std::abs(mass(i, j)));
    const Folder folder;
    Picture adjacency = read_back(folder, adjacency_picture(mechanism));
    Picture resolvent = read_back(folder, resolvent_picture(mechanism));
    Picture matrix = read_back(folder, mass_matrix_picture(mechanism));
    const Blocks e = covered(adjacency, n), r = covered(resolvent, n), b = covered(matrix, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        EXPECT_EQ(e[at(i)][at(j)] != "", E(i, j) != 0) << seed;
        EXPECT_EQ(r[at(i)][at(j)] != "", A(i, j) != 0) << seed;
        const bool drawn = b[at(i)][at(j)] != "";
        EXPECT_TRUE(drawn || M(i, j) <= 1e-12 * M.maxCoeff()) << seed << " " << i << " " << j;
        blocks_drawn += drawn, blocks_there += M(i, j) != 0;
      }
    // segments are framed where their rows stand together
    ASSERT_EQ(matrix["frame"].size(), at(mechanism.segments.size()));
    for (const std::vector<int>& s : mechanism.segments.nodes)
      EXPECT_EQ(s.back() - s.front() + 1, static_cast<int>(s.size())) << seed;
  }
  // constraints may hold all that a node moves, and then its blocks are zero though drawn; seldom
  EXPECT_GE(blocks_there, 0.8 * blocks_drawn);
}

TEST(ShowLoops, SaysWhichBodiesAndWhy) {
  const Folder folder;
  const auto picture_of = [&](const std::string& name) {
    const Outcome outcome =
        run({"show", std::string(KINETREE_MODELS) + "/" + name + ".yaml", "--out", folder.path(), "--grain", "1"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return Picture(folder / "digraph.svg");
  };
  Picture bar = picture_of("four_bar");
  EXPECT_TRUE(
      bar.has_text("aggregate 1: crank, coupler, rocker on the ground, 1 of 3 velocities independent; revolute loop "
                   "\"rocker_end\" ties crank, coupler, rocker"));
  EXPECT_EQ(tooltip(*bar["loop"].front()), "revolute loop \"rocker_end\" ties crank, coupler, rocker\naggregate 1");
  for (const char* name : {"1 crank", "1 coupler", "1 rocker"}) EXPECT_TRUE(bar.has_text(name));
  EXPECT_TRUE(Picture(folder / "adjacency.svg").has_text("aggregate 1 (3 bodies) 1"));
  EXPECT_TRUE(Picture(folder / "mass_matrix.svg").has_text("aggregate 1 (1 freedom) 1"));
  EXPECT_EQ(Picture(folder / "modules.svg")["body"].size(), 3u);
  Picture arm = picture_of("geared_arm");
  EXPECT_TRUE(arm.has_text("\"shoulder_gear\" and \"elbow_belt\" share upper_arm"));
  EXPECT_EQ(arm["aggregate"].size(), 2u);
  EXPECT_EQ(arm["coupling"].size(), 7u);                               // of two joints, and three of three
  EXPECT_EQ(Picture(folder / "mass_matrix.svg")["frame"].size(), 1u);  // one chain of two aggregates
}

/// Two of three arms geared together: the third must not stand between them and what they carry.
TEST(ShowLoops, NodesOfASegmentStandTogether) {
  Description d = make_description("star:3x2");
  std::vector<std::string> inner;
  for (const BodyDescription& b : d.bodies)
    for (const BodyDescription& outer : d.bodies)
      if (outer.parent == b.name && b.joint.type != "fixed") inner.push_back(b.joint.name);
  ASSERT_EQ(inner.size(), 3u);
  d.couplings.push_back({"gear", {{inner[0], 1}, {inner[2], 2}}, 0});
  const std::string first = d.bodies[0].name;  // loses its tip, so that the aggregate carries one body only
  std::erase_if(d.bodies, [&](const BodyDescription& b) { return b.parent == first; });
  const Mechanism mechanism(make_model(d));
  for (const std::vector<int>& s : mechanism.segments.nodes)
    EXPECT_EQ(s.back() - s.front() + 1, static_cast<int>(s.size()));
  EXPECT_EQ(mechanism.segments.size(), 2);
}

/// A joint held in place, a loop to the ground, more aggregates than the legend takes, and dots instead of boxes.
TEST(ShowLoops, OddOnes) {
  Description d = make_description("chain:3");
  d.couplings.push_back({"lock", {{d.bodies[1].joint.name, 2}}, 0.4});
  const Folder folder;
  Picture lock = read_back(folder, draw(digraph_picture(Mechanism(make_model(d)))));
  EXPECT_EQ(lock["coupling"].size(), 1u);
  LoopDescription l;
  l.name = "tip", l.type = "point_on_line", l.first.body = "world", l.second.body = d.bodies[2].name;
  l.axis = {1, 0, 0};
  d.couplings.clear();
  d.loops.push_back(l);
  Picture ground = read_back(folder, draw(digraph_picture(Mechanism(make_model(d)))));
  EXPECT_EQ(ground["loop"].size(), 1u);
  Description wide = make_description("star:20x2");
  for (const BodyDescription& b : wide.bodies)
    for (const BodyDescription& inner : wide.bodies)
      if (b.parent == inner.name && inner.joint.type != "fixed")
        wide.couplings.push_back({"gear of " + b.name, {{inner.joint.name, 1}, {b.joint.name, 2}}, 0});
  const std::size_t gears = wide.couplings.size();
  ASSERT_GT(gears, 12u);
  Picture many = read_back(folder, draw(digraph_picture(Mechanism(make_model(wide)))));
  EXPECT_EQ(many["aggregate"].size(), gears);
  EXPECT_EQ(many["key"].size(), 12u);
  EXPECT_TRUE(
      many.has_text("and " + std::to_string(gears - 12) + " more aggregates: tooltips say which, `kinetree info` why"));
  Description large = make_description("random:600:seed=2:joints=revolute");
  for (std::size_t k = 10; k < 500; k += 10)
    large.couplings.push_back(
        {"gear" + std::to_string(k), {{large.bodies[k].joint.name, 1}, {large.bodies[k - 9].joint.name, 2}}, 0});
  Picture dots = read_back(folder, draw(digraph_picture(Mechanism(make_model(large)))));
  EXPECT_EQ(dots["coupling"].size(), large.couplings.size());
}

}  // namespace
}  // namespace kinetree::bench
