#include "bench/sweep/machine.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/scalar/number_from.hpp"
#include "parallel/bandwidth.hpp"
#include "parallel/clock.hpp"
#include "parallel/line_transfer.hpp"
#include "parallel/processors.hpp"

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

double process_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  double seconds = 0;
  for (const timeval& part : {used.ru_utime, used.ru_stime})
    seconds += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  return seconds;
}

ProcessorTimes processor_times() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  ProcessorTimes times;
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {  // proc(5): "cpu0 user nice system idle iowait irq softirq steal"
    if (!line.starts_with("cpu") || line.size() < 4 || line[3] < '0' || line[3] > '9') continue;
    const std::vector<std::string_view> words = inner::words_of(std::string_view(line).substr(3));
    const int processor = first_number(line.substr(3), 0);
    double t[8]{};
    for (std::size_t k = 0; k < 8 && k + 1 < words.size(); ++k) t[k] = number_from<double>(words[k + 1]).value_or(0);
    if (processor >= CPU_SETSIZE || !CPU_ISSET(processor, &allowed)) continue;
    for (const double part : t) times.all += tick * part;
    times.busy += tick * (t[0] + t[1] + t[2] + t[5] + t[6]), times.stolen += tick * t[7];
  }
  times.own = process_seconds();
  return times;
}

void end_waiting_threads() { omp_pause_resource_all(omp_pause_soft); }

}  // namespace kinetree::bench
