#pragma once
// Entries by the names that they have where an axis of the frame is called z, so that one text serves each axis: about
// x, the axes y, z and x are called x, y and z.

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

enum class Axis : unsigned char { x, z };

/// Entries of a Vector3, a Matrix3 or a Symmetric3. A Symmetric3 keeps yx as xy.
template <Axis axis>
struct Entries {
  static constexpr auto x = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.x; };
  static constexpr auto y = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.y; };
  static constexpr auto z = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.z; };
  static constexpr auto xx = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.xx; };
  static constexpr auto yy = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.yy; };
  static constexpr auto xy = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.xy; };
  static constexpr auto xz = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.xz; };
  static constexpr auto yx = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.yx; };
  static constexpr auto yz = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.yz; };
  static constexpr auto zx = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.zx; };
  static constexpr auto zy = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.zy; };
};

template <>
struct Entries<Axis::x> {
  static constexpr auto x = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.y; };
  static constexpr auto y = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.z; };
  static constexpr auto z = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.x; };
  static constexpr auto xx = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.yy; };
  static constexpr auto yy = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.zz; };
  static constexpr auto xy = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.yz; };
  static constexpr auto xz = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& {
    if constexpr (requires { of.yx; })
      return of.yx;
    else
      return of.xy;
  };
  static constexpr auto yx = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.zy; };
  static constexpr auto yz = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& {
    if constexpr (requires { of.zx; })
      return of.zx;
    else
      return of.xz;
  };
  static constexpr auto zx = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.xy; };
  static constexpr auto zy = [](auto& of) KINETREE_INLINE_LAMBDA -> auto& { return of.xz; };
};

}  // namespace kinetree::inline inner
