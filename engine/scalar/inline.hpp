#pragma once
// What keeps kernels in registers: functions that always disappear into their callers, and loops written out.
//
// KINETREE_INLINE: small functions of spatial algebra always disappear into the kernel that calls them. A compiler left
// to itself calls them, and every 3-vector then goes through memory: 1.45 times slower kernels (g++ 12 and clang 14).
// KINETREE_INLINE_LAMBDA, behind a lambda's parameters, does the same for a loop's body that works on locals.
// Under sanitizers nobody asks for speed, and compiling would take twice as long.

#include <type_traits>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KINETREE_INLINE inline
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KINETREE_INLINE inline
#endif
#endif
#ifndef KINETREE_INLINE
#define KINETREE_INLINE [[gnu::always_inline]] inline
#define KINETREE_INLINE_LAMBDA __attribute__((always_inline))
#else
#define KINETREE_INLINE_LAMBDA
#endif

namespace kinetree::inline inner {

/// use(first), ..., use(last - 1), numbers that the compiler knows: straight code.
template <int first, int last, class Use>
KINETREE_INLINE void straight(Use&& use) {
  if constexpr (first < last) {
    use(std::integral_constant<int, first>());
    straight<first + 1, last>(use);
  }
}

}  // namespace kinetree::inline inner
