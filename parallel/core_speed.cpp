#include "parallel/core_speed.hpp"

#include <sched.h>

#include <algorithm>
#include <future>

#include "parallel/bandwidth.hpp"
#include "parallel/processors.hpp"

namespace kinetree::inline inner {
namespace {

/// On each of `processors` in turn the best of three arithmetic_ns(), by a thread of its own, which is pinned there.
std::vector<double> arithmetic_of(const std::vector<int>& processors) {
  const auto in_turn = [&] {
    std::vector<double> times;
    for (const int processor : processors) {
      pin_to(processor);
      times.push_back(std::min({arithmetic_ns(), arithmetic_ns(), arithmetic_ns()}));
    }
    return times;
  };
  return std::async(std::launch::async, in_turn).get();  // an exception comes to the caller
}

}  // namespace

double arithmetic_ns() {
  constexpr int shortly = 1250;  // about 0.05 ms
  return std::min(core_work(shortly).ns(), core_work(shortly).ns());
}

std::vector<double> arithmetic_of_processors() { return arithmetic_of(processors_round_robin(sched_getcpu())); }

double slowest_processor() {
  const std::vector<double> times = arithmetic_of_processors();
  if (times.empty()) return 1;
  const auto [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  return *fastest / *slowest;
}

int fastest_processor() {
  const std::vector<int> processors = processors_round_robin(sched_getcpu());
  const std::vector<double> times = arithmetic_of(processors);
  if (times.empty()) return -1;
  return processors[static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin())];
}

}  // namespace kinetree::inline inner
