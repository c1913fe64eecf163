#pragma once
// Texts are read to their end or refused.

#include <algorithm>
#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// Parsers take a NUL byte for the end: false, and a finding, where more stands behind one.
inline bool reads_to_its_end(const std::string& text, const std::string& file, std::vector<Finding>& findings) {
  const std::size_t nul = text.find('\0');
  if (nul == std::string::npos) return true;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
  findings.push_back({Severity::error, file, static_cast<int>(line), "file",
                      "has a NUL byte (byte " + std::to_string(nul) +
                          "), and what follows it would not be read; take it out, or save the file as UTF-8"});
  return false;
}

}  // namespace kinetree::inline inner
