#pragma once
// Kinds of scaling: what a run of a sweep varies, and what it holds.

#include "library/option_words.hpp"

namespace kinetree::bench {

enum class ScalingKind {
  strong,       ///< threads, of one problem
  weak_bodies,  ///< threads, and bodies in proportion to them
  weak_states,  ///< threads, and states per call in proportion to them
  size,         ///< bodies, on the same threads
  batch,        ///< threads, for states per second
  dial          ///< bodies per module
};

}  // namespace kinetree::bench

template <>
struct kinetree::Words<kinetree::bench::ScalingKind> {
  static constexpr std::array<std::string_view, 6> all{"strong", "weak-bodies", "weak-states", "size", "batch", "dial"};
};
