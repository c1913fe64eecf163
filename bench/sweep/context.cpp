#include "bench/sweep/context.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <oneapi/tbb/version.h>
#include <sched.h>
#include <sys/utsname.h>

#include <Eigen/Core>
#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>

#include "bench/sweep/hardware.hpp"
#include "build.hpp"
#include "commit.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"

namespace kinetree::bench {
namespace {

/// The logical processors this process may use.
std::string affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "unknown";
  std::string text;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) text += fmt::format("{}{}", text.empty() ? "" : ",", i);
  return text;
}

std::string system_name() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {} {}", name.sysname, name.release, name.machine) : "unknown";
}

}  // namespace

std::string load_average() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? fmt::format("{:.2f}", average) : "unknown";
}

std::string in_words(const Memory& memory) {
  const Bandwidths& b = memory.bandwidths;
  std::string text = fmt::format("one thread {:.3g} GB/s, all threads {:.3g} GB/s", b.memory.one, b.memory.all);
  const char* before = "; ";
  for (const DataCache& cache : memory.caches)
    if (const auto& [one, all] = of_level(b, cache.level); one > 0)
      text += fmt::format("{}L{} ({:.0f} KiB) {:.3g} and {:.3g} GB/s", std::exchange(before, ", "), cache.level,
                          cache.bytes / 1024, one, all);
  return text;
}

nlohmann::ordered_json measurement_context(const std::string& load_at_start, const std::optional<Memory>& memory) {
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  nlohmann::ordered_json context{
      {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
      {"kinetree", built_version},
      {"commit", built_commit},
      {"uncommitted changes", built_dirty},
      {"compiler", built_compiler},
      {"flags", built_flags},
      {"build type", built_type},
      {"affinity", affinity()},
      {"load average at the start", load_at_start},
      {"load average at the end", load_average()},
      {"frequency at the end", frequency_now()},
      {"pinning", "none: threads are placed by the system within the affinity"},
      {"system", system_name()},
      {"instruction set", name_of(instruction_set())},
      {"Eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"oneTBB", TBB_runtime_version()},
      {"OpenMP", "the compiler's own runtime"},
      {"Google Benchmark", built_benchmark}};
  context.update(hardware());
  context["memory bandwidth at the start"] = memory ? in_words(*memory) : "not measured";
  return context;
}

std::string version_text() {
  return fmt::format("kinetree {}, commit {:.12}{}, {}, {}", built_version, built_commit,
                     built_dirty ? " with changes" : "", built_compiler, built_type);
}

}  // namespace kinetree::bench
