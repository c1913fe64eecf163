#include "bench/ranks/measured_messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>

#include "bench/ranks/asleep.hpp"
#include "bench/ranks/binding.hpp"
#include "bench/sweep/statistics.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/clock.hpp"

namespace kinetree::bench {
namespace {

/// Between ranks 0 and `other`, which call it: half of the way there and back, in ns.
double one_way_ns(MPI_Comm comm, int own, int other, int bytes) {
  constexpr int rounds = 41, warm = 20;
  const int ways = bytes > 1024 ? 10 : 50;
  std::vector<char> message(at(bytes));
  std::vector<double> ns;
  const auto send = [&] { MPI_Send(message.data(), bytes, MPI_BYTE, own == 0 ? other : 0, 0, comm); };
  const auto receive = [&] {
    MPI_Recv(message.data(), bytes, MPI_BYTE, own == 0 ? other : 0, 0, comm, MPI_STATUS_IGNORE);
  };
  const auto there_and_back = [&] { own == 0 ? (send(), receive()) : (receive(), send()); };
  for (int k = 0; k < warm; ++k) there_and_back();
  for (int round = 0; round < rounds; ++round) {
    const Clock::time_point begin = Clock::now();
    for (int k = 0; k < ways; ++k) there_and_back();
    ns.push_back(Elapsed{begin, Clock::now()}.ns() / (2 * ways));
  }
  return median_interval(ns).median;
}

MessageCost cost_between(MPI_Comm comm, int own, int other) {
  constexpr int few = 8, many = 1 << 16;
  std::array<double, 2> ns{};
  if (own == 0 || own == other) {
    ns = {one_way_ns(comm, own, other, few), one_way_ns(comm, own, other, many)};
  }
  meet_asleep(comm);
  return {ns[0], ns[1] > ns[0] ? (many - few) / (ns[1] - ns[0]) : 0};
}

/// Names of InfiniBand, RoCE and Omni-Path devices, as Linux lists them.
std::string fast_networks() {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/class/infiniband", error))
    names.insert(entry.path().filename().string());
  return names.empty() ? "none found" : fmt::format("{}", fmt::join(names, ", "));
}

std::string in_words(const MessageCost& cost) {
  return cost.latency == 0 ? "not measured" : fmt::format("{:.3g} us, {:.3g} GB/s", cost.latency / 1e3, cost.bandwidth);
}

}  // namespace

std::vector<int> machines_of(MPI_Comm comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &ranks);
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
  int first = rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, here);
  MPI_Comm_free(&here);
  std::vector<int> firsts(at(ranks));
  MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, comm);
  std::vector<int> order = firsts;
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  for (int& f : firsts) f = static_cast<int>(std::lower_bound(order.begin(), order.end(), f) - order.begin());
  return firsts;
}

Messages measured_messages(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const std::vector<int> machine = machines_of(comm);
  const auto first = [&](bool same) {
    for (std::size_t r = 1; r < machine.size(); ++r)
      if ((machine[r] == machine[0]) == same) return static_cast<int>(r);
    return 0;
  };
  Messages messages;
  if (const int other = first(true)) messages.within = cost_between(comm, rank, other);
  if (const int other = first(false)) messages.between = cost_between(comm, rank, other);
  MPI_Bcast(&messages, sizeof messages, MPI_BYTE, 0, comm);
  return messages;
}

nlohmann::ordered_json ranks_context(MPI_Comm comm, const Messages& messages) {
  const std::vector<int> machine = machines_of(comm);
  const int machines = *std::max_element(machine.begin(), machine.end()) + 1, own = own_processors();
  std::vector<int> each(machine.size());
  MPI_Gather(&own, 1, MPI_INT, each.data(), 1, MPI_INT, 0, comm);
  std::vector<int> on(at(machines));
  for (const int m : machine) ++on[at(m)];
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  const auto [least, most] = std::minmax_element(each.begin(), each.end());
  return {{"ranks", std::to_string(machine.size())},
          {"machines", std::to_string(machines)},
          {"ranks on each machine", fmt::format("{}", fmt::join(on, ", "))},
          {"processors each rank may use",
           *least == *most ? std::to_string(*least) : fmt::format("{} to {}", *least, *most)},
          {"MPI", std::string(version).substr(0, std::string(version).find_first_of(",\n"))},
          {"InfiniBand devices", fast_networks()},
          {"messages within a machine", in_words(messages.within)},
          {"messages between machines", in_words(messages.between)}};
}

}  // namespace kinetree::bench
