#include "bench/sweep/topology.hpp"

#if KINETREE_HWLOC
#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace kinetree::bench {
namespace {

struct Destroy {
  void operator()(hwloc_topology* t) const { hwloc_topology_destroy(t); }
};
struct Free {
  void operator()(hwloc_bitmap_s* set) const { hwloc_bitmap_free(set); }
};

/// "0-3,8".
std::string list_of(hwloc_const_bitmap_t set) {
  std::string text(static_cast<std::size_t>(hwloc_bitmap_list_snprintf(nullptr, 0, set)), ' ');
  hwloc_bitmap_list_snprintf(text.data(), text.size() + 1, set);
  return text;
}

int cores_in(hwloc_topology& t, hwloc_const_bitmap_t set) {
  return std::max(0, hwloc_get_nbobjs_inside_cpuset_by_type(&t, set, HWLOC_OBJ_CORE));
}

std::string size_in_words(hwloc_uint64_t bytes) {
  const bool whole = bytes % (1 << 20) == 0;
  return fmt::format("{} {}iB", bytes >> (whole ? 20 : 10), whole ? 'M' : 'K');
}

/// What a core reads through, from the nearest on.
std::string caches_of(hwloc_obj_t core) {
  std::vector<hwloc_obj_t> caches;
  for (hwloc_obj_t o = core; o != nullptr; o = o->parent)
    if (hwloc_obj_type_is_cache(o->type) != 0 && o->attr->cache.size > 0) caches.push_back(o);
  std::stable_sort(caches.begin(), caches.end(), [](hwloc_obj_t a, hwloc_obj_t b) {
    const auto place = [](hwloc_obj_t o) {
      return std::pair(o->attr->cache.depth, o->attr->cache.type == HWLOC_OBJ_CACHE_INSTRUCTION);
    };
    return place(a) < place(b);
  });
  std::string text;
  for (const hwloc_obj_t o : caches) {
    const int shared = hwloc_bitmap_weight(o->cpuset);
    text += fmt::format("{}L{}{} {}{}", text.empty() ? "" : ", ", o->attr->cache.depth,
                        o->attr->cache.type == HWLOC_OBJ_CACHE_DATA          ? " data"
                        : o->attr->cache.type == HWLOC_OBJ_CACHE_INSTRUCTION ? " instruction"
                                                                             : "",
                        size_in_words(o->attr->cache.size), shared > 1 ? fmt::format(" of {} processors", shared) : "");
  }
  return text;
}

/// Those of all cores, in the order of the first; the number of cores where they differ.
std::string caches_in(hwloc_topology& t) {
  std::vector<std::pair<std::string, int>> found;
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(&t, HWLOC_OBJ_CORE, core)) != nullptr;) {
    // the caches of a core may be below it too
    hwloc_obj_t lowest = core;
    while (lowest->first_child != nullptr) lowest = lowest->first_child;
    const std::string text = caches_of(lowest);
    const auto one = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == text; });
    if (one == found.end())
      found.emplace_back(text, 1);
    else
      ++one->second;
  }
  if (found.size() == 1) return found.front().first;
  std::string all;
  for (const auto& [text, cores] : found)
    all += fmt::format("{}{} {} {}", all.empty() ? "" : "; ", cores,
                       cores == 1 ? "core:" : "cores:", text.empty() ? "unknown" : text);
  return all;
}

std::string nodes_in(hwloc_topology& t) {
  std::string lists;
  int count = 0;
  for (hwloc_obj_t node = nullptr; (node = hwloc_get_next_obj_by_type(&t, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    lists += (count++ == 0 ? "" : "; ") + list_of(node->cpuset);
  }
  return count == 0 ? "" : fmt::format("{}, with processors {}", count, lists);
}

std::string kinds_in(hwloc_topology& t) {
  const int count = hwloc_cpukinds_get_nr(&t, 0);
  if (count == 1) return "all alike";
  std::string text;
  for (int k = 0; k < count; ++k) {
    const std::unique_ptr<hwloc_bitmap_s, Free> set(hwloc_bitmap_alloc());
    unsigned infos = 0;
    hwloc_info_s* info = nullptr;
    if (hwloc_cpukinds_get_info(&t, static_cast<unsigned>(k), set.get(), nullptr, &infos, &info, 0) != 0) return "";
    std::map<std::string, std::string> told;
    for (unsigned i = 0; i < infos; ++i) told[info[i].name] = info[i].value;
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", cores_in(t, set.get()),
                        told.contains("CoreType") ? " of " + told["CoreType"] : "",
                        told.contains("FrequencyMaxMHz") ? fmt::format(", up to {} MHz", told["FrequencyMaxMHz"]) : "");
  }
  return text;
}

}  // namespace

Topology topology_of(hwloc_topology& t) {
  const auto count = [&](hwloc_obj_type_t type) { return std::max(0, hwloc_get_nbobjs_by_type(&t, type)); };
  Topology all{.sockets = count(HWLOC_OBJ_PACKAGE),
               .cores = count(HWLOC_OBJ_CORE),
               .processors = count(HWLOC_OBJ_PU),
               .nodes = nodes_in(t),
               .caches = caches_in(t),
               .kinds = kinds_in(t)};
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(&t, HWLOC_OBJ_CORE, core)) != nullptr;)
    all.threads_of_core = std::max(all.threads_of_core, hwloc_bitmap_weight(core->cpuset));
  return all;
}

Topology topology() {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return {};
  const std::unique_ptr<hwloc_topology, Destroy> t(made);
  // processors that this process may not use are of the machine too
  hwloc_topology_set_flags(t.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_icache_types_filter(t.get(), HWLOC_TYPE_FILTER_KEEP_ALL);
  return hwloc_topology_load(t.get()) == 0 ? topology_of(*t) : Topology{};
}

}  // namespace kinetree::bench
#else
namespace kinetree::bench {

Topology topology() { return {}; }

}  // namespace kinetree::bench
#endif
