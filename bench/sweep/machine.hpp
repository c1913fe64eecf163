#pragma once
// What the machine itself gives to threads, beside which speedups are to be read: virtual processors may be halves of
// one core, and neighbours come and go.

#include <string>
#include <vector>

namespace kinetree::bench {

/// How many times as much core_work so many threads do as one, right now, where they share nothing: about a millisecond.
double independent_speedup(int threads);

/// Times a fixed amount of core_work on this thread, in ns, the better of two times 0.05 ms. It changes only if the
/// processor's speed does, or another virtual machine comes to its core.
double arithmetic_ns();

/// The same arithmetic on each processor that this process may use, in turn, in ns: about 0.3 ms a processor.
std::vector<double> arithmetic_of_processors();

/// The speed of the slowest processor that this process may use, over that of the fastest, right now. Less
/// than 1 where another virtual machine shares a core, or where cores are of several kinds.
double slowest_processor();

/// Two line_transfer_ns() between which the cores were moved, the less first.
std::string line_in_words(double one_ns, double other_ns);

/// What to say where cores were nearer to each other, or farther, when a calibration was taken, by line_transfer_ns()
/// then and now; empty where they weren't, or it is not known (0).
std::string doubt_of_cores(double calibrated_ns, double now_ns);

/// Processor time that this process has taken, in seconds.
double process_seconds();

/// Seconds since the system's start, over the processors that this process may use.
struct ProcessorTimes {
  double all = 0;     ///< busy, idle and stolen
  double busy = 0;    ///< of all processes, and of the system for them
  double stolen = 0;  ///< by other virtual machines
  double own = 0;     ///< of this process
};

/// As /proc/stat has them; zero where there is none.
ProcessorTimes processor_times();

/// OpenMP's threads wait for more work for milliseconds, on cores that whoever is timed next may need: they end here.
void end_waiting_threads();

}  // namespace kinetree::bench
