#pragma once
// KINETREE_INLINE: small functions of spatial algebra always disappear into the kernel that calls them. A compiler left
// to itself calls them, and every 3-vector then goes through memory: 1.45 times slower kernels (g++ 12 and clang 14).

#define KINETREE_INLINE [[gnu::always_inline]] inline
