#pragma once
// What to do about a text that is no JSON, and where.

#include <kinetree/finding.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::inline inner {

/// A finding on a file whose text the parser refused by `error`.
Finding ill_formed_json(const nlohmann::json::exception& error, const std::string& text, const std::string& file);

}  // namespace kinetree::inline inner
