#pragma once
// The pack that fills a register, of a scalar that is one lane of it: what a kernel does to several numbers of one
// state at once, it does with that.

namespace kinetree::inline inner {

/// `void`: the scalar is a number of its own, or fills a register already. lanes/pack.hpp says otherwise of its packs.
template <class S>
struct WholeRegister {
  using Type = void;
};

}  // namespace kinetree::inline inner
