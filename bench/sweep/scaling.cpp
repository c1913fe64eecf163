#include "bench/sweep/scaling.hpp"

#include <map>

#include "library/option_words.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {
namespace {

/// The fastest serial case of each model and batch.
class FastestSerial {
 public:
  explicit FastestSerial(const SweepResults& results) {
    for (std::size_t k = 0; k < results.cases.size(); ++k) {
      const CaseResult& c = results.cases[k];
      if (c.ns.empty() || workers(c.what) != 1) continue;
      const auto [best, is_new] = fastest_.emplace(std::pair(c.what.model, c.what.batch), k);
      if (!is_new && c.time.median < results.cases[best->second].time.median) best->second = k;
    }
  }

  std::optional<std::size_t> of(std::size_t model, int batch) const {
    const auto found = fastest_.find({model, batch});
    return found == fastest_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::pair<std::size_t, int>, std::size_t> fastest_;
};

/// How many times as fast: between the far ends of both intervals, 1 for the case itself.
Ratio ratio(const CaseResult& slower, const CaseResult& faster) {
  if (&slower == &faster) return {1, 1, 1};
  return {slower.time.median / faster.time.median, slower.time.low / faster.time.high,
          slower.time.high / faster.time.low};
}

/// Time of a body and a state on one thread, over that on P threads, over P: with P times the work, the share of the
/// threads' time that one thread would have taken (Gustafson 1988).
WeakEfficiency weak_efficiency(const SweepResults& results, const CaseResult& c, const WeakBase& base,
                               std::size_t serial) {
  const auto bodies = [&](std::size_t model) { return results.models[model].model.body_count(); };
  const double per_thread = static_cast<double>(bodies(c.what.model)) / bodies(base.model) / workers(c.what);
  return {base.kind, serial, ratio(results.cases[serial], c) * per_thread};
}

}  // namespace

void find_scaling(SweepResults& results) {
  const FastestSerial fastest(results);
  for (CaseResult& c : results.cases) {
    c.serial.reset(), c.weak.clear();
    if (c.ns.empty()) continue;
    if ((c.serial = fastest.of(c.what.model, c.what.batch))) c.speedup = ratio(results.cases[*c.serial], c);
    for (const WeakBase& base : c.what.weak)
      if (const auto serial = fastest.of(base.model, base.batch))
        c.weak.push_back(weak_efficiency(results, c, base, *serial));
  }
}

std::string algorithm_words(const CaseResult& c) {
  const bool chosen = c.plan && c.what.options.algorithm == Algorithm::automatic;
  return algorithm_label(c.what.options) + (chosen ? ": " + std::string(to_word(c.plan->algorithm)) : "");
}

int threads_run(const CaseResult& c) {
  return c.what.ranks * (c.plan ? threads_for(*c.plan, c.what.batch) : c.what.options.threads);
}

std::optional<Ratio> efficiency(const CaseResult& c) {
  return c.serial ? std::optional(c.speedup * (1.0 / threads_run(c))) : std::nullopt;
}

double cost_ns(const CaseResult& c) { return threads_run(c) * c.time.median; }

std::optional<Ratio> serial_fraction(const CaseResult& c) {
  const int threads = threads_run(c);
  if (!c.serial || threads == 1) return std::nullopt;
  const double p = threads;
  const auto fraction = [p](double s) { return (1 / s - 1 / p) / (1 - 1 / p); };
  return Ratio{fraction(c.speedup.value), fraction(c.speedup.high), fraction(c.speedup.low)};
}

}  // namespace kinetree::bench
