#pragma once
// Results as JSON and CSV.

#include <nlohmann/json.hpp>
#include <string>

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

nlohmann::ordered_json results_json(const SweepResults& results, const nlohmann::ordered_json& context);
/// One line per case.
std::string results_csv(const SweepResults& results);

}  // namespace kinetree::bench
