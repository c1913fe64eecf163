#pragma once
// What kinetree_peers --json wrote, for the report's section on other libraries.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// The file as it stands. Throws InputError with a finding for every place that the report can't do with: file, place
/// in the file (`cases[2].results[0].median_ns`), what stands there and what belongs there.
///
///     program "kinetree_peers", format 2
///     context              as in results.json
///     states, batch, rounds, state_distribution, interval
///     missing              [{name, package}]: libraries that the program was built without
///     cases                [{function, result, reference, model, floating, bodies, nv, results}]: function is a name
///     and
///                          result a word of bench/peers/function.hpp, reference the name of the contender that all
///                          others agree with
///     results              [{name, version, package, path, scalar, threads, states_per_call, tolerance, difference,
///                            and either refusal, or median_ns, low_ns, high_ns (per state) and
///                            ratios: {NAME: {median, low, high}}, time over NAME's in the same round}];
///                            `difference` only where there are results to compare
nlohmann::ordered_json read_peers(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in findings.
nlohmann::ordered_json read_peers_text(const std::string& text, const std::string& name);

}  // namespace kinetree::bench
