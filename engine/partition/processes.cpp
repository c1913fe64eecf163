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
  const int count = static_cast<int>(weight.size());
  double before = 0;
  int last = -1;
  for (int k = 0; k < count; ++k) {
    const double middle = (before + weight[at(k)] / 2) / all;
    // none is left without, where there are modules for all
    const int least = std::max({0, last, processes - (count - k)}), most = std::min(last + 1, processes - 1);
    last = std::clamp(static_cast<int>(processes * middle), std::min(least, most), most);
    modules.process.push_back(last);
    before += weight[at(k)];
  }
}

}  // namespace kinetree::inline inner
