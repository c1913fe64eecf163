#pragma once
// What a task runtime that was not built for ThreadSanitizer does not tell it: what happens before what.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KINETREE_THREAD_SANITIZER 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define KINETREE_THREAD_SANITIZER 1
#endif

#ifdef KINETREE_THREAD_SANITIZER
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif

namespace kinetree {

/// Before handing work over: what was written is visible to whoever acquires the same address afterwards.
inline void announce([[maybe_unused]] void* address) {
#ifdef KINETREE_THREAD_SANITIZER
  __tsan_release(address);
#endif
}
inline void observe([[maybe_unused]] void* address) {
#ifdef KINETREE_THREAD_SANITIZER
  __tsan_acquire(address);
#endif
}

}  // namespace kinetree
