// How many cores may be used, on machines that are written down in a folder.
#include "parallel/processors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace kinetree {
namespace {

namespace fs = std::filesystem;

/// A machine's proc and sys, removed with the test.
class FakeMachine {
 public:
  FakeMachine() : root_(fs::temp_directory_path() / ("kinetree_machine_" + std::to_string(std::random_device{}()))) {}
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;
  ~FakeMachine() { fs::remove_all(root_); }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  /// Processors 2k and 2k + 1 are hardware threads of core k.
  void hyperthreads(int cores, const std::string& name = "core_cpus_list") const {
    for (int cpu = 0; cpu < 2 * cores; ++cpu) {
      const int first = cpu / 2 * 2;
      write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/" + name,
            std::to_string(first) + "-" + std::to_string(first + 1) + "\n");
    }
  }
  void version2(const std::string& cgroup, const std::string& top = "/") const {
    write("proc/self/cgroup", "0::" + cgroup + "\n");
    write("proc/self/mountinfo", "30 23 0:26 " + top + " /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
  }
  int cores(const std::vector<int>& allowed) const { return physical_cores(root_, allowed); }
  std::vector<int> round_robin(int own, const std::vector<int>& allowed) const {
    return processors_round_robin(own, root_, allowed);
  }
  std::vector<DataCache> caches(const std::vector<int>& allowed) const { return data_caches(root_, allowed); }

 private:
  fs::path root_;
};

const std::vector<int> eight{0, 1, 2, 3, 4, 5, 6, 7};

TEST(Processors, HardwareThreadsOfOneCoreCountOnce) {
  const FakeMachine machine, older;
  machine.hyperthreads(4);
  older.hyperthreads(4, "thread_siblings_list");
  for (const FakeMachine* m : {&machine, &older}) {
    EXPECT_EQ(m->cores(eight), 4);
    EXPECT_EQ(m->cores({0, 1}), 1);
    EXPECT_EQ(m->cores({1, 2}), 2);
    EXPECT_EQ(m->cores({1, 3, 5}), 3) << "one thread of each of three cores";
  }
}

TEST(Processors, NothingToReadIsNoLimit) {
  const FakeMachine machine;
  EXPECT_EQ(machine.cores(eight), 8);
  EXPECT_EQ(machine.cores({}), 1);
}

TEST(Processors, QuotasOfEveryCgroupAboveCount) {
  const FakeMachine machine;
  machine.version2("/user.slice/run.scope");
  EXPECT_EQ(machine.cores(eight), 8);
  machine.write("sys/fs/cgroup/user.slice/run.scope/cpu.max", "max 100000\n");
  EXPECT_EQ(machine.cores(eight), 8);
  machine.write("sys/fs/cgroup/user.slice/cpu.max", "300000 100000\n");
  EXPECT_EQ(machine.cores(eight), 3) << "the parent's";
  machine.write("sys/fs/cgroup/user.slice/run.scope/cpu.max", "150000 100000\n");
  EXPECT_EQ(machine.cores(eight), 2) << "rounded up";
  machine.write("sys/fs/cgroup/user.slice/run.scope/cpu.max", "10000 100000\n");
  EXPECT_EQ(machine.cores(eight), 1);
  machine.write("sys/fs/cgroup/user.slice/other.scope/cpu.max", "10000 100000\n");
  machine.write("sys/fs/cgroup/user.slice/run.scope/cpu.max", "500000 100000\n");
  EXPECT_EQ(machine.cores(eight), 3) << "the parent's again, and nobody else's";
}

TEST(Processors, TheTopOfWhatIsMountedCountsInAContainer) {
  const FakeMachine inside, outside, private_view;
  inside.version2("/docker/abc/work", "/docker/abc");
  inside.write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(inside.cores(eight), 4);
  inside.write("sys/fs/cgroup/work/cpu.max", "200000 100000\n");
  EXPECT_EQ(inside.cores(eight), 2);
  outside.version2("/../other");
  outside.write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(outside.cores(eight), 4);
  private_view.version2("/");
  private_view.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(private_view.cores(eight), 1);
}

TEST(Processors, VersionOneIsReadWhereItsControllerIsMounted) {
  const FakeMachine machine;
  machine.write("proc/self/cgroup", "5:memory:/elsewhere\n4:cpu,cpuacct:/jobs/7\n3:cpuset:/\n0::/jobs/7\n");
  machine.write("proc/self/mountinfo",
                "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
                "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
                "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  const auto limit = [&](const std::string& cgroup, int quota) {
    const std::string folder = "sys/fs/cgroup/cpu,cpuacct" + cgroup;
    machine.write(folder + "/cpu.cfs_quota_us", std::to_string(quota) + "\n");
    machine.write(folder + "/cpu.cfs_period_us", "50000\n");
  };
  EXPECT_EQ(machine.cores(eight), 8);
  limit("", -1), limit("/jobs", -1), limit("/jobs/7", -1);
  EXPECT_EQ(machine.cores(eight), 8) << "-1 is no limit";
  limit("/jobs", 250000);
  EXPECT_EQ(machine.cores(eight), 5);
  limit("/jobs/7", 100000);
  EXPECT_EQ(machine.cores(eight), 2);
  limit("/jobs/8", 50000);
  EXPECT_EQ(machine.cores(eight), 2);
  machine.write("sys/fs/cgroup/unified/jobs/cpu.max", "20000 50000\n");
  EXPECT_EQ(machine.cores(eight), 1) << "both versions at once";
}

TEST(Processors, MaskAndQuotaHoldTogether) {
  const FakeMachine machine;
  machine.hyperthreads(4);
  machine.version2("/");
  machine.write("sys/fs/cgroup/cpu.max", "600000 100000\n");
  EXPECT_EQ(machine.cores(eight), 4) << "six processors' worth of time, four cores";
  EXPECT_EQ(machine.cores({0, 1, 2}), 2);
}

TEST(Processors, OneOfEachCoreComesFirstAndTheOwnCoreLast) {
  const FakeMachine machine;
  machine.hyperthreads(4);
  EXPECT_EQ(machine.round_robin(2, eight), (std::vector<int>{4, 6, 0, 2, 5, 7, 1, 3}))
      << "from the core after the own one";
  EXPECT_EQ(machine.round_robin(7, eight), (std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(machine.round_robin(2, {2, 3, 5}), (std::vector<int>{5, 2, 3})) << "allowed ones alone";
  EXPECT_EQ(machine.round_robin(6, {0, 2}), (std::vector<int>{0, 2})) << "the own one is not among them";
}

TEST(Processors, CachesOfDataAreSharedByCores) {
  const FakeMachine machine;
  machine.hyperthreads(4);
  EXPECT_TRUE(machine.caches({2}).empty()) << "nothing to read";
  EXPECT_EQ(bytes_of_last({}), 0);
  EXPECT_EQ(bytes_of_a_core({}), 0);
  struct File {
    const char *size, *level, *type, *shared;
  };
  const File files[]{{"32M\n", "3\n", "Unified\n", "0-5\n"},
                     {"48K\n", "1\n", "Data\n", "2-3\n"},
                     {"64M\n", "1\n", "Instruction\n", "2-3\n"},
                     {"1024K\n", "2\n", "Unified\n", "2,3,7\n"}};
  for (std::size_t k = 0; k < std::size(files); ++k) {
    const std::string index = "sys/devices/system/cpu/cpu2/cache/index" + std::to_string(k) + "/";
    machine.write(index + "size", files[k].size), machine.write(index + "level", files[k].level);
    machine.write(index + "type", files[k].type), machine.write(index + "shared_cpu_list", files[k].shared);
  }
  const std::vector<DataCache> caches = machine.caches({2, 3, 4, 6});
  ASSERT_EQ(caches.size(), 3u) << "without that of instructions";
  const double bytes[]{48 << 10, 1 << 20, 32 << 20};
  const int cores[]{1, 1, 2};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(caches[k].level, static_cast<int>(k) + 1);
    EXPECT_EQ(caches[k].bytes, bytes[k]);
    EXPECT_EQ(caches[k].cores, cores[k]) << "of those that may be used, hardware threads counted once";
  }
  EXPECT_EQ(bytes_of_last(caches), 32 << 20);
  EXPECT_EQ(bytes_of_a_core(caches), 1 << 20);
  EXPECT_TRUE(machine.caches({3}).empty());
}

TEST(Processors, ThisMachineHasOneAtLeast) { EXPECT_GE(physical_cores(), 1); }

}  // namespace
}  // namespace kinetree
