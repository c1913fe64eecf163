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

/// As eight processors show themselves to Linux.
TEST_F(Hardware, IsToldInWords) {
  const std::string cpus = "sys/devices/system/cpu/";
  std::string cpuinfo;
  for (int k = 0; k < 8; ++k) {
    const std::string cpu = cpus + "cpu" + std::to_string(k) + "/";
    cpuinfo += "processor\t: " + std::to_string(k) +
               "\nmodel name\t: Some CPU: 8 @ 2GHz\ncpu MHz\t\t: " + std::to_string(1500 + k) +
               ".9\nflags\t\t: fpu avx2 ht\n\n";
    write({{cpu + "cpufreq/scaling_governor", k == 3 ? "powersave\n" : "performance\n"},
           {cpu + "cpufreq/scaling_min_freq", "800000\n"},
           {cpu + "cpufreq/scaling_max_freq", k < 4 ? "3600000\n" : "900000\n"}});
  }
  write({{"proc/cpuinfo", cpuinfo},
         {"proc/meminfo", "MemTotal:       131800000 kB\nMemFree:  1 kB\n"},
         {cpus + "smt/control", "on\n"},
         {cpus + "cpufreq/cpufreq/scaling_governor", "none\n"}});  // a folder whose name begins like a processor's
  const Json json = hardware(root_, nullptr);
  EXPECT_EQ(json["processor"], "Some CPU: 8 @ 2GHz");
  EXPECT_EQ(json["SMT"], "on");
  EXPECT_EQ(json["frequency limits"], "800 to 3600 MHz");
  EXPECT_EQ(json["frequency governor"], "performance, powersave");
  EXPECT_EQ(json["hypervisor"], "none");
  EXPECT_EQ(json["memory"], "126 GiB");
  EXPECT_EQ(frequency_now(root_), "1501 to 1508 MHz");
  write({{"proc/cpuinfo", "flags : fpu hypervisor avx2\n"}});
  EXPECT_EQ(hardware(root_, nullptr)["hypervisor"], "there is one, without a name");
  write({{"sys/class/dmi/id/sys_vendor", "QEMU\n"}, {"sys/class/dmi/id/product_name", "Standard PC\n"}});
  EXPECT_EQ(hardware(root_, nullptr)["hypervisor"], "QEMU Standard PC");
}

TEST_F(Hardware, ThatIsNotKnownIsUnknown) {
  const Json json = hardware(root_, nullptr);
  EXPECT_EQ(json.size(), hardware().size());
  for (const auto& [key, value] : json.items()) EXPECT_EQ(value, "unknown") << key;
  EXPECT_EQ(frequency_now(root_), "unknown");
}

TEST_F(Hardware, StandsInTheContextWithTheLoadOfBothEnds) {
  const Json context = measurement_context("0.25"), own = hardware();
  EXPECT_EQ(context["load average at the start"], "0.25");
  for (const auto& [key, value] : own.items()) EXPECT_EQ(context[key], value) << key;
  EXPECT_EQ(context["memory bandwidth at the start"], "not measured");
  const Memory measured{.caches = {{1, 48 << 10, 1}, {3, 32 << 20, 2}},
                        .bandwidths = {.caches = {{{280.4, 559}, {}, {75, 188.2}}}, .memory = {31.06, 36.9}}};
  EXPECT_EQ(
      measurement_context("0.25", measured)["memory bandwidth at the start"],
      "one thread 31.1 GB/s, all threads 36.9 GB/s; L1 (48 KiB) 280 and 559 GB/s, L3 (32768 KiB) 75 and 188 GB/s");
}

}  // namespace
}  // namespace kinetree::bench
