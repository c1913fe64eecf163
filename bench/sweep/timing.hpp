#pragma once
// Google Benchmark as the timer: real time, repetitions of all calls interleaved in random order.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kinetree::bench {

struct TimedCall {
  std::string name;
  std::function<bool()> call;   ///< false: it failed, and its timing is void
  std::int64_t iterations = 1;  ///< calls per repetition
};

struct Timing {
  std::vector<double> ns;  ///< per call, one entry per repetition that was made; empty where a call failed
  bool failed = false;     ///< a call did
};

/// `stop` is asked before each repetition: once true, no more are made. `after_repetition(i)` is called after each
/// repetition of call i.
std::vector<Timing> time_interleaved(const std::vector<TimedCall>& calls, int repetitions,
                                     const std::function<bool()>& stop,
                                     const std::function<void(std::size_t)>& after_repetition);

}  // namespace kinetree::bench
