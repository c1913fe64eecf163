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

/// `at_first`, and once more for each refinement.
double all(double at_first, double refined, int refinements) { return at_first + refinements * refined; }

/// A pack of modules of so many bodies.
double pack_cost(const LaneCosts& costs, int width, int length, int refinements) {
  const auto &first = costs.end_chain, &again = costs.end_chain_refined;
  return width * all(first.module, again.module, refinements) + length * all(first.body, again.body, refinements);
}
/// What joins so many modules.
double join_cost(const LaneCosts& costs, int modules, int refinements) {
  return modules * all(costs.end_chain.join, costs.end_chain_refined.join, refinements);
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

PartsCost cost_of(const EndChains& chains, int refinements, const LaneCosts& costs) {
  PartsCost cost;
  for (const EndChain& chain : chains.all) {
    for (int k = 0; k < chain.packs; ++k) cost.add_pack(pack_cost(costs, chains.width, chain.length, refinements));
    cost.joins += join_cost(costs, chain.packs * chains.width, refinements);
  }
  cost.rest = static_cast<double>(std::count(chains.taken.begin(), chains.taken.end(), false));
  return cost;
}

int paying_length(int width, int refinements) {
  const LaneCosts& costs = default_lane_costs(width);
  const double once = pack_cost(costs, width, 0, refinements) + join_cost(costs, width, refinements);
  const double body = all(costs.end_chain.body, costs.end_chain_refined.body, refinements);
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
