#pragma once
// Rounds while all processors of rank 0's machine have their full speed: another virtual machine on the same core makes
// work there take 1.2 to 1.8 times as long, for seconds at a time.

#include <vector>

namespace kinetree::bench {

/// All ranks make one and call its members together; rank 0 looks, while the others sleep.
class FullSpeed {
 public:
  /// `patience`: seconds to wait, in all.
  explicit FullSpeed(double patience) : patience_(patience) {}

  /// Waits until all processors are about as fast as they were in a quarter of all looks, or patience is gone.
  void wait();
  /// Whether a round counts that ended just now: they are so still, or patience is gone.
  bool counts();
  /// Rounds that counted though a processor was slow.
  int disturbed() const { return disturbed_; }

 private:
  bool all_fast();

  double patience_;           ///< s
  std::vector<double> seen_;  ///< ns of arithmetic, of any processor so far
  int disturbed_ = 0;
};

}  // namespace kinetree::bench
