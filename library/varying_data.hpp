#pragma once
// What a Varying declares, and the model and numbers that solvers take of it.

#include <array>
#include <kinetree/varying.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/model/own_numbers.hpp"

namespace kinetree {

struct Varying::Data {
  /// Numbers that were added together.
  struct Entry {
    Parameter what;
    int index;  ///< of the link (inertia), the body that the joint carries, or -1
    int row;    ///< the first
  };

  Model model;
  std::vector<Entry> entries{};
  std::vector<OwnNumbers::Row> rows{};
  std::vector<double> nominal{};
  /// Over kinds and velocities, of numbers of joints: the row, or -1.
  std::array<std::vector<int>, 6> row_of{};
  /// What `declared` found of these, one for all objects: by it KeptParameters know numbers that serve several.
  struct Found {
    Found() = default;
    Found(const Found&) {}  // of a copy, which something is added to
    std::once_flag once;
    std::shared_ptr<const OwnNumbers> own;
  };
  mutable Found found{};

  /// The row of a velocity's number of some kind; -1: it does not vary.
  int row_of_velocity(Parameter what, int velocity) const {
    const std::vector<int>& all = row_of[static_cast<std::size_t>(what)];
    return all.empty() ? -1 : all[static_cast<std::size_t>(velocity)];
  }
};

inline namespace inner {

/// What solvers are made of. In the model every joint whose armature varies has a rotor, no body whose inertia varies
/// allows a cut beside it, and none may be split.
struct Declared {
  Model model;
  std::shared_ptr<const OwnNumbers> own;
};
KINETREE_EXPORT Declared declared(const Varying& varying);

/// A state's own numbers, written to a model of that structure.
template <class T>
void write_numbers(const OwnNumbers& own, const T* numbers, ModelData& model);

}  // namespace inner

}  // namespace kinetree
