#pragma once
// A model's digraph as the pictures need it: the tree in the papers' order, its serial-chain segments, their colours.

#include <kinetree/model/model.hpp>
#include <kinetree/sko/segments.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

/// Node k is body n - 1 - k: tips first, as the papers number.
struct Mechanism {
  Model model;
  sko::Tree tree;  ///< names are the bodies'
  sko::Segments segments;
  std::vector<std::size_t> segment_colour;  ///< over segments, in the palette

  explicit Mechanism(const Model& model);
  int body(int node) const { return tree.size() - 1 - node; }
  int node(int body) const { return tree.size() - 1 - body; }
  /// What a tooltip says of a node: number, body, joint, freedoms, links fixed to it.
  std::string about(int node) const;
};

/// The digraph with its segments coloured, as an SVG document.
std::string digraph_picture(const Mechanism& mechanism);

/// Block sparsity of E_A, A and the mass matrix (Jain 2012 I, Eq. 43, 45, Fig. 7), segments framed.
std::string adjacency_picture(const Mechanism& mechanism);
std::string resolvent_picture(const Mechanism& mechanism);
std::string mass_matrix_picture(const Mechanism& mechanism);

}  // namespace kinetree::bench
