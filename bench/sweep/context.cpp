#include "bench/sweep/context.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <oneapi/tbb/version.h>
#include <sched.h>
#include <sys/utsname.h>

#include <Eigen/Core>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "build.hpp"
#include "commit.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"

namespace kinetree::bench {
namespace {

struct Processor {
  std::string name = "unknown";
  int logical = 0;
  std::set<std::pair<std::string, std::string>> cores;  ///< package and core
};

Processor processor() {
  Processor p;
  std::ifstream file("/proc/cpuinfo");
  std::string package;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    if (line.starts_with("model name")) p.name = value;
    if (line.starts_with("processor")) ++p.logical;
    if (line.starts_with("physical id")) package = value;
    if (line.starts_with("core id")) p.cores.insert({package, value});
  }
  return p;
}

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

/// Processes that wanted to run in the minute before: timings on a busy machine say little about threads.
std::string load() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? fmt::format("{:.2f}", average) : "unknown";
}

}  // namespace

nlohmann::ordered_json measurement_context() {
  const Processor p = processor();
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return {{"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
          {"kinetree", built_version},
          {"commit", built_commit},
          {"uncommitted changes", built_dirty},
          {"compiler", built_compiler},
          {"flags", built_flags},
          {"build type", built_type},
          {"processor", p.name},
          {"physical cores", p.cores.size()},
          {"logical processors", p.logical},
          {"affinity", affinity()},
          {"load average at the end", load()},
          {"pinning", "none: threads are placed by the system within the affinity"},
          {"system", system_name()},
          {"instruction set", name_of(instruction_set())},
          {"Eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"oneTBB", TBB_runtime_version()},
          {"OpenMP", "the compiler's own runtime"},
          {"Google Benchmark", built_benchmark}};
}

std::string version_text() {
  return fmt::format("kinetree {}, commit {:.12}{}, {}, {}", built_version, built_commit,
                     built_dirty ? " with changes" : "", built_compiler, built_type);
}

}  // namespace kinetree::bench
