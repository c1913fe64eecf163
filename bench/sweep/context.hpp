#pragma once
// Where and how results were measured.

#include <nlohmann/json.hpp>

namespace kinetree::bench {

/// Commit, compiler and flags, processor, cores, affinity, versions, date.
nlohmann::ordered_json measurement_context();

}  // namespace kinetree::bench
