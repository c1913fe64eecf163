#include "mpi/out_of_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> exhausted{false};

void* take(std::size_t size, std::size_t alignment) {
  if (exhausted && size >= 1024) throw std::bad_alloc();
  void* block = alignment > 16 ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                               : std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t size) { return take(size, 0); }
void* operator new[](std::size_t size) { return take(size, 0); }
void* operator new(std::size_t size, std::align_val_t a) { return take(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return take(size, static_cast<std::size_t>(a)); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace kinetree::oracle {

OutOfMemory::OutOfMemory() { exhausted = true; }
OutOfMemory::~OutOfMemory() { exhausted = false; }

}  // namespace kinetree::oracle
