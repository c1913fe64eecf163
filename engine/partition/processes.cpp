#include "engine/partition/processes.hpp"

#include <algorithm>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

double sweep_weight(const Modules& modules, int i) {
  const bool passed = !modules.passing.empty() && modules.passing[at(i)].width() > 0;
  return passed ? 1.6 : 1;  // as measured on chains of one kind of joint
}

void share_out(int processes, Modules& modules) {
  std::vector<double> weight(modules.modules.size(), 0);
  double all = 0;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const Module& module = modules.modules[k];
    for (int r = module.first_range; r < module.last_range; ++r)
      for (int i = modules.ranges[at(r)].begin; i < modules.ranges[at(r)].end; ++i)
        weight[k] += sweep_weight(modules, i);
    all += weight[k];
  }
  double before = 0;
  for (const double own : weight) {
    const double middle = (before + own / 2) / all;
    modules.process.push_back(std::clamp(static_cast<int>(processes * middle), 0, processes - 1));
    before += own;
  }
}

}  // namespace kinetree::inline inner
