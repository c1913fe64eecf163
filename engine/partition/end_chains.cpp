#include "engine/partition/end_chains.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/limb_units.hpp"
#include "engine/partition/split_bodies.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// Units that end in a tip, each hanging from a body of the one before, and of which nothing else hangs.
class ChainFinder {
 public:
  ChainFinder(const ModelData& m, int width, int grain, const Pays& pays, const std::vector<bool>& by_multipliers)
      : m_(m), units_(m, by_multipliers), worth_splitting_(bodies_worth_splitting(m)), grain_(grain), pays_(pays) {
    all_.width = width;
  }

  EndChains run(const std::vector<bool>& in_limbs) && {
    all_.taken = in_limbs;
    all_.taken.resize(m_.parent.size());
    for (int i = 0; i < static_cast<int>(m_.parent.size()); ++i) {
      if (units_.of(i) != i || outboard(i).count > 0) continue;
      const std::vector<int> units = chain_to(i);
      const auto tied = std::find_if(units.rbegin(), units.rend(), [&](int u) { return units_.has_ties(u); });
      if (!add({tied.base(), units.end()}, false) && !add(units, false)) add(units, true);
    }
    return std::move(all_);
  }

 private:
  struct Outboard {
    int count = 0, from = -1;  ///< units that hang from members, and the body that the last of them hangs from
  };
  Outboard outboard(int unit) const {
    Outboard found;
    for (const int i : units_.members(unit)) units_.for_outboard(i, [&](int) { ++found.count, found.from = i; });
    return found;
  }
  bool free(int unit) const {
    const std::vector<int>& own = units_.members(unit);
    return (units_.has_ties(unit) || aggregate_of(m_, unit) < 0) &&
           std::none_of(own.begin(), own.end(), [&](int i) { return all_.taken[at(i)]; });
  }
  /// From the ground outwards.
  std::vector<int> chain_to(int tip) const {
    std::vector<int> units;
    for (int u = tip; u >= 0 && free(u) && (u == tip || outboard(u).count == 1); u = units_.inboard(u))
      units.push_back(u);
    std::reverse(units.begin(), units.end());
    return units;
  }

  /// Whether a module may begin with a unit. `inner`: whether its first joint would have another module inboard.
  bool may_begin(int unit, bool weld, bool inner) const {
    const int p = m_.parent[at(unit)];
    if (!weld)
      return !units_.has_ties(unit) && m_.joint_type[at(unit)] != JointType::floating && m_.may_cut[at(unit)] &&
             (!inner || m_.allows_cuts[at(p)]);
    if (p < 0 || !worth_splitting_[at(p)]) return false;
    const std::span<const int> behind = outboard_children(m_, p);
    const auto roots = [&](int i) { return m_.parent[at(i)] == p; };
    const std::vector<int>& own = units_.members(unit);
    return std::all_of(behind.begin(), behind.end(), [&](int i) { return units_.of(i) == unit; }) &&
           std::count_if(own.begin(), own.end(), roots) == static_cast<std::ptrdiff_t>(behind.size());
  }

  /// Whether these units make a chain, whose modules hang by welds or by joints.
  bool add(std::span<const int> units, bool welds) {
    while (!units.empty() && !may_begin(units.front(), welds, false)) units = units.subspan(1);
    std::ptrdiff_t bodies = 0;
    for (const int u : units) bodies += std::ssize(units_.members(u));
    EndChain chain;
    chain.welds = welds;
    const int width = all_.width;
    chain.packs =
        grain_ <= 0 ? 1 : std::max(1, static_cast<int>(std::lround(static_cast<double>(bodies) / grain_ / width)));
    const std::size_t modules = at(chain.packs * width), length = units.size() / modules;
    if (length == 0) return false;
    units = units.last(length * modules);
    lay(units.first(length), units[length], chain);
    if (chain.length() < 2 || !alike(units, length, welds)) return false;
    for (std::size_t k = 0; k < modules; ++k)
      for (const auto& [unit, member] : place_) chain.body.push_back(units_.members(units[k * length + unit])[member]);
    if (pays_ && !pays_(chain)) return false;
    for (const int i : chain.body) all_.taken[at(i)] = true;
    all_.all.push_back(std::move(chain));
    return true;
  }

  /// Lays a chain's places over its first module; `next`: the unit that the next module begins with.
  void lay(std::span<const int> units, int next, EndChain& chain) {
    std::vector<int> bodies;
    place_.clear();
    for (const int u : units) bodies.insert(bodies.end(), units_.members(u).begin(), units_.members(u).end());
    std::sort(bodies.begin(), bodies.end());
    const auto place = [&](int i) {
      const auto found = std::lower_bound(bodies.begin(), bodies.end(), i);
      return found == bodies.end() || *found != i ? -1 : static_cast<int>(found - bodies.begin());
    };
    place_.resize(bodies.size());
    for (std::size_t u = 0; u < units.size(); ++u)
      for (std::size_t p = 0; p < units_.members(units[u]).size(); ++p)
        place_[at(place(units_.members(units[u])[p]))] = {u, p};
    for (const int i : bodies) chain.parent.push_back(place(m_.parent[at(i)]));
    chain.tip = place(m_.parent[at(next)]);
    chain.next = static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), next) - bodies.begin());
  }

  /// Whether every module may be cut off, has the joints and ties of the first, and a joint that turns.
  bool alike(std::span<const int> units, std::size_t length, bool welds) const {
    const auto slides = [&](int u) {
      const std::vector<int>& own = units_.members(u);
      return std::all_of(own.begin(), own.end(), [&](int i) { return m_.joint_type[at(i)] == JointType::prismatic; });
    };
    if (std::all_of(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(length), slides)) return false;
    // where the unit outboard hangs
    const auto member = [&](int outboard) {
      const std::vector<int>& own = units_.members(units_.inboard(outboard));
      return std::find(own.begin(), own.end(), m_.parent[at(outboard)]) - own.begin();
    };
    std::vector<std::vector<int>> keys;
    for (std::size_t u = 0; u < length; ++u) keys.push_back(units_.key(units[u]));
    for (std::size_t k = 0; k < units.size(); ++k) {
      const std::size_t first = k % length;
      if (first == 0 && !may_begin(units[k], welds, k > 0)) return false;
      if (k >= length && units_.key(units[k]) != keys[first]) return false;
      if (k > length && member(units[k]) != member(units[first == 0 ? length : first])) return false;
    }
    return true;
  }

  const ModelData& m_;
  const LimbUnits units_;
  const std::vector<bool> worth_splitting_;
  const int grain_;
  const Pays& pays_;
  EndChains all_;
  std::vector<std::pair<std::size_t, std::size_t>> place_;  ///< over places: unit of a module, member
};

}  // namespace

EndChains find_end_chains(const ModelData& m, int width, int grain, const Pays& pays, const std::vector<bool>& in_limbs,
                          const std::vector<bool>& by_multipliers) {
  return ChainFinder(m, width, grain, pays, by_multipliers).run(in_limbs);
}

int EndChains::grain() const {
  int longest = 0;
  for (const EndChain& chain : all) longest = std::max(longest, chain.length());
  return longest;
}

}  // namespace kinetree::inline inner
