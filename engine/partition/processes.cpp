#include "engine/partition/processes.hpp"

#include <algorithm>
#include <numeric>

#include "engine/partition/price_table.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

int body_count(const Modules& modules, const Module& module) {
  int count = 0;
  for (int r = module.first_range; r < module.last_range; ++r)
    count += modules.ranges[at(r)].end - modules.ranges[at(r)].begin;
  return count;
}

int part_bodies(int bodies, int processes) {
  return std::max(price::least_task / 2, bodies / (price::tasks_a_thread * price::threads_of_a_rank * processes));
}

std::vector<int> shares_of(int processes, const std::vector<double>& weight) {
  const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
  const int count = static_cast<int>(weight.size());
  std::vector<int> process;
  double before = 0;
  int last = -1;
  for (int k = 0; k < count; ++k) {
    const double middle = (before + weight[at(k)] / 2) / all;
    // none is left without, where there are modules for all
    const int least = std::max({0, last, processes - (count - k)}), most = std::min(last + 1, processes - 1);
    last = std::clamp(static_cast<int>(processes * middle), std::min(least, most), most);
    process.push_back(last);
    before += weight[at(k)];
  }
  return process;
}

void share_out(int processes, std::vector<double> weight, Modules& modules) {
  if (weight.empty())
    for (const Module& module : modules.modules) weight.push_back(body_count(modules, module));
  modules.process = shares_of(processes, weight);
}

}  // namespace kinetree::inline inner
