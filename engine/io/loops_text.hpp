#pragma once
// The part of a YAML model that closes loops and couples joints, as a text of its own.

#include <kinetree/load_model.hpp>
#include <string>

namespace kinetree::inline inner {

/// Reads `loops`, `couplings`, `forces`, `independent` and `assembled`; other keys are errors. Findings call the text
/// `name`.
Reading read_loops_text(const std::string& text, const std::string& name);

}  // namespace kinetree::inline inner
