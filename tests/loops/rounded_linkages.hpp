#pragma once
// Linkages in space as files have them: links in frames of their own, whose angles stand there with a few digits. With
// all digits each closes at zero; most have redundant rows, which rounding makes contradict each other.

#include <kinetree/model.hpp>
#include <string_view>

namespace kinetree::oracle {

enum class Linkage {
  four_bar,      ///< planar, like the next five
  connected,     ///< a four-bar closed by a ball
  five_bar,      ///< two degrees of freedom
  six_bar,       ///< two loops with a common bar (Stephenson)
  slider_crank,  ///< a rod that ends on a slide
  platform,      ///< three legs of three turning joints
  spherical,     ///< axes through one point
  bennett,       ///< Bennett (1903): lengths are as sines of twists
  sarrus,        ///< two folding legs at right angles, straight motion
  rssr,          ///< two balls: nothing is redundant, like the next
  rccc           ///< three cylindrical joints
};
inline constexpr int linkage_count = 11;
inline constexpr std::string_view linkage_names[]{"four_bar",     "connected", "five_bar",  "six_bar",
                                                  "slider_crank", "platform",  "spherical", "bennett",
                                                  "sarrus",       "rssr",      "rccc"};

/// Some linkage of that kind; angles have that many decimals. `offset`: from the world's origin to the linkage, m.
Description linkage(Linkage kind, int seed, int decimals, const Numbers3& offset = {0, 0, 0});

}  // namespace kinetree::oracle
