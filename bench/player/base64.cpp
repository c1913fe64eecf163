#include "bench/player/base64.hpp"

namespace kinetree::bench {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t three = 0;
    for (std::size_t b = 0; b < 3; ++b)
      three = three << 8 | (k + b < bytes.size() ? static_cast<std::uint8_t>(bytes[k + b]) : 0u);
    for (std::size_t d = 0; d < 4; ++d) text += k + d > bytes.size() ? '=' : digits[three >> (18 - 6 * d) & 63];
  }
  return text;
}

}  // namespace kinetree::bench
