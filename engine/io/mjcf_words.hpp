#pragma once
// The words of MJCF as MuJoCo 3.3 has them: which elements have a part in the dynamics, and what they may say.

#include <span>
#include <string_view>

namespace kinetree::inline inner {

/// What becomes of an element.
enum class MjcfPart {
  read,     ///< it is read; its attributes are checked
  force,    ///< it acts by a force that kinetree does not apply
  nothing,  ///< it has no part in the dynamics: it is left out with all inside it
};

struct MjcfWord {
  std::string_view within;  ///< the element around it; what stands in a body may stand in <worldbody>, <frame>, too
  std::string_view tag;
  MjcfPart part = MjcfPart::nothing;
  std::string_view attributes = {};  ///< of what is read, with a space before and after each
  bool placed = false;               ///< it may have a position and an orientation
};

std::span<const MjcfWord> mjcf_words();

/// The attributes of a position and an orientation.
inline constexpr std::string_view mjcf_pose_attributes = " pos quat axisangle xyaxes zaxis euler ";

/// Whether an element of that word may have the attribute.
bool allows(const MjcfWord& word, std::string_view attribute);

/// The word of an element inside another; null: MuJoCo 3.3 has none.
const MjcfWord* mjcf_word(std::string_view within, std::string_view tag);

}  // namespace kinetree::inline inner
