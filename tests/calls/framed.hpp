#pragma once
// Arguments of calls with memory around them that no call may write.

#include <cstring>
#include <kinetree/columns.hpp>
#include <vector>

namespace kinetree::oracle {

/// Columns of numbers, `apart` more than their rows from each other, with guards before, between and behind.
template <class S>
class Framed {
 public:
  Framed() = default;
  Framed(std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t apart = 0)
      : rows_(rows), columns_(columns), stride_(rows + apart) {
    numbers_.resize(static_cast<std::size_t>(2 * guard + stride_ * columns));
    for (std::size_t k = 0; k < numbers_.size(); ++k) numbers_[k] = S(-7) - S(k % 13);
    before_ = numbers_;
  }

  S* column(std::ptrdiff_t c) { return numbers_.data() + guard + c * stride_; }
  const S* column(std::ptrdiff_t c) const { return numbers_.data() + guard + c * stride_; }
  Columns<S> out() { return {column(0), rows_, columns_, stride_}; }
  Columns<const S> in() const { return {column(0), rows_, columns_, stride_}; }
  std::ptrdiff_t rows() const { return rows_; }
  std::ptrdiff_t columns() const { return columns_; }
  const std::vector<S>& numbers() const { return numbers_; }

  /// From here on these numbers are those that a call finds.
  void keep() { before_ = numbers_; }
  bool untouched() const { return same(numbers_, before_); }
  /// Whether nothing beside the columns was written.
  bool framed() const {
    std::vector<S> now = numbers_;
    for (std::ptrdiff_t c = 0; c < columns_; ++c)
      std::copy_n(before_.begin() + guard + c * stride_, rows_, now.begin() + guard + c * stride_);
    return same(now, before_);
  }

 private:
  static constexpr std::ptrdiff_t guard = 5;
  static bool same(const std::vector<S>& a, const std::vector<S>& b) {
    return a.empty() || std::memcmp(a.data(), b.data(), sizeof(S) * a.size()) == 0;
  }

  std::ptrdiff_t rows_ = 0, columns_ = 0, stride_ = 0;
  std::vector<S> numbers_, before_;
};

}  // namespace kinetree::oracle
