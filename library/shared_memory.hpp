#pragma once
// Whether what is written is also read: a result in the memory of an input would be a wrong answer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <kinetree/columns.hpp>

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

/// Where an argument's memory begins and ends; empty where it has no numbers.
struct Span {
  std::uintptr_t begin = 0, end = 0;

  bool apart_from(const Span& other) const { return end <= other.begin || other.end <= begin; }
};

template <class T>
KINETREE_INLINE Span span_of(const Columns<T>& c) {
  if (c.rows <= 0 || c.columns <= 0) return {};
  const std::ptrdiff_t last = (c.columns - 1) * c.stride;
  const auto at_entry = [&c](std::ptrdiff_t k) {
    return reinterpret_cast<std::uintptr_t>(c.data) + static_cast<std::uintptr_t>(k) * sizeof(T);
  };
  return {at_entry(std::min<std::ptrdiff_t>(last, 0)), at_entry(std::max<std::ptrdiff_t>(last, 0) + c.rows)};
}

namespace shared_memory_detail {

/// Columns by ascending address, in bytes. Columns that touch or overlap are one.
struct Intervals {
  std::uintptr_t begin = 0;
  std::ptrdiff_t count = 0, length = 0, stride = 0;

  template <class T>
  explicit Intervals(const Columns<T>& c) {
    if (c.rows <= 0 || c.columns <= 0) return;
    constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
    const std::ptrdiff_t last = (c.columns - 1) * c.stride;
    begin = reinterpret_cast<std::uintptr_t>(c.data + (c.stride < 0 ? last : 0));
    stride = size * (c.stride < 0 ? -c.stride : c.stride);
    count = c.columns, length = size * c.rows;
    if (stride <= length) length += stride * (count - 1), count = 1, stride = length;
  }

  std::uintptr_t end() const { return begin + static_cast<std::uintptr_t>((count - 1) * stride + length); }
};

}  // namespace shared_memory_detail

/// Whether two arguments have a number in common. Blocks of one matrix side by side, or one above the other, have none.
template <class A, class B>
bool share_memory(const Columns<A>& first, const Columns<B>& second) {
  const shared_memory_detail::Intervals a(first), b(second);
  if (a.count == 0 || b.count == 0 || a.end() <= b.begin || b.end() <= a.begin) return false;
  for (std::ptrdiff_t i = 0, j = 0; i < a.count && j < b.count;) {
    const std::uintptr_t here = a.begin + static_cast<std::uintptr_t>(i * a.stride),
                         there = b.begin + static_cast<std::uintptr_t>(j * b.stride);
    const std::uintptr_t here_ends = here + static_cast<std::uintptr_t>(a.length),
                         there_ends = there + static_cast<std::uintptr_t>(b.length);
    if (here_ends <= there)
      ++i;
    else if (there_ends <= here)
      ++j;
    else
      return true;
  }
  return false;
}

/// Whether columns of one argument have a number in common.
template <class A>
bool columns_overlap(const Columns<A>& c) {
  return c.columns > 1 && (c.stride < 0 ? -c.stride : c.stride) < c.rows;
}

}  // namespace kinetree::inline inner
