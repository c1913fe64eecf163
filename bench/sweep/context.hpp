#pragma once
// Where and how results were measured.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "parallel/bandwidth.hpp"

namespace kinetree::bench {

/// Processes that wanted to run in the minute before, of the whole machine: timings on a busy one say little about
/// threads. "unknown" where the system does not tell.
std::string load_average();

/// "one thread 31.1 GB/s, all threads 36.9 GB/s; L1 (48 KiB) 280 and 559 GB/s, L2 (1024 KiB) 116 and 234 GB/s".
std::string in_words(const Memory& memory);

/// Commit, compiler and flags, the machine (hardware.hpp), affinity, versions, date, and how busy the machine is.
/// `load_at_start`: load_average() before the work; `memory`: caches and memory, if they were measured then.
nlohmann::ordered_json measurement_context(const std::string& load_at_start, const std::optional<Memory>& memory = {});

/// "kinetree 0.1.0, commit 0123456789ab, GNU 12.2.0, Release".
std::string version_text();

}  // namespace kinetree::bench
