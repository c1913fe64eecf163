#pragma once
// Lines of a Description that was read from several files, which count on from file to file.

#include <algorithm>
#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// The included file in which a line stands; null: it is the outermost.
inline const IncludedFile* file_of_line(const Description& d, int line) {
  const auto next = std::lower_bound(d.included.begin(), d.included.end(), line,
                                     [](const IncludedFile& f, int sought) { return f.before < sought; });
  return next == d.included.begin() ? nullptr : &*(next - 1);
}

/// "line 3", or "arm.xml:3" in an included file.
inline std::string line_text(const Description& d, int line) {
  const IncludedFile* file = file_of_line(d, line);
  return file ? file->file + ":" + std::to_string(line - file->before) : "line " + std::to_string(line);
}

/// Gives findings on the description the files and lines that a user sees. Doing it twice changes nothing.
inline void place_lines(std::vector<Finding>& findings, const Description& d) {
  if (d.included.empty()) return;
  for (Finding& f : findings)
    if (f.file == d.file)
      if (const IncludedFile* file = file_of_line(d, f.line)) f.file = file->file, f.line -= file->before;
}

}  // namespace kinetree::inline inner
