#include "parallel/bandwidth.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/readings.hpp"
#include "parallel/waiting.hpp"

namespace kinetree::inline inner {
namespace {

constexpr std::size_t line = 8;  // doubles: the widest register, and a line of the cache

/// McCalpin 1995: a = b + s c, over whole lines of the cache, in registers of `bytes` bytes.
template <int bytes>
[[gnu::always_inline]] inline void triad_in(double* a, const double* b, const double* c, std::size_t count) {
  typedef double Register __attribute__((vector_size(bytes), may_alias));
  constexpr double s = 0.75;
  for (std::size_t i = 0; i < count; i += bytes / sizeof(double))
    *reinterpret_cast<Register*>(a + i) =
        *reinterpret_cast<const Register*>(b + i) + s * *reinterpret_cast<const Register*>(c + i);
}
constexpr double most_of_all = 1 << 30;                  ///< bytes that all threads together go over
constexpr double bytes_of_element = 3 * sizeof(double);  // as STREAM counts

using Triad = void(double* a, const double* b, const double* c, std::size_t count);

void triad_baseline(double* a, const double* b, const double* c, std::size_t count) { triad_in<16>(a, b, c, count); }
#ifdef __x86_64__
[[gnu::target("avx2")]] void triad_avx2(double* a, const double* b, const double* c, std::size_t count) {
  triad_in<32>(a, b, c, count);
}
[[gnu::target("avx512f")]] void triad_avx512(double* a, const double* b, const double* c, std::size_t count) {
  triad_in<64>(a, b, c, count);
}
#endif

/// In registers as wide as the kernels': the rate of a core's own cache grows with the width.
Triad* triad() {
#ifdef __x86_64__
  if (instruction_set() == InstructionSet::avx512) return triad_avx512;
  if (instruction_set() == InstructionSet::avx2) return triad_avx2;
#endif
  return triad_baseline;
}

/// An array that begins with a line of the cache.
class AlignedArray {
 public:
  explicit AlignedArray(std::size_t count) : count_(count), all_(new (alignment) double[count]) {}
  double* begin() const { return all_.get(); }
  /// The thread that fills them has them in the memory nearest to it.
  void fill() const { std::fill_n(begin(), count_, 1.0); }

 private:
  static constexpr std::align_val_t alignment{line * sizeof(double)};
  struct Free {
    void operator()(double* numbers) const { operator delete[](numbers, alignment); }
  };
  std::size_t count_;
  std::unique_ptr<double[], Free> all_;
};

/// What one thread goes over: three arrays of `pieces` pieces of `piece` elements. Each repetition goes `times` times
/// over one piece, and the next repetition over the next piece.
struct Stretch {
  std::size_t piece, pieces;
  int times, repetitions;

  std::size_t count() const { return piece * pieces; }
};

/// The stretch of `bytes` bytes. A repetition is long against a tick of the clock and short against a time slice.
Stretch stretch_of(double bytes) {
  constexpr double of_repetition = 16 << 20;
  const double pieces = std::ceil(bytes / of_repetition);
  const std::size_t piece =
      std::max<std::size_t>(1, static_cast<std::size_t>(bytes / pieces / bytes_of_element) / line) * line;
  const int times = std::max(1, static_cast<int>(of_repetition / (bytes_of_element * static_cast<double>(piece))));
  return {piece, static_cast<std::size_t>(pieces), times, std::max(11, 3 * static_cast<int>(pieces))};
}

/// Bytes per nanosecond of a thread on each of these processors, together, stretch by stretch. The best repetition
/// counts: what else runs on the machine only takes away.
std::vector<double> rates(const std::vector<int>& processors, const std::vector<Stretch>& stretches) {
  const std::size_t threads = processors.size();
  int repetitions = 0;
  std::size_t most = 0;
  for (const Stretch& s : stretches) repetitions += s.repetitions, most = std::max(most, s.count());
  std::vector<std::vector<Elapsed>> times(threads, std::vector<Elapsed>(at(repetitions)));
  std::vector<AlignedArray> numbers;
  for (std::size_t k = 0; k < 3 * threads; ++k) numbers.emplace_back(most);
  Triad* const run = triad();
  std::atomic<int> arrived = 0;
  const auto barrier = [&](int repetition) {  // all begin a repetition at once
    ++arrived;
    wait_until([&] { return arrived >= (repetition + 1) * static_cast<int>(threads); });
  };
  const auto go = [&](std::size_t thread) {
    if (processors[thread] >= 0) pin_to(processors[thread]);
    const AlignedArray &a = numbers[3 * thread], &b = numbers[3 * thread + 1], &c = numbers[3 * thread + 2];
    for (const AlignedArray* own : {&a, &b, &c}) own->fill();
    int repetition = 0;
    for (const Stretch& s : stretches) {
      run(a.begin(), b.begin(), c.begin(), s.count());  // warm
      for (int r = 0; r < s.repetitions; ++r, ++repetition) {
        const std::size_t from = at(r) % s.pieces * s.piece;
        barrier(repetition);
        const auto begin = Clock::now();
        for (int k = 0; k < s.times; ++k) run(a.begin() + from, b.begin() + from, c.begin() + from, s.piece);
        times[thread][at(repetition)] = {begin, Clock::now()};
      }
    }
  };
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t) all.emplace_back(go, t);
  for (std::thread& thread : all) thread.join();
  std::vector<double> best;
  std::size_t repetition = 0;
  for (const Stretch& s : stretches) {
    const double bytes = bytes_of_element * static_cast<double>(s.piece) * s.times * static_cast<double>(threads);
    best.push_back(0);
    for (int r = 0; r < s.repetitions; ++r, ++repetition) {
      Elapsed all_threads = times[0][repetition];
      for (const std::vector<Elapsed>& own : times) all_threads = together(all_threads, own[repetition]);
      best.back() = std::max(best.back(), bytes / std::max(all_threads.ns(), 1.0));
    }
  }
  return best;
}

std::vector<Stretch> stretches(const std::vector<double>& sets) {
  std::vector<Stretch> all;
  for (const double bytes : sets) all.push_back(stretch_of(bytes));
  return all;
}

template <class Combine>
Bandwidths combined(const Bandwidths& x, const Bandwidths& y, Combine&& combine) {
  const auto both = [&](const Bandwidth& a, const Bandwidth& b) {
    return Bandwidth{combine(a.one, b.one), combine(a.all, b.all)};
  };
  Bandwidths all;
  for (std::size_t k = 0; k < x.caches.size(); ++k) all.caches[k] = both(x.caches[k], y.caches[k]);
  all.memory = both(x.memory, y.memory);
  return all;
}

/// Bytes, each 1.4 times those before.
std::vector<double> ascending(double from, double to) {
  std::vector<double> all;
  for (double bytes = from; bytes <= to; bytes *= std::sqrt(2)) all.push_back(std::round(bytes));
  return all;
}

/// cache_size() as a thread on each of these processors finds it, all at once; the median of three, since other
/// programs and machines use a cache, too.
double told_size(const std::vector<int>& processors, const std::vector<double>& sets) {
  std::vector<Stretch> thrice;
  for (int k = 0; k < 3; ++k)
    for (const double bytes : sets) thrice.push_back(stretch_of(bytes));
  const std::vector<double> all = rates(processors, thrice);
  std::array<double, 3> sizes{};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(k * sets.size());
    sizes[k] = cache_size(sets, {begin, begin + static_cast<std::ptrdiff_t>(sets.size())});
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes[1];
}

/// One of each core that this process may keep busy; -1: not known.
std::vector<int> measured_processors() {
  std::vector<int> processors = one_of_each_core();
  if (processors.empty()) processors.push_back(-1);
  return processors;
}

}  // namespace

Elapsed core_work(int times) {
  constexpr std::size_t count = 80 * line;
  alignas(line * sizeof(double)) double a[count], b[count], c[count];
  for (double* own : {a, b, c}) std::fill_n(own, count, 1.0);
  Triad* const run = triad();
  const auto go_over = [&](int so_often) {
    for (int k = 0; k < so_often; ++k) run(a, b, c, count);
  };
  go_over(50);  // warm
  const auto begin = Clock::now();
  go_over(times);
  return {begin, Clock::now()};
}

std::vector<double> working_sets(const std::vector<DataCache>& caches, int threads) {
  constexpr double unknown = 32 << 20;
  std::vector<double> all;
  double inner = 0, outer = unknown / threads;  // a thread's share of the cache before, and of the last
  for (const DataCache& cache : caches) {
    const double share = cache.bytes / std::min(cache.cores, threads);
    all.push_back(std::max(0.5 * share, 1.5 * inner));
    inner = outer = share;
  }
  all.push_back(std::min(4 * outer, most_of_all / threads));
  return all;
}

Bandwidths bandwidths_once(const std::vector<DataCache>& caches, const std::vector<int>& processors) {
  const std::vector<int> first(processors.begin(), processors.begin() + 1);
  // one thread goes over no more of a cache than when all run: few programs have a shared cache to themselves
  const int threads = static_cast<int>(processors.size());
  std::vector<double> sets = working_sets(caches, threads);
  sets.back() = working_sets(caches, 1).back();
  const std::vector<double> one = rates(first, stretches(sets));
  const std::vector<double> all = threads > 1 ? rates(processors, stretches(working_sets(caches, threads))) : one;
  Bandwidths b;
  for (std::size_t k = 0; k < caches.size(); ++k)
    if (const int level = caches[k].level; level >= 1 && level <= static_cast<int>(b.caches.size()))
      b.caches[at(level - 1)] = {one[k], all[k]};
  b.memory = {one.back(), all.back()};
  return b;
}

double cache_size(const std::vector<double>& bytes, const std::vector<double>& rates) {
  const double cache = rates.front(), memory = rates.back();
  if (cache <= 1.3 * memory) return 0;
  std::size_t k = 1;
  while (rates[k] > std::sqrt(cache * memory)) ++k;
  return bytes[k - 1];
}

int sharing_cores(double bytes, double each, int cores) {
  return each > 0 ? std::clamp(static_cast<int>(std::lround(bytes / each)), 1, cores) : cores;
}

std::vector<DataCache> measured_caches() {
  std::vector<DataCache> caches = data_caches();
  if (caches.empty() || caches.back().bytes > 0) return caches;
  const double inner = bytes_of_a_core(caches);
  const std::vector<int> processors = measured_processors();
  DataCache& last = caches.back();
  constexpr double most = 256 << 20;  // beyond what cores share, and no burden on small machines
  std::vector<double> sets = ascending(2 * inner, most);
  last.bytes = inner == 0 ? 0 : told_size({processors.front()}, sets);
  if (last.bytes == 0) {
    caches.pop_back();
    return caches;
  }
  const int cores = static_cast<int>(processors.size());
  sets = ascending(std::max(1.5 * inner, 0.7 * last.bytes / cores), std::min(last.bytes, most_of_all / cores));
  sets.push_back(std::min(4 * last.bytes, most_of_all / cores));
  if (cores > 1) last.cores = sharing_cores(last.bytes, told_size(processors, sets), cores);
  return caches;
}

Bandwidth of_level(const Bandwidths& bandwidths, int level) {
  return level >= 1 && level <= static_cast<int>(bandwidths.caches.size()) ? bandwidths.caches[at(level - 1)]
                                                                           : Bandwidth{};
}

Memory measured_memory(int most_readings, double& disagreement) {
  const std::vector<DataCache> caches = measured_caches();
  const std::vector<int> processors = measured_processors();
  const auto distance = [](const Bandwidths& x, const Bandwidths& y) {
    double largest = 0;
    combined(x, y, [&](double a, double b) { return largest = std::max(largest, apart(a, b, 1e-9)); });
    return largest;
  };
  const auto [first, second, between] = two_that_agree(
      most_readings, [&] { return bandwidths_once(caches, processors); }, distance);
  disagreement = between;
  return {caches, combined(first, second, [](double a, double b) { return std::max(a, b); })};
}

Memory measured_memory() {
  double disagreement = 0;
  return measured_memory(2, disagreement);
}

void set_caches(Calibration& calibration, const std::vector<DataCache>& caches) {
  calibration.cache = bytes_of_last(caches), calibration.core_cache = bytes_of_a_core(caches);
  calibration.caches = count_of_last(caches, physical_cores());
}

void set_memory(Calibration& calibration, const Memory& memory) {
  set_caches(calibration, memory.caches);
  calibration.bandwidths = memory.bandwidths;
}

}  // namespace kinetree::inline inner
