// A calibration as text: kept to the last digit, refused by file, line and value; and which one a process goes by.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <kinetree/calibration.hpp>
#include <kinetree/kinetree.hpp>
#include <limits>
#include <random>
#include <vector>

#include "library/planner.hpp"
#include "parallel/processors.hpp"
#include "parallel/readings.hpp"

namespace kinetree {
namespace {

const Calibration some{
    .ab = 0.1,
    .dial = 1.0 / 3,
    .lanes = {1.25, 5.0 / 3, 1.75},
    .cache = 33554432,
    .caches = 2,
    .core_cache = 1048576,
    .bandwidths = {.caches = {{{1.0 / 7, 2e3}, {}, {40, 3}}}, .memory = {12.5, 30}},
    .messages = {.within = {200.5, 10}, .between = {1e4 / 3, 1}},
    .cores = 16,
    .line_transfer = 207.5,
    .tbb = {.task = 412.25, .fork = 1e4 / 7, .thread = 0, .meet = 0.1, .efficiency = 0.9, .task_growth = 7.5},
    .openmp = {.task = 5e-324, .fork = 0, .thread = 1e300},
    .team = {.task = 3, .fork = 1.5},
    .disagreement = 0.125};

std::string findings(const std::string& text) {
  try {
    read_calibration(text, "c.txt");
  } catch (const InputError& error) {
    std::string all;
    for (const Finding& f : error.findings()) all += to_string(f) + '\n';
    return all;
  }
  return "accepted";
}

/// The text of `some` with one line replaced, or left out where `line` is empty.
std::string with_line(const std::string& name, const std::string& line) {
  std::string text = to_text(some);
  const std::size_t begin = text.find("\n" + name + " ") + 1, end = text.find('\n', begin);
  return text.replace(begin, end - begin, line);
}

class TemporaryFile {
 public:
  TemporaryFile()
      : path_(std::filesystem::temp_directory_path() / ("kinetree_" + std::to_string(std::random_device{}()))) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(CalibrationText, ComesBackToTheLastDigit) {
  EXPECT_EQ(read_calibration(to_text(some), "c.txt"), some);
  EXPECT_EQ(read_calibration("kinetree calibration 13\n\n\n" + to_text(some).substr(24), "c.txt"), some);
  const TemporaryFile file;
  save_calibration(some, file.path());
  EXPECT_EQ(load_calibration(file.path()), some);
}

TEST(CalibrationText, IsRefusedByFileLineAndValue) {
  const std::pair<const char*, const char*> values[]{{"ab", "0"},
                                                     {"ab", "-1"},
                                                     {"dial", "nan"},
                                                     {"lanes_8", "inf"},
                                                     {"ab", "0x1"},
                                                     {"tbb_fork", "-0.5"},
                                                     {"tbb_task", "1,5"},
                                                     {"tbb_efficiency", "1.01"},
                                                     {"openmp_efficiency", "0"},
                                                     {"ab", "1 2"},
                                                     {"tbb_meet", "-1"},
                                                     {"openmp_thread", ""},
                                                     {"team_task", "-3"},
                                                     {"cache_3_one", "-1"},
                                                     {"memory_all", "fast"}};
  for (const auto& [name, value] : values) {
    const std::string told = findings(with_line(name, std::string(name) + " " + value));
    EXPECT_NE(told.find("error: \"" + std::string(name) + "\": is \"" + value + "\"; give one finite number >"),
              std::string::npos)
        << told;
    EXPECT_EQ(told.find("c.txt:"), 0u);
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
  }
  EXPECT_EQ(findings(with_line("ab", "ab -1")), "c.txt:2: error: \"ab\": is \"-1\"; give one finite number > 0\n");
  EXPECT_NE(findings(with_line("dial", "dail 1"))
                .find("c.txt:3: error: \"dail\": is no entry of a calibration; write dial if that is meant; known"),
            std::string::npos);
  EXPECT_NE(findings(with_line("dial", "")).find("c.txt: error: \"dial\": is missing"), std::string::npos);
  EXPECT_EQ(findings(to_text(some) + "ab 1\n"), "c.txt:49: error: \"ab\": is given twice; keep one of them\n");
  EXPECT_NE(findings("").find("c.txt:1: error: calibration: begins with \"\"; the first line is"), std::string::npos);
}

TEST(CalibrationText, EveryFaultIsToldAtOnce) {
  const std::string told = findings("kinetree calibration 1\nab x\nspeed 3\n");
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 3 + 46) << told;
}

TEST(CalibrationText, BytesAfterANulAreAFinding) {
  const std::string text = to_text(some);
  for (const std::string& more : {std::string(), std::string("ab 1\n"), text}) {
    const std::string told = findings(text + '\0' + more);
    EXPECT_EQ(told.rfind("c.txt:49: error: file: has a NUL byte", 0), 0u) << told;
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
  }
}

TEST(CalibrationText, FilesThatAreNotThereAreNamed) {
  const auto said = [](void (*call)()) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return to_string(error.findings().at(0));
    }
    return "nothing";
  };
  EXPECT_EQ(said([] {
              load_calibration("/no/such/file");
            }).find("/no/such/file: error: calibration: does not exist; name a file that"),
            0u);
  EXPECT_EQ(
      said([] { save_calibration(some, "/no/such/file"); }).find("/no/such/file: error: calibration: can't be written"),
      0u);
}

/// In a process of its own, since a calibration is taken once.
void expect_exit(const char* file, const char* what) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        setenv("KINETREE_CALIBRATION", file, 1);
        try {
          const Calibration c = calibration();
          std::exit(c == some ? 0 : 1);
        } catch (const InputError& error) {
          std::fputs(error.what(), stderr);
          std::exit(2);
        }
      },
      [&](int status) { return WIFEXITED(status) && WEXITSTATUS(status) == (*what == '\0' ? 0 : 2); }, what);
}

/// `measured`: what readings give, in turn.
void expect_two(std::vector<double> measured, int most, double first, double second) {
  std::size_t next = 0;
  const auto two = two_that_agree(
      most, [&] { return measured.at(next++); }, [](double a, double b) { return std::abs(a - b) / std::max(a, b); });
  EXPECT_EQ(two.first, first);
  EXPECT_EQ(two.second, second);
  EXPECT_EQ(next, measured.size());
}

TEST(Calibration, IsReadUntilTwoReadingsAgree) {
  expect_two({100, 110}, 4, 100, 110);
  expect_two({100, 16000, 101}, 4, 100, 101);
  expect_two({500, 100, 16000, 120}, 9, 100, 120);
  expect_two({100, 200, 400, 700}, 4, 400, 700);  // none do: the nearest
  expect_two({100, 200}, 1, 100, 200);            // never by one alone
}

/// In a process of its own: whether the file that is kept in that folder of caches is chosen by.
[[noreturn]] void exit_with_kept(const std::string& folder) {
  unsetenv("KINETREE_CALIBRATION");
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  const std::string file = kept_calibration();
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  save_calibration(some, file);
  const bool found = calibration() == some && calibration_source() == file;
  std::filesystem::remove_all(folder);
  setenv("XDG_CACHE_HOME", "", 1), setenv("HOME", "", 1);
  const bool named = file.rfind(folder + "/kinetree/calibration-", 0) == 0 && kept_calibration().empty();
  std::exit(found && named ? 0 : 1);
}

TEST(Calibration, IsKeptByMachine) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const TemporaryFile folder;
  EXPECT_EXIT(exit_with_kept(folder.path()), testing::ExitedWithCode(0), "");
}

/// In a process of its own, where no calibration is kept: whether plans for two threads are chosen by the default one,
/// without a thread that measures.
[[noreturn]] void exit_with_defaults() {
  unsetenv("KINETREE_CALIBRATION");
  setenv("XDG_CACHE_HOME", "/no/such/folder", 1);
  bool equal = true;
  for (const char* family : {"chain:7", "tree:2x6", "chain:4096"}) {
    const Model model = make_model(family);
    const auto threads_before = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    const Planned planned = make_plan(model, {.executor = ExecutorKind::team, .threads = 2});
    equal = equal && threads_before == std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    equal = equal && (physical_cores() < 2 ||
                      planned.plan == make_plan(model, {.executor = ExecutorKind::team, .threads = 2}, {}, 2).plan);
  }
  std::exit(equal && calibration() == Calibration{} && calibration_source().empty() ? 0 : 1);
}

TEST(Calibration, IsNeverMeasuredUnasked) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(exit_with_defaults(), testing::ExitedWithCode(0), "");
}

/// In a process of its own, with an empty folder of caches: whether what was measured is used, and kept if it may be.
[[noreturn]] void exit_with_measured(const std::string& folder) {
  unsetenv("KINETREE_CALIBRATION");
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  const Calibration c = calibrate(2);
  const bool agree = c.disagreement <= agreed_within, kept = std::filesystem::exists(kept_calibration());
  bool sound = calibration() == c && calibration_source() == "the program" && kept == agree;
  if (kept) sound = sound && load_calibration(kept_calibration()) == c;
  for (const double x : {c.ab, c.dial, c.lanes[0], c.lanes[1], c.lanes[2]}) sound = sound && x > 0 && std::isfinite(x);
  for (const SchedulingCost& cost : {c.tbb, c.openmp, c.team}) {
    sound = sound && cost.efficiency > 0 && cost.efficiency <= 1;
    for (const double x : {cost.task, cost.fork, cost.thread, cost.meet}) sound = sound && x >= 0 && std::isfinite(x);
  }
  std::filesystem::remove_all(folder);
  std::exit(sound ? 0 : 1);
}

TEST(Calibration, IsMeasuredAndKeptWhereAsked) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const TemporaryFile folder;
  EXPECT_EXIT(exit_with_measured(folder.path()), testing::ExitedWithCode(0), "");
}

TEST(Calibration, TheEnvironmentNamesAFile) {
  const TemporaryFile file, bad;
  save_calibration(some, file.path());
  std::ofstream(bad.path()) << with_line("lanes_2", "lanes_2 -3");
  expect_exit(file.path().c_str(), "");
  expect_exit(bad.path().c_str(), ":4: error: \"lanes_2\": is \"-3\"");
  expect_exit("/no/such/file", "/no/such/file: error: calibration: does not exist");
  expect_exit("/", "/: error: calibration: is a folder; name a file that");
  expect_exit("/dev/zero", "/dev/zero: error: calibration: is no ordinary file");
  std::ofstream(bad.path()) << std::string(100000, 'x');
  expect_exit(bad.path().c_str(), "error: calibration: has more than 65536 bytes, which is the limit");
}

TEST(Calibration, ACallerMayGiveOne) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        use_calibration(some);
        std::exit(calibration() == some && calibration_source() == "the program" ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace kinetree
