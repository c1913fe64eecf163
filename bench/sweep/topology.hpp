#pragma once
// Sockets, cores, caches and nodes of memory, as hwloc finds them. A command that is built without hwloc knows none.

#include <string>

struct hwloc_topology;

namespace kinetree::bench {

/// Of a whole machine, whatever part of it this process may use. 0 and empty texts: not known.
struct Topology {
  int sockets = 0, cores = 0, processors = 0;  ///< processors: hardware threads of cores
  int threads_of_core = 0;                     ///< the most
  std::string nodes;                           ///< of memory: "2, with processors 0-1; 2-3"
  std::string caches;                          ///< "L1 data 32 KiB, L2 1 MiB, L3 32 MiB of 2 processors"
  std::string kinds;  ///< of cores: "all alike", or "4 of IntelAtom; 2 of IntelCore", the less powerful first
};

/// Of this machine.
Topology topology();

#if KINETREE_HWLOC
/// Of one that hwloc has loaded.
Topology topology_of(hwloc_topology& loaded);
#endif

}  // namespace kinetree::bench
