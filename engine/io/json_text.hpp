#pragma once
// JSON files of the command: one value, or every reason why the text is none.

#include <kinetree/finding.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// The object that a text is. A key that stands twice is an error in `findings`, and the last one's value is kept.
/// Throws InputError, with `findings` first, where the text is no JSON, no object, or has too many lists and objects.
/// `with`: the keys that an object must have, for the message.
nlohmann::json json_object(const std::string& text, const std::string& file, const std::string& with,
                           std::vector<Finding>& findings);

/// A value for a message. Nested ones are only named: writing them out would recurse as deep as they are.
std::string shown(const nlohmann::json& value);

}  // namespace kinetree::inline inner
