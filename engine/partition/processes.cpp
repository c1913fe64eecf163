#include "engine/partition/processes.hpp"

#include <algorithm>
#include <numeric>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

int body_count(const Modules& modules, const Module& module) {
  int count = 0;
  for (int r = module.first_range; r < module.last_range; ++r)
    count += modules.ranges[at(r)].end - modules.ranges[at(r)].begin;
  return count;
}

double sweep_weight(const Modules& modules, int i) {
  const bool passed = !modules.passing.empty() && modules.passing[at(i)].width() > 0;
  return passed ? 1.6 : 1;  // as measured on chains of one kind of joint
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

void share_out(int processes, Modules& modules) {
  std::vector<double> weight(modules.modules.size(), 0);
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const Module& module = modules.modules[k];
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i)
        weight[k] += sweep_weight(modules, i);
  }
  modules.process = shares_of(processes, weight);
}

}  // namespace kinetree::inline inner
