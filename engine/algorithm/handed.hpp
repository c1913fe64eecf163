#pragma once
// Memory for what bodies hand to their parents.

#include <memory>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/model/modules.hpp"

namespace kinetree::inline inner {

/// Over bodies, where what a body hands to its parent stands. Nobody else reads that, and the parent does before it
/// hands on its own, so that along a path all stand in one place, and it stays in the cache. Bodies whose joint is cut
/// and carried as columns hand nothing on: they share a place that nobody writes to. `modules`: null where nothing is
/// cut.
struct HandingPlaces {
  HandingPlaces(const ModelData& model, const Modules* modules);
  std::shared_ptr<const int[]> of_body;
  int count = 1;
};

/// T over bodies, kept at their handing places.
template <class T>
class Handed {
 public:
  explicit Handed(const HandingPlaces& places) : place_(places.of_body), all_(static_cast<std::size_t>(places.count)) {}
  T& operator[](std::size_t body) { return all_[static_cast<std::size_t>(place_[static_cast<std::ptrdiff_t>(body)])]; }
  const T& operator[](std::size_t body) const {
    return all_[static_cast<std::size_t>(place_[static_cast<std::ptrdiff_t>(body)])];
  }
  std::size_t capacity() const { return all_.capacity(); }

 private:
  std::shared_ptr<const int[]> place_;
  std::vector<T> all_;
};

}  // namespace kinetree::inline inner
