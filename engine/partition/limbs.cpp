// Which limbs go side by side: shapes by canonical form (Aho, Hopcroft & Ullman 1974, Sec. 3.2), then the group that
// saves most, again and again.
#include "engine/partition/limbs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <kinetree/calibration.hpp>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/limb_units.hpp"
#include "engine/partition/price_table.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

constexpr std::size_t most_patterns = 64;  ///< that are tried: in large irregular trees there are as many as bodies

/// How many bodies limbs hang from that begin with these bodies; the ground is none.
int bases(const ModelData& m, std::span<const int> limbs) {
  std::set<int> distinct;
  for (const int limb : limbs) distinct.insert(m.parent[at(limb)]);
  return static_cast<int>(distinct.size()) - (distinct.contains(-1) ? 1 : 0);
}

/// Whether bodies hang from each other in one chain. Limbs that are alike stand side by side, and there are none; to
/// find that by shapes takes most memory of all that a solver's making does.
bool is_one_chain(const ModelData& m) {
  for (std::size_t i = 0; i < m.parent.size(); ++i)
    if (m.parent[i] != static_cast<int>(i) - 1) return false;
  return true;
}

/// A unit is swept as a whole: a body, or all bodies of an aggregate. Its shape is all that hangs from it, up to
/// numbers and the order of children.
struct Shape {
  std::vector<int> own;                    ///< what its members are, and what ties them
  std::vector<std::vector<int>> children;  ///< over members: shapes of the units that hang from it, largest first
  int bodies = 0;
};

class Grouping {
 public:
  /// `allowed`: over bodies, those that limbs may have; empty: all.
  Grouping(const ModelData& m, int width, std::span<const BodyPrice> prices, const std::vector<bool>& by_multipliers,
           int most_bodies, const std::vector<bool>& allowed)
      : m_(m),
        before_(m.parent.size() + 1),
        most_bodies_(most_bodies > 0 ? most_bodies : std::numeric_limits<int>::max()),
        units_(m, by_multipliers),
        held_before_(held_before(m, by_multipliers, allowed)) {
    result_.width = width;
    result_.taken.assign(m.parent.size(), false);
    touched_ = result_.taken;
    covered_.assign(m.parent.size(), 0);
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      before_[i + 1] = before_[i];
      before_[i + 1].alone += prices[i].alone;
      before_[i + 1].in_pack += prices[i].in_pack, before_[i + 1].of_lane += prices[i].of_lane;
    }
    find_shapes();
  }

  Limbs run() {
    std::vector<Pattern> patterns = patterns_among(candidates());
    for (;;) {
      const Pattern* best = nullptr;
      for (Pattern& pattern : patterns) {
        lay_anew(pattern);
        if (pattern.saved > (best == nullptr ? 0 : best->saved)) best = &pattern;
      }
      if (best == nullptr) break;
      for (const std::vector<int>& pack : best->packs) take(pack);
    }
    return std::move(result_);
  }

 private:
  int bodies() const { return static_cast<int>(m_.parent.size()); }
  int bodies_of(int unit) const { return shapes_[at(shape_of_[at(unit)])].bodies; }

  /// Sets the entries of a unit and of all that hangs from it. `list`: over bodies.
  template <class T>
  void fill(std::vector<T>& list, int unit, T value) const {
    units_.for_roots(unit, [&](int i) { std::fill(list.begin() + i, list.begin() + m_.subtree_end[at(i)], value); });
  }

  static std::vector<int> held_before(const ModelData& m, const std::vector<bool>& by_multipliers,
                                      const std::vector<bool>& allowed) {
    std::vector<int> count{0};
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const bool held = !by_multipliers.empty() && m.aggregate_of[i] >= 0 && by_multipliers[at(m.aggregate_of[i])];
      count.push_back(count.back() + (held || (!allowed.empty() && !allowed[i])));
    }
    return count;
  }
  /// Whether multipliers hold a body of what hangs from a unit, or it is not allowed: no limb has such.
  bool held(int unit) const {
    bool any = false;
    units_.for_roots(unit, [&](int i) { any = any || held_before_[at(m_.subtree_end[at(i)])] > held_before_[at(i)]; });
    return any;
  }

  void find_shapes() {
    std::map<std::pair<std::vector<int>, std::vector<std::vector<int>>>, int> known;
    shape_of_.resize(m_.parent.size());
    for (int i = bodies() - 1; i >= 0; --i) {
      if (units_.of(i) != i) continue;
      Shape shape{units_.key(i), {}};
      for (const int member : units_.members(i)) {
        std::vector<int>& children = shape.children.emplace_back();
        ++shape.bodies;
        units_.for_outboard(member, [&](int child) {
          const int s = shape_of_[at(child)];
          children.push_back(s);
          shape.bodies += shapes_[at(s)].bodies;
        });
        std::sort(children.begin(), children.end(), [&](int a, int b) { return by_size(a, b); });
      }
      const auto [found, fresh] = known.try_emplace({shape.own, shape.children}, static_cast<int>(shapes_.size()));
      if (fresh) shapes_.push_back(std::move(shape));
      shape_of_[at(i)] = found->second;
    }
  }

  /// Largest first; among equals one fixed order.
  bool by_size(int a, int b) const {
    return shapes_[at(a)].bodies != shapes_[at(b)].bodies ? shapes_[at(a)].bodies > shapes_[at(b)].bodies : a < b;
  }

  /// Units that hang from a body beside others, largest first; not those that have no others of about their size
  /// beside them. Sizes are bodies here; prices are asked for packs alone (`saving`).
  std::vector<int> candidates() const {
    std::vector<int> all, beside(m_.parent.size() + 1);  // over bodies, and the ground last: units that hang from it
    const auto inboard = [&](int unit) { return m_.parent[at(unit)] < 0 ? m_.parent.size() : at(m_.parent[at(unit)]); };
    for (int i = 0; i < bodies(); ++i)
      if (units_.of(i) == i) ++beside[inboard(i)];
    for (int i = 0; i < bodies(); ++i)
      if (units_.of(i) == i && beside[inboard(i)] > 1 && bodies_of(i) <= most_bodies_ && !held(i)) all.push_back(i);
    // over bodies: the largest that ends before it, the largest that begins there or after
    std::vector<int> before(m_.parent.size() + 1), after(m_.parent.size() + 1);
    for (const int c : all) {
      int& ends_here = before[at(m_.subtree_end[at(c)])];
      ends_here = std::max(ends_here, bodies_of(c));
      after[at(c)] = bodies_of(c);
    }
    for (std::size_t i = 1; i < before.size(); ++i) before[i] = std::max(before[i], before[i - 1]);
    for (std::size_t i = after.size() - 1; i > 0; --i) after[i - 1] = std::max(after[i - 1], after[i]);
    const double pays = (Calibration{}.in_lanes(result_.width) - 1) / (result_.width - 1);
    std::erase_if(
        all, [&](int c) { return std::max(before[at(c)], after[at(m_.subtree_end[at(c)])]) <= pays * bodies_of(c); });
    std::stable_sort(all.begin(), all.end(), [&](int a, int b) { return bodies_of(a) > bodies_of(b); });
    return all;
  }

  /// A shape, which limbs can be laid over it, and in what packs.
  struct Pattern {
    int shape;
    std::vector<int> limbs{};  ///< largest first
    std::vector<std::vector<int>> packs{};
    double saved = -1;  ///< by all packs; -1: not laid yet
  };

  /// The shapes of candidates; of too many, those that fill most bodies.
  std::vector<Pattern> patterns_among(const std::vector<int>& candidates) {
    std::map<int, int> filled;
    for (const int c : candidates) filled[shape_of_[at(c)]] += bodies_of(c);
    std::vector<Pattern> patterns;
    patterns.reserve(filled.size());
    for (const auto& [shape, count] : filled) patterns.push_back({shape});
    std::stable_sort(patterns.begin(), patterns.end(),
                     [&](const Pattern& a, const Pattern& b) { return filled[a.shape] > filled[b.shape]; });
    if (patterns.size() > most_patterns) patterns.resize(most_patterns);
    for (Pattern& pattern : patterns)
      std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(pattern.limbs),
                   [&](int c) { return fits(pattern.shape, shape_of_[at(c)]); });
    return patterns;
  }

  /// Whether a limb of one shape can be laid over a pattern of another, with padding where it ends before. Limbs
  /// may be as long as models, so that nothing recurses.
  bool fits(int pattern, int shape) {
    std::vector<std::pair<int, int>> asked{{pattern, shape}};
    while (!asked.empty()) {
      const auto [p, s] = asked.back();
      if (known_to_fit(p, s) || decided(p, s, asked)) asked.pop_back();
    }
    return *known_to_fit(pattern, shape);
  }

  std::optional<bool> known_to_fit(int pattern, int shape) const {
    const Shape &p = shapes_[at(pattern)], &s = shapes_[at(shape)];
    if (pattern == shape) return true;
    if (s.bodies >= p.bodies || s.own != p.own) return false;
    const auto known = fits_.find({pattern, shape});
    return known == fits_.end() ? std::nullopt : std::optional(known->second);
  }

  /// From what is known of their children, each of which takes the first place that holds it; else asks for more.
  bool decided(int pattern, int shape, std::vector<std::pair<int, int>>& asked) {
    bool all = true;
    for (std::size_t member = 0; all && member < shapes_[at(shape)].children.size(); ++member) {
      std::vector<int> unused = shapes_[at(pattern)].children[member];
      for (const int child : shapes_[at(shape)].children[member]) {
        const auto place =
            std::find_if(unused.begin(), unused.end(), [&](int p) { return known_to_fit(p, child) != false; });
        all = place != unused.end();
        if (!all) break;
        if (!known_to_fit(*place, child)) {
          asked.emplace_back(*place, child);
          return false;
        }
        unused.erase(place);
      }
    }
    fits_[{pattern, shape}] = all;
    return true;
  }

  /// Without what has been taken since.
  void lay_anew(Pattern& pattern) {
    const auto touched = std::erase_if(pattern.limbs, [&](int limb) { return touched_[at(limb)]; });
    if (touched == 0 && pattern.saved >= 0) return;
    pattern.packs = packs(pattern.limbs);
    pattern.saved = 0;
    for (const std::vector<int>& pack : pattern.packs) pattern.saved += saving(pack);
  }

  /// Limbs, largest first, in packs that pay; the first of each is its pattern. None is within another.
  std::vector<std::vector<int>> packs(const std::vector<int>& limbs) {
    ++round_;
    std::vector<int> chosen;
    for (const int c : limbs) {
      if (covered_[at(c)] == round_) continue;
      fill(covered_, c, round_);
      chosen.push_back(c);
    }
    std::vector<std::vector<int>> all;
    for (std::size_t first = 0; first < chosen.size(); first += at(result_.width)) {
      const std::size_t last = std::min(chosen.size(), first + at(result_.width));
      std::vector<int> pack(chosen.begin() + static_cast<std::ptrdiff_t>(first),
                            chosen.begin() + static_cast<std::ptrdiff_t>(last));
      const int own = shape_of_[at(pack.front())];  // which may be smaller than the pattern all were chosen by
      std::erase_if(pack, [&](int limb) { return !fits(own, shape_of_[at(limb)]); });
      while (pack.size() > 1 && saving(pack) < saving(std::span(pack).first(pack.size() - 1))) pack.pop_back();
      if (saving(pack) > 0) all.push_back(std::move(pack));
    }
    return all;
  }

  /// Of a limb.
  BodyPrice price_of(int unit) const {
    BodyPrice sum;
    units_.for_roots(unit, [&](int i) {
      const BodyPrice &begin = before_[at(i)], &end = before_[at(m_.subtree_end[at(i)])];
      sum.alone += end.alone - begin.alone;
      sum.in_pack += end.in_pack - begin.in_pack, sum.of_lane += end.of_lane - begin.of_lane;
    });
    return sum;
  }

  double saving(std::span<const int> pack) const {
    const BodyPrice pattern = price_of(pack.front());
    double saved = -Calibration{}.in_lanes(result_.width) * pattern.in_pack -
                   price::of_pack(static_cast<int>(pack.size()), bases(m_, pack)) -
                   static_cast<double>(pack.size()) * pattern.of_lane;
    for (const int limb : pack) saved += price_of(limb).alone;
    return saved;
  }

  void take(const std::vector<int>& pack) {
    lay(result_.groups.emplace_back(), pack);
    for (const int limb : pack) {
      fill(result_.taken, limb, true), fill(touched_, limb, true);
      for (int i = units_.inboard(limb); i >= 0 && !touched_[at(i)]; i = units_.inboard(i)) touched_[at(i)] = true;
    }
  }

  /// Adds places for these limbs, depth first; a place's bodies are -1 in lanes whose limb has ended.
  void lay(LaneGroup& group, const std::vector<int>& limbs) {
    std::vector<std::pair<int, std::vector<int>>> next;  // the place inboard, and bodies
    const auto add_last_first = [&](int parent, std::vector<std::vector<int>>& below) {
      for (std::size_t p = below.size(); p-- > 0;) next.emplace_back(parent, std::move(below[p]));
    };
    std::vector<std::vector<int>> roots = units_.roots_side_by_side(limbs);
    add_last_first(-1, roots);
    while (!next.empty()) {
      const auto [parent, body] = std::move(next.back());
      next.pop_back();
      const int place = group.places();
      group.add_place(m_, parent, body);
      if (units_.has_ties(body.front()) && units_.of(body.front()) == body.front())
        group.aggregate.push_back(units_.aggregates(body));
      std::vector<std::vector<int>> below = units_.members_below(body);
      for (const std::vector<int>& units : units_below(body))
        for (std::vector<int>& root : units_.roots_side_by_side(units)) below.push_back(std::move(root));
      add_last_first(place, below);
    }
  }

  /// As `decided` has it: the units that hang from a body, largest first, each take the first place that holds it.
  std::vector<std::vector<int>> units_below(const std::vector<int>& body) {
    std::vector<std::vector<int>> rest(body.size());  // over lanes: units that have no place yet
    for (std::size_t lane = 0; lane < body.size(); ++lane) {
      if (body[lane] < 0) continue;
      units_.for_outboard(body[lane], [&](int unit) { rest[lane].push_back(unit); });
      std::stable_sort(rest[lane].begin(), rest[lane].end(),
                       [&](int a, int b) { return by_size(shape_of_[at(a)], shape_of_[at(b)]); });
    }
    const std::vector<int>& pattern = rest.front();
    std::vector<std::vector<int>> below(pattern.size(), std::vector<int>(body.size(), -1));
    for (std::size_t lane = 0; lane < body.size(); ++lane)
      for (const int child : rest[lane])
        for (std::size_t p = 0; p < pattern.size(); ++p)
          if (below[p][lane] < 0 && fits(shape_of_[at(pattern[p])], shape_of_[at(child)])) {
            below[p][lane] = child;
            break;
          }
    return below;
  }

  const ModelData& m_;
  std::vector<BodyPrice> before_;  ///< over bodies, and one more: the prices of all before it
  const int most_bodies_;
  const LimbUnits units_;
  std::vector<Shape> shapes_;
  std::vector<int> shape_of_;  ///< over units, by their first bodies
  std::map<std::pair<int, int>, bool> fits_;
  std::vector<int> held_before_;  ///< over bodies, and one more: how many before it no limb may have
  std::vector<bool> touched_;     ///< over units: whether any of what hangs from it is taken
  std::vector<int> covered_;      ///< over bodies: the last round of `packs` that chose it
  int round_ = 0;
  Limbs result_;
};

}  // namespace

Limbs find_limbs(const ModelData& model, int width, std::span<const BodyPrice> prices,
                 const std::vector<bool>& by_multipliers, int most_bodies, const std::vector<int>& process) {
  Limbs all;
  all.taken.assign(model.parent.size(), false);
  if (width <= 1) return all;
  if (is_one_chain(model)) {
    all.width = width;
    return all;
  }
  if (process.empty()) return Grouping(model, width, prices, by_multipliers, most_bodies, {}).run();
  all.width = width;
  for (const int p : std::set<int>(process.begin(), process.end())) {
    std::vector<bool> own;
    for (const int other : process) own.push_back(other == p);
    Limbs of_process = Grouping(model, width, prices, by_multipliers, most_bodies, own).run();
    std::move(of_process.groups.begin(), of_process.groups.end(), std::back_inserter(all.groups));
    for (std::size_t i = 0; i < all.taken.size(); ++i) all.taken[i] = all.taken[i] || of_process.taken[i];
  }
  return all;
}

}  // namespace kinetree::inline inner
