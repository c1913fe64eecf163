#pragma once
// What the machine itself gives to threads, beside which speedups are to be read: virtual processors may be halves of
// one core, and neighbours come and go.

namespace kinetree::bench {

/// How many times as much so many threads do as one, right now, where they share nothing: arithmetic on numbers in
/// registers. Takes about a millisecond.
double independent_speedup(int threads);

/// OpenMP's threads wait for more work for milliseconds, on cores that whoever is timed next may need: they end here.
void end_waiting_threads();

}  // namespace kinetree::bench
