#pragma once
// JSON files of the command: one value, or every reason why the text is none.

#include <cstddef>
#include <kinetree/finding.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// Much memory, not all there is: a list of numbers takes 8 times its text and a list of empty objects 30 times.
struct JsonLimits {
  std::size_t containers = 10'000'000;  ///< lists and objects
  std::size_t twice = 1000;             ///< keys that stand twice and are named
};

/// The object that a text is. A key that stands twice is an error in `findings`, and the last one's value is kept.
/// Throws InputError, with `findings` first, where the text is no JSON, no object, or has too many lists and objects.
/// `with`: the keys that an object must have, for the message.
nlohmann::json json_object(const std::string& text, const std::string& file, const std::string& with,
                           std::vector<Finding>& findings, const JsonLimits& limits = {});

/// A value for a message. Nested ones are only named: writing them out would recurse as deep as they are.
std::string shown(const nlohmann::json& value);

}  // namespace kinetree::inline inner
