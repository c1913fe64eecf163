#pragma once
// The notice that a model has passive forces, which the library leaves to its callers; the command knows it by its text
// and says instead what its own users can do.

#include <string_view>

namespace kinetree::inline inner {

inline constexpr std::string_view passive_notice =
    "joints have damping, friction or springs, which act where add_passive_forces adds them to tau";

}  // namespace kinetree::inline inner
