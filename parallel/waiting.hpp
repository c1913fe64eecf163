#pragma once
// How a thread waits for another's work: awake, since waking a thread takes longer than many a run of passes.

#include <thread>

namespace kinetree::inline inner {

/// Waits until done(), but no longer than 1000 pauses. Returns whether it is done.
template <class Done>
bool wait_shortly(Done&& done) {
  constexpr int patience = 1000;
  for (int k = 0; k < patience; ++k) {
    if (done()) return true;
    __builtin_ia32_pause();
  }
  return done();
}

/// Waits until done(). If that takes long, it yields this core: the other thread may have none.
template <class Done>
void wait_until(Done&& done) {
  if (wait_shortly(done)) return;
  while (!done()) std::this_thread::yield();
}

}  // namespace kinetree::inline inner
