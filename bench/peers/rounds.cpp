#include "bench/peers/rounds.hpp"

#include <chrono>
#include <cstddef>

#include "bench/peers/turns.hpp"

namespace kinetree::peers {
namespace {

constexpr double burst_seconds = 2e-4;  // long against the clock's resolution, short against other processes' turns

/// One contender's bursts: `calls` calls each, going on where the last ended.
class Bursts {
 public:
  explicit Bursts(Contender& contender) : contender_(&contender) {
    while (seconds(calls_) < burst_seconds) calls_ *= 2;
  }

  /// Nanoseconds per state.
  double time() {
    run((calls_ + 3) / 4);  // its data and code back into the caches
    return seconds(calls_) / static_cast<double>(calls_ * contender_->per_call) * 1e9;
  }

  Contender& contender() const { return *contender_; }

 private:
  void run(Eigen::Index calls) {
    for (Eigen::Index i = 0; i < calls; ++i) {
      contender_->solver->solve(next_);
      next_ += contender_->per_call;
      if (next_ >= contender_->states) next_ = 0;
    }
  }

  double seconds(Eigen::Index calls) {
    const auto begin = std::chrono::steady_clock::now();
    run(calls);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  Contender* contender_;
  Eigen::Index calls_ = 1, next_ = 0;
};

}  // namespace

void time_rounds(std::vector<Contender>& all, int rounds) {
  std::vector<Bursts> bursts;
  for (Contender& contender : all) {
    if (!contender.refusal.empty()) continue;
    contender.nanoseconds.reserve(static_cast<std::size_t>(rounds));
    bursts.emplace_back(contender);
  }
  for (int round = 0; round < rounds; ++round)
    for (const std::size_t turn : order_of_round(bursts.size(), static_cast<std::size_t>(round)))
      bursts[turn].contender().nanoseconds.push_back(bursts[turn].time());
}

}  // namespace kinetree::peers
