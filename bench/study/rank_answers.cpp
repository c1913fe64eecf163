#include "bench/study/rank_answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/quantity.hpp"

namespace kinetree::bench {
namespace {

/// "0.80 [0.70, 0.90] on 2 ranks, 1.50 [1.40, 1.60] on 4": of the numbers of ranks whose timings hold.
std::string speedups(const SweepResults& results, bool batch) {
  std::string text;
  for (const CaseResult& c : results.cases) {
    if (c.what.ranks == 1 || c.what.model != 0 || (c.what.batch > 1) != batch || !c.holds || !c.serial) continue;
    text += fmt::format("{}{:.2f} [{:.2f}, {:.2f}] on {}{}", text.empty() ? "" : ", ", c.speedup.value, c.speedup.low,
                        c.speedup.high, c.what.ranks, text.empty() ? " ranks" : "");
  }
  return text;
}

}  // namespace

Answer over_ranks(const SweepResults& results, const std::vector<OnNetwork>& predictions) {
  Answer a{"And over ranks of MPI?", ""};
  const std::string one = speedups(results, false), many = speedups(results, true);
  a.text = one.empty() ? "No timing of one state over ranks holds, or the mechanism has no shares for them."
                       : fmt::format("One state is {} times as fast as on one thread of one process.", one);
  if (!many.empty()) a.text += fmt::format(" Batches, whose states are shared out, are {} times as fast.", many);
  for (const OnNetwork& network : predictions) {
    const PredictedRanks* best = nullptr;
    for (const PredictedRanks& p : network.ranks)
      if (p.ns && (best == nullptr || *p.ns < *best->ns)) best = &p;
    if (best == nullptr) continue;
    a.text += best->ranks == 1
                  ? fmt::format(" Predicted over {}, one process is the fastest for one state.", network.name)
                  : fmt::format(
                        " Predicted over {}, one state is fastest on {} machines, {:.1f} times as fast as in one "
                        "process on one thread.",
                        network.name, best->ranks, *network.ranks.front().ns / *best->ns);
    if (!network.pay.empty()) a.text += " " + network.pay;
  }
  return a;
}

}  // namespace kinetree::bench
