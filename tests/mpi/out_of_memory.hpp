#pragma once
// Makes this process run out of memory, as long as a test asks for it.

namespace kinetree::oracle {

/// While it lives, allocations of 1 kB and more fail in this process.
class OutOfMemory {
 public:
  OutOfMemory();
  ~OutOfMemory();
  OutOfMemory(const OutOfMemory&) = delete;
  OutOfMemory& operator=(const OutOfMemory&) = delete;
};

}  // namespace kinetree::oracle
