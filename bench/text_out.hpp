#pragma once
// Names and paths are bytes that strangers chose: how they go into JSON, HTML and CSV.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kinetree::bench {

/// JSON that any parser takes: bytes that are not UTF-8 become U+FFFD, which is said on stderr once per process.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

/// A cell of a CSV file, in quotes. One that spreadsheets would take for a formula (it begins with = + - @, a tab or a
/// carriage return) gets an apostrophe before it, by which they know a text.
std::string csv_cell(std::string_view text);

}  // namespace kinetree::bench
