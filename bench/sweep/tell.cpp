#include "bench/sweep/tell.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace kinetree::bench {

void tell_notes(const SweepResults& results) {
  for (const std::string& note : results.notes) fmt::print(stderr, "note: {}\n", note);
  if (const std::string doubt = doubt_of_predictions(results.observed); !doubt.empty())
    fmt::print(stderr, "note: {}\n", doubt);
}

bool tell_failures(const SweepResults& results) {
  bool failed = false;
  for (const CaseResult& c : results.cases)
    if (!c.failure.empty()) {
      failed = true;
      fmt::print(stderr, "failed: {}: {}\n", words_of(results.models[c.what.model], c.what), c.failure);
    }
  return failed;
}

}  // namespace kinetree::bench
