#pragma once
// oneTBB is not built for ThreadSanitizer and does not tell it which task comes before which. tbb_executor.cpp inlines
// oneTBB's templates, so it is not instrumented either (CMakeLists.txt); it tells the order by milestones. The kernels
// are instrumented: a missing edge of the graph shows as a race between two kernels. Other builds do nothing here.

#ifdef KINETREE_THREAD_SANITIZER
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif

namespace kinetree::inline inner {

/// A point in one thread's work. For ThreadSanitizer, what precedes release() happens before what follows acquire() in
/// other threads.
struct Milestone {
  char mark = 0;

  void release() {
#ifdef KINETREE_THREAD_SANITIZER
    __tsan_release(&mark);
#endif
  }
  void acquire() {
#ifdef KINETREE_THREAD_SANITIZER
    __tsan_acquire(&mark);
#endif
  }
};

}  // namespace kinetree::inline inner
