#pragma once
// The notices that a model has passive forces, which the library leaves to its callers; the command knows them by their
// texts and says instead what its own users can do.

#include <string_view>

namespace kinetree::inline inner {

inline constexpr std::string_view passive_notice =
    "joints have damping, friction or springs, which act where add_passive_forces adds them to tau";
inline constexpr std::string_view point_force_notice =
    "forces between points act where a PointForces (point_forces.hpp) of them adds them to f_ext";

}  // namespace kinetree::inline inner
