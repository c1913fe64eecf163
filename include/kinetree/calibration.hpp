#pragma once
// Calibration: a machine's times, from which plans are predicted. Default ones, or this machine's, which calibrate()
// measures and keeps; nothing is measured unasked, so that a plan is equal in every process.

#include <array>
#include <kinetree/export.hpp>
#include <kinetree/options.hpp>
#include <string>

namespace kinetree {

/// The time that an executor adds to the work of one state, in nanoseconds, and the efficiency of threads side by side.
struct SchedulingCost {
  /// Per task, on two threads: starting it, and fetching what tasks on other cores left in their caches.
  double task = 0;
  double fork = 0;    ///< handing work to a second thread and waiting for it
  double thread = 0;  ///< handing work to each thread after the second and waiting for it
  /// A barrier of two threads; of `team` also the wait for a task that another thread runs.
  double meet = 0;
  /// The speed of a thread while others run, relative to a thread alone: with two threads, and with one on each core.
  /// Below 1 where threads share cores or memory.
  double efficiency_of_two = 1, efficiency = 1;
  /// How much longer `task` and `meet` are for each thread after the second, up to Calibration::cores threads.
  double task_growth = 0, meet_growth = 0;

  bool operator==(const SchedulingCost&) const = default;
};

/// Bytes per nanosecond (GB/s) that threads read and write, by the triad of STREAM (McCalpin 1995), a[i] = b[i] + s
/// c[i]: its three numbers are counted, 24 bytes an element, not what caches move beside them. 0: not measured.
struct Bandwidth {
  double one = 0;  ///< of one thread
  double all = 0;  ///< of a thread on each physical core that the process may use, together

  bool operator==(const Bandwidth&) const = default;
};

/// Bandwidths of the caches and of memory, by where the numbers lie.
struct Bandwidths {
  std::array<Bandwidth, 3> caches;  ///< of levels 1, 2 and 3; 0 where there is no such level
  Bandwidth memory;

  bool operator==(const Bandwidths&) const = default;
};

/// Two readings agree if no number that is compared differs by more than this share of the larger one. Of an executor's
/// times 500 ns are added to the larger, since less decides no plan.
inline constexpr double agreed_within = 0.25;

/// Time of a message from one rank of MPI to another: the latency, and its bytes over the bandwidth. 0: not measured.
struct MessageCost {
  double latency = 0;    ///< ns from the call that sends a few bytes until the receiver has them
  double bandwidth = 0;  ///< bytes per nanosecond (GB/s) of a long message

  bool operator==(const MessageCost&) const = default;
};

/// Costs of messages, by where the two ranks are.
struct Messages {
  MessageCost within;   ///< on one machine
  MessageCost between;  ///< on two

  bool operator==(const Messages&) const = default;
};

/// Times that turn predicted operations into predicted nanoseconds. The same numbers make the same choices. Made
/// without arguments it is the default calibration, by which plans on one thread are chosen, and plans on several where
/// none was measured: an EPYC with AVX-512, g++.
struct Calibration {
  double ab = 0.14;    ///< ns per operation of articulated bodies in a long chain, one state
  double dial = 0.15;  ///< ns per operation of long chains' modules with columns
  /// The time of an operation of a whole register of 2, 4 or 8 lanes over that of one number. By the default, modules
  /// of chain:1000 in 4 lanes, and of chain:256 in 8, take as long as `ab`, as they do on EPYCs with AVX2 and AVX-512;
  /// short limbs of a kept calibration take less (1.2 and 1.6). Which parts of a state form a pack goes by the default
  /// alone, so that a plan has equal bits whatever a calibration says.
  std::array<double, 3> lanes{1.3, 1.5, 2.05};
  /// Bytes of the largest cache; 0: unknown, and nothing is taken to come from memory. The default is a quarter of the
  /// EPYC's 32 MiB, which its cores share: beside other programs, limbs in lanes that took 5 to 14 MiB of it were as
  /// slow as limbs in memory.
  double cache = 8 << 20;
  double caches = 1;            ///< how many caches of that size the cores have together
  double core_cache = 1 << 20;  ///< bytes of the largest cache that a core has for itself; 0: none is known
  /// The default bandwidths, of the largest cache and of memory, are those of one thread on the EPYC. 0 for all
  /// threads: that they share memory is left out of account. `kinetree calibrate` measures both; a process without a
  /// calibration does not.
  Bandwidths bandwidths{.caches = {Bandwidth{}, Bandwidth{}, {.one = 90, .all = 0}}, .memory = {.one = 31, .all = 0}};
  /// `mpirun -n R kinetree calibrate` measures them, of ranks on one machine or on several.
  Messages messages{};
  double cores = 16;  ///< on which `efficiency` and growths were measured; from two threads on they are interpolated
  /// ns in which a line of the cache went between cores when threads were measured; 0: not measured. If it now takes
  /// over 1.5 times as long, or under 1/1.5, costs of threads changed: a virtual machine may be moved between cores.
  double line_transfer = 0;
  // The defaults are dear, so that threads are taken where they pay on most machines: of the four kept calibrations in
  // bench/results (two of an EPYC with 2 cores, two of a Xeon with 16 hardware threads on 8 cores) the dearer of the
  // middle two; what holds for more than two threads is the Xeon's.
  SchedulingCost tbb{
      .task = 1400, .fork = 740, .thread = 310, .meet = 4700, .efficiency_of_two = 0.89, .efficiency = 0.25},
      openmp{.task = 200, .fork = 1400, .thread = 54, .meet = 1400, .efficiency_of_two = 0.86, .efficiency = 0.45},
      team{.task = 990, .fork = 720, .thread = 140, .meet = 1400, .efficiency_of_two = 1, .efficiency = 0.51};
  /// The distance, in the worst number, of the two readings that agree best; of all measured parts the largest; 0: none
  /// was measured. Above agreed_within the machine was busy: predictions for several threads are not to be relied on.
  double disagreement = 0;

  bool operator==(const Calibration&) const = default;
  const SchedulingCost& of(ExecutorKind kind) const {
    return kind == ExecutorKind::tbb ? tbb : kind == ExecutorKind::openmp ? openmp : team;
  }
  SchedulingCost& of(ExecutorKind kind) {
    return kind == ExecutorKind::tbb ? tbb : kind == ExecutorKind::openmp ? openmp : team;
  }
  /// `lanes` of so many; 1 of one.
  double in_lanes(int width) const { return width <= 1 ? 1 : lanes[width <= 2 ? 0 : width <= 4 ? 1 : 2]; }
};

/// The process's calibration: what use_calibration or calibrate gave it; else of the file that KINETREE_CALIBRATION
/// names, else of kept_calibration() if that exists, else the default one. Files are read at the first call, and
/// nothing is measured. Throws as load_calibration. For any thread.
KINETREE_EXPORT Calibration calibration();

/// Where that calibration comes from: the name of its file; "the program", where use_calibration or calibrate gave it;
/// empty, where it is the default one.
KINETREE_EXPORT std::string calibration_source();

/// Measures one thread, executors, memory (seconds): 7 (memory: 2) to `most_readings` readings each, until two agree.
/// Throws std::system_error if no thread can be started. For a quiet machine.
KINETREE_EXPORT Calibration measured_calibration(int most_readings = 20);

/// Measures, and makes this process choose by it. Where two readings agree (`disagreement` <= agreed_within) it is kept
/// in kept_calibration(), where that is no empty name, for later processes too. Throws as measured_calibration and
/// save_calibration.
KINETREE_EXPORT Calibration calibrate(int most_readings = 20);

/// The file of this machine's calibration, in the user's folder of caches (XDG_CACHE_HOME, else HOME/.cache). Its name
/// tells the format, processor, cores and instruction set, since machines may share the folder. Empty where neither
/// variable is set.
KINETREE_EXPORT std::string kept_calibration();

/// Makes this process choose by a calibration from here on. From any thread.
KINETREE_EXPORT void use_calibration(const Calibration& calibration);

/// Text, one `name value` per line, every digit kept.
KINETREE_EXPORT std::string to_text(const Calibration& calibration);
/// Reads it back. Throws InputError: every line that is not understood, every value that is out of range, every name
/// that is missing or given twice. `file`: what findings call it.
KINETREE_EXPORT Calibration read_calibration(const std::string& text, const std::string& file);

/// Writes that text to a file. Throws InputError where it can't be written.
KINETREE_EXPORT void save_calibration(const Calibration& calibration, const std::string& file);
/// Reads it from a file. Throws InputError where it can't be read, and as read_calibration.
KINETREE_EXPORT Calibration load_calibration(const std::string& file);

}  // namespace kinetree
