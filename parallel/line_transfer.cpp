#include "parallel/line_transfer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/clock.hpp"
#include "parallel/processors.hpp"
#include "parallel/waiting.hpp"

namespace kinetree::inline inner {
namespace {

/// Ping-pong of two threads: nanoseconds of one way.
double line_transfer_once(const std::vector<int>& cores) {
  constexpr int ways = 800, warm = 200;
  alignas(64) std::atomic<int> done = 0;
  std::array<Elapsed, 2> times;
  const auto play = [&](int own) {
    pin_to(cores[static_cast<std::size_t>(own)]);
    Elapsed& time = times[static_cast<std::size_t>(own)];
    for (int k = own; k < ways; k += 2) {
      if (k == warm + own) time.begin = Clock::now();
      wait_until([&] { return done == k; });
      done = k + 1;
    }
    time.end = Clock::now();
  };
  std::thread first(play, 0), second(play, 1);
  first.join(), second.join();
  return times[0].ns() / (ways - warm);
}

}  // namespace

double line_transfer_ns() {
  std::vector<int> cores = one_of_each_core();
  if (cores.size() < 2) return 0;
  std::sort(cores.begin(), cores.end());
  return std::min({line_transfer_once(cores), line_transfer_once(cores), line_transfer_once(cores)});
}

bool were_moved(double one_ns, double other_ns) {
  const auto [near, far] = std::minmax(one_ns, other_ns);
  return near > 0 && far > most_moved * near;
}

Calibration with_line_transfer(Calibration c, double ns) {
  if (!were_moved(c.line_transfer, ns)) return c;
  // A correction of what was measured, no price: how many lines each cost waits for, the difference of an EPYC's costs
  // at 210 ns a line (medians of three calibrations) and at 30 ns (of six), over 180 ns.
  constexpr struct {
    ExecutorKind executor;
    double task, fork, meet;
  } all[]{{ExecutorKind::team, 5.1, 2.5, 1.9}, {ExecutorKind::tbb, 5.7, 4, 4}, {ExecutorKind::openmp, 3.9, 2, 1.4}};
  const double longer = ns - c.line_transfer;
  for (const auto& lines : all) {
    SchedulingCost& cost = c.of(lines.executor);
    for (const auto& [number, count] : {std::pair{&cost.task, lines.task},
                                        {&cost.fork, lines.fork},
                                        {&cost.thread, lines.fork},
                                        {&cost.meet, lines.meet}})
      *number = std::max(0.0, *number + count * longer);
  }
  c.line_transfer = ns;
  return c;
}

}  // namespace kinetree::inline inner
