#include "library/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/price_table.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// The most bodies in a row, from parent to child, whose joints slide and do not turn.
int longest_slide(const ModelData& m) {
  std::vector<int> slide(m.parent.size(), 0);
  int longest = 0;
  for (std::size_t i = 0; i < m.parent.size(); ++i) {
    if (m.joint_type[i] != JointType::prismatic) continue;
    slide[i] = 1 + (m.parent[i] < 0 ? 0 : slide[at(m.parent[i])]);
    longest = std::max(longest, slide[i]);
  }
  return longest;
}

/// The least number of packs for which `threads` threads pay, each pack taking `ns`. Threads that share a core are left
/// out of account: on a batch they lose little, and may have been held up only while they were measured.
int paying_packs(double ns, int threads, const Calibration& calibration, ExecutorKind executor) {
  for (int packs = 2;; ++packs) {
    const int used = std::min(packs, threads), packs_each = (packs + used - 1) / used;
    const SchedulingCost cost = scheduling_cost(calibration, executor, used);
    const double together = packs_each * ns + cost.task + fork_join_ns(cost, used);
    if (together <= (1 - price::worth_a_change) * packs * ns || packs == 1 << 20) return packs;
  }
}

/// How many parts of a state may go side by side.
std::vector<int> widths(const Options& o) {
  std::vector<int> all;
  for (const int width : limb_widths(instruction_set()))
    if (o.limbs == 0 || o.limbs == width) all.push_back(width);
  return all;
}

Method method_of(const Candidate& c, Loops loops) {
  Method method;
  method.algorithm = c.algorithm;
  method.modules.grain = c.grain;
  method.refinements = c.refinements;
  method.loops = loops;
  return method;
}

/// Plans with parts of one state side by side, and what they take: limbs, end chains, and end chains beside limbs.
std::vector<Candidate> candidates_in_lanes(const ModelData& m, const Options& o, const Prices& of_plans,
                                           int most_threads) {
  std::vector<Candidate> all;
  const std::vector<bool> multipliers = multiplier_aggregates(m, o.loops);
  std::vector<std::shared_ptr<const Parts>> limbs{std::make_shared<const Parts>()};  // none first
  const std::vector<BodyPrice>& prices = of_plans.bodies();
  std::map<int, Pays> pays;  // by widths
  for (const int width : widths(o)) {
    pays[width] = packs_may_pay(m, prices, width, planned_refinements(o));
    if (Limbs found = find_limbs(m, width, prices, multipliers); !found.groups.empty())
      limbs.push_back(std::make_shared<const Parts>(Parts{std::move(found), {}}));
  }
  // about `grain` bodies per module; 0: in one pack each
  const auto chains_of = [&](int width, int grain, const Limbs& beside) {
    if (o.loops != Loops::embed) return EndChains{};  // weighed beside embedded loops alone
    return find_end_chains(m, width, grain, pays[width], beside.taken);
  };
  const auto add = [&](int threads, std::shared_ptr<const Parts> parts, int grain = 0) {
    Candidate c{.threads = threads, .grain = grain, .limbs = parts->limbs.width, .end_chains = parts->end_chains.width};
    const bool chains = !parts->end_chains.all.empty();
    if (chains) c.algorithm = Algorithm::modular, c.refinements = planned_refinements(o);
    if (chains && grain == 0) c.grain = parts->end_chains.grain();
    c.ns = of_plans.predicted_ns(method_of(c, o.loops), {o.executor, threads}, *parts);
    c.parts = std::move(parts);
    all.push_back(std::move(c));
  };
  for (const std::shared_ptr<const Parts>& beside : limbs) {
    for (int threads = 1; threads <= most_threads && !beside->limbs.groups.empty(); ++threads) add(threads, beside);
    for (const int width : widths(o)) {
      const EndChains in_one_pack = chains_of(width, 0, beside->limbs);
      const int longest = in_one_pack.grain();
      for (int threads = 1; threads <= most_threads && longest > 0; ++threads) {
        const int grain = threads == 1 ? 0 : (longest + threads - 1) / threads;
        EndChains chains = threads == 1 ? in_one_pack : chains_of(width, grain, beside->limbs);
        if (chains.all.empty()) continue;
        add(threads, std::make_shared<const Parts>(Parts{beside->limbs, std::move(chains)}), grain);
      }
    }
  }
  const Candidate* alone = nullptr;  // limbs that take least on one thread
  for (const Candidate& c : all)
    if (c.threads == 1 && c.end_chains == 1 && (alone == nullptr || c.ns < alone->ns)) alone = &c;
  const int width = alone == nullptr ? 1 : alone->limbs;
  const std::size_t groups = alone == nullptr ? 0 : alone->parts->limbs.groups.size();
  for (int packs = 2; width > 1 && packs < 2 * most_threads; packs *= 2) {  // so many, of limbs of about equal size
    const int grain = (static_cast<int>(m.parent.size()) + width * packs - 1) / (width * packs);
    Limbs found = find_limbs(m, width, prices, multipliers, grain);
    if (found.groups.size() <= groups) continue;
    const auto parts = std::make_shared<const Parts>(Parts{std::move(found), {}});
    for (int threads = packs / 2 + 1; threads <= std::min(packs, most_threads); ++threads) add(threads, parts, grain);
  }
  return all;
}

}  // namespace

int height_of(const ModelData& m) {
  std::vector<int> depth(m.parent.size(), 1);
  int height = 0;
  for (std::size_t i = 0; i < m.parent.size(); ++i) {
    if (m.parent[i] >= 0) depth[i] = depth[at(m.parent[i])] + 1;
    height = std::max(height, depth[i]);
  }
  return height;
}

int grain_for(int height, int modules) {
  const double grains = modules == 2 ? price::two_modules : modules;
  return std::max(1, static_cast<int>(std::ceil(height / grains)));
}

/// Without a refinement modules lose digits, and no rule on a model's numbers bounds the loss: light links between
/// heavy ones, short between long, forces that almost balance (docs/accuracy.md).
int planned_refinements(const Options& o) { return o.refinements < 0 ? 1 : o.refinements; }

Choice choose(const Model& model, const Options& options, const Calibration& calibration, int cores) {
  const ModelData& m = model.data();
  const int most = std::clamp(options.threads, 1, std::max(1, cores)), height = height_of(m);
  const int sliding = longest_slide(m);
  Choice choice;
  std::vector<Candidate>& all = choice.candidates;
  for (int threads = 1; threads <= most; ++threads) {
    all.push_back({.threads = threads});
    // a module that only slides loses what `ab` keeps
    const int grain = grain_for(height, threads);
    if (threads > 1 && height > 1 && sliding < grain)
      all.push_back({.algorithm = Algorithm::modular, .threads = threads, .grain = grain});
  }
  const Prices of_plans(model, options.loops, calibration);
  const auto on = [&](const Candidate& c) { return Threads{options.executor, c.threads}; };
  for (Candidate& c : all) {
    c.refinements = c.algorithm == Algorithm::modular ? planned_refinements(options) : 0;
    c.ns = of_plans.lower_bound_ns(method_of(c, options.loops), on(c));
    c.at_least = true;
  }
  for (Candidate& c : candidates_in_lanes(m, options, of_plans, most)) all.push_back(std::move(c));
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.threads < b.threads; });
  // the most promising first, so that most need not be worked out
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].ns < all[b].ns; });
  std::erase(order, std::size_t{0});
  order.insert(order.begin(), 0);
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t k : order) {
    Candidate& c = all[k];
    if ((1 - price::worth_a_change) * c.ns > best) continue;
    if (c.at_least) c.ns = of_plans.predicted_ns(method_of(c, options.loops), on(c));
    c.at_least = false;
    best = std::min(best, c.ns);
  }
  // the fewest threads that do nearly as well, and of their plans the faster
  const auto does = [&](const Candidate& c) { return !c.at_least && (1 - price::worth_a_change) * c.ns <= best; };
  choice.chosen = static_cast<std::size_t>(std::find_if(all.begin(), all.end(), does) - all.begin());
  for (std::size_t k = choice.chosen + 1; k < all.size() && all[k].threads == all[choice.chosen].threads; ++k)
    if (does(all[k]) && all[k].ns < all[choice.chosen].ns) choice.chosen = k;
  if (choice.taken().threads == 1 && (1 - price::worth_a_change) * all.front().ns <= choice.taken().ns)
    choice.chosen = 0;

  choice.batch_threads = most;
  if (most > 1)
    choice.batch_from =
        paying_packs(all[0].ns * calibration.in_lanes(options.lanes), most, calibration, options.executor);
  return choice;
}

}  // namespace kinetree::inline inner
