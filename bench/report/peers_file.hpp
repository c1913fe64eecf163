#pragma once
// What kinetree_peers --json wrote, for the report's section on other libraries.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// The file as it stands; its form is in peers_file.cpp, and `function` and `result` are words of
/// bench/peers/function.hpp. `reference` is the contender that all others agree with, `ratios` are times over those of
/// others in the same round, `difference` stands where there are results to compare. Throws InputError with a finding
/// for every place that the report can't do with: file, place in the file (`cases[2].results[0].median_ns`), what
/// stands there and what belongs there.
nlohmann::ordered_json read_peers(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in findings.
nlohmann::ordered_json read_peers_text(const std::string& text, const std::string& name);

}  // namespace kinetree::bench
