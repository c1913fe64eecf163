#include <algorithm>
#include <cmath>
#include <kinetree/model/tails.hpp>

namespace kinetree {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The body nearest the ground from which on nothing branches until the tip.
int chain_to(const ModelData& m, int tip) {
  int first = tip;
  while (m.parent[at(first)] == first - 1 && first > 0 && m.children_of(first - 1).size() == 1) --first;
  return first;
}

/// Whether every module may be cut off and has the joints of the first.
bool alike(const ModelData& m, int first, int length, int modules) {
  for (int k = 0; k < modules; ++k) {
    const int base = first + k * length;
    if (!m.may_cut[at(base)] || (k > 0 && !m.may_cut[at(base - 1)])) return false;
    for (int i = 0; i < length; ++i)
      if (kind_of(m.joint_type[at(base + i)]) != kind_of(m.joint_type[at(first + i)])) return false;
  }
  return true;
}

LaneGroup pack_of(const ModelData& m, const Tail& tail, int width, int pack, int packs) {
  LaneGroup group;
  std::vector<int> body(at(width));
  for (int place = 0; place <= tail.length; ++place) {
    for (int lane = 0; lane < width; ++lane) body[at(lane)] = tail.first + (pack * width + lane) * tail.length + place;
    if (place == tail.length && pack + 1 == packs) body.back() = -1;
    group.add_place(m, place - 1, body);
  }
  return group;
}

}  // namespace

Tails find_tails(const ModelData& m, int width, int grain) {
  Tails all;
  all.width = width;
  all.taken.assign(m.parent.size(), false);
  if (width < 2 || !m.aggregates.empty()) return all;
  for (int tip = 0; tip < static_cast<int>(m.parent.size()); ++tip) {
    if (!m.children_of(tip).empty()) continue;
    const int bodies = tip + 1 - chain_to(m, tip);
    const int packs = grain <= 0 ? 1 : std::max(1, static_cast<int>(std::lround(1.0 * bodies / grain / width)));
    Tail tail;
    tail.length = bodies / (packs * width);
    tail.first = tip + 1 - tail.length * packs * width;
    if (tail.length < 2 || !alike(m, tail.first, tail.length, packs * width)) continue;
    for (int pack = 0; pack < packs; ++pack) tail.packs.push_back(pack_of(m, tail, width, pack, packs));
    std::fill(all.taken.begin() + tail.first, all.taken.begin() + tip + 1, true);
    all.tails.push_back(std::move(tail));
  }
  return all;
}

}  // namespace kinetree
