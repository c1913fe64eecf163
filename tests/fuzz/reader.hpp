#pragma once
// What every fuzz target does: a reader gives a result or an InputError that holds an error; all else is a fault.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <kinetree/finding.hpp>
#include <string>
#include <utility>

namespace kinetree::fuzz {

/// Calls read(text). An InputError without an error ends the program, as a sanitizer's report does; other exceptions
/// pass, which libFuzzer reports.
template <class Read>
int check(const std::uint8_t* data, std::size_t size, Read&& read) {
  try {
    std::forward<Read>(read)(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const InputError& error) {
    if (!has_error(error.findings())) std::abort();
  }
  return 0;
}

}  // namespace kinetree::fuzz
