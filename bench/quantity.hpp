#pragma once
// Quantities as people read them.

#include <string>

namespace kinetree::bench {

/// "812 ns", "3.412 us", "1.25 ms", "2.1 s".
std::string in_time(double ns);
/// "812", "4,096", "1.23 million": four digits at most.
std::string in_count(double number);

}  // namespace kinetree::bench
