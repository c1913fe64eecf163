#include "bench/sweep/fitness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/sweep/results.hpp"
#include "bench/sweep/timing.hpp"
#include "parallel/line_transfer.hpp"

namespace kinetree::bench {
namespace {

constexpr double hardly_any = 0.01;  ///< share of the repetitions: less is not worth a word

/// The sample below which this share of the samples lies, which need not be sorted; 0 where there is none.
double quantile(std::vector<double> samples, double share) {
  if (samples.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size() - 1) + 0.5);
  std::nth_element(samples.begin(), samples.begin() + at, samples.end());
  return samples[static_cast<std::size_t>(at)];
}

auto count_of(const std::vector<bool>& good) { return static_cast<std::size_t>(std::ranges::count(good, true)); }
std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

Observation& Observation::operator+=(const Observation& later) {
  yardstick.insert(yardstick.end(), later.yardstick.begin(), later.yardstick.end());
  transfers.insert(transfers.end(), later.transfers.begin(), later.transfers.end());
  if (later.calibrated_transfer > 0) calibrated_transfer = later.calibrated_transfer;
  return *this;
}

double MachineWatch::look() { return seen_.yardstick.emplace_back(arithmetic_ns()); }

double MachineWatch::look_at_cores() {
  double ns = line_transfer_ns();
  if (were_moved(line_transfer(), ns)) ns = std::min(ns, line_transfer_ns());  // unless that look was disturbed
  if (ns > 0) seen_.transfers.push_back(ns);
  return ns;
}

Usual usual(const std::vector<CaseResult>& cases, const std::vector<double>& yardsticks) {
  std::map<int, std::vector<double>> worths;
  for (const CaseResult& c : cases) {
    std::vector<double>& of_count = worths[workers(c.what)];
    of_count.insert(of_count.end(), c.machine.begin(), c.machine.end());
  }
  Usual found{quantile(yardsticks, 0.25), {}};  // neighbours take and never give
  for (auto& [threads, of_count] : worths) found.worth[threads] = quantile(std::move(of_count), 0.75);
  return found;
}

std::vector<bool> undisturbed(const CaseResult& c, const Usual& usual) {
  std::vector<bool> all(std::max(c.ns.size(), c.yardstick.size()), true);
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] = (k >= c.yardstick.size() || c.yardstick[k] <= most_drift * usual.yardstick) &&
             (k >= c.machine.size() || c.machine[k] >= least_worth * usual.worth.at(workers(c.what)));
  return all;
}

bool are_enough(const std::vector<bool>& good) {
  const std::size_t count = count_of(good);
  return count >= std::size_t{fewest_repetitions} && 2 * count > good.size();
}

bool is_narrow(const MedianInterval& time) {
  return time.low > 0 && time.high <= widest_interval * time.low && time.coverage >= least_coverage;
}

void judge(SweepResults& results) {
  const Observation& o = results.observed;
  const Usual of_machine = usual(results.cases, o.yardstick);
  Verdict v;
  double made = 0, disturbed = 0;  // repetitions
  for (CaseResult& c : results.cases) {
    if (c.ns.empty()) continue;
    const std::vector<bool> good = undisturbed(c, of_machine);
    const std::size_t count = count_of(good);
    const bool enough = count >= std::size_t{fewest_repetitions};
    c.counted.clear();
    for (std::size_t k = 0; k < c.ns.size(); ++k)
      if (good[k] || !enough) c.counted.push_back(c.ns[k]);
    c.time = median_interval(c.counted);
    c.holds = is_narrow(c.time) && are_enough(good);
    ++v.timed, v.holding += c.holds;
    made += static_cast<double>(c.ns.size()), disturbed += static_cast<double>(c.ns.size() - count);
  }
  v.disturbed = made > 0 ? disturbed / made : 0;
  v.fit = v.timed > 0 && v.holding >= least_holding * v.timed;
  if (v.timed > 0 && !v.fit) {
    v.reasons.push_back(
        fmt::format("{} of {} timings hold, and {} should (an interval no wider than {:.0f} %, processors at their "
                    "usual speed)",
                    v.holding, v.timed, percent(least_holding), 100 * (widest_interval - 1)));
    if (v.disturbed >= hardly_any)
      v.reasons.push_back(fmt::format(
          "in {} of the repetitions a processor was slow: the same arithmetic took {:.0f} us, and {:.0f} us at other "
          "times",
          percent(v.disturbed), of_machine.yardstick / 1e3, quantile(o.yardstick, 0.9) / 1e3));
    if (const double near = quantile(o.transfers, 0.1), far = quantile(o.transfers, 0.9); were_moved(near, far))
      v.reasons.push_back("the cores were moved: " + line_in_words(near, far));
  }
  results.verdict = std::move(v);
}

std::string doubt_of_predictions(const Observation& o) {
  return doubt_of_cores(adjusted_predictions, o.calibrated_transfer, quantile(o.transfers, 0.5));
}

std::string sentence(const Verdict& v) {
  if (v.timed == 0) return "Nothing was timed.";
  if (v.fit)
    return fmt::format("Fit to be read: {} of {} timings hold, and {}.", v.holding, v.timed,
                       v.disturbed < hardly_any ? "the machine was quiet"
                                                : percent(v.disturbed) +
                                                      " of the repetitions were left out, in which "
                                                      "a processor was slow");
  return fmt::format("Not fit to be read: {}. Measure again on a quiet machine.", fmt::join(v.reasons, "; "));
}

}  // namespace kinetree::bench
