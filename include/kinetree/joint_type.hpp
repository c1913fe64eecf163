#pragma once
// The joint types a user may name, and what holds of each (docs/conventions.md).

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

/// What holds of all joints of a type. The kernels' part is in engine/joint: `S`, and what it does to numbers.
struct JointFacts {
  /// What of the child stays in place on the parent while the joint moves, if anything does.
  enum class Keeps : std::uint8_t { axis, point, nothing };

  std::string_view name;  ///< the user's word
  int positions;          ///< entries of q
  int velocities;         ///< entries of v, tau and the accelerations: the degrees of freedom
  int quaternion;         ///< where a unit quaternion x, y, z, w begins among the positions; -1: there is none
  unsigned slides;        ///< bit k: velocity k is a displacement's rate, else an angle's
  Keeps keeps;
  bool axis, second_axis, pitch;  ///< whether a description gives it these
  bool along_axis;                ///< whether it turns about its axis, slides along it, or both, and does nothing else
  bool whole_turns;               ///< whether a whole turn of an angle brings it back to where it was
  bool slope;                     ///< whether it slides Link::constant[0] metres for each radian that it turns
  std::string_view motion = {};   ///< of one degree of freedom: as a sentence has it
};

// clang-format off
inline constexpr std::array<JointFacts, 10> joint_facts{{
  // name         q  v  quaternion  slides    keeps                       axis  second  pitch  along_axis  whole_turns  slope  motion
  {"revolute",    1, 1, -1,         0b0,      JointFacts::Keeps::axis,    true,  false, false, true,       true,        false, "turn about its axis"},
  {"continuous",  1, 1, -1,         0b0,      JointFacts::Keeps::axis,    true,  false, false, true,       true,        false, "turn about its axis"},
  {"prismatic",   1, 1, -1,         0b1,      JointFacts::Keeps::nothing, true,  false, false, true,       true,        false, "slide along its axis"},
  {"helical",     1, 1, -1,         0b0,      JointFacts::Keeps::axis,    true,  false, true,  true,       false,       true,  "turn about its axis"},
  {"cylindrical", 2, 2, -1,         0b10,     JointFacts::Keeps::nothing, true,  false, false, true,       true,        false},
  {"universal",   2, 2, -1,         0b00,     JointFacts::Keeps::point,   true,  true,  false, false,      true,        false},
  {"spherical",   4, 3, 0,          0b000,    JointFacts::Keeps::point,   false, false, false, false,      true,        false},
  {"planar",      3, 3, -1,         0b011,    JointFacts::Keeps::nothing, true,  false, false, false,      true,        false},
  {"floating",    7, 6, 3,          0b000111, JointFacts::Keeps::nothing, false, false, false, false,      true,        false},
  {"fixed",       0, 0, -1,         0b0,      JointFacts::Keeps::nothing, false, false, false, false,      true,        false},
}};
// clang-format on
static_assert(joint_facts.size() == static_cast<std::size_t>(JointType::fixed) + 1 &&
              joint_facts.back().name == "fixed");  // which stays the last

constexpr const JointFacts& facts_of(JointType type) { return joint_facts[static_cast<std::size_t>(type)]; }

inline constexpr auto joint_type_names = [] {
  std::array<std::string_view, joint_facts.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = joint_facts[i].name;
  return names;
}();

constexpr std::string_view name_of(JointType type) { return facts_of(type).name; }

/// The type a user's word names; nothing if the word names none.
constexpr std::optional<JointType> joint_type_named(std::string_view word) {
  for (std::size_t i = 0; i < joint_type_names.size(); ++i)
    if (joint_type_names[i] == word) return static_cast<JointType>(i);
  return std::nullopt;
}

/// One number of each type. Kernels look up counts, and do so faster where these stand alone (2 % of a small arm's
/// time).
constexpr std::array<int, joint_facts.size()> of_each_type(int JointFacts::*number) {
  std::array<int, joint_facts.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = joint_facts[i].*number;
  return all;
}

/// Entries of q: a spherical joint is a unit quaternion, a floating joint a point and a quaternion.
constexpr int position_count(JointType type) {
  constexpr std::array<int, joint_facts.size()> counts = of_each_type(&JointFacts::positions);
  return counts[static_cast<std::size_t>(type)];
}

/// Entries of v, tau and the accelerations: the degrees of freedom of the joint.
constexpr int velocity_count(JointType type) {
  constexpr std::array<int, joint_facts.size()> counts = of_each_type(&JointFacts::velocities);
  return counts[static_cast<std::size_t>(type)];
}

constexpr bool is_revolute(JointType type) { return type == JointType::revolute || type == JointType::continuous; }

/// Whether the joint has an axis: YAML requires one, URDF's default is x.
constexpr bool has_axis(JointType type) { return facts_of(type).axis; }

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
