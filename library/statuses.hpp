#pragma once
// The statuses of a call's columns, kept until the next call.

#include <algorithm>
#include <cstddef>
#include <kinetree/status.hpp>
#include <span>
#include <vector>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

class Statuses {
 public:
  /// For a call of so many columns; one status where there is none. Keeps what the last call left.
  void resize(std::ptrdiff_t columns) {
    shown_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(columns, 1));
    while (all_.size() < shown_) all_.push_back({StatusCode::ok, static_cast<int>(all_.size())});
  }
  /// All columns have the status of the call as a whole.
  Status fill(const Status& whole) {
    std::fill_n(all_.begin(), shown_, whole);
    return whole;
  }
  Status& operator[](int column) { return all_[at(column)]; }
  /// The column is ok. Mostly it was so before, and is then read alone: a store would take the line from other threads.
  void pass(int column) {
    if (Status& status = all_[at(column)]; !status.ok()) status = {StatusCode::ok, column};
  }
  /// The first that is not ok; else ok.
  Status first_failed() const {
    for (const Status& status : span())
      if (!status.ok()) return status;
    return {};
  }
  std::span<const Status> span() const { return {all_.data(), shown_}; }

 private:
  std::vector<Status> all_{1};  ///< one that is ok says its column and nothing else
  std::size_t shown_ = 1;
};

}  // namespace kinetree::inline inner
