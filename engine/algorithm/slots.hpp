#pragma once
// Memory for the contributions of bodies to their parents.

#include <memory>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/model/modules.hpp"

namespace kinetree::inline inner {

/// Over bodies, the slot of a body's contribution to its parent. The parent alone reads a contribution, and reads it
/// before it writes its own, so one slot serves a whole path and stays in the cache. A body whose joint is cut and
/// carried as columns contributes nothing: such bodies share slot 0, which stays zero. `modules`: null where nothing is
/// cut.
struct SlotIndex {
  SlotIndex(const ModelData& model, const Modules* modules);
  std::shared_ptr<const int[]> of_body;
  int count = 1;
};

/// T over bodies, in their slots.
template <class T>
class Slots {
 public:
  explicit Slots(const SlotIndex& slots) : slot_(slots.of_body), all_(static_cast<std::size_t>(slots.count)) {}
  T& operator[](std::size_t body) { return all_[static_cast<std::size_t>(slot_[static_cast<std::ptrdiff_t>(body)])]; }
  const T& operator[](std::size_t body) const {
    return all_[static_cast<std::size_t>(slot_[static_cast<std::ptrdiff_t>(body)])];
  }
  std::size_t capacity() const { return all_.capacity(); }

 private:
  std::shared_ptr<const int[]> slot_;
  std::vector<T> all_;
};

}  // namespace kinetree::inline inner
