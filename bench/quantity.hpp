#pragma once
// Quantities as people read them.

#include <string>
#include <string_view>

namespace kinetree::bench {

/// "812 ns", "3.412 us", "1.25 ms", "2.1 s".
std::string in_time(double ns);
/// "812", "4,096", "1.23 million": four digits at most.
std::string in_count(double number);
/// "1 cut joint", "3 cut joints"; the plural where it is not by an s.
std::string counted(std::size_t number, std::string_view thing, std::string_view things = {});
/// "one thread", "2 threads".
std::string threads_in_words(int threads);

}  // namespace kinetree::bench
