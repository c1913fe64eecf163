#pragma once
// What libsdformat says of a text's faults, as findings: each once, with its place.

#include <string>

#include "engine/io/sdf_load.hpp"

namespace kinetree::inline inner {

inline const std::string name_of_sdf_text = "<data-string>";  ///< what libsdformat calls a text without a file

/// Adds findings to `out`, and the elements that SDFormat has not. `printed`: what libsdformat would have printed.
/// `name` stands for the file, `lines` are its text's.
void sort_sdf_errors(const sdf::Errors& errors, const std::string& printed, const std::string& name,
                     const XmlLines& lines, SdfLoad& out);

}  // namespace kinetree::inline inner
