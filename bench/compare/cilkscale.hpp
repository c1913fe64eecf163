#pragma once
// Results as the table that Cilkscale's benchmarking script writes.

#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// A CSV table with the columns of OpenCilk's cilkscale.py, in seconds: tag, work, span, parallelism, burdened span,
/// burdened parallelism, then `Nc time (seconds)` for each number N of threads that ran. A line is of one mechanism,
/// algorithm and executor, one state a call; its work and span are those of its tasks for the most threads; a time that
/// was not measured is nan. Empty where no case has work and span in time. `results`: as in results.json.
std::string cilkscale(const nlohmann::ordered_json& results);

}  // namespace kinetree::bench
