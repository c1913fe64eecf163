#pragma once
// Segments: serial chains of joints of one kind, length one where joints differ. Sweeps take a segment in one loop, in
// which what a body passes to the next stays in registers.

#include <span>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/model/modules.hpp"

namespace kinetree::inline inner {

/// Bodies [begin, end), each the only node of the one before.
struct Segment {
  enum class Joints : unsigned char {
    one,             ///< of any type
    revolute,        ///< placed by screws, without rotors
    revolute_rotor,  ///< placed by screws, each with a rotor
  };
  enum class Role : unsigned char {
    joints,  ///< eliminated one after another
    cut,     ///< one body, the base of a module whose joint is cut
    member,  ///< one body of an aggregate
  };
  int begin = 0, end = 0;
  Joints joints = Joints::one;
  Role role = Role::joints;

  int last() const { return end - 1; }
};

struct Segments {
  std::vector<Segment> all;    ///< module after module, bodies ascending
  std::vector<int> of_module;  ///< over modules, and one more: where the module's begin

  std::span<const Segment> of(int module) const {
    const auto k = static_cast<std::size_t>(module);
    return {all.data() + of_module[k], all.data() + of_module[k + 1]};
  }
};

/// `begins`: over bodies, where a segment must begin; empty: nowhere.
Segments find_segments(const ModelData& model, const Modules& modules, const std::vector<bool>& begins = {});

}  // namespace kinetree::inline inner
