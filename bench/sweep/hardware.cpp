#include "bench/sweep/hardware.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "engine/scalar/number_from.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::string unknown = "unknown";

/// The first line of a file; empty where there is none.
std::string line_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string or_unknown(std::string text) { return text.empty() ? unknown : text; }

/// Lines "key : value" of a file, under each key the values in their order.
std::map<std::string, std::vector<std::string>> values_of(const fs::path& file) {
  std::map<std::string, std::vector<std::string>> values;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(':'), end = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1),
                      begin = line.find_first_not_of(" \t", colon + 1);
    if (colon == std::string::npos || colon == 0) continue;
    values[line.substr(0, end + 1)].push_back(begin == std::string::npos ? "" : line.substr(begin));
  }
  return values;
}

/// The folders cpu0, cpu1, ... in any order.
std::vector<fs::path> processors(const fs::path& root) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "sys/devices/system/cpu", error)) {
    const std::string name = entry.path().filename().string();  // "cpufreq" and "cpuidle" stand there too
    if (name.starts_with("cpu") && name.find_first_not_of("0123456789", 3) == std::string::npos)
      folders.push_back(entry.path());
  }
  return folders;
}

/// What files of all processors say, each saying once, without those that say nothing.
std::set<std::string> sayings(const std::vector<fs::path>& cpus, const fs::path& file) {
  std::set<std::string> said;
  for (const fs::path& cpu : cpus)
    if (const std::string line = line_of(cpu / file); !line.empty()) said.insert(line);
  return said;
}

Json number_or_unknown(int number) { return number > 0 ? Json(number) : Json(unknown); }

std::string frequency_limits(const std::vector<fs::path>& cpus) {
  const auto least = [&](const char* file, bool largest) {
    double found = 0;
    for (const std::string& text : sayings(cpus, fs::path("cpufreq") / file)) {
      const double khz = first_number(text, 0.0);
      found = found == 0 ? khz : largest ? std::max(found, khz) : std::min(found, khz);
    }
    return found / 1e3;
  };
  const double low = least("scaling_min_freq", false), high = least("scaling_max_freq", true);
  return low > 0 && high > 0 ? fmt::format("{:.0f} to {:.0f} MHz", low, high) : unknown;
}

std::string hypervisor(const fs::path& root, const std::vector<std::string>& flags) {
  const std::string name = fmt::format("{} {}", line_of(root / "sys/class/dmi/id/sys_vendor"),
                                       line_of(root / "sys/class/dmi/id/product_name"));
  if (const std::string type = line_of(root / "sys/hypervisor/type"); !type.empty()) return type;
  if (flags.empty()) return unknown;  // other processors than x86 have no such flag
  if (fmt::format(" {} ", flags.front()).find(" hypervisor ") == std::string::npos) return "none";
  return name == " " ? "there is one, without a name" : name;
}

std::string memory(const fs::path& root) {
  const auto values = values_of(root / "proc/meminfo");
  const auto total = values.find("MemTotal");  // without what the kernel keeps, so rounded
  return total == values.end() ? unknown : fmt::format("{:.0f} GiB", first_number(total->second[0], 0.0) / (1 << 20));
}

}  // namespace

Json hardware() {
  static const Topology here = topology();
  return hardware("/", here);
}

Json hardware(const fs::path& root, const Topology& t) {
  const auto values = values_of(root / "proc/cpuinfo");
  const std::vector<fs::path> cpus = processors(root);
  const std::string control = line_of(root / "sys/devices/system/cpu/smt/control");
  const auto flags = values.find("flags");
  return {
      {"processor", processor_model(root)},
      {"sockets", number_or_unknown(t.sockets)},
      {"physical cores", number_or_unknown(t.cores)},
      {"kinds of cores", or_unknown(t.kinds)},
      {"logical processors", number_or_unknown(t.processors)},
      {"SMT", t.threads_of_core == 0
                  ? or_unknown(control)
                  : fmt::format("hardware threads of a core: {}, control: {}", t.threads_of_core, or_unknown(control))},
      {"NUMA nodes", or_unknown(t.nodes)},
      {"caches", or_unknown(t.caches)},
      {"frequency limits", frequency_limits(cpus)},
      {"frequency governor", or_unknown(fmt::format("{}", fmt::join(sayings(cpus, "cpufreq/scaling_governor"), ", ")))},
      {"hypervisor", hypervisor(root, flags == values.end() ? std::vector<std::string>{} : flags->second)},
      {"memory", memory(root)}};
}

std::string frequency_now(const fs::path& root) {
  const auto values = values_of(root / "proc/cpuinfo");
  const auto found = values.find("cpu MHz");
  if (found == values.end()) return unknown;
  std::vector<double> all;
  for (const std::string& text : found->second) all.push_back(first_number(text, 0.0));
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return fmt::format("{:.0f} to {:.0f} MHz", *low, *high);
}

}  // namespace kinetree::bench
