#include <algorithm>
#include <kinetree/finding.hpp>

namespace kinetree {

std::string to_string(const Finding& f) {
  std::string text = f.file.empty() ? "model" : f.file;
  if (f.line > 0) text += ":" + std::to_string(f.line);
  text += f.severity == Severity::error ? ": error: " : f.severity == Severity::warning ? ": warning: " : ": notice: ";
  if (!f.element.empty()) text += f.element + ": ";
  return text + f.message;
}

namespace {
std::string all_errors(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings)
    if (f.severity == Severity::error) text.append(text.empty() ? "" : "\n").append(to_string(f));
  return text;
}
}  // namespace

InputError::InputError(std::vector<Finding> findings)
    : std::runtime_error(all_errors(findings)), findings_(std::move(findings)) {}

bool has_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::error; });
}

}  // namespace kinetree
