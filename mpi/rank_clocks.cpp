#include "mpi/rank_clocks.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "engine/scalar/index.hpp"
#include "mpi/assumed_messages.hpp"

namespace kinetree::inline inner {
namespace {

/// Over passes: whether a phase's time is taken there. Passes of a phase before its last go before that as one wave.
std::vector<bool> ends_of_phases(std::span<const Pass> passes) {
  std::vector<bool> all;
  for (std::size_t p = 0; p < passes.size(); ++p)
    all.push_back(p + 1 == passes.size() || passes[p + 1].phase != passes[p].phase);
  return all;
}

/// Ranks that run their passes, each by its own clock.
class RankClocks {
 public:
  RankClocks(const RankSteps& steps, const std::vector<Operations>& ns, const Processes& on, const Messages& messages)
      : steps_(steps), ns_(ns), ends_phase_(ends_of_phases(steps.passes)), on_(on), messages_(messages) {
    for (int r = 0; r < on.count; ++r) {
      layouts_.emplace_back(r, steps);
      layouts_.back().lay_out();
    }
    next_.resize(layouts_.size()), clock_.resize(layouts_.size(), 0);
  }

  /// When the last rank has done.
  double run() {
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (int r = 0; r < on_.count; ++r)
        while (advance(r)) goes_on = true;
    }
    return *std::max_element(clock_.begin(), clock_.end());
  }

 private:
  /// What a rank does next: actions before a pass, its inner steps, actions after it.
  struct Place {
    std::size_t pass = 0, part = 0, action = 0;
  };
  using Key = std::tuple<std::size_t, int, int, int>;  // pass, tag, from, to

  double time_of(int step, std::size_t pass) const {
    return ends_phase_[pass] ? ns_[at(step)].of[steps_.passes[pass].phase] : 0;
  }
  const MessageCost& cost(int from, int to) const {
    return from / on_.on_each_machine == to / on_.on_each_machine ? messages_.within : messages_.between;
  }

  /// Sending takes this of the sender's time, and receiving of the receiver's: about all of a message within a machine.
  double overhead() const { return messages_.within.latency > 0 ? messages_.within.latency : assumed_within.latency; }

  /// Does one thing; false where the rank waits for a message, or has done.
  bool advance(int r) {
    Place& p = next_[at(r)];
    const RankLayout& layout = layouts_[at(r)];
    if (p.pass == steps_.passes.size()) return false;
    double& clock = clock_[at(r)];
    if (p.part == 1) {
      for (const int s : layout.inner()) clock += time_of(s, p.pass);
      p.part = 2;
      return true;
    }
    const RankLayout::Stage& stage = layout.stages()[p.pass];
    const std::vector<RankLayout::Action>& actions = p.part == 0 ? stage.before : stage.after;
    if (p.action == actions.size()) {
      p.action = 0;
      p.part == 0 ? (p.part = 1) : (p.part = 0, ++p.pass);
      return true;
    }
    const RankLayout::Action& action = actions[p.action];
    if (action.kind == RankLayout::Action::Kind::run) {
      clock += time_of(action.number, p.pass);
    } else {
      const RankLayout::Message& m = layout.messages()[at(action.number)];
      if (action.kind == RankLayout::Action::Kind::send) {
        const MessageCost& c = cost(r, m.rank);
        clock += overhead();
        arrival_[{p.pass, m.tag, r, m.rank}] =
            clock + std::max(0.0, c.latency - 2 * overhead()) + static_cast<double>(m.bytes) / c.bandwidth;
      } else {
        const auto sent = arrival_.find({p.pass, m.tag, m.rank, r});
        if (sent == arrival_.end()) return false;
        clock = std::max(clock, sent->second) + overhead();
      }
    }
    ++p.action;
    return true;
  }

  const RankSteps& steps_;
  const std::vector<Operations>& ns_;
  std::vector<bool> ends_phase_;
  Processes on_;
  const Messages& messages_;
  std::vector<RankLayout> layouts_;
  std::vector<Place> next_;
  std::vector<double> clock_;
  std::map<Key, double> arrival_;
};

}  // namespace

double ranks_ns(const RankSteps& steps, const std::vector<Operations>& ns, const Processes& on,
                const Messages& messages) {
  return RankClocks(steps, ns, on, messages).run();
}

}  // namespace kinetree::inline inner
