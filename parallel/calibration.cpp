// Which calibration a process chooses by.
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <kinetree/calibration.hpp>
#include <mutex>
#include <optional>
#include <set>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "parallel/calibration_format.hpp"
#include "parallel/measured_calibration.hpp"
#include "parallel/processors.hpp"

namespace kinetree {
namespace {

constexpr Effort in_passing{.most_readings = 4};  // while a program's constructor waits

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The file that KINETREE_CALIBRATION names, be it there or not; else the kept one, if it exists; else empty.
std::string given_file() {
  if (const std::string named = environment("KINETREE_CALIBRATION"); !named.empty()) return named;
  std::error_code none;
  const std::string kept = kept_calibration();
  return std::filesystem::exists(kept, none) ? kept : "";
}

/// What the process knows so far.
struct Known {
  std::mutex mutex;
  std::optional<Calibration> calibration;
  bool given = false;  ///< nothing is left to measure
  std::set<ExecutorKind> measured{ExecutorKind::serial};
};

Known& known_here() {
  static Known known;
  return known;
}

}  // namespace

Calibration calibration(ExecutorKind executor) {
  Known& known = known_here();
  const std::lock_guard lock(known.mutex);
  if (!known.calibration) {
    const std::string file = given_file();
    known.given = !file.empty();
    Calibration first;
    if (known.given)
      first = load_calibration(file);
    else
      measure_one_thread(first, in_passing);
    known.calibration = first;
  }
  if (!known.given && known.measured.insert(executor).second)
    measure_scheduling(*known.calibration, executor, in_passing);
  return *known.calibration;
}

void use_calibration(const Calibration& calibration) {
  Known& known = known_here();
  const std::lock_guard lock(known.mutex);
  known.calibration = calibration;
  known.given = true;
}

Calibration measured_calibration(int most_readings) {
  Calibration c;
  // seven readings, whose medians count: the threads of each may stand on unlucky cores
  const Effort thorough{most_readings, 7, 250, std::chrono::milliseconds(500)};
  measure_one_thread(c, thorough);
  for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::openmp, ExecutorKind::team})
    measure_scheduling(c, kind, thorough);
  measure_memory(c, thorough);
  return c;
}

std::string kept_calibration() {
  std::filesystem::path folder = environment("XDG_CACHE_HOME");
  if (folder.empty()) {
    folder = environment("HOME");
    if (folder.empty()) return "";
    folder /= ".cache";
  }
  std::string machine;  // machines may share a home
  for (const char c : processor_model()) machine += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return folder / "kinetree" /
         ("calibration-" + std::to_string(calibration_format) + '-' + machine + '-' + std::to_string(physical_cores()) +
          "-cores-" + name_of(instruction_set()));
}

}  // namespace kinetree
