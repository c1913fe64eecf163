#pragma once
// The machine that results are measured on, as hwloc and Linux tell it.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

struct hwloc_topology;

namespace kinetree::bench {

/// Processor, sockets, cores and their kinds, SMT, NUMA nodes, caches, limits of the frequency, governor, hypervisor
/// and memory: of the whole machine, whatever part of it this process may use. What is not known is "unknown".
nlohmann::ordered_json hardware();

/// The same of a machine whose proc and sys stand in folder `root`. `topology`: as hwloc has loaded it; null: not known, as in a
/// command that is built without hwloc.
nlohmann::ordered_json hardware(const std::filesystem::path& root, hwloc_topology* topology);

/// How fast all processors run now, least to largest, where the kernel tells it: "1500 to 2596 MHz".
std::string frequency_now(const std::filesystem::path& root = "/");

}  // namespace kinetree::bench
