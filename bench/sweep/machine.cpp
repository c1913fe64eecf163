#include "bench/sweep/machine.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "parallel/clock.hpp"
#include "parallel/line_transfer.hpp"

namespace kinetree::bench {
namespace {

constexpr int longer = 25'000;  ///< about 1 ms

}  // namespace

double independent_speedup(int threads) {
  const Elapsed alone = core_work(longer);
  std::vector<Elapsed> times(static_cast<std::size_t>(threads));
  std::atomic<int> missing = threads;
  const auto run = [&](Elapsed& own) {
    --missing;
    while (missing > 0) std::this_thread::yield();
    own = core_work(longer);
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < times.size(); ++t) others.emplace_back([&, t] { run(times[t]); });
  run(times[0]);
  for (std::thread& other : others) other.join();
  Elapsed all = times[0];
  for (const Elapsed& own : times) all = together(all, own);
  return threads * alone.ns() / all.ns();
}

std::string line_in_words(double one_ns, double other_ns) {
  const auto [near, far] = std::minmax(one_ns, other_ns);
  return fmt::format("a line of the cache went from one core to another in {:.0f} ns and in {:.0f} ns", near, far);
}

std::string doubt_of_cores(const std::string& doubted, double calibrated_ns, double now_ns) {
  if (!were_moved(calibrated_ns, now_ns)) return "";
  return fmt::format(
      "{}: a line of the cache went from one core to another in {:.0f} ns when the machine was calibrated, and in "
      "{:.0f} ns now; `kinetree calibrate` measures what threads cost now",
      doubted, calibrated_ns, now_ns);
}

void end_waiting_threads() { omp_pause_resource_all(omp_pause_soft); }

}  // namespace kinetree::bench
