#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <kinetree/parallel/processors.hpp>
#include <set>
#include <string>
#include <utility>

namespace kinetree {

int physical_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof(mask), &mask) != 0) return 1;
  std::set<std::pair<int, int>> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &mask)) continue;
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    int package = 0, core = cpu;
    std::ifstream(folder + "physical_package_id") >> package;
    int id = 0;
    if (std::ifstream(folder + "core_id") >> id) core = id;
    cores.emplace(package, core);
  }
  int count = std::max(1, static_cast<int>(cores.size()));
  std::string quota;
  double period = 0;
  if (std::ifstream("/sys/fs/cgroup/cpu.max") >> quota >> period && quota != "max" && period > 0)
    count = std::clamp(static_cast<int>(std::ceil(std::stod(quota) / period)), 1, count);
  return count;
}

}  // namespace kinetree
