#include "parallel/forks.hpp"

#include <pthread.h>

namespace kinetree::inline inner {
namespace {

std::atomic<int> count = 0;
[[maybe_unused]] const int counted = pthread_atfork(nullptr, nullptr, [] { ++count; });

}  // namespace

int forks() { return count.load(std::memory_order_relaxed); }

}  // namespace kinetree::inline inner
