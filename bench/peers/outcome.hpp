#pragma once
// What timing a case came to: for the terminal, and for the report.

#include <nlohmann/json.hpp>

#include "bench/peers/contenders.hpp"

namespace kinetree::peers {

/// One entry of `cases` in the file that bench/report/peers_file.hpp describes. The first contender was timed.
nlohmann::ordered_json case_json(const Case& test, Function function, const std::vector<Contender>& all);

/// The same as a table.
void print_case(const nlohmann::ordered_json& entry);

}  // namespace kinetree::peers
