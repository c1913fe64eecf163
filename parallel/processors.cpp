#include "parallel/processors.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>

#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

bool has_word(const std::string& list, const std::string& word) {
  const std::vector<std::string> words = split(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether a list such as "0-3,8" names a processor.
bool holds(const std::string& list, int processor) {
  for (const std::string& part : split(list, ',')) {
    const std::size_t dash = std::min(part.find('-'), part.size());
    const auto first = number_from<int>(part.substr(0, dash));
    const auto last = dash == part.size() ? first : number_from<int>(part.substr(dash + 1));
    if (first && last && processor >= *first && processor <= *last) return true;
  }
  return false;
}

/// The allowed processors core by core: processors of one core name the same siblings.
std::vector<std::vector<int>> by_core(const fs::path& root, const std::vector<int>& allowed) {
  std::map<std::string, std::size_t> index;
  std::vector<std::vector<int>> cores;
  for (const int cpu : allowed) {
    const fs::path topology = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "topology";
    std::string siblings;
    // thread_siblings_list is the older name
    if (!(std::ifstream(topology / "core_cpus_list") >> siblings) &&
        !(std::ifstream(topology / "thread_siblings_list") >> siblings))
      siblings = std::to_string(cpu);
    const auto [core, is_new] = index.emplace(siblings, cores.size());
    if (is_new) cores.emplace_back();
    cores[core->second].push_back(cpu);
  }
  return cores;
}

/// What a cgroup's own folder allows, in processors; infinity where it sets no limit.
double quota_of(const fs::path& folder, bool second) {
  const auto line_of = [&folder](const char* file) {
    std::string line;
    std::ifstream stream(folder / file);
    std::getline(stream, line);
    return line;
  };
  double quota = -1, period = 0;
  if (second) {  // "max 100000", or "150000 100000"
    const std::string line = line_of("cpu.max");
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() == 2) quota = first_number(words[0], -1.0), period = first_number(words[1], 0.0);
  } else {  // -1: no limit
    quota = first_number(line_of("cpu.cfs_quota_us"), -1.0), period = first_number(line_of("cpu.cfs_period_us"), 0.0);
  }
  return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

/// A mounted hierarchy that may limit processors.
struct Hierarchy {
  bool second = false;
  std::string top;  ///< which cgroup is mounted: in a container not always "/"
  fs::path folder;  ///< where
};

std::vector<Hierarchy> hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    // id parent device top folder options [tags] - type source settings
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> before = split(line.substr(0, dash), ' '), after = split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.empty()) continue;
    const bool second = after[0] == "cgroup2";
    if (!second && !(after[0] == "cgroup" && after.size() > 2 && has_word(after[2], "cpu"))) continue;
    found.push_back({second, before[3], root / fs::path(before[4]).relative_path()});
  }
  return found;
}

/// The process's cgroup in each version: "0::/path", or "4:cpu,cpuacct:/path".
std::string cgroup_path(const fs::path& root, bool second) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), last = line.find(':', first + 1);
    if (first == std::string::npos || last == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, last - first - 1);
    if (second ? controllers.empty() && line.substr(0, first) == "0" : has_word(controllers, "cpu"))
      return line.substr(last + 1);
  }
  return "/";
}

/// The least quota from the process's cgroup up to what is mounted.
double least_quota(const fs::path& root) {
  double least = std::numeric_limits<double>::infinity();
  for (const Hierarchy& h : hierarchies(root)) {
    const fs::path inside = fs::path(cgroup_path(root, h.second)).lexically_relative(h.top);
    least = std::min(least, quota_of(h.folder, h.second));
    fs::path folder = h.folder;
    for (const fs::path& part : inside) {
      if (part == "..") break;  // the cgroup lies outside of what is mounted: only the top can be seen
      folder /= part;
      least = std::min(least, quota_of(folder, h.second));
    }
  }
  return least;
}

/// A set of processors 0 to `most`, empty.
struct ProcessorSet {
  explicit ProcessorSet(int most)
      : mask(CPU_ALLOC(static_cast<std::size_t>(most))), size(CPU_ALLOC_SIZE(static_cast<std::size_t>(most))) {
    if (mask) CPU_ZERO_S(size, mask.get());
  }
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> mask;
  std::size_t size;
};

/// Processors of this thread's affinity mask; the mask is as long as the kernel asks for.
std::vector<int> allowed_processors() {
  for (int most = 1024; most <= 1 << 20; most *= 2) {
    const auto [mask, size] = ProcessorSet(most);
    if (!mask) break;
    if (sched_getaffinity(0, size, mask.get()) != 0) {
      if (errno == EINVAL) continue;
      break;
    }
    std::vector<int> allowed;
    for (int cpu = 0; cpu < most; ++cpu)
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, mask.get())) allowed.push_back(cpu);
    return allowed;
  }
  return {};
}

}  // namespace

int physical_cores(const fs::path& root, const std::vector<int>& allowed) {
  const int cores = std::max(1, static_cast<int>(by_core(root, allowed).size()));
  const double quota = std::ceil(least_quota(root));
  return quota < cores ? std::max(1, static_cast<int>(quota)) : cores;
}

int physical_cores() { return physical_cores("/", allowed_processors()); }

std::vector<int> processors_round_robin(int own, const fs::path& root, const std::vector<int>& allowed) {
  std::vector<std::vector<int>> cores = by_core(root, allowed);
  const auto holds_own = [own](const std::vector<int>& core) {
    return std::find(core.begin(), core.end(), own) != core.end();
  };
  if (const auto core = std::find_if(cores.begin(), cores.end(), holds_own); core != cores.end())
    std::rotate(cores.begin(), core + 1, cores.end());
  std::vector<int> processors;
  for (std::size_t k = 0; processors.size() < allowed.size(); ++k)
    for (const std::vector<int>& core : cores)
      if (k < core.size()) processors.push_back(core[k]);
  return processors;
}

std::vector<int> processors_round_robin(int own) { return processors_round_robin(own, "/", allowed_processors()); }

std::vector<int> one_of_each_core() {
  std::vector<int> processors = processors_round_robin(sched_getcpu());
  processors.resize(std::min(processors.size(), static_cast<std::size_t>(physical_cores())));
  return processors;
}

void pin_to(int processor) {
  const auto [mask, size] = ProcessorSet(processor + 1);
  if (!mask) return;
  CPU_SET_S(static_cast<std::size_t>(processor), size, mask.get());
  sched_setaffinity(0, size, mask.get());
}

std::string processor_model(const fs::path& root) {
  std::ifstream file(root / "proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown";
}

std::string processor_model() { return processor_model("/"); }

std::vector<DataCache> data_caches(const fs::path& root, const std::vector<int>& allowed) {
  const std::vector<std::vector<int>> cores = by_core(root, allowed);
  const fs::path cpu =
      root / "sys/devices/system/cpu" / ("cpu" + std::to_string(allowed.empty() ? 0 : allowed.front()));
  std::vector<DataCache> caches;
  for (int index = 0;; ++index) {
    const fs::path folder = cpu / "cache" / ("index" + std::to_string(index));
    std::string text, type, level, shared;
    if (!(std::ifstream(folder / "size") >> text)) break;  // "32768K", "32M"
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto size = number_from<double>(text.substr(0, end));
    if (!size) break;
    const char unit = end < text.size() ? text[end] : ' ';
    std::ifstream(folder / "type") >> type;
    if (type == "Instruction") continue;
    DataCache cache{0, *size * (unit == 'K' ? 1 << 10 : unit == 'M' ? 1 << 20 : 1), 0};
    if (std::ifstream(folder / "level") >> level) cache.level = first_number(level, 0);
    std::ifstream(folder / "shared_cpu_list") >> shared;
    for (const std::vector<int>& core : cores) cache.cores += static_cast<int>(holds(shared, core.front()));
    cache.cores = std::max(1, cache.cores);
    caches.push_back(cache);
  }
  std::sort(caches.begin(), caches.end(), [](const DataCache& a, const DataCache& b) { return a.level < b.level; });
  return caches;
}

std::vector<DataCache> data_caches() {
  const std::vector<int> allowed = allowed_processors();
  std::vector<DataCache> caches = data_caches("/", allowed);
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
  if (!caches.empty()) return caches;
  int level = 0;
  for (const int name : {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    ++level;
    if (const long bytes = sysconf(name); bytes > 0) caches.push_back({level, static_cast<double>(bytes), 1});
  }
  // sysconf gives a package's third level, also in a virtual machine, but four or eight cores share each part of it
  if (!caches.empty()) caches.push_back({3, 0, std::max(1, static_cast<int>(by_core("/", allowed).size()))});
#endif
  return caches;
}

double bytes_of_last(const std::vector<DataCache>& caches) { return caches.empty() ? 0 : caches.back().bytes; }

int count_of_last(const std::vector<DataCache>& caches, int cores) {
  return caches.empty() ? 1 : (cores + caches.back().cores - 1) / caches.back().cores;
}

double bytes_of_a_core(const std::vector<DataCache>& caches) {
  double largest = 0;
  for (std::size_t k = 0; k + 1 < caches.size(); ++k)
    if (caches[k].cores == 1) largest = std::max(largest, caches[k].bytes);
  return largest;
}

}  // namespace kinetree::inline inner
