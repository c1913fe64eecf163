#pragma once
// The elements of an SDFormat file that are not read: each kind is told once, with the reason.

#include <kinetree/load_model.hpp>
#include <map>
#include <string>

#include "engine/io/sdf_load.hpp"

namespace kinetree::inline inner {

/// Counts what the file gives below an element and no reader takes. `unknown`: tags that are told apart.
void note_what_is_left_out(const sdf::ElementPtr& e, const std::map<std::string, SdfLoad::Unknown>& unknown,
                           const SdfPlaces& places, std::map<std::string, SdfLoad::Unknown>& left_out);

/// A warning for each tag that SDFormat has not.
void say_what_is_unknown(const std::map<std::string, SdfLoad::Unknown>& unknown, Reading& reading);

/// What is left out and is no element of a kind alone.
struct LeftOutOfSdf {
  int still = 0;              ///< models
  int without_inertial = 0;   ///< links
  int loops_with_forces = 0;  ///< axes of joints that close loops
};

/// A notice, or where it may change the dynamics a warning, for each tag and for each of `counts`. `xml`: the file.
void say_what_was_left_out(const std::map<std::string, SdfLoad::Unknown>& left_out, const LeftOutOfSdf& counts,
                           const XmlLines& xml, Reading& reading);

}  // namespace kinetree::inline inner
