#include "engine/partition/end_chains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/model/light_joints.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// What is swept once, and again for each refinement; in bodies swept alone.
struct Sweeps {
  double first, again;
  double all(int refinements) const { return first + refinements * again; }
};

struct ChainCost {
  Sweeps body;       ///< a body in a pack
  Sweeps pack;       ///< a pack's modules' own systems,
  Sweeps base;       ///< and each of them
  Sweeps chain_end;  ///< where a chain hangs,
  Sweeps join;       ///< and a module's forces
};
// In eight lanes of AVX-512 (Zen 5: chain:64 to chain:1024); in four of AVX2 (an EPYC without AVX-512: chain:160 to
// chain:2048, of which 512 is the first that takes less than alone).
constexpr ChainCost in_eight{{2.66, 1.16}, {11.6, 6.4}, {2, 0.6}, {4, 2}, {1.75, 0.65}};
constexpr ChainCost in_four{{2.35, 0.98}, {18, 10}, {3, 1}, {6, 3}, {2.8, 1}};

constexpr const ChainCost& cost_in(int width) { return width > 4 ? in_eight : in_four; }

double pack_cost(int width, int length, int refinements) {
  const ChainCost& cost = cost_in(width);
  return cost.pack.all(refinements) + width * cost.base.all(refinements) + length * cost.body.all(refinements);
}
double joint_cost(int packs, int width, int refinements) {
  const ChainCost& cost = cost_in(width);
  return cost.chain_end.all(refinements) + packs * width * cost.join.all(refinements);
}

/// The bodies that end in a tip, nearest the ground first, of which nothing else hangs and which no part and no
/// aggregate has: how many there are.
int chain_to(const ModelData& m, int tip, const std::vector<bool>& taken) {
  const auto free = [&](int i) { return !taken[at(i)] && aggregate_of(m, i) < 0; };
  if (!free(tip)) return 0;
  int first = tip;
  while (m.parent[at(first)] == first - 1 && first > 0 && m.children_of(first - 1).size() == 1 && free(first - 1))
    --first;
  return tip + 1 - first;
}

/// Whether every module may be cut off, has the joints of the first, and one that turns.
bool alike(const ModelData& m, int first, int length, int modules) {
  if (m.joint_type[at(first)] == JointType::floating) return false;
  const auto module = m.joint_type.begin() + first;
  if (std::count(module, module + length, JointType::prismatic) == length) return false;
  for (int k = 0; k < modules; ++k) {
    const int base = first + k * length;
    if (!m.may_cut[at(base)] || (k > 0 && !m.allows_cuts[at(base - 1)])) return false;
    for (int i = 0; i < length; ++i)
      if (kind_of(m.joint_type[at(base + i)]) != kind_of(m.joint_type[at(first + i)])) return false;
  }
  return true;
}

}  // namespace

EndChains find_end_chains(const ModelData& m, int width, int grain, int least, const std::vector<bool>& in_limbs) {
  EndChains all;
  all.width = width;
  all.taken = in_limbs;
  all.taken.resize(m.parent.size());
  if (width < 2 || has_watched_joint(m)) return all;
  for (int tip = 0; tip < static_cast<int>(m.parent.size()); ++tip) {
    if (!m.children_of(tip).empty()) continue;
    const int bodies = chain_to(m, tip, all.taken);
    EndChain chain;
    chain.packs = grain <= 0 ? 1 : std::max(1, static_cast<int>(std::lround(1.0 * bodies / grain / width)));
    chain.length = bodies / (chain.packs * width);
    chain.first = tip + 1 - chain.length * chain.packs * width;
    if (chain.length < std::max(2, least) || !alike(m, chain.first, chain.length, chain.packs * width)) continue;
    std::fill(all.taken.begin() + chain.first, all.taken.begin() + tip + 1, true);
    all.all.push_back(chain);
  }
  return all;
}

int EndChains::grain() const {
  int longest = 0;
  for (const EndChain& chain : all) longest = std::max(longest, chain.length);
  return longest;
}

PartsCost cost_of(const EndChains& chains, int refinements) {
  PartsCost cost;
  for (const EndChain& chain : chains.all) {
    for (int k = 0; k < chain.packs; ++k) cost.add_pack(pack_cost(chains.width, chain.length, refinements));
    cost.joins += joint_cost(chain.packs, chains.width, refinements);
  }
  cost.rest = static_cast<double>(std::count(chains.taken.begin(), chains.taken.end(), false));
  return cost;
}

int paying_length(int width, int refinements) {
  const double once = pack_cost(width, 0, refinements) + joint_cost(1, width, refinements);
  const double body = pack_cost(width, 1, refinements) - pack_cost(width, 0, refinements);
  return body < width ? 1 + static_cast<int>(once / (width - body)) : std::numeric_limits<int>::max();
}

LaneGroup pack_of(const ModelData& m, const EndChain& chain, int width, int pack) {
  LaneGroup group;
  std::vector<int> body(at(width));
  for (int place = 0; place <= chain.length; ++place) {
    for (int lane = 0; lane < width; ++lane)
      body[at(lane)] = chain.first + (pack * width + lane) * chain.length + place;
    if (place == chain.length && pack + 1 == chain.packs) body.back() = -1;
    group.add_place(m, place - 1, body);
  }
  return group;
}

}  // namespace kinetree::inline inner
