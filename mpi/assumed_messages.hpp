#pragma once
// What messages are assumed to take where no calibration has measured them.

#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// On one machine: about what an EPYC takes.
inline constexpr MessageCost assumed_within{.latency = 200};
/// Between two machines: more than InfiniBand takes, less than Ethernet.
inline constexpr MessageCost assumed_between{.latency = 9000};

}  // namespace kinetree::inline inner
