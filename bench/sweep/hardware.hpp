#pragma once
// The machine that results are measured on, as Linux tells it.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// Processor, sockets, cores, SMT, NUMA nodes, caches, limits of the frequency, governor, hypervisor and memory of the
/// machine whose proc and sys stand in folder `root`. What can't be read is "unknown".
nlohmann::ordered_json hardware(const std::filesystem::path& root = "/");

/// Of all processors as they run now, least to largest, where the kernel tells it: "1500 to 2596 MHz".
std::string frequency_now(const std::filesystem::path& root = "/");

}  // namespace kinetree::bench
