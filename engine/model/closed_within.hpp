#pragma once
// How far open constraints may be that count as closed.

namespace kinetree::inline inner {

/// m, rad, of couplings relative (Closure::opening). What `close`, a Simulation's steps and random states end within.
/// Newton's method ends where rounding does, at 1e-16 to 1e-14 on linkages of metres and tens of joints, and either
/// gets there or ends far above, so that 1e-12 tells one from the other with two digits to spare. States that a caller
/// brings may be open by more (1e-8, Closure::violations): they come from files and other programs.
constexpr double closed_within = 1e-12;

}  // namespace kinetree::inline inner
