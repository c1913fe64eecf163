#include "bench/sweep/fitness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/sweep/results.hpp"

namespace kinetree::bench {
namespace {

/// Of sorted or unsorted samples the one below which this share of them lies; 0 of none.
double quantile(std::vector<double> samples, double share) {
  if (samples.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size() - 1) + 0.5);
  std::nth_element(samples.begin(), samples.begin() + at, samples.end());
  return samples[static_cast<std::size_t>(at)];
}

/// What threads that share nothing are worth usually: what a quarter of the repetitions reach, since neighbours take
/// and never give.
std::map<int, double> usual_worths(const SweepResults& results) {
  std::map<int, std::vector<double>> all;
  for (const CaseResult& c : results.cases) {
    std::vector<double>& of_count = all[workers(c.what)];
    of_count.insert(of_count.end(), c.machine.begin(), c.machine.end());
  }
  std::map<int, double> usual;
  for (auto& [threads, worths] : all) usual[threads] = quantile(std::move(worths), 0.75);
  return usual;
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

Observation& Observation::operator+=(const Observation& later) {
  seconds += later.seconds, others += later.others, stolen += later.stolen;
  yardstick.insert(yardstick.end(), later.yardstick.begin(), later.yardstick.end());
  return *this;
}

MachineWatch::MachineWatch(std::function<double()> own_elsewhere)
    : own_elsewhere_(std::move(own_elsewhere)), start_(now()) {}

ProcessorTimes MachineWatch::now() const {
  ProcessorTimes times = processor_times();
  times.own += own_elsewhere_();
  return times;
}

void MachineWatch::look() { observation_.yardstick.push_back(arithmetic_ns()); }

Observation MachineWatch::seen() const {
  Observation seen = observation_;
  const ProcessorTimes end = now();
  seen.seconds = end.all - start_.all;
  seen.stolen = end.stolen - start_.stolen;
  seen.others = std::max(0.0, (end.busy - start_.busy) - (end.own - start_.own));
  return seen;
}

bool holds(const MedianInterval& time, const std::vector<double>& worth, double usual_worth) {
  if (!(time.low > 0) || !(time.high <= widest_interval * time.low) || !(time.coverage >= least_coverage)) return false;
  return worth.empty() || median_interval(worth).median >= least_worth * usual_worth;
}

void judge(SweepResults& results) {
  const std::map<int, double> usual = usual_worths(results);
  Verdict v;
  for (CaseResult& c : results.cases) {
    if (c.ns.empty()) continue;
    c.holds = holds(c.time, c.machine, usual.at(workers(c.what)));
    ++v.timed, v.holding += c.holds;
  }
  const Observation& o = results.observed;
  if (o.seconds > 0 && o.others > most_others * o.seconds)
    v.reasons.push_back(fmt::format("other processes took {} of the processors' time, and {} are allowed",
                                    percent(o.others / o.seconds), percent(most_others)));
  if (o.seconds > 0 && o.stolen > most_stolen * o.seconds)
    v.reasons.push_back(fmt::format("other virtual machines took {} of the processors' time, and {} are allowed",
                                    percent(o.stolen / o.seconds), percent(most_stolen)));
  if (const double fast = quantile(o.yardstick, 0.1), slow = quantile(o.yardstick, 0.9); slow > most_drift * fast)
    v.reasons.push_back(
        fmt::format("the processor's speed changed: the same arithmetic took {:.0f} us, and {:.0f} us at other times",
                    fast / 1e3, slow / 1e3));
  if (v.holding < least_holding * v.timed)
    v.reasons.push_back(
        fmt::format("{} of {} timings hold, and {} should (an interval no wider than {:.0f} %, and "
                    "threads worth what they are usually)",
                    v.holding, v.timed, percent(least_holding), 100 * (widest_interval - 1)));
  v.fit = v.reasons.empty() && v.timed > 0;
  results.verdict = std::move(v);
}

std::string sentence(const Verdict& v) {
  if (v.timed == 0) return "Nothing was timed.";
  if (v.fit)
    return fmt::format("Fit to be read: {} of {} timings hold, and the machine was quiet.", v.holding, v.timed);
  return fmt::format("Not fit to be read: {}. Measure again on a quiet machine.", fmt::join(v.reasons, "; "));
}

}  // namespace kinetree::bench
