#pragma once
// Findings: errors, warnings and notices on an input, one per fault, all of one pass.

#include <kinetree/export.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kinetree {

/// An error refuses the input; a warning and a notice let it pass and are said once.
enum class Severity { error, warning, notice };

/// One fault of an input.
struct Finding {
  Severity severity = Severity::error;
  std::string file;     ///< the file or the family's text; empty for a Description made in code
  int line = 0;         ///< 0 where there is none
  std::string element;  ///< the part of the input concerned, e.g. `link "forearm"`
  std::string message;  ///< the rule, the value that breaks it, and what to do
};

/// A finding as one line: `file:line: error: link "forearm": mass -1 is negative; give a mass >= 0`
KINETREE_EXPORT std::string to_string(const Finding& finding);

/// Whether any of them refuses the input.
KINETREE_EXPORT bool has_error(const std::vector<Finding>& findings);

/// Thrown by the loaders and by make_model when at least one finding is an error. what() has the errors, a line each.
class KINETREE_EXPORT InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Finding> findings);
  /// Every finding of the pass, in the order of the file; warnings and notices too.
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::vector<Finding> findings_;
};

}  // namespace kinetree
