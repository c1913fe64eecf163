#pragma once
// Results as JSON and CSV, the files they are written to, and what is said of them on stderr. Cases that nothing is
// known of yet are left out.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

nlohmann::ordered_json results_json(const SweepResults& results, const nlohmann::ordered_json& context);
/// One line per case; docs/using.md says what its columns mean. `context`: as in the results.
std::string results_csv(const SweepResults& results, const nlohmann::ordered_json& context);

/// results.json (`json`: the above, and what was added to it), results.csv and report.html, all or none; where the
/// results are not complete under their incomplete names, which go once they are. Gives the files' names.
std::vector<std::filesystem::path> write_results(const std::filesystem::path& folder, const SweepResults& results,
                                                 const nlohmann::ordered_json& json);

/// What the sweep did without, and where its predictions are not of the cores as they were.
void tell_notes(const SweepResults& results);
/// The cases that failed, and why; whether one did.
bool tell_failures(const SweepResults& results);

}  // namespace kinetree::bench
