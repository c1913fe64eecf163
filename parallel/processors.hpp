#pragma once
// How many cores this process may keep busy, and what they have beside them.

#include <filesystem>
#include <kinetree/export.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// Physical cores this process may use: its affinity mask, hardware threads of one core counted once, capped by the
/// processor quotas of its cgroup and of all cgroups above (versions 1 and 2), rounded up; at least 1. What can't be
/// read does not count.
KINETREE_EXPORT int physical_cores();

/// The same of a machine whose proc and sys stand in folder `root`. `allowed`: the processors of the affinity mask.
int physical_cores(const std::filesystem::path& root, const std::vector<int>& allowed);

/// The processors this process may use, one of each core first, from the core after that of processor `own` on; its own
/// core is the last.
std::vector<int> processors_beside(int own);

/// The first physical_cores() of processors_beside() this thread's: one of each core that this process may keep busy.
/// None where they are not known.
std::vector<int> one_of_each_core();

/// processors_beside() of a machine whose sys stands in folder `root`.
std::vector<int> processors_beside(int own, const std::filesystem::path& root, const std::vector<int>& allowed);

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
  int cores;     ///< that share it, of those this process may use
};

/// Of the first processor this process may use, ascending by level. Where sys lists none (many virtual machines), those
/// that the processor names as a core's own, and a third level of unknown size; none where it names none either.
std::vector<DataCache> data_caches();

/// Those that the sys in folder `root` lists.
std::vector<DataCache> data_caches(const std::filesystem::path& root, const std::vector<int>& allowed);

/// Bytes of the last level; 0 where there is none, or its size is not known.
double bytes_of_last(const std::vector<DataCache>& caches);

/// How many of the last level so many cores have together; 1 where there is none.
int count_of_last(const std::vector<DataCache>& caches, int cores);

/// Bytes of the largest of those below the last that are of one core: what stands there is read without the other
/// cores. 0 where there is none.
double bytes_of_a_core(const std::vector<DataCache>& caches);

}  // namespace kinetree::inline inner
