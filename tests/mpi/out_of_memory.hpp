#pragma once
// A rank whose memory is exhausted, while a test asks for it.

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
