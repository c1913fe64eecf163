#include "parallel/allocations.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KINETREE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define KINETREE_SANITIZED 1
#endif
#endif

#if !defined(KINETREE_SANITIZED) && defined(__GLIBC__)
#include <dlfcn.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

// glibc lets a program define the allocation functions; these count and hand on to its own.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): their names are glibc's
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace {

constexpr std::size_t most = 1 << 16;
std::atomic<bool> counting{false};
std::atomic<std::size_t> count{0};

/// How much is held beyond what was at the start, and the most that was.
struct Held {
  std::atomic<std::ptrdiff_t> now{0}, most{0};

  void add(std::ptrdiff_t more) {
    const std::ptrdiff_t sum = now.fetch_add(more, std::memory_order_relaxed) + more;
    for (std::ptrdiff_t before = most; before < sum && !most.compare_exchange_weak(before, sum);) continue;
  }
};
Held bytes, blocks;
void* callers[most];  ///< names are looked up afterwards: that may allocate itself

void note(void* caller) {
  if (!counting.load(std::memory_order_relaxed)) return;
  const std::size_t k = count.fetch_add(1, std::memory_order_relaxed);
  if (k < most) callers[k] = caller;
}

/// A block that was given out; returns it.
void* held(void* block) {
  if (!counting.load(std::memory_order_relaxed) || !block) return block;
  bytes.add(static_cast<std::ptrdiff_t>(malloc_usable_size(block))), blocks.add(1);
  return block;
}

void given_back(void* block) {
  if (!counting.load(std::memory_order_relaxed) || !block) return;
  bytes.add(-static_cast<std::ptrdiff_t>(malloc_usable_size(block))), blocks.add(-1);
}

void* aligned(std::size_t alignment, std::size_t size) { return held(__libc_memalign(alignment, size)); }

void* take(std::size_t size, std::size_t alignment, void* caller) {
  note(caller);
  void* block = alignment > 16 ? aligned(alignment, size) : held(__libc_malloc(size));
  if (!block) throw std::bad_alloc();
  return block;
}

}  // namespace

#define KINETREE_CALLER __builtin_return_address(0)

extern "C" {
void* malloc(std::size_t size) { return note(KINETREE_CALLER), held(__libc_malloc(size)); }
void* calloc(std::size_t number, std::size_t size) { return note(KINETREE_CALLER), held(__libc_calloc(number, size)); }
void* realloc(void* block, std::size_t size) {
  note(KINETREE_CALLER);
  given_back(block);
  return held(__libc_realloc(block, size));
}
void free(void* block) { given_back(block), __libc_free(block); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return note(KINETREE_CALLER), aligned(alignment, size); }
void* memalign(std::size_t alignment, std::size_t size) { return note(KINETREE_CALLER), aligned(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  note(KINETREE_CALLER);
  *block = aligned(alignment, size);
  return *block ? 0 : ENOMEM;
}
}

void* operator new(std::size_t size) { return take(size, 0, KINETREE_CALLER); }
void* operator new[](std::size_t size) { return take(size, 0, KINETREE_CALLER); }
void* operator new(std::size_t size, std::align_val_t a) {
  return take(size, static_cast<std::size_t>(a), KINETREE_CALLER);
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return take(size, static_cast<std::size_t>(a), KINETREE_CALLER);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace kinetree::oracle {

bool can_count_allocations() { return true; }

void start_counting() {
  count = 0;
  for (Held* one : {&bytes, &blocks}) one->now = one->most = 0;
  counting = true;
}

Allocations stop_counting() {
  counting = false;
  Allocations result;
  Dl_info here{}, there{};
  dladdr(reinterpret_cast<void*>(&stop_counting), &here);
  const std::size_t seen = std::min(count.load(), most);
  for (std::size_t k = 0; k < seen; ++k) {
    const bool known = dladdr(callers[k], &there) != 0;
    (!known || there.dli_fbase == here.dli_fbase ? result.ours : result.runtimes) += 1;
  }
  result.ours += count.load() - seen;
  result.most_bytes = static_cast<std::size_t>(bytes.most.load());
  result.most_blocks = static_cast<std::size_t>(blocks.most.load());
  return result;
}

}  // namespace kinetree::oracle

#else

namespace kinetree::oracle {
bool can_count_allocations() { return false; }
void start_counting() {}
Allocations stop_counting() { return {}; }
}  // namespace kinetree::oracle

#endif
