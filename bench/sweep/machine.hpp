#pragma once
// What the machine itself gives to threads, beside which speedups are to be read: virtual processors may be halves of
// one core, and neighbours come and go.

namespace kinetree::bench {

/// How many times as much so many threads do as one, right now, where they share nothing: arithmetic on numbers in
/// registers. Takes about a millisecond.
double independent_speedup(int threads);

/// Times a fixed amount of arithmetic on registers on this thread, in ns: about 0.1 ms. The time changes only if the
/// processor's speed does.
double arithmetic_ns();

/// The speed of the slowest processor that this process may use, over that of the fastest, right now: the same
/// arithmetic on each in turn. Takes about 0.3 ms a processor. Less than 1 where another virtual machine shares a core,
/// or where cores are of several kinds.
double slowest_processor();

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
