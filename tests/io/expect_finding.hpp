#pragma once
// What a text makes a loader say.

#include <gtest/gtest.h>

#include <kinetree/io/load_model.hpp>
#include <string>
#include <vector>

namespace kinetree::test {

/// One thing a broken input must be told, and the text that is broken.
struct Broken {
  std::string name;
  std::string text;
  int line;
  std::string element;
  std::vector<std::string> words;  ///< all of them stand in the message
  Severity severity = Severity::error;
};

/// Every finding of reading, checking and building, as load_model has them; the model's own where it was built.
inline std::vector<Finding> findings_of(Reading reading, const LoadOptions& options = {}) {
  try {
    if (has_error(reading.findings) && reading.description.bodies.empty()) throw InputError(reading.findings);
    const Model model = make_model(reading.description, options, std::move(reading.findings));
    return {model.findings().begin(), model.findings().end()};
  } catch (const InputError& e) {
    EXPECT_TRUE(has_error(e.findings())) << "InputError without an error";
    return e.findings();
  }
}

inline std::string all(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += "  " + to_string(f) + "\n";
  return text;
}

/// Asserts that the finding is among them, and that it is the only error where it is one.
inline void expect_finding(const Broken& broken, const std::string& file, const std::vector<Finding>& findings) {
  int errors = 0, matches = 0;
  for (const Finding& f : findings) {
    errors += f.severity == Severity::error;
    bool match =
        f.severity == broken.severity && f.file == file && f.line == broken.line && f.element == broken.element;
    for (const std::string& word : broken.words) match = match && f.message.find(word) != std::string::npos;
    matches += match;
  }
  EXPECT_EQ(matches, 1) << broken.name << ": line " << broken.line << ", " << broken.element << "; said was\n"
                        << all(findings);
  EXPECT_EQ(errors, broken.severity == Severity::error ? 1 : 0) << broken.name << ":\n" << all(findings);
}

}  // namespace kinetree::test
