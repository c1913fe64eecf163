#pragma once
// Columns' own numbers as kernels of a pack of states read them, kept from call to call.

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/model/own_numbers.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// T: double or float. Each pack of columns has a place, which the first call that reads it fills; threads of one call
/// fill different ones.
template <class T>
class KeptNumbers {
 public:
  /// Before a call. `width`: states that a solver takes at a time. Drops numbers that were kept for another declaration,
  /// width or number of columns. Allocates where the new ones need more memory.
  void begin(const std::shared_ptr<const OwnNumbers>& own, int width, int columns) {
    if (own == own_ && width == width_ && columns == columns_) return;
    own_ = own, width_ = width, columns_ = columns;
    stands_.assign(at((columns + width - 1) / width), 0);
    size_ = at(width) * (own->numbers.size() + 1);
    lines_.resize((stands_.size() * size_ * sizeof(T) + sizeof(Line) - 1) / sizeof(Line));
  }
  /// Where the numbers of a pack stand, as LaneSolver::keep_own writes them.
  T* pack(int k) { return reinterpret_cast<T*>(lines_.data()) + at(k) * size_; }
  bool stands(int k) const { return stands_[at(k)] != 0; }
  void filled(int k) { stands_[at(k)] = 1; }
  /// A column has other numbers from now on.
  void forget(int column) {
    if (!stands_.empty()) stands_[at(column / width_)] = 0;
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  std::shared_ptr<const OwnNumbers> own_;  ///< of the solvers that filled it
  int width_ = 1, columns_ = 0;
  std::size_t size_ = 0;  ///< numbers of a pack
  std::vector<Line> lines_;
  std::vector<char> stands_;  ///< over packs; no bits, which threads would share
};

}  // namespace kinetree::inline inner
