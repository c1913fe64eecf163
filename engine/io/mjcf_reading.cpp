#include "engine/io/mjcf_reading.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

constexpr int most_errors = 1000;

/// Reads at most `most` numbers; how many stand there, or -1: something else does too. NaN is no number.
int read_numbers(std::string_view text, double* out, int most) {
  const auto numbers = numbers_from(text);
  if (!numbers || numbers->size() > at(most) || std::ranges::any_of(*numbers, [](double x) { return std::isnan(x); }))
    return -1;
  std::ranges::copy(*numbers, out);
  return static_cast<int>(numbers->size());
}

}  // namespace

std::string called(const MjcfElement& e) {
  const char* name = e.attribute("name");
  return name ? std::string(e.tag()) + " " + in_quotes(name) : "<" + std::string(e.tag()) + ">";
}

void MjcfReading::say(Severity severity, int line, std::string element, std::string message) {
  if (severity == Severity::error && ++errors_ > most_errors) {
    if (errors_ == most_errors + 1)
      reading.findings.push_back({severity, reading.description.file, 0, "file",
                                  "has more than " + std::to_string(most_errors) + " errors; the rest is left out"});
    return;
  }
  reading.findings.push_back({severity, reading.description.file, line, std::move(element), std::move(message)});
}

int MjcfReading::numbers(const MjcfView& view, const char* name, double* out, int least, int most) {
  const char* const text = view.get(name);
  if (!text) return 0;
  std::vector<double> read(at(most));
  const int count = read_numbers(text, read.data(), most);
  if (count >= least && count > 0) {
    std::copy(read.begin(), read.begin() + count, out);
    return count;
  }
  if (wrong_.insert(text).second) {
    const std::string needed = (least == most ? "" : std::to_string(least) + " to ") + std::to_string(most);
    refuse(view.element, std::string(name) + " " + in_quotes(text) + " is not " + needed +
                             (most == 1 ? " number" : " numbers") + "; correct it");
  }
  return 0;
}

int MjcfReading::word(const MjcfView& view, const char* name, std::initializer_list<std::string_view> words,
                      int otherwise) {
  const char* const text = view.get(name);
  if (!text) return otherwise;
  int place = 0;
  std::string known;
  for (const std::string_view word : words) {
    if (word == text) return place;
    known += (place++ ? ", " : "") + std::string(word);
  }
  if (wrong_.insert(text).second)
    refuse(view.element, std::string(name) + " " + in_quotes(text) + " is unknown; known are " + known);
  return otherwise;
}

}  // namespace kinetree::inline inner
