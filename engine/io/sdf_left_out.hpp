#pragma once
// The elements of an SDFormat file that are not read: each kind is told once, with the reason.

#include "engine/io/sdf_load.hpp"

namespace kinetree::inline inner {

/// Counts what the file gives below an element and no reader takes. `unknown`: tags that are told apart.
void note_what_is_left_out(const sdf::ElementPtr& e, const std::map<std::string, SdfLoad::Unknown>& unknown,
                           std::map<std::string, SdfLoad::Unknown>& left_out);

/// Why elements of a tag are left out.
std::string sdf_reason(const std::string& tag);

/// Whether it may change the dynamics.
bool sdf_dynamics(const std::string& tag);

}  // namespace kinetree::inline inner
