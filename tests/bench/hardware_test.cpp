// The machine as results tell it: read from folders that are made up, of machines that tell all or nothing.
#include "bench/sweep/hardware.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "bench/sweep/context.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The root of a machine, gone when the test ends.
class MadeUpMachine : public testing::Test {
 protected:
  ~MadeUpMachine() override { fs::remove_all(root_); }
  void write(const std::map<std::string, std::string>& files) const {
    for (const auto& [name, text] : files) {
      fs::create_directories((root_ / name).parent_path());
      std::ofstream(root_ / name) << text;
    }
  }
  const fs::path root_ = fs::temp_directory_path() / ("kinetree_hardware_" + std::to_string(::getpid()));
};

using Hardware = MadeUpMachine;

/// As two sockets of two cores of two hardware threads each show themselves.
TEST_F(Hardware, OfTwoSocketsIsToldInWords) {
  const std::string cpus = "sys/devices/system/cpu/";
  std::string cpuinfo;
  for (int k = 0; k < 8; ++k) {
    const std::string cpu = cpus + "cpu" + std::to_string(k) + "/";
    cpuinfo += "processor\t: " + std::to_string(k) +
               "\nmodel name\t: Some CPU: 8 @ 2GHz\ncpu MHz\t\t: " + std::to_string(1500 + k) +
               ".9\nflags\t\t: fpu avx2 ht\n\n";
    write({{cpu + "topology/thread_siblings_list", std::to_string(k % 4) + "," + std::to_string(k % 4 + 4) + "\n"},
           {cpu + "topology/physical_package_id", std::to_string(k % 4 / 2) + "\n"},
           {cpu + "cpufreq/scaling_governor", k == 3 ? "powersave\n" : "performance\n"},
           {cpu + "cpufreq/scaling_min_freq", "800000\n"},
           {cpu + "cpufreq/scaling_max_freq", k < 4 ? "3600000\n" : "900000\n"}});
  }
  const std::string cache = cpus + "cpu0/cache/index";
  write({{"proc/cpuinfo", cpuinfo},
         {"proc/meminfo", "MemTotal:       131800000 kB\nMemFree:  1 kB\n"},
         {cpus + "smt/control", "on\n"},
         {cpus + "cpufreq/policy0/x", ""},  // a folder whose name begins like a processor's
         {"sys/devices/system/node/node0/cpulist", "0-1,4-5\n"},
         {"sys/devices/system/node/node1/cpulist", "2-3,6-7\n"},
         {cache + "0/level", "1\n"},
         {cache + "0/type", "Data\n"},
         {cache + "0/size", "48K\n"},
         {cache + "0/shared_cpu_list", "0,4\n"},
         {cache + "2/level", "2\n"},
         {cache + "2/size", "1024K\n"},
         {cache + "3/level", "3\n"},
         {cache + "3/type", "Unified\n"},
         {cache + "3/size", "32M\n"},
         {cache + "3/shared_cpu_list", "0-1,4-5\n"}});
  const Json json = hardware(root_);
  EXPECT_EQ(json["processor"], "Some CPU: 8 @ 2GHz");
  EXPECT_EQ(json["sockets"], 2);
  EXPECT_EQ(json["physical cores"], 4);
  EXPECT_EQ(json["logical processors"], 8);
  EXPECT_EQ(json["SMT"], "hardware threads of a core: 2, control: on");
  EXPECT_EQ(json["NUMA nodes"], "2, with processors 0-1,4-5; 2-3,6-7");
  EXPECT_EQ(json["caches"], "L1 data 48 KiB of 2 processors, L2 1 MiB, L3 32 MiB of 4 processors");
  EXPECT_EQ(json["frequency limits"], "800 to 3600 MHz");
  EXPECT_EQ(json["frequency governor"], "performance, powersave");
  EXPECT_EQ(json["hypervisor"], "none");
  EXPECT_EQ(json["memory"], "126 GiB");
  EXPECT_EQ(frequency_now(root_), "1501 to 1508 MHz");
  write({{"proc/cpuinfo", "flags : fpu hypervisor avx2\n"}});
  EXPECT_EQ(hardware(root_)["hypervisor"], "there is one, without a name");
  write({{"sys/class/dmi/id/sys_vendor", "QEMU\n"}, {"sys/class/dmi/id/product_name", "Standard PC\n"}});
  EXPECT_EQ(hardware(root_)["hypervisor"], "QEMU Standard PC");
}

TEST_F(Hardware, ThatTheSystemDoesNotTellIsUnknown) {
  const Json json = hardware(root_);
  EXPECT_EQ(json.size(), hardware().size());
  for (const auto& [key, value] : json.items())
    EXPECT_EQ(value, key == "memory bandwidth" ? "not measured" : "unknown") << key;
  EXPECT_EQ(frequency_now(root_), "unknown");
}

TEST_F(Hardware, StandsInTheContextWithTheLoadOfBothEnds) {
  const Json context = measurement_context("0.25"), own = hardware();
  EXPECT_EQ(context["load average at the start"], "0.25");
  for (const auto& [key, value] : own.items()) EXPECT_EQ(context[key], value) << key;
}

}  // namespace
}  // namespace kinetree::bench
