#pragma once
// KINETREE_EXPORT: what a shared library of kinetree shows to programs, and what an archive shows to the linker.
//
// The library is compiled with hidden visibility: its private code and the inline functions of Eigen compiled with it
// are not exported. So the linker replaces none of them by a copy from a program that was compiled with other flags,
// and none of the program's by a copy from the library (docs/design.md, section 6).

#define KINETREE_EXPORT __attribute__((visibility("default")))
