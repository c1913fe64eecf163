#pragma once
// Pages are made of parts that go where marks stand.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinetree::bench {

/// A mark, {{such}}, and what stands there instead.
using PagePart = std::pair<std::string_view, std::string_view>;

/// The text with every part at its marks. Marks in the parts themselves are not looked at: these hold strangers' texts.
std::string filled(std::string_view text, const std::vector<PagePart>& parts);

/// JSON inside a script element: nothing may look like the element's end, or like a comment's or another script's
/// beginning, which would hide the end. In JSON a < stands in texts alone, and may be written by its number.
std::string safe_in_script(const std::string& json);

}  // namespace kinetree::bench
