#include "bench/show/mechanism.hpp"

#include <fmt/format.h>

#include "bench/show/colours.hpp"
#include "bench/show/matrix_picture.hpp"
#include "bench/show/tree_picture.hpp"

namespace kinetree::bench {
namespace {

std::size_t at(int k) { return static_cast<std::size_t>(k); }

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

std::string count(std::size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::vector<std::string> names_of(const Mechanism& m, bool joints) {
  std::vector<std::string> names;
  for (int k = 0; k < m.tree.size(); ++k)
    names.emplace_back(joints ? m.model.joint_name(m.body(k)) : m.model.body_name(m.body(k)));
  return names;
}

/// Said where a picture leaves something out.
void add_notice(const Model& model, std::vector<std::string>& captions) {
  const std::size_t loops = model.data().loops.size(), couplings = model.data().couplings.size();
  if (loops + couplings == 0) return;
  std::string what;
  if (loops > 0) what = count(loops, "loop joint");
  if (couplings > 0) what += (loops > 0 ? " and " : "") + count(couplings, "coupling");
  captions.push_back("This is the spanning tree: " + what + " left out.");
}

constexpr std::string_view between = "#8b97a8";  ///< blocks that connect two segments

/// Depth-first numbering keeps a segment's nodes together, so each is one frame.
std::vector<FramedRows> segment_frames(const Mechanism& m) {
  std::vector<FramedRows> frames;
  for (int s = 0; s < m.segments.size(); ++s) {
    const std::vector<int>& nodes = m.segments.nodes[at(s)];
    frames.push_back({nodes.front(), nodes.back() + 1, palette[m.segment_colour[at(s)]].outline,
                      fmt::format("segment {} of {}: {}, {} \xE2\x80\xA6 {}", s + 1, m.segments.size(),
                                  nodes.size() == 1 ? "1 body" : fmt::format("{} bodies", nodes.size()),
                                  m.tree.name(nodes.front()), m.tree.name(nodes.back()))});
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
  add_notice(m.model, picture.captions);
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
                    {between, "between two segments"}};
  return draw(picture);
}

}  // namespace

Mechanism::Mechanism(const Model& m)
    : model(m),
      tree(tree_of(m)),
      segments(sko::serial_chain_segments(tree)),
      segment_colour(tell_apart(sko::Tree(segments.parent))) {}

std::string Mechanism::about(int node) const {
  const int i = body(node);
  const ModelData& data = model.data();
  const JointType type = data.joint_type[at(i)];
  std::string text = fmt::format("{}: {}\njoint {} ({}), {}\nsegment {} of {}", node + 1, model.body_name(i),
                                 model.joint_name(i), name_of(type), count(at(velocity_count(type)), "freedom"),
                                 segments.segment_of[at(node)] + 1, segments.size());
  return text;
}

std::string digraph_picture(const Mechanism& m) {
  TreePicture picture;
  picture.title =
      fmt::format("{}: {} moving {}, {}", m.model.name(), m.tree.size(), m.tree.size() == 1 ? "body" : "bodies",
                  count(m.segments.nodes.size(), "serial-chain segment"));
  picture.captions = {
      "One colour is one segment: a longest chain without branches. The number before a name is the body's row in "
      "adjacency.svg, resolvent.svg",
      "and mass_matrix.svg, tips first. The ground is unfilled, edges from it are dashed."};
  add_notice(m.model, picture.captions);
  picture.tree = &m.tree;
  for (int k = 0; k < m.tree.size(); ++k) {
    picture.colour.push_back(m.segment_colour[at(m.segments.segment_of[at(k)])]);
    picture.tooltip.push_back(m.about(k));
  }
  return draw(picture);
}

std::string adjacency_picture(const Mechanism& m) {
  return matrix(m, sko::adjacency_pattern(m.tree), "block sparsity of E_A",
                "Block (j, k) is the weight A(j, k) where body j is the parent of body k (Jain 2012 I, Eq. 43).",
                false);
}

std::string resolvent_picture(const Mechanism& m) {
  return matrix(m, sko::resolvent_pattern(m.tree), "block sparsity of A = (1 \xE2\x88\x92 E_A)\xE2\x81\xBB\xC2\xB9",
                "Block (j, k) is the product of the weights from body k up to body j (Jain 2012 I, Eq. 45).", false);
}

std::string mass_matrix_picture(const Mechanism& m) {
  return matrix(m, sko::mass_matrix_pattern(m.tree), "block sparsity of the mass matrix",
                "Block (j, k) couples joints j and k: zero unless one is outboard of the other (Jain 2012 I, Fig. 7).",
                true);
}

}  // namespace kinetree::bench
