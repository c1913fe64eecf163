#include "bench/sweep/hardware.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "engine/scalar/number_from.hpp"
#include "parallel/processors.hpp"
#if KINETREE_HWLOC
#include <hwloc.h>
#endif

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string or_unknown(std::string text) { return text.empty() ? "unknown" : text; }

#if KINETREE_HWLOC
/// "L1 data 32 KiB of 2 processors".
std::string cache_words(hwloc_obj_t cache) {
  const auto& [bytes, depth, line, ways, type] = cache->attr->cache;
  const bool mega = bytes % (1 << 20) == 0;
  const int shared = hwloc_bitmap_weight(cache->cpuset);
  return fmt::format("L{}{} {} {}iB{}", depth,
                     type == HWLOC_OBJ_CACHE_DATA          ? " data"
                     : type == HWLOC_OBJ_CACHE_INSTRUCTION ? " instruction"
                                                           : "",
                     bytes >> (mega ? 20 : 10), mega ? 'M' : 'K',
                     shared > 1 ? fmt::format(" of {} processors", shared) : "");
}

/// What a core reads through, from the nearest on; where cores differ, the number of those of each sort.
std::string caches_in(hwloc_topology_t t) {
  std::vector<std::pair<std::string, int>> sorts;
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_CORE, core)) != nullptr;) {
    std::vector<std::string> caches;
    for (const auto type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L2ICACHE,
                            HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L3ICACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE}) {
      hwloc_obj_t processor = hwloc_get_obj_inside_cpuset_by_type(t, core->cpuset, HWLOC_OBJ_PU, 0);
      const hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(t, type, processor);
      if (cache != nullptr && cache->attr->cache.size > 0) caches.push_back(cache_words(cache));
    }
    const std::string words = fmt::format("{}", fmt::join(caches, ", "));
    const auto known = std::ranges::find(sorts, words, &std::pair<std::string, int>::first);
    known == sorts.end() ? sorts.emplace_back(words, 1).second : ++known->second;
  }
  if (sorts.size() == 1) return sorts.front().first;
  std::vector<std::string> all;
  for (const auto& [words, cores] : sorts)
    all.push_back(fmt::format("{} {} {}", cores, cores == 1 ? "core:" : "cores:", or_unknown(words)));
  return fmt::format("{}", fmt::join(all, "; "));
}

/// "2, with processors 0-1; 2-3".
std::string nodes_in(hwloc_topology_t t) {
  std::vector<std::string> lists;
  for (hwloc_obj_t node = nullptr; (node = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    char list[4096];
    hwloc_bitmap_list_snprintf(list, sizeof list, node->cpuset);
    lists.emplace_back(list);
  }
  return lists.empty() ? "" : fmt::format("{}, with processors {}", lists.size(), fmt::join(lists, "; "));
}

/// "all alike", or "4 of IntelAtom; 2 of IntelCore", the less powerful first.
std::string kinds_in(hwloc_topology_t t) {
  const int count = hwloc_cpukinds_get_nr(t, 0);
  if (count == 1) return "all alike";
  std::vector<std::string> kinds;
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  for (int k = 0; k < count; ++k) {
    unsigned infos = 0;
    hwloc_info_s* info = nullptr;
    hwloc_cpukinds_get_info(t, static_cast<unsigned>(k), set, nullptr, &infos, &info, 0);
    std::map<std::string, std::string> told;
    for (unsigned i = 0; i < infos; ++i) told[info[i].name] = info[i].value;
    kinds.push_back(
        fmt::format("{}{}{}", std::max(0, hwloc_get_nbobjs_inside_cpuset_by_type(t, set, HWLOC_OBJ_CORE)),
                    told.contains("CoreType") ? " of " + told["CoreType"] : "",
                    told.contains("FrequencyMaxMHz") ? fmt::format(", up to {} MHz", told["FrequencyMaxMHz"]) : ""));
  }
  hwloc_bitmap_free(set);
  return fmt::format("{}", fmt::join(kinds, "; "));
}

/// The most; 0: not known.
int threads_of_core(hwloc_topology_t t) {
  int most = 0;
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_CORE, core)) != nullptr;)
    most = std::max(most, hwloc_bitmap_weight(core->cpuset));
  return most;
}
#endif

/// The first line of a file; empty where there is none.
std::string line_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// What the lines "key : value" of a file give to one key.
std::vector<std::string> values_of(const fs::path& file, const char* key) {
  std::vector<std::string> values;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (const std::size_t colon = line.find(':'); line.starts_with(key) && colon != std::string::npos)
      values.push_back(line.substr(colon + 1));
  return values;
}

/// What a file of all processors says, each saying once.
std::set<std::string> sayings(const fs::path& root, const char* file) {
  std::set<std::string> said;
  std::error_code error;
  for (const fs::directory_entry& cpu : fs::directory_iterator(root / "sys/devices/system/cpu", error)) {
    const char last = cpu.path().string().back();  // of "cpu0"; "cpufreq" and "cpuidle" stand there too
    if (const std::string line = line_of(cpu.path() / "cpufreq" / file); '0' <= last && last <= '9' && !line.empty())
      said.insert(line);
  }
  return said;
}

/// From the least of some numbers to the largest of others.
template <class Texts>
std::string megahertz(const Texts& lows, const Texts& highs, double unit) {
  const auto number = [&](const std::string& text) { return first_number(text, 0.0) / unit; };
  if (lows.empty() || highs.empty()) return "unknown";
  return fmt::format("{:.0f} to {:.0f} MHz", number(*std::ranges::min_element(lows, {}, number)),
                     number(*std::ranges::max_element(highs, {}, number)));
}

std::string hypervisor(const fs::path& root) {
  const std::string name = fmt::format("{} {}", line_of(root / "sys/class/dmi/id/sys_vendor"),
                                       line_of(root / "sys/class/dmi/id/product_name"));
  if (const std::string type = line_of(root / "sys/hypervisor/type"); !type.empty()) return type;
  const std::vector<std::string> flags = values_of(root / "proc/cpuinfo", "flags");
  if (flags.empty()) return "unknown";  // other processors than x86 have no such flag
  if ((flags.front() + " ").find(" hypervisor ") == std::string::npos) return "none";
  return name == " " ? "there is one, without a name" : name;
}

}  // namespace

Json hardware() {
#if KINETREE_HWLOC
  static const Json here = [] {
    hwloc_topology_t t = nullptr;
    if (hwloc_topology_init(&t) != 0) return hardware("/", nullptr);
    // processors that this process may not use are of the machine too
    hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    hwloc_topology_set_icache_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL);
    Json told = hardware("/", hwloc_topology_load(t) == 0 ? t : nullptr);
    hwloc_topology_destroy(t);
    return told;
  }();
  return here;
#else
  return hardware("/", nullptr);
#endif
}

Json hardware(const fs::path& root, [[maybe_unused]] hwloc_topology* t) {
  const std::string control = or_unknown(line_of(root / "sys/devices/system/cpu/smt/control"));
  const std::vector<std::string> total = values_of(root / "proc/meminfo", "MemTotal");
  Json json{{"processor", processor_model(root)},
            {"sockets", "unknown"},
            {"physical cores", "unknown"},
            {"kinds of cores", "unknown"},
            {"logical processors", "unknown"},
            {"SMT", control},
            {"NUMA nodes", "unknown"},
            {"caches", "unknown"},
            {"frequency limits", megahertz(sayings(root, "scaling_min_freq"), sayings(root, "scaling_max_freq"), 1000)},
            {"frequency governor", or_unknown(fmt::format("{}", fmt::join(sayings(root, "scaling_governor"), ", ")))},
            {"hypervisor", hypervisor(root)},
            // without what the kernel keeps, so rounded
            {"memory", total.empty() ? "unknown" : fmt::format("{:.0f} GiB", first_number(total[0], 0.0) / (1 << 20))}};
#if KINETREE_HWLOC
  if (t == nullptr) return json;
  for (const auto& [key, type] : {std::pair{"sockets", HWLOC_OBJ_PACKAGE},
                                  {"physical cores", HWLOC_OBJ_CORE},
                                  {"logical processors", HWLOC_OBJ_PU}})
    if (const int count = hwloc_get_nbobjs_by_type(t, type); count > 0) json[key] = count;
  json["kinds of cores"] = or_unknown(kinds_in(t));
  json["NUMA nodes"] = or_unknown(nodes_in(t));
  json["caches"] = or_unknown(caches_in(t));
  if (const int most = threads_of_core(t); most > 0)
    json["SMT"] = fmt::format("hardware threads of a core: {}, control: {}", most, control);
#endif
  return json;
}

std::string frequency_now(const fs::path& root) {
  const std::vector<std::string> all = values_of(root / "proc/cpuinfo", "cpu MHz");
  return megahertz(all, all, 1);
}

}  // namespace kinetree::bench
