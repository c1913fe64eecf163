// The engine's aggregates against the steps of Jain 2012 II, Sec. 4.2, on the operator layer's tree: of each cut-edge
// the smallest sub-tree that holds its nodes, less its root; sub-graphs that share a node are one (Fig. 4).
#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/sko/rigid_body.hpp>
#include <kinetree/sko/subgraph.hpp>
#include <map>
#include <set>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "loops/closed_mechanisms.hpp"

namespace kinetree::oracle {
namespace {

using Nodes = std::set<int>;

sko::Tree tree_of(const Model& model) {
  std::vector<int> parent(static_cast<std::size_t>(model.body_count()), -1);
  for (int i = 0; i < model.body_count(); ++i)
    if (const int p = model.data().parent[static_cast<std::size_t>(i)]; p >= 0)
      parent[static_cast<std::size_t>(sko::node_of_body(model, i))] = sko::node_of_body(model, p);
  return sko::Tree(std::move(parent));
}

/// The user's words: which node a link belongs to, by its fixed joints inboard; -1: the ground.
class Words {
 public:
  Words(const Description& d, const Model& model) : model_(model) {
    for (const BodyDescription& b : d.bodies) body_.emplace(b.name, &b), joint_.emplace(b.joint.name, b.name);
  }
  int node(std::string link) const {
    while (link != "world" && body_.at(link)->joint.type == "fixed") link = body_.at(link)->parent;
    if (link == "world") return -1;
    for (int i = 0; i < model_.body_count(); ++i)
      if (model_.body_name(i) == link) return sko::node_of_body(model_, i);
    ADD_FAILURE() << link << " is no body";
    return -1;
  }
  /// The two nodes that a joint is between.
  Nodes hinge(const std::string& joint) const {
    const std::string& link = joint_.at(joint);
    return {node(link), node(body_.at(link)->parent)};
  }

 private:
  const Model& model_;
  std::map<std::string, const BodyDescription*> body_;
  std::map<std::string, std::string> joint_;
};

/// Steps 2a and 2b: the nodes on the way to the closest node that is above or at all of them, and that one left out.
Nodes without_root(const sko::Tree& tree, const Nodes& ends) {
  std::map<int, std::size_t> passed;
  for (const int end : ends)
    for (int k = end; k >= 0; k = tree.parent(k)) ++passed[k];
  Nodes subtree;
  for (const auto& [k, times] : passed)
    if (times < ends.size()) subtree.insert(k);
  return subtree;
}

void compare_with_the_papers_steps(std::uint64_t count) {
  int sets = 0, merged = 0, nested = 0, grounded = 0, largest = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    const sko::Tree tree = tree_of(model);
    const Words words(m.description, model);
    std::vector<Nodes> cut_edges;
    for (const LoopDescription& loop : m.description.loops)
      cut_edges.push_back({words.node(loop.first.body), words.node(loop.second.body)});
    for (const CouplingDescription& coupling : m.description.couplings) {  // Sec. 9: all hinges of the constraint
      Nodes hinges;
      for (const CouplingDescription::Term& term : coupling.terms) hinges.merge(words.hinge(term.joint));
      cut_edges.push_back(hinges);
    }
    std::vector<Nodes> expected;
    for (const Nodes& ends : cut_edges) {
      Nodes set = without_root(tree, ends);
      ASSERT_FALSE(set.empty());
      const auto is_end = [&](int k) { return ends.count(k) > 0; };
      const bool has_ground = is_end(-1),
                 all_inside = !has_ground && std::includes(set.begin(), set.end(), ends.begin(), ends.end());
      // the operator layer's Lemma 6: the same set from the cut-edge's nodes, where none of them is the others'
      // ancestor, and from all of the set in any case
      if (all_inside) {
        const std::vector<int> nodes = sko::aggregation_nodes(tree, {ends.begin(), ends.end()});
        EXPECT_EQ(Nodes(nodes.begin(), nodes.end()), set);
      }
      const std::vector<int> again = sko::aggregation_nodes(tree, {set.begin(), set.end()});
      EXPECT_EQ(Nodes(again.begin(), again.end()), set);
      nested += !all_inside && !has_ground;
      grounded += has_ground;
      for (auto other = expected.begin(); other != expected.end();) {
        const bool share = std::any_of(set.begin(), set.end(), [&](int k) { return other->count(k) > 0; });
        if (share) set.merge(*other), ++merged;
        other = share ? expected.erase(other) : other + 1;
      }
      expected.push_back(std::move(set));
    }
    std::vector<Nodes> found;
    for (const Aggregate& a : model.data().aggregates) {
      Nodes set;
      for (const int body : a.bodies) set.insert(sko::node_of_body(model, body));
      found.push_back(std::move(set));
    }
    for (const Nodes& set : expected) {
      const std::vector<int> again = sko::aggregation_nodes(tree, {set.begin(), set.end()});
      EXPECT_EQ(Nodes(again.begin(), again.end()), set) << "merged sets satisfy the condition";
      largest = std::max(largest, static_cast<int>(set.size()));
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    sets += static_cast<int>(expected.size());
    if (testing::Test::HasFailure()) return;
  }
  std::printf("%d aggregates of up to %d bodies; %d merged, %d cut-edges to an ancestor, %d to the ground\n", sets,
              largest, merged, nested, grounded);
  EXPECT_GT(sets, static_cast<int>(count));
  for (const int seen : {merged, nested, grounded}) EXPECT_GT(seen, 20);
}

TEST(Aggregates, AreThoseOfThePapersStepsOnRandomMechanisms) { compare_with_the_papers_steps(few_mechanisms); }
TEST(AggregatesLong, AreThoseOfThePapersStepsOnRandomMechanisms) { compare_with_the_papers_steps(mechanism_count); }

}  // namespace
}  // namespace kinetree::oracle
