#pragma once
// The machine that results are measured on, as hwloc and Linux tell it.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/sweep/topology.hpp"

namespace kinetree::bench {

/// Processor, sockets, cores and their kinds, SMT, NUMA nodes, caches, limits of the frequency, governor, hypervisor
/// and memory. What is not known is "unknown".
nlohmann::ordered_json hardware();

/// Of a machine of this topology, whose proc and sys stand in folder `root`.
nlohmann::ordered_json hardware(const std::filesystem::path& root, const Topology& topology);

/// Of all processors as they run now, least to largest, where the kernel tells it: "1500 to 2596 MHz".
std::string frequency_now(const std::filesystem::path& root = "/");

}  // namespace kinetree::bench
