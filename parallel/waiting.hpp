#pragma once
// How a thread waits for another's work: awake, since to be woken takes longer than many a round.

#include <thread>

namespace kinetree::inline inner {

/// Waits for little work of another thread's. False: it takes long.
template <class Done>
bool wait_shortly(Done&& done) {
  constexpr int patience = 1000;
  for (int k = 0; k < patience; ++k) {
    if (done()) return true;
    __builtin_ia32_pause();
  }
  return done();
}

/// Where the other thread has no core, it gets this one.
template <class Done>
void wait_until(Done&& done) {
  if (wait_shortly(done)) return;
  while (!done()) std::this_thread::yield();
}

}  // namespace kinetree::inline inner
