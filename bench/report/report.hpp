#pragma once
// One page that shows a sweep's results; it opens from disk, without a network.

#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// `results` as written to results.json.
std::string report_page(const nlohmann::ordered_json& results);

}  // namespace kinetree::bench
