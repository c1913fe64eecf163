#pragma once
// What a text makes a loader say.

#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/load_model.hpp>
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

/// Reads the text with each word left out or doubled, and with each beginning of it alone: a model or an error each
/// time, never anything else, and both come of many.
template <class Read>
void expect_models_or_errors(const std::string& text, Read&& read) {
  int models = 0, refused = 0;
  for (std::size_t start = 0, end = 0; start < text.size(); start = end) {
    end = std::min(text.find_first_of(" \n", start), text.size() - 1) + 1;
    for (const std::string& mutated :
         {text.substr(0, start) + text.substr(end), text.substr(0, end) + text.substr(start), text.substr(0, start)}) {
      const Reading reading = read(mutated);
      ++(has_error(reading.findings) ? refused : models);
      EXPECT_TRUE(has_error(reading.findings) || !reading.description.bodies.empty()) << mutated;
      for (const Finding& f : reading.findings) EXPECT_FALSE(f.message.empty() || f.element.empty()) << to_string(f);
    }
  }
  EXPECT_GT(models, 10);
  EXPECT_GT(refused, 100);
}

}  // namespace kinetree::test
