#pragma once
// What a task runtime that was not built for ThreadSanitizer does not tell it: what happens before what. The runner's
// own file is left uninstrumented like the runtime whose templates it inlines (CMakeLists.txt); the kernels it calls
// are not, so that a missing edge shows as a race between kernels. In other builds all of this is nothing.

#ifdef KINETREE_THREAD_SANITIZER
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif

namespace kinetree::inline inner {

/// A point in the work of one thread that others may wait for.
struct Milestone {
  char mark = 0;

  /// What this thread has written so far is there for whoever observes this milestone afterwards.
  void announce() {
#ifdef KINETREE_THREAD_SANITIZER
    __tsan_release(&mark);
#endif
  }
  void observe() {
#ifdef KINETREE_THREAD_SANITIZER
    __tsan_acquire(&mark);
#endif
  }
};

}  // namespace kinetree::inline inner
