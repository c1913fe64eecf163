#pragma once
// Numbers as base64 text (RFC 4648), little-endian, for pages that read them into typed arrays.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::bench {

std::string base64(std::string_view bytes);

/// Of numbers of one size, whatever the machine's own order of bytes is.
template <class T>
std::string base64_of(const std::vector<T>& numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const char* from = reinterpret_cast<const char*>(&numbers[k]);
    for (std::size_t b = 0; b < sizeof(T); ++b)
      bytes[k * sizeof(T) + b] = from[std::endian::native == std::endian::little ? b : sizeof(T) - 1 - b];
  }
  return base64(bytes);
}

}  // namespace kinetree::bench
