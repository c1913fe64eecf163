#pragma once
// Where and how results were measured.

#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// Commit, compiler and flags, processor, cores, affinity, versions, date.
nlohmann::ordered_json measurement_context();

/// "kinetree 0.1.0, commit 0123456789ab, GNU 12.2.0, Release".
std::string version_text();

}  // namespace kinetree::bench
