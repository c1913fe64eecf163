#pragma once
// No standard library in here: what is inline in it would be compiled for this instruction set and shared by the
// linker.

#include "engine/scalar/lanes/pack.hpp"

namespace kinetree::oracle {

template <class P>
void sin_cos_each(const typename P::Number* x, int count, typename P::Number* sines, typename P::Number* cosines) {
  for (int i = 0; i < count; i += P::width) {
    P s, c;
    sin_cos(P::load(x + i), s, c);
    s.store(sines + i), c.store(cosines + i);
  }
}

template <class Isa, class T>
void sin_cos_by(const T* x, int count, bool full, T* sines, T* cosines) {
  if (full)
    sin_cos_each<Pack<T, native_width<T, Isa>, Isa>>(x, count, sines, cosines);
  else
    sin_cos_each<Pack<T, 1, Isa>>(x, count, sines, cosines);
}

}  // namespace kinetree::oracle
