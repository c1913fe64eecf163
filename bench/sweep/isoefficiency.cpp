#include "bench/sweep/isoefficiency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bench/quantity.hpp"
#include "bench/sweep/family_size.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/scaling.hpp"

namespace kinetree::bench {
namespace {

constexpr double least_of_cores = 0.75;  ///< what threads that share nothing were worth, over their number
constexpr int most_predicted_threads = 64, most_predicted_bodies = 33'000;

/// Efficiency of each number of threads at sizes of a family, by bodies.
using Efficiencies = std::map<int, std::vector<std::pair<double, double>>>;

/// Each size has twice the bodies of the one before, or more; for each number of threads up to the sizes that have more
/// than what is asked twice.
Efficiencies predicted_efficiencies(const FamilySize& family, const LoadOptions& load, const Calibration& calibration) {
  std::vector<int> threads = doubling_threads(most_predicted_threads);
  threads.erase(threads.begin());
  Efficiencies all;
  double bodies = 2;
  while (!threads.empty()) {
    const std::optional<int> size = family.least_size(bodies);
    if (!size || *family.bodies_with(*size) > most_predicted_bodies) break;
    const Model model = make_model(family.with(*size), load);
    bodies = 2.0 * *family.bodies_with(*size);
    const std::vector<double> ns = least_predicted_ns(model, ExecutorKind::team, calibration, threads);
    for (std::size_t k = 0; k < threads.size(); ++k) {
      const double speedup = ns[0] / ns[k + 1];
      // where one thread runs all, two are half used by definition
      all[threads[k]].emplace_back(model.body_count(), speedup > 1 + 1e-9 ? speedup / threads[k] : 0);
    }
    std::erase_if(threads, [&](int count) {
      const auto& sizes = all[count];
      return sizes.size() > 1 && std::min(sizes.back().second, sizes.rbegin()[1].second) > asked_efficiencies[0];
    });
  }
  return all;
}

/// The best efficiency of any case at each size, from its low end to its high one.
struct Seen {
  double low = 0, high = 0;
};
using Measured = std::map<int, std::map<int, Seen>>;  ///< by threads, then by bodies

void see(const SweepResults& results, const CaseResult& c, Measured& measured) {
  const std::optional<Ratio> e = efficiency(c);
  const int threads = threads_run(c);
  if (!e || threads == 1 || c.what.batch > 1 || !results.cases[*c.serial].holds) return;
  if (!c.machine.empty() && median_interval(c.machine).median < least_of_cores * threads) return;
  Seen& best = measured[threads][results.models[c.what.model].model.body_count()];
  best.high = std::max(best.high, e->high);  // what does not hold may be the fastest all the same
  if (c.holds) best.low = std::max(best.low, e->low);
}

void put_measured(const std::map<int, Seen>& sizes, double asked, BodiesNeeded& needed) {
  for (const auto& [bodies, seen] : sizes) {
    if (seen.low >= asked && !needed.from) needed.from = bodies;
    if (seen.high < asked) needed.not_at = bodies, needed.from.reset();
  }
}

Isoefficiency of_family(const std::string& family, double asked, const Efficiencies& predicted,
                        const Measured& measured) {
  Isoefficiency one{asked, family, {}};
  std::map<int, BodiesNeeded> needed;
  for (const auto& [threads, sizes] : predicted) {
    needed[threads].predicted = size_for(asked, sizes);
    needed[threads].tried = static_cast<int>(sizes.back().first);
  }
  for (const auto& [threads, sizes] : measured) put_measured(sizes, asked, needed[threads]);
  for (auto& [threads, n] : needed) {
    n.threads = threads;
    if (n.tried > 0 || n.from || n.not_at) one.needed.push_back(n);
  }
  return one;
}

/// Two digits, which is more than a prediction has.
std::string about(double bodies) {
  const double digit = std::pow(10, std::floor(std::log10(bodies)) - 1);
  return in_count(digit > 1 ? std::round(bodies / digit) * digit : std::ceil(bodies));
}

/// "a, b and c".
std::string enumerated(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t k = 0; k < list.size(); ++k) text += (k == 0 ? "" : k + 1 < list.size() ? ", " : " and ") + list[k];
  return text;
}

/// Adds "400 bodies on 2 threads", after the first one "1,200 on 4".
void add_item(std::vector<std::string>& list, const std::string& bodies, int threads) {
  list.push_back(fmt::format(fmt::runtime(list.empty() ? "{} bodies on {} threads" : "{} on {}"), bodies, threads));
}

std::string measured_bodies(const BodiesNeeded& n) {
  if (n.from && n.not_at) return fmt::format("between {} and {}", in_count(*n.not_at), in_count(*n.from));
  if (n.from) return "at most " + in_count(*n.from);
  return n.not_at ? "more than " + in_count(*n.not_at) : "";
}

}  // namespace

bool tells_isoefficiency(const Case& c) {
  return is_of(c, ScalingKind::size) || is_of(c, ScalingKind::strong) || is_of(c, ScalingKind::weak_bodies);
}

std::optional<double> size_for(double asked, const std::vector<std::pair<double, double>>& all) {
  const auto below = std::find_if(all.rbegin(), all.rend(), [&](const auto& one) { return one.second < asked; });
  if (all.empty() || below == all.rbegin()) return std::nullopt;
  if (below == all.rend()) return all.front().first;
  const auto [small, low] = *below;
  const auto [large, high] = *(below.base());
  if (!(low > 0) || high >= 1) return large;  // no overhead: no power
  const auto overhead = [](double efficiency) { return std::log(1 / efficiency - 1); };
  const double way = (overhead(low) - overhead(asked)) / (overhead(low) - overhead(high));
  return small * std::pow(large / small, way);
}

std::vector<Isoefficiency> isoefficiencies(const SweepResults& results) {
  std::map<std::string, Measured> measured;
  std::map<std::string, const ModelEntry*> entries;
  std::vector<std::string> families;  // in the order of the sweep
  for (const CaseResult& c : results.cases) {
    const ModelEntry& entry = results.models[c.what.model].entry;
    if (!entry.is_family || !tells_isoefficiency(c.what)) continue;
    const std::string family = FamilySize(entry.source).form() + (entry.load.floating_base ? " floating" : "");
    if (entries.emplace(family, &entry).second) families.push_back(family);
    see(results, c, measured[family]);
  }
  std::vector<Isoefficiency> all;
  for (const std::string& family : families) {
    const ModelEntry& entry = *entries.at(family);
    const Efficiencies predicted =
        results.calibration ? predicted_efficiencies(FamilySize(entry.source), entry.load, *results.calibration)
                            : Efficiencies{};
    for (const double asked : asked_efficiencies)
      if (Isoefficiency one = of_family(family, asked, predicted, measured[family]); !one.needed.empty())
        all.push_back(std::move(one));
  }
  return all;
}

std::string sentence(const Isoefficiency& family) {
  std::vector<std::string> predicted, measured;
  std::string beyond;
  for (const BodiesNeeded& n : family.needed) {
    if (n.predicted) add_item(predicted, about(*n.predicted), n.threads);
    if (n.tried > 0 && !n.predicted && beyond.empty())
      beyond = fmt::format("; on {} threads {} bodies do not suffice", n.threads, in_count(n.tried));
    if (const std::string bodies = measured_bodies(n); !bodies.empty()) add_item(measured, bodies, n.threads);
  }
  const char* half = family.efficiency == 0.5 ? "half" : "a quarter";
  std::string text = fmt::format("For {} efficiency {} needs", half, family.family);
  if (!predicted.empty()) text += fmt::format(" {} (predicted for team{})", enumerated(predicted), beyond);
  if (predicted.empty() && !beyond.empty()) text += fmt::format(" larger sizes (predicted for team{})", beyond);
  if (!measured.empty())
    text += fmt::format("{} {} (measured)", text.back() == ')' ? ", and" : "", enumerated(measured));
  return text + ".";
}

nlohmann::ordered_json isoefficiency_json(const std::vector<Isoefficiency>& families) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Isoefficiency& family : families) {
    Json needed = Json::array();
    for (const BodiesNeeded& n : family.needed) {
      Json one{{"threads", n.threads}};
      if (n.predicted) one["predicted_bodies"] = std::round(*n.predicted);
      if (n.not_at) one["measured_not_at"] = *n.not_at;
      if (n.from) one["measured_from"] = *n.from;
      needed.push_back(std::move(one));
    }
    list.push_back({{"family", family.family},
                    {"efficiency", family.efficiency},
                    {"sentence", sentence(family)},
                    {"bodies", std::move(needed)}});
  }
  return list;
}

}  // namespace kinetree::bench
