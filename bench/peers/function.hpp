#pragma once
// The functions that are timed. Each turns a state into numbers, the same for everybody who is timed.

#include <array>
#include <cstddef>

namespace kinetree::peers {

/// Numbers of a state, in this order; matrices by columns, B the moving bodies in kinetree's order, links' velocities
/// and Jacobians those of their frames' origins, angular rows first, in world axes.
enum class Function {
  forward_dynamics,  ///< accelerations (nv)
  inverse_dynamics,  ///< joint forces (nv)
  mass_matrix,       ///< both triangles (nv x nv)
  kinematics,        ///< [R p] of every link (12 B), then velocities (6 B)
  jacobians,         ///< one below the other (6 B x nv)
};

struct FunctionWords {
  Function function;
  const char* name;    ///< for options and files
  const char* result;  ///< for sentences
};

inline constexpr std::array<FunctionWords, 5> function_words{
    {{Function::forward_dynamics, "forward_dynamics", "accelerations"},
     {Function::inverse_dynamics, "inverse_dynamics", "joint forces"},
     {Function::mass_matrix, "mass_matrix", "mass matrices"},
     {Function::kinematics, "kinematics", "poses and velocities of all links"},
     {Function::jacobians, "jacobians", "Jacobians of all links"}}};

constexpr bool in_order() {
  for (std::size_t k = 0; k < function_words.size(); ++k)
    if (function_words[k].function != static_cast<Function>(k)) return false;
  return true;
}
static_assert(in_order(), "words_of goes by place");

constexpr const FunctionWords& words_of(Function function) {
  return function_words[static_cast<std::size_t>(function)];
}

}  // namespace kinetree::peers
