// Machines that hwloc makes up, and this one.
#include <gtest/gtest.h>
#include <hwloc.h>

#include <string>

#include "bench/sweep/hardware.hpp"

namespace kinetree::bench {
namespace {

/// As hwloc describes machines: `man hwloc`, "Synthetic topologies".
class MadeUp {
 public:
  explicit MadeUp(const std::string& text) {
    hwloc_topology_init(&loaded_);
    EXPECT_EQ(hwloc_topology_set_synthetic(loaded_, text.c_str()), 0) << text;
    EXPECT_EQ(hwloc_topology_set_icache_types_filter(loaded_, HWLOC_TYPE_FILTER_KEEP_ALL), 0);
    EXPECT_EQ(hwloc_topology_load(loaded_), 0);
  }
  MadeUp(const MadeUp&) = delete;
  MadeUp& operator=(const MadeUp&) = delete;
  ~MadeUp() { hwloc_topology_destroy(loaded_); }

  /// Says of some processors, "0-3", of which kind they are.
  void kind(const std::string& processors, int efficiency, const char* name, const char* frequency) const {
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_list_sscanf(set, processors.c_str());
    std::string keys[]{"CoreType", "FrequencyMaxMHz"}, values[]{name, frequency};
    hwloc_info_s infos[]{{keys[0].data(), values[0].data()}, {keys[1].data(), values[1].data()}};
    EXPECT_EQ(hwloc_cpukinds_register(loaded_, set, efficiency, 2, infos, 0), 0);
    hwloc_bitmap_free(set);
  }
  nlohmann::ordered_json told() const { return hardware("/nowhere", loaded_); }

 private:
  hwloc_topology_t loaded_ = nullptr;
};

TEST(Topology, OfTwoSocketsWithHardwareThreads) {
  const nlohmann::ordered_json t =
      MadeUp("pack:2 [numa] l3:1(size=33554432) l2:2(size=1048576) l1i:1(size=32768) l1d:1(size=49152) core:1 pu:2")
          .told();
  EXPECT_EQ(t["sockets"], 2);
  EXPECT_EQ(t["physical cores"], 4);
  EXPECT_EQ(t["logical processors"], 8);
  EXPECT_EQ(t["SMT"], "hardware threads of a core: 2, control: unknown");
  EXPECT_EQ(t["NUMA nodes"], "2, with processors 0-3; 4-7");
  EXPECT_EQ(t["caches"],
            "L1 data 48 KiB of 2 processors, L1 instruction 32 KiB of 2 processors, L2 1 MiB of 2 processors, "
            "L3 32 MiB of 4 processors");
  EXPECT_EQ(t["kinds of cores"], "unknown") << "none is told";
}

TEST(Topology, OfSeveralNodesInASocket) {
  const nlohmann::ordered_json t = MadeUp("pack:1 group:4 [numa] l3:2(size=16777216) core:2 pu:1").told();
  EXPECT_EQ(t["sockets"], 1);
  EXPECT_EQ(t["physical cores"], 16);
  EXPECT_EQ(t["SMT"], "hardware threads of a core: 1, control: unknown");
  EXPECT_EQ(t["NUMA nodes"], "4, with processors 0-3; 4-7; 8-11; 12-15");
  EXPECT_EQ(t["caches"], "L3 16 MiB of 2 processors");
}

TEST(Topology, OfTwoKindsOfCores) {
  const MadeUp machine("pack:1 l2:4(size=2621440) core:2 pu:1");
  machine.kind("0-5", 10, "IntelCore", "5200");
  machine.kind("6-7", 1, "IntelAtom", "3800");
  const nlohmann::ordered_json t = machine.told();
  EXPECT_EQ(t["kinds of cores"], "2 of IntelAtom, up to 3800 MHz; 6 of IntelCore, up to 5200 MHz");
  EXPECT_EQ(t["caches"], "L2 2560 KiB of 2 processors");
  EXPECT_EQ(t["NUMA nodes"], "1, with processors 0-7");
  const MadeUp plain("pack:1 core:2 pu:1");
  plain.kind("0-1", 1, "IntelCore", "5200");
  EXPECT_EQ(plain.told()["kinds of cores"], "all alike");
}

TEST(Topology, OfThisMachineIsFound) {
  const nlohmann::ordered_json t = hardware();
  EXPECT_GE(t["sockets"], 1);
  EXPECT_GE(t["logical processors"], 1);
  EXPECT_NE(t["NUMA nodes"], "unknown");
}

}  // namespace
}  // namespace kinetree::bench
