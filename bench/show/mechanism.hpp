#pragma once
// A model's digraph as the pictures need it: the tree in the papers' order, its serial-chain segments, their colours.

#include <kinetree/model.hpp>
#include <kinetree/sko/segments.hpp>
#include <string>
#include <vector>

#include "bench/show/tree_picture.hpp"

namespace kinetree::bench {

/// Two trees: the spanning tree of bodies, and that of nodes, in which an aggregate is one. Without loops they are the
/// same.
struct Mechanism {
  Model model;
  sko::Tree tree;                           ///< number k is body n - 1 - k: tips first, as the papers number
  sko::Tree nodes;                          ///< tips first too; names are the bodies'
  std::vector<int> node_of;                 ///< over the tree: the node it is, or is a member of
  std::vector<std::vector<int>> members;    ///< over nodes: of the tree, base first
  std::vector<int> aggregate;               ///< over nodes: index into the model's aggregates, or -1
  sko::Segments segments;                   ///< of nodes
  std::vector<std::size_t> segment_colour;  ///< over segments, in the palette

  explicit Mechanism(const Model& model);
  int body(int k) const { return tree.size() - 1 - k; }
  int number(int body) const { return tree.size() - 1 - body; }
  /// What a tooltip says of a body: its node's number, body, joint, freedoms, segment, aggregate.
  std::string about(int k) const;

 private:
  void make_nodes();
};

/// The spanning tree with its segments coloured, aggregates shaded, loop joints and couplings between the bodies they
/// act on. The mechanism must outlive the picture.
TreePicture digraph_picture(const Mechanism& mechanism);

/// Block sparsity of E_A, A and the mass matrix (Jain 2012 I, Eq. 43, 45, Fig. 7), segments framed; of the tree of
/// nodes, since a closed chain's operators have the aggregated tree's structure (Jain 2012 II, Lemma 5).
std::string adjacency_picture(const Mechanism& mechanism);
std::string resolvent_picture(const Mechanism& mechanism);
std::string mass_matrix_picture(const Mechanism& mechanism);

}  // namespace kinetree::bench
