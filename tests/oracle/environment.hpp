#pragma once

#include <cstdlib>
#include <string>

namespace kinetree::oracle {

/// KINETREE_ISA for a while.
class Environment {
 public:
  explicit Environment(const char* set) {
    if (const char* old = std::getenv("KINETREE_ISA")) old_ = old;
    setenv("KINETREE_ISA", set, 1);
  }
  ~Environment() { old_.empty() ? unsetenv("KINETREE_ISA") : setenv("KINETREE_ISA", old_.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string old_;
};

}  // namespace kinetree::oracle
