// `kinetree calibrate`: this machine's times, measured and kept for all that chooses plans here.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <kinetree/calibration.hpp>
#include <memory>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/output.hpp"
#include "bench/quantity.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "bench/ranks/world.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/machine.hpp"
#include "bench/values.hpp"
#include "library/option_words.hpp"
#include "parallel/prices.hpp"
#include "parallel/line_transfer.hpp"
#include "parallel/processors.hpp"
#if KINETREE_MPI
#include "bench/ranks/asleep.hpp"
#include "bench/ranks/binding.hpp"
#include "bench/ranks/measured_messages.hpp"
#endif

namespace kinetree::bench {
namespace {

double in_MiB(double bytes) { return bytes / (1 << 20); }

void print(const Calibration& c) {
  // on two threads, and on all cores where that takes longer
  const auto grown = [](double of_two, double of_all) {
    return of_all > of_two ? fmt::format("{} to {}", in_time(of_two), in_time(of_all)) : in_time(of_two);
  };
  fmt::print("{:<10} {:>20} {:>12} {:>14} {:>20} {:>12} {:>10}\n", "executor", "a task", "2nd thread", "each further",
             "a meeting", "efficiency", "of two");
  for (const ExecutorKind kind : {ExecutorKind::team, ExecutorKind::tbb, ExecutorKind::openmp}) {
    const SchedulingCost &cost = c.of(kind), all = scheduling_cost(c, kind, static_cast<int>(c.cores));
    fmt::print("{:<10} {:>20} {:>12} {:>14} {:>20} {:>12.2f} {:>10.2f}\n", to_word(kind), grown(cost.task, all.task),
               in_time(cost.fork), in_time(cost.thread), grown(cost.meet, all.meet), cost.efficiency,
               cost.efficiency_of_two);
  }
  fmt::print("\n{:<10} {:>14} {:>17}\n", "reads from", "one thread", fmt::format("{} threads", physical_cores()));
  const auto rates = [](const std::string& from, const Bandwidth& b) {
    if (b.one > 0) fmt::print("{:<10} {:>9.4g} GB/s {:>12.4g} GB/s\n", from, b.one, b.all);
  };
  for (std::size_t k = 0; k < c.bandwidths.caches.size(); ++k)
    rates(fmt::format("cache L{}", k + 1), c.bandwidths.caches[k]);
  rates("memory", c.bandwidths.memory);
  if (c.cache > 0)
    fmt::print("the last cache holds {:.4g} MiB, {}; a core's own {:.4g}\n", in_MiB(c.cache),
               c.caches == 1 ? "and all cores share it" : fmt::format("and there are {:.0f}", c.caches),
               in_MiB(c.core_cache));
  for (const auto& [where, cost] :
       {std::pair{"within a machine", c.messages.within}, {"between machines", c.messages.between}})
    if (cost.bandwidth > 0) fmt::print("messages {}: {}, {:.3g} GB/s\n", where, in_time(cost.latency), cost.bandwidth);
  fmt::print(
      "\none thread  {:.3f} ns an operation of ab, {:.3f} ns of modules; an operation of a whole register takes {:.2f} "
      "times one of a number\n",
      c.ab, c.dial, c.in_lanes(lane_width(instruction_set())));
}

/// All ranks. All throw UsageError where a launcher left rank 0 fewer processors than the ranks of its machine have.
void refuse_binding() {
#if KINETREE_MPI
  if (rank_count() == 1) return;
  const std::string binding = binding_in_words(MPI_COMM_WORLD);
  int bound = binding.empty() ? 0 : 1;
  MPI_Bcast(&bound, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (bound != 0) throw UsageError("a calibration is of the whole machine, but " + binding);  // told by rank 0 alone
#endif
}

struct Measured {
  Calibration calibration;
  double slowest = 1;  ///< slowest_processor() before or after, whichever is less
  double before = 0;   ///< line_transfer_ns()
};

/// All ranks. By rank 0, while the others sleep; what messages between ranks take, where there are several, too.
Measured measured(int readings) {
  Measured m;
  if (own_rank() == 0) {
    using std::chrono::steady_clock;  // processors that were idle begin slowly
    for (const auto end = steady_clock::now() + std::chrono::milliseconds(300); steady_clock::now() < end;)
      independent_speedup(physical_cores());
    m.slowest = slowest_processor();
    m.before = line_transfer_ns();
    m.calibration = measured_calibration(readings);
    m.slowest = std::min(m.slowest, slowest_processor());
  }
#if KINETREE_MPI
  if (rank_count() > 1) {
    meet_asleep(MPI_COMM_WORLD);
    m.calibration.messages = measured_messages(MPI_COMM_WORLD);
  }
#endif
  return m;
}

int calibrate(const std::string& out, int readings, bool force) {
  const std::string file = out.empty() ? kept_calibration() : out;
  on_all_ranks([&] {
    if (file.empty())
      throw UsageError("neither XDG_CACHE_HOME nor HOME says where a calibration is kept; name a file by --out");
  });
  refuse_binding();
  const auto [c, slowest, before] = measured(readings);
  if (own_rank() > 0) return done;
  print(c);
  if (c.line_transfer > 0)
    fmt::print("a line of the cache goes from one core to another in {:.0f} ns\n", c.line_transfer);
  const std::string apart = fmt::format("two readings differ by {:.0f} %", 100 * c.disagreement);
  if (c.disagreement > agreed_within && !force) {
    fmt::print(
        stderr,
        "kinetree: error: of {} readings the nearest {}, more than {:.0f} %: the machine is busy, and nothing is "
        "written; stop what else runs, or take them with --force\n",
        readings, apart, 100 * agreed_within);
    return wrong_input;
  }
  constexpr double shared = 0.75;
  if (c.team.efficiency < shared)
    fmt::print(stderr,
               "kinetree: warning: threads side by side ran at {:.0f} % of the speed of one: other programs keep cores "
               "busy, or cores share their units; if it is other programs, calibrate again without them\n",
               100 * c.team.efficiency);
  constexpr double alike = 0.85;
  if (slowest < alike)
    fmt::print(
        stderr,
        "kinetree: warning: a processor ran at {:.0f} % of the speed of the fastest: another virtual machine shares "
        "its core, or cores are of several kinds; efficiencies are those of processors as unequal\n",
        100 * slowest);
  if (were_moved(before, c.line_transfer))
    fmt::print(stderr,
               "kinetree: warning: the cores were moved: {}; costs of threads are of one or the other: calibrate "
               "again\n",
               line_in_words(before, c.line_transfer));
  if (out.empty()) make_folder(std::filesystem::path(file).parent_path());
  write_file(file, to_text(c));
  fmt::print("{}; written to {}\n", apart, file);
  return done;
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  struct Arguments {
    std::string out;
    int readings = 20;
    bool force = false;
  };
  CLI::App* sub =
      app.add_subcommand("calibrate", "Measure this machine's times, by which plans are chosen, and keep them");
  const auto a = std::make_shared<Arguments>();
  sub->add_option("--out", a->out, "The file; else where every program of this user on this machine finds it");
  add_whole(*sub, "--readings", a->readings, 2, 1000, "Readings at most, until two agree");
  sub->add_flag("--force", a->force, "Write them though no two agree");
  sub->callback([a, &action] { action = [a] { return calibrate(a->out, a->readings, a->force); }; });
}

}  // namespace kinetree::bench
