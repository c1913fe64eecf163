// Which calibration a process chooses by, and how one is measured and kept.
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <kinetree/calibration.hpp>
#include <mutex>
#include <optional>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "parallel/calibration_format.hpp"
#include "parallel/measured_calibration.hpp"
#include "parallel/processors.hpp"

namespace kinetree {
namespace {

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

/// The process's calibration. It is read when a caller first asks for it.
struct Known {
  std::mutex mutex;
  std::optional<Calibration> calibration;
  std::string source;
};

Known& known_here() {
  static Known known;
  return known;
}

/// `use`: of what is known, under its lock.
template <class Use>
auto with_known(Use&& use) {
  Known& known = known_here();
  const std::lock_guard lock(known.mutex);
  return use(known);
}

void keep(const Calibration& calibration) {
  const std::string file = kept_calibration();
  if (file.empty()) return;
  std::error_code none;  // save_calibration says where there is no folder
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), none);
  save_calibration(calibration, file);
}

const Known& read_once(Known& known) {
  if (known.calibration) return known;
  const std::string file = given_file();
  known.calibration = file.empty() ? Calibration{} : load_calibration(file);
  known.source = file;
  return known;
}

}  // namespace

Calibration calibration() {
  return with_known([](Known& known) { return *read_once(known).calibration; });
}

std::string calibration_source() {
  return with_known([](Known& known) { return read_once(known).source; });
}

void use_calibration(const Calibration& calibration) {
  with_known([&](Known& known) { known.calibration = calibration, known.source = "the program"; });
}

Calibration measured_calibration(int most_readings) {
  Calibration c;
  measure_one_thread(c, most_readings);
  for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::openmp, ExecutorKind::team})
    measure_scheduling(c, kind, most_readings);
  measure_memory(c, most_readings);
  return c;
}

Calibration calibrate(int most_readings) {
  const Calibration c = measured_calibration(most_readings);
  if (c.disagreement <= agreed_within) keep(c);
  use_calibration(c);
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
