#include "engine/io/hang_links.hpp"

#include <utility>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

class LinkHanger {
 public:
  LinkHanger(std::vector<LinkEdge>& edges, int links) : edges_(edges), held_by_(at(links), -1) {}

  std::vector<int> run() {
    std::vector<int> left;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      const LinkEdge& edge = edges_[at(e)];
      if (held_by_[at(edge.child)] < 0 && way_up(edge.parent).top != edge.child)
        hold(e);
      else
        left.push_back(e);
    }
    for (const int e : left) connect(e);
    return std::move(held_by_);
  }

 private:
  struct Way {
    std::vector<int> edges;  ///< from a link up
    int top;                 ///< what hangs from none; -1: the world
  };
  Way way_up(int link) const {
    Way way{{}, link};
    while (way.top >= 0 && held_by_[at(way.top)] >= 0) {
      way.edges.push_back(held_by_[at(way.top)]);
      way.top = edges_[at(way.edges.back())].parent;
    }
    return way;
  }

  void hold(int e) {
    edges_[at(e)].in_tree = true;
    held_by_[at(edges_[at(e)].child)] = e;
  }
  void turn(int e) {
    std::swap(edges_[at(e)].parent, edges_[at(e)].child);
    edges_[at(e)].turned = !edges_[at(e)].turned;
  }

  /// Makes the link that `way` begins at the top of its tree.
  void hang_from_its_end(const Way& way) {
    for (const int e : way.edges) turn(e);
    for (const int e : way.edges) hold(e);
  }

  void connect(int e) {
    const Way above = way_up(edges_[at(e)].parent), below = way_up(edges_[at(e)].child);
    if (above.top == below.top) return;
    if (below.top >= 0 && (above.top < 0 || below.edges.size() <= above.edges.size() + 1)) {
      hang_from_its_end(below);
    } else {
      hang_from_its_end(above);
      turn(e);
    }
    hold(e);
  }

  std::vector<LinkEdge>& edges_;
  std::vector<int> held_by_;  ///< over links: the edge; -1: none
};

}  // namespace

std::vector<int> hang_links(std::vector<LinkEdge>& edges, int links) { return LinkHanger(edges, links).run(); }

}  // namespace kinetree::inline inner
