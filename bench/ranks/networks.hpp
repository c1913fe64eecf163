#pragma once
// What messages take between machines that are not there: typical numbers of two kinds of network.

#include <kinetree/calibration.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

struct Network {
  std::string name;
  MessageCost between;
};

/// InfiniBand: one way about 1.5 us between programs, 12 GB/s (100 Gb/s: EDR). Ethernet: TCP over 10 Gb/s, 25 us and
/// 1.1 GB/s. Both are round numbers of what users of MPI measure (osu_latency, osu_bw), not of one machine.
inline const std::vector<Network>& typical_networks() {
  static const std::vector<Network> all{{"infiniband", {1500, 12}}, {"ethernet", {25'000, 1.1}}};
  return all;
}

}  // namespace kinetree::bench
