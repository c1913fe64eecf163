#pragma once
// Results in the formats of other programs. Cases that were not timed are left out.

#include <nlohmann/json.hpp>
#include <string>

namespace kinetree::bench {

/// Google Benchmark's JSON, which its tools/compare.py reads: an entry per repetition, of one call of `batch` states.
/// Processors' time is not measured: cpu_time is real_time. `results`: as in results.json.
nlohmann::ordered_json google_benchmark(const nlohmann::ordered_json& results);

/// Extra-P's JSON lines, one per repetition: the parameters bodies, threads and states (per call), the call path
/// family, algorithm, executor, and the metric "time" of one call in seconds. Models of files are families of one size,
/// by name.
std::string extra_p(const nlohmann::ordered_json& results);

}  // namespace kinetree::bench
