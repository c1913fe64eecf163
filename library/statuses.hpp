#pragma once
// The statuses of a call's columns, kept until the next call.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <kinetree/status.hpp>
#include <span>
#include <vector>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

class Statuses {
 public:
  /// Begins a call of so many columns; each is ok until it fails. Without columns there is one status. Where no column
  /// failed in the last call, only statuses that no call had before are written, and none is read for columns that
  /// pass: statuses are a third of the memory of a short chain's batch.
  void begin(std::ptrdiff_t columns) {
    shown_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(columns, 1));
    // Not by an exchange, which takes 5 ns, a tenth of a pendulum's time. No thread fails a column before the call begins.
    if (failed_.load(std::memory_order_relaxed)) failed_.store(false, std::memory_order_relaxed), all_.clear();
    while (all_.size() < shown_) all_.push_back({StatusCode::ok, static_cast<int>(all_.size())});
  }
  /// All columns have the status of the call as a whole.
  Status fill(const Status& whole) {
    std::fill_n(all_.begin(), shown_, whole);
    failed_.store(true, std::memory_order_relaxed);
    return whole;
  }
  /// A column of this call failed. Threads may call it at once, each for columns of its own.
  void fail(int column, Status status) {
    status.column = column;
    all_[at(column)] = status;
    failed_.store(true, std::memory_order_relaxed);
  }
  /// The first that is not ok; else ok.
  Status first_failed() const {
    if (failed_.load(std::memory_order_relaxed))
      for (const Status& status : span())
        if (!status.ok()) return status;
    return {};
  }
  std::span<const Status> span() const { return {all_.data(), shown_}; }

 private:
  std::vector<Status> all_{1};        ///< one that is ok says its column and nothing else
  std::atomic<bool> failed_ = false;  ///< whether one of all_ may not be ok
  std::size_t shown_ = 1;
};

}  // namespace kinetree::inline inner
