#pragma once
// Pages that open from disk, without a network.

#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// What a sweep or a study measured. `results` as written to results.json.
std::string report_page(const nlohmann::ordered_json& results);

/// What became slower or faster. `comparison` as comparison_json makes it.
std::string comparison_page(const nlohmann::ordered_json& comparison);

}  // namespace kinetree::bench
