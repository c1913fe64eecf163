#pragma once
// What runs, how much is done, and about how long the rest takes: a line on the terminal that is painted over,
// elsewhere (a log, a batch system) a line of its own every ten seconds.

#include <chrono>
#include <string>

namespace kinetree::bench {

class Progress {
 public:
  /// `total`: the whole work, in any unit.
  explicit Progress(double total);
  ~Progress();
  void advance(double work, const std::string& what);

 private:
  double total_, done_ = 0;
  bool terminal_;
  std::chrono::steady_clock::time_point start_, last_shown_;
};

}  // namespace kinetree::bench
