#include "bench/sweep/isoefficiency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/quantity.hpp"
#include "bench/sweep/family_size.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/scaling.hpp"

namespace kinetree::bench {
namespace {

constexpr std::pair<double, const char*> asked_efficiencies[] = {{0.5, "half"}, {0.25, "a quarter"}};
constexpr double least_of_cores = 0.75;  ///< what threads that share nothing were worth, over their number
constexpr int most_predicted_threads = 64, most_predicted_bodies = 33'000;

/// Efficiencies of a family on one number of threads, by bodies.
struct Efficiencies {
  std::vector<std::pair<double, double>> predicted;
  /// The best of any case, from its low end to its high one.
  std::map<int, std::pair<double, double>> measured;
};
using ByThreads = std::map<int, Efficiencies>;

/// Each size has twice the bodies of the one before, or more; for each number of threads up to the sizes that have more
/// than half twice.
void predict(const ModelEntry& entry, const Calibration& calibration, ByThreads& all) {
  const FamilySize family(entry.source);
  std::vector<int> threads = doubling_threads(most_predicted_threads);
  threads.erase(threads.begin());
  for (std::optional<int> size = family.least_size(2); size && !threads.empty();) {
    const int bodies = *family.bodies_with(*size);
    if (bodies > most_predicted_bodies) break;
    const Model model = make_model(family.with(*size), entry.load);
    const std::vector<double> ns = least_predicted_ns(model, ExecutorKind::team, calibration, threads);
    for (std::size_t k = 0; k < threads.size(); ++k) {
      const double speedup = ns[0] / ns[k + 1];
      // where one thread runs all, two are half used by definition
      all[threads[k]].predicted.emplace_back(model.body_count(), speedup > 1 + 1e-9 ? speedup / threads[k] : 0);
    }
    std::erase_if(threads, [&](int count) {
      const auto& sizes = all[count].predicted;
      return sizes.size() > 1 && std::min(sizes.back().second, sizes.rbegin()[1].second) > asked_efficiencies[0].first;
    });
    size = family.least_size(2.0 * bodies);
  }
}

void see(const SweepResults& results, const CaseResult& c, ByThreads& all) {
  const std::optional<Ratio> e = efficiency(c);
  const int threads = threads_run(c);
  if (!e || threads == 1 || c.what.batch > 1 || !results.cases[*c.serial].holds) return;
  if (!c.machine.empty() && median_interval(c.machine).median < least_of_cores * threads) return;
  auto& [low, high] = all[threads].measured[results.models[c.what.model].model.body_count()];
  high = std::max(high, e->high);  // what does not hold may be the fastest all the same
  if (c.holds) low = std::max(low, e->low);
}

/// Two digits, which is more than a prediction has.
std::string about(double bodies) {
  const double digit = std::pow(10, std::floor(std::log10(bodies)) - 1);
  return in_count(digit > 1 ? std::round(bodies / digit) * digit : std::ceil(bodies));
}

/// "between 16 and 256": by the ends of intervals. Empty where timings tell neither.
std::string measured_bodies(double asked, const std::map<int, std::pair<double, double>>& sizes) {
  int not_at = 0, from = 0;  // the largest size that has less, the least larger one that has it; 0: none
  for (const auto& [bodies, seen] : sizes) {
    if (seen.first >= asked && from == 0) from = bodies;
    if (seen.second < asked) not_at = bodies, from = 0;
  }
  if (from > 0 && not_at > 0) return fmt::format("between {} and {}", in_count(not_at), in_count(from));
  if (from > 0) return "at most " + in_count(from);
  return not_at > 0 ? "more than " + in_count(not_at) : "";
}

/// "400 bodies on 2 threads, 1,200 on 4 and 9,000 on 16".
std::string enumerated(const std::vector<std::pair<std::string, int>>& list) {
  std::string text;
  for (std::size_t k = 0; k < list.size(); ++k)
    text += fmt::format(fmt::runtime(k == 0 ? "{}{} bodies on {} threads" : "{}{} on {}"),
                        k == 0                ? ""
                        : k + 1 < list.size() ? ", "
                                              : " and ",
                        list[k].first, list[k].second);
  return text;
}

/// Empty where nothing is known.
std::string sentence(const std::string& family, double asked, const char* in_words, const ByThreads& all) {
  std::vector<std::pair<std::string, int>> predicted, measured;
  std::string beyond;
  for (const auto& [threads, sizes] : all) {
    if (const std::optional<double> bodies = size_for(asked, sizes.predicted))
      predicted.emplace_back(about(*bodies), threads);
    else if (!sizes.predicted.empty() && beyond.empty())
      beyond = fmt::format("; on {} threads {} bodies do not suffice", threads, in_count(sizes.predicted.back().first));
    if (const std::string bodies = measured_bodies(asked, sizes.measured); !bodies.empty())
      measured.emplace_back(bodies, threads);
  }
  std::string text;
  if (!predicted.empty() || !beyond.empty())
    text =
        fmt::format(" {} (predicted for team{})", predicted.empty() ? "larger sizes" : enumerated(predicted), beyond);
  if (!measured.empty()) text += fmt::format("{} {} (measured)", text.empty() ? "" : ", and", enumerated(measured));
  return text.empty() ? "" : fmt::format("For {} efficiency {} needs{}.", in_words, family, text);
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
  std::map<std::string, ByThreads> known;
  std::vector<std::pair<std::string, const ModelEntry*>> families;  // in the order of the sweep
  for (const CaseResult& c : results.cases) {
    const ModelEntry& entry = results.models[c.what.model].entry;
    if (!entry.is_family || !tells_isoefficiency(c.what)) continue;
    const std::string family = FamilySize(entry.source).form() + (entry.load.floating_base ? " floating" : "");
    if (!known.contains(family)) families.emplace_back(family, &entry);
    see(results, c, known[family]);
  }
  std::vector<Isoefficiency> all;
  for (const auto& [family, entry] : families) {
    if (results.calibration) predict(*entry, *results.calibration, known[family]);
    for (const auto& [asked, in_words] : asked_efficiencies)
      if (std::string words = sentence(family, asked, in_words, known[family]); !words.empty())
        all.push_back({asked, family, std::move(words)});
  }
  return all;
}

}  // namespace kinetree::bench
