#pragma once
// Where and how results were measured.

#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// Processes that wanted to run in the minute before, of the whole machine: timings on a busy one say little about
/// threads. "unknown" where the system does not tell.
std::string load_average();

/// Commit, compiler and flags, the machine (hardware.hpp), affinity, versions, date, and how busy the machine is.
/// `load_at_start`: load_average() before the work.
nlohmann::ordered_json measurement_context(const std::string& load_at_start);

/// "kinetree 0.1.0, commit 0123456789ab, GNU 12.2.0, Release".
std::string version_text();

}  // namespace kinetree::bench
