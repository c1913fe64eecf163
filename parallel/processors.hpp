#pragma once
// How many cores this process may keep busy, and which caches these have.

#include <filesystem>
#include <kinetree/export.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// Physical cores that the calling thread may use: those of its affinity mask, hardware threads of one core counted
/// once; at most the processor quotas of the process's cgroup and of all cgroups above (versions 1 and 2), rounded up;
/// at least 1. Without its topology files a processor counts as a core; without its files a quota sets no limit.
KINETREE_EXPORT int physical_cores();

/// The same of a machine whose proc and sys stand in folder `root`. `allowed`: the processors of the affinity mask.
int physical_cores(const std::filesystem::path& root, const std::vector<int>& allowed);

/// The processors that the calling thread may use, round-robin over cores: one of each core first, then a second of
/// each, and so on. Cores begin with the one after that of processor `own`, whose core is the last.
std::vector<int> processors_round_robin(int own);

/// One processor of each core that may be kept busy: the first physical_cores() of processors_round_robin(), `own`
/// being the processor of this thread. Empty where they are not known.
std::vector<int> one_of_each_core();

/// processors_round_robin() of a machine whose sys stands in folder `root`.
std::vector<int> processors_round_robin(int own, const std::filesystem::path& root, const std::vector<int>& allowed);

/// Keeps this thread on one processor; where that can't be had any more, the system goes on placing it.
void pin_to(int processor);

/// The processor's name as the system gives it; "unknown" where it can't be read.
std::string processor_model();

/// The same of a machine whose proc stands in folder `root`.
std::string processor_model(const std::filesystem::path& root);

/// A cache that holds data.
struct DataCache {
  int level;
  double bytes;  ///< 0: not known
  int cores;     ///< that share it, of those that the calling thread may use
};

/// Data caches of the first processor that the calling thread may use, ascending by level. Where sys lists none (many
/// virtual machines): those that sysconf gives as a core's own, and a third level of unknown size, if it gives any.
std::vector<DataCache> data_caches();

/// Those that the sys in folder `root` lists.
std::vector<DataCache> data_caches(const std::filesystem::path& root, const std::vector<int>& allowed);

/// Bytes of the last-level cache; 0 where there is none, or its size is not known.
double bytes_of_last(const std::vector<DataCache>& caches);

/// How many last-level caches `cores` cores have together; 1 where there is none.
int count_of_last(const std::vector<DataCache>& caches, int cores);

/// Bytes of the largest cache below the last level that one core has to itself; 0: there is none.
double bytes_of_a_core(const std::vector<DataCache>& caches);

}  // namespace kinetree::inline inner
