#pragma once
// KINETREE_EXPORT: what a shared library of kinetree shows to programs, and what an archive shows to the linker.
//
// The library is compiled with hidden visibility, so that its private code, and every inline function of Eigen that is
// compiled with it, stays its own: no copy that a program compiled with other flags stands in for the library's, nor
// the library's for the program's (docs/design.md, section 9).

#define KINETREE_EXPORT __attribute__((visibility("default")))
