#include "bench/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

namespace kinetree::bench {

std::string in_time(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} us", ns / 1e3);
  return ns < 1e9 ? fmt::format("{:.4g} ms", ns / 1e6) : fmt::format("{:.4g} s", ns / 1e9);
}

std::string in_count(double number) {
  if (number >= 1e6) return fmt::format("{:.3g} million", number / 1e6);
  if (number < 100) return fmt::format("{:.3g}", number);
  const int digits = static_cast<int>(std::floor(std::log10(number)));
  const double unit = std::pow(10., std::max(0, digits - 3));
  std::string text = fmt::format("{:.0f}", std::round(number / unit) * unit);
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string counted(std::size_t number, std::string_view thing, std::string_view things) {
  if (number == 1) return fmt::format("1 {}", thing);
  return things.empty() ? fmt::format("{} {}s", number, thing) : fmt::format("{} {}", number, things);
}

std::string threads_in_words(int threads) { return threads == 1 ? "one thread" : fmt::format("{} threads", threads); }

}  // namespace kinetree::bench
