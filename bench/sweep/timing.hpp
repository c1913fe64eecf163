#pragma once
// Google Benchmark as the timer: real time, repetitions of all calls interleaved in random order.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kinetree::bench {

struct TimedCall {
  std::string name;
  std::function<bool()> call;                                     ///< false: it failed, and its timing is void
  std::int64_t iterations = 1;                                    ///< calls per repetition
  std::function<void(std::int64_t)> begin = [](std::int64_t) {};  ///< told how many calls follow; not timed
};

struct Timing {
  std::vector<double> ns;  ///< per call, one entry per repetition that was made; empty where a call failed
  bool failed = false;     ///< a call did
};

constexpr int fewest_repetitions = 5;  ///< with fewer the median's interval covers too little (fitness.hpp)

/// A round is one repetition of every call. Rounds that would end after `until` are left out, but for the fewest, whose
/// repetitions then have fewer calls. After the last round `further` says whether one more is wanted, up to twice as
/// many.
struct Rounds {
  int most;
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  std::function<bool()> further = [] { return false; };
};

/// `stop` is asked before each repetition: once true, no more are made. `after_repetition(i)` is called after each
/// repetition of call i. The iterations of `calls` are those of the last round.
std::vector<Timing> time_interleaved(std::vector<TimedCall>& calls, const Rounds& rounds,
                                     const std::function<bool()>& stop,
                                     const std::function<void(std::size_t)>& after_repetition);

}  // namespace kinetree::bench
