#include "bench/show/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <kinetree/sko/contraction.hpp>

#include "bench/quantity.hpp"
#include "bench/show/aggregates.hpp"
#include "bench/show/colours.hpp"
#include "bench/show/matrix_picture.hpp"
#include "bench/show/tree_picture.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

sko::Tree tree_of(const Model& model) {
  const int n = model.body_count();
  std::vector<int> parent;
  std::vector<std::string> name;
  for (int i = n - 1; i >= 0; --i) {
    const int p = model.data().parent[at(i)];
    parent.push_back(p < 0 ? -1 : n - 1 - p);
    name.emplace_back(model.body_name(i));
  }
  return sko::Tree(std::move(parent), std::move(name));
}

std::string called(const Mechanism& m, int node) { return fmt::format("aggregate {}", m.aggregate[at(node)] + 1); }

std::vector<std::string> names_of(const Mechanism& m, bool joints) {
  std::vector<std::string> names;
  for (int k = 0; k < m.nodes.size(); ++k) {
    const int body = m.body(m.members[at(k)].front());
    if (m.aggregate[at(k)] < 0)
      names.emplace_back(joints ? m.model.joint_name(body) : m.model.body_name(body));
    else
      names.push_back(
          joints ? fmt::format("{} ({})", called(m, k),
                               counted(at(m.model.data().aggregates[at(m.aggregate[at(k)])].freedoms), "freedom"))
                 : fmt::format("{} ({})", called(m, k), counted(m.members[at(k)].size(), "body", "bodies")));
  }
  return names;
}

/// Depth-first numbering keeps a segment's nodes together, so each is one frame.
std::vector<FramedRows> segment_frames(const Mechanism& m) {
  std::vector<FramedRows> frames;
  for (int s = 0; s < m.segments.size(); ++s) {
    const std::vector<int>& nodes = m.segments.nodes[at(s)];
    frames.push_back({nodes.front(), nodes.back() + 1, palette[m.segment_colour[at(s)]].outline,
                      fmt::format("segment {} of {}: {}, {} \xE2\x80\xA6 {}", s + 1, m.segments.size(),
                                  m.model.data().aggregates.empty() ? counted(nodes.size(), "body", "bodies")
                                                                    : counted(nodes.size(), "node"),
                                  m.nodes.name(nodes.front()), m.nodes.name(nodes.back()))});
  }
  return frames;
}

std::string matrix(const Mechanism& m, const sko::Pattern& pattern, std::string_view what, std::string_view caption,
                   bool joints) {
  std::size_t nonzero = 0;
  for (const std::vector<bool>& row : pattern)
    for (const bool entry : row) nonzero += entry;
  const auto blocks = static_cast<double>(pattern.size() * pattern.size());
  MatrixPicture picture;
  picture.title = fmt::format("{}: {}", m.model.name(), what);
  picture.captions = {
      std::string(caption),
      fmt::format("{} of {} x {} blocks can be other than zero ({:.3g} %). Rows and columns are {}, tips first.",
                  nonzero, pattern.size(), pattern.size(), blocks > 0 ? 100 * static_cast<double>(nonzero) / blocks : 0,
                  joints ? "joints" : "bodies")};
  if (!m.model.data().aggregates.empty())
    picture.captions.push_back(
        "Of the aggregated tree, whose structure the operators of closed chains have (Jain 2012 II, Lemma 5): an "
        "aggregate "
        "is one row, " +
        std::string(joints ? "its joint has the independent velocities." : "shaded in digraph.svg."));
  picture.rows = names_of(m, joints);
  for (const Colour& colour : palette) picture.fill.push_back(colour.fill);
  picture.fill.push_back(between);
  picture.kind = [&m, &pattern](int i, int j) {
    if (!pattern[at(i)][at(j)]) return -1;
    const int s = m.segments.segment_of[at(i)];
    return static_cast<int>(s == m.segments.segment_of[at(j)] ? m.segment_colour[at(s)] : palette.size());
  };
  picture.frames = segment_frames(m);
  picture.legend = {{palette[0].fill, "within a serial-chain segment (framed, coloured as in digraph.svg)"},
                    {between, "between two segments"},
                    {empty, "zero"}};
  return draw(picture);
}

}  // namespace

Mechanism::Mechanism(const Model& m) : model(m), tree(tree_of(m)) {
  make_nodes();
  segments = sko::serial_chain_segments(nodes);
  segment_colour = tell_apart(sko::Tree(segments.parent));
}

/// Depth first like the bodies, so that a segment's nodes stand together.
void Mechanism::make_nodes() {
  const ModelData& m = model.data();
  std::vector<std::vector<int>> sets;
  for (const Aggregate& a : m.aggregates) {
    std::vector<int>& set = sets.emplace_back();
    for (const int body : a.bodies) set.push_back(number(body));
    std::ranges::sort(set);
  }
  const sko::AggregatedTree t = sko::contract(tree, sets);
  const int n = t.tree.size();
  std::vector<int> order, place(at(n)), stack(t.tree.roots().begin(), t.tree.roots().end());
  while (!stack.empty()) {  // base first: the largest of the siblings, the first in the user's file, comes first
    const int k = stack.back();
    stack.pop_back();
    place[at(k)] = n - 1 - static_cast<int>(order.size());
    order.push_back(k);
    stack.insert(stack.end(), t.tree.children(k).begin(), t.tree.children(k).end());
  }
  std::vector<int> parent(at(n));
  std::vector<std::string> name(at(n));
  members.resize(at(n));
  aggregate.assign(at(n), -1);
  for (int k = 0; k < n; ++k) {
    const std::size_t here = at(place[at(k)]);
    parent[here] = t.tree.parent(k) < 0 ? -1 : place[at(t.tree.parent(k))];
    members[here].assign(t.members[at(k)].rbegin(), t.members[at(k)].rend());
    const int first = body(members[here].front());
    if (!m.aggregate_of.empty()) aggregate[here] = m.aggregate_of[at(first)];
    name[here] =
        aggregate[here] < 0 ? std::string(model.body_name(first)) : fmt::format("aggregate {}", aggregate[here] + 1);
  }
  nodes = sko::Tree(std::move(parent), std::move(name));
  for (const int image : t.image) node_of.push_back(place[at(image)]);
}

std::string Mechanism::about(int k) const {
  const int i = body(k), node = node_of[at(k)];
  const ModelData& data = model.data();
  const JointType type = data.joint_type[at(i)];
  std::string text = fmt::format("{}: {}\njoint {} ({}), {}\nsegment {} of {}", node + 1, model.body_name(i),
                                 model.joint_name(i), name_of(type), counted(at(velocity_count(type)), "freedom"),
                                 segments.segment_of[at(node)] + 1, segments.size());
  if (aggregate[at(node)] >= 0) text += "\n" + called(*this, node);
  return text;
}

TreePicture digraph_picture(const Mechanism& m) {
  const std::size_t aggregates = m.model.data().aggregates.size();
  TreePicture picture;
  picture.title =
      fmt::format("{}: {}, {}{}", m.model.name(), counted(at(m.tree.size()), "moving body", "moving bodies"),
                  counted(m.segments.nodes.size(), "serial-chain segment"),
                  aggregates == 0 ? "" : ", " + counted(aggregates, "aggregate"));
  picture.captions = {
      "One colour is one segment: a longest chain without branches; neighbours differ, and seven colours recur. The "
      "number before a name is the",
      "body's row in adjacency.svg, resolvent.svg and mass_matrix.svg, tips first. The ground is unfilled, edges from "
      "it are dashed."};
  picture.tree = &m.tree;
  for (int k = 0; k < m.tree.size(); ++k) {
    const int node = m.node_of[at(k)];
    picture.colour.push_back(m.segment_colour[at(m.segments.segment_of[at(node)])]);
    picture.number.push_back(node + 1);
    picture.tooltip.push_back(m.about(k));
  }
  add_aggregates(m, picture);
  return picture;
}

std::string adjacency_picture(const Mechanism& m) {
  return matrix(m, sko::adjacency_pattern(m.nodes), "block sparsity of E_A",
                "Block (j, k) is the weight A(j, k) where body j is the parent of body k (Jain 2012 I, Eq. 43).",
                false);
}

std::string resolvent_picture(const Mechanism& m) {
  return matrix(m, sko::resolvent_pattern(m.nodes), "block sparsity of A = (1 \xE2\x88\x92 E_A)\xE2\x81\xBB\xC2\xB9",
                "Block (j, k) is the product of the weights from body k up to body j (Jain 2012 I, Eq. 45).", false);
}

std::string mass_matrix_picture(const Mechanism& m) {
  return matrix(m, sko::mass_matrix_pattern(m.nodes), "block sparsity of the mass matrix",
                "Block (j, k) couples joints j and k: zero unless one is outboard of the other (Jain 2012 I, Fig. 7).",
                true);
}

}  // namespace kinetree::bench
