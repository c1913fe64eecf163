#pragma once
// Names for what the user leaves without one: no other link or joint may have them.

#include <set>
#include <string>

namespace kinetree::inline inner {

/// Names in use, for links and joints that the user leaves without one.
class Names {
 public:
  void take(const std::string& name) { used_.insert(name); }
  /// The wanted name, or with a number after it where that is taken.
  std::string make(const std::string& wanted) {
    std::string name = wanted;
    for (int k = 2; !used_.insert(name).second; ++k) name = wanted + "_" + std::to_string(k);
    return name;
  }

 private:
  std::set<std::string> used_;
};

}  // namespace kinetree::inline inner
