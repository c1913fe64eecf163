#pragma once
// Columns side by side: spatial vectors whose six numbers stand in six rows, a number for each column.

#include <algorithm>

#include "engine/algorithm/derivatives.hpp"

namespace kinetree::inline inner {

template <class B, class S>
KINETREE_INLINE Vector3<typename B::Number> load3(const S* row, std::ptrdiff_t stride) {
  return {B::load(row), B::load(row + stride), B::load(row + 2 * stride)};
}
template <class B, class S>
KINETREE_INLINE void store3(const Vector3<typename B::Number>& x, S* row, std::ptrdiff_t stride) {
  B::store(x.x, row), B::store(x.y, row + stride), B::store(x.z, row + 2 * stride);
}
template <class B, class S>
KINETREE_INLINE Force<typename B::Number> load6(const S* row, std::ptrdiff_t stride) {
  return {load3<B>(row, stride), load3<B>(row + 3 * stride, stride)};
}
template <class B, class S>
KINETREE_INLINE Vector3<typename B::Number> spread(const Vector3<S>& a) {
  return {B::spread(a.x), B::spread(a.y), B::spread(a.z)};
}
template <class B, class S>
KINETREE_INLINE Motion<typename B::Number> spread(const Motion<S>& m) {
  return {spread<B>(m.angular), spread<B>(m.linear)};
}
template <class B, class S>
KINETREE_INLINE Force<typename B::Number> spread(const Force<S>& f) {
  return {spread<B>(f.moment), spread<B>(f.force)};
}

template <class B, class S>
KINETREE_INLINE void store6(const Force<typename B::Number>& f, S* row, std::ptrdiff_t stride) {
  store3<B>(f.moment, row, stride), store3<B>(f.force, row + 3 * stride, stride);
}
/// Of one column.
template <class S>
KINETREE_INLINE void put(const Vector3<S>& a, S* row, std::ptrdiff_t stride) {
  store3<OneBeside<S>>(a, row, stride);
}
template <class S>
KINETREE_INLINE void put(const Force<S>& f, S* row, std::ptrdiff_t stride) {
  store6<OneBeside<S>>(f, row, stride);
}
template <class S>
void put(const Motion<S>& m, S* row, std::ptrdiff_t stride) {
  put(Force<S>{m.angular, m.linear}, row, stride);
}

/// Calls use(B, c) for numbers c of a row, by whole registers from the last multiple at or before `begin`; `end` is
/// exact unless no numbers follow. What stands before `begin` is overwritten before it is read.
template <class S, class Use>
KINETREE_INLINE void for_columns(int begin, int end, int count, Use&& use) {
  constexpr int width = Wide<S>::width;
  int c = begin / width * width;
  for (; c + width <= end || (c < end && end == count); c += width) use(Wide<S>(), c);
  if constexpr (width > 1)
    for (c = std::max(c, begin); c < end; ++c) use(OneBeside<S>(), c);
}

/// A matrix of n rows of n numbers, `stride` apart, to columns one after another: a few rows at a time, of which both
/// stay in the nearest cache.
template <class S>
void turn_over(const S* rows, std::ptrdiff_t stride, int n, S* columns) {
  constexpr int side = 8;
  int first = 0;
  for (; first + side <= n; first += side)
    for (std::ptrdiff_t c = 0; c < n; ++c)
      straight<0, side>([&](auto r)
                            KINETREE_INLINE_LAMBDA { columns[c * n + first + r] = rows[(first + r) * stride + c]; });
  for (; first < n; ++first)
    for (std::ptrdiff_t c = 0; c < n; ++c) columns[c * n + first] = rows[first * stride + c];
}

}  // namespace kinetree::inline inner
