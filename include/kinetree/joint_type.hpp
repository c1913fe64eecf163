#pragma once
// The joint types a user may name, and how many positions and velocities each has (docs/conventions.md).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kinetree {

enum class JointType : std::uint8_t {
  revolute,
  continuous,
  prismatic,
  helical,
  cylindrical,
  universal,
  spherical,
  planar,
  floating,
  fixed,
};

inline constexpr std::array<std::string_view, 10> joint_type_names{"revolute",    "continuous", "prismatic", "helical",
                                                                   "cylindrical", "universal",  "spherical", "planar",
                                                                   "floating",    "fixed"};
static_assert(joint_type_names.size() == static_cast<std::size_t>(JointType::fixed) + 1);  // `fixed` stays the last

constexpr std::string_view name_of(JointType type) { return joint_type_names[static_cast<std::size_t>(type)]; }

/// The type a user's word names; nothing if the word names none.
constexpr std::optional<JointType> joint_type_named(std::string_view word) {
  for (std::size_t i = 0; i < joint_type_names.size(); ++i)
    if (joint_type_names[i] == word) return static_cast<JointType>(i);
  return std::nullopt;
}

/// Entries of q: a spherical joint is a unit quaternion, a floating joint a point and a quaternion.
constexpr int position_count(JointType type) {
  constexpr std::array<int, joint_type_names.size()> counts{1, 1, 1, 1, 2, 2, 4, 3, 7, 0};
  return counts[static_cast<std::size_t>(type)];
}

/// Entries of v, tau and the accelerations: the degrees of freedom of the joint.
constexpr int velocity_count(JointType type) {
  constexpr std::array<int, joint_type_names.size()> counts{1, 1, 1, 1, 2, 2, 3, 3, 6, 0};
  return counts[static_cast<std::size_t>(type)];
}

static_assert(position_count(JointType::floating) == 7 && velocity_count(JointType::floating) == 6,
              "a type has a count in each list");

constexpr bool is_revolute(JointType type) { return type == JointType::revolute || type == JointType::continuous; }

/// Whether the joint has an axis: YAML requires one, URDF's default is x.
constexpr bool has_axis(JointType type) {
  return type != JointType::spherical && type != JointType::floating && type != JointType::fixed;
}

/// What a loop joint may leave free. A weld leaves nothing, point_on_line a point of the second body on the first's
/// axis.
enum class LoopType : std::uint8_t {
  revolute,
  prismatic,
  cylindrical,
  universal,
  spherical,
  planar,
  weld,
  point_on_line,
};

inline constexpr std::array<std::string_view, 8> loop_type_names{
    "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "weld", "point_on_line"};

constexpr std::string_view name_of(LoopType type) { return loop_type_names[static_cast<std::size_t>(type)]; }

constexpr std::optional<LoopType> loop_type_named(std::string_view word) {
  for (std::size_t i = 0; i < loop_type_names.size(); ++i)
    if (loop_type_names[i] == word) return static_cast<LoopType>(i);
  return std::nullopt;
}

/// Whether a loop joint has an axis the user must give.
constexpr bool has_axis(LoopType type) { return type != LoopType::spherical && type != LoopType::weld; }

}  // namespace kinetree
