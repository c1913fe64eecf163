#include "bench/sweep/hardware.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

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

/// How many processors "0-3,8" names.
int count_of(const std::string& list) {
  int count = 0;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) {
    int first = 0, last = 0;
    const int read = std::sscanf(part.c_str(), "%d-%d", &first, &last);
    count += read == 2 ? last - first + 1 : read;
  }
  return count;
}

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

/// Folders of `parent` by name and number, such as cpu0, cpu1, in the order of their numbers.
std::vector<fs::path> numbered(const fs::path& parent, const std::string& name) {
  std::map<int, fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const std::string own = entry.path().filename().string();
    int number = 0, end = 0;
    if (own.starts_with(name) && std::sscanf(own.c_str() + name.size(), "%d%n", &number, &end) == 1 &&
        name.size() + static_cast<std::size_t>(end) == own.size())
      found.emplace(number, entry.path());
  }
  std::vector<fs::path> folders;
  for (const auto& [number, folder] : found) folders.push_back(folder);
  return folders;
}

/// What files of all processors say, each saying once, without those that say nothing.
std::set<std::string> sayings(const std::vector<fs::path>& cpus, const fs::path& file) {
  std::set<std::string> said;
  for (const fs::path& cpu : cpus)
    if (const std::string line = line_of(cpu / file); !line.empty()) said.insert(line);
  return said;
}

Json number_or_unknown(std::size_t number) { return number > 0 ? Json(number) : Json(unknown); }

/// "32768K" in words: "32 MiB".
std::string size_in_words(const std::string& text) {
  int size = 0;
  char unit = ' ';
  if (std::sscanf(text.c_str(), "%d%c", &size, &unit) != 2 || (unit != 'K' && unit != 'M')) return text;
  const bool whole = unit == 'K' && size % 1024 == 0;
  return fmt::format("{} {}iB", whole ? size / 1024 : size, whole ? 'M' : unit);
}

/// "L1 data 32 KiB, L2 1 MiB, L3 32 MiB of 2 processors".
std::string caches(const fs::path& cpu) {
  std::string text;
  for (const fs::path& cache : numbered(cpu / "cache", "index")) {
    const std::string level = line_of(cache / "level"), size = line_of(cache / "size"), type = line_of(cache / "type");
    if (level.empty() || size.empty()) continue;
    const int shared = count_of(line_of(cache / "shared_cpu_list"));
    text += fmt::format("{}L{}{} {}{}", text.empty() ? "" : ", ", level,
                        type == "Data"          ? " data"
                        : type == "Instruction" ? " instruction"
                                                : "",
                        size_in_words(size), shared > 1 ? fmt::format(" of {} processors", shared) : "");
  }
  return or_unknown(text);
}

std::string nodes(const fs::path& root) {
  std::vector<std::string> lists;
  for (const fs::path& node : numbered(root / "sys/devices/system/node", "node"))
    lists.push_back(line_of(node / "cpulist"));
  return lists.empty() ? unknown : fmt::format("{}, with processors {}", lists.size(), fmt::join(lists, "; "));
}

std::string frequency_limits(const std::vector<fs::path>& cpus) {
  const auto least = [&](const char* file, bool largest) {
    double found = 0;
    for (const std::string& text : sayings(cpus, fs::path("cpufreq") / file)) {
      const double khz = std::atof(text.c_str());
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
  return total == values.end() ? unknown : fmt::format("{:.0f} GiB", std::atof(total->second[0].c_str()) / (1 << 20));
}

}  // namespace

Json hardware(const fs::path& root) {
  const auto values = values_of(root / "proc/cpuinfo");
  const auto of = [&](const char* key) {
    const auto found = values.find(key);
    return found == values.end() ? std::vector<std::string>{} : found->second;
  };
  const std::vector<fs::path> cpus = numbered(root / "sys/devices/system/cpu", "cpu");
  const std::set<std::string> cores = sayings(cpus, "topology/thread_siblings_list");
  const std::string control = line_of(root / "sys/devices/system/cpu/smt/control");
  return {
      {"processor", processor_model(root)},
      {"sockets", number_or_unknown(sayings(cpus, "topology/physical_package_id").size())},
      {"physical cores", number_or_unknown(cores.size())},
      {"logical processors", number_or_unknown(of("processor").size())},
      {"SMT", cores.empty() ? or_unknown(control)
                            : fmt::format("hardware threads of a core: {}, control: {}", count_of(*cores.begin()),
                                          or_unknown(control))},
      {"NUMA nodes", nodes(root)},
      {"caches", cpus.empty() ? unknown : caches(cpus.front())},
      {"frequency limits", frequency_limits(cpus)},
      {"frequency governor", or_unknown(fmt::format("{}", fmt::join(sayings(cpus, "cpufreq/scaling_governor"), ", ")))},
      {"hypervisor", hypervisor(root, of("flags"))},
      {"memory", memory(root)},
      {"memory bandwidth", "not measured"}};
}

std::string frequency_now(const fs::path& root) {
  const auto values = values_of(root / "proc/cpuinfo");
  const auto found = values.find("cpu MHz");
  if (found == values.end()) return unknown;
  std::vector<double> all;
  for (const std::string& text : found->second) all.push_back(std::atof(text.c_str()));
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return fmt::format("{:.0f} to {:.0f} MHz", *low, *high);
}

}  // namespace kinetree::bench
