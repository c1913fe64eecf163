// Measured: chains by the kernels that solve one state; limbs side by side; an executor on tasks of known length, and
// on two trees.
#include "parallel/measured_calibration.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <future>
#include <kinetree/model.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/bandwidth.hpp"
#include "parallel/core_speed.hpp"
#include "parallel/executor.hpp"
#include "parallel/line_transfer.hpp"
#include "parallel/prices.hpp"
#include "parallel/processors.hpp"
#include "parallel/readings.hpp"
#include "parallel/stopwatch.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {
namespace {

double solve_ns(const Model& model, const Method& method, bool many, int calls) {
  const auto modules = std::make_shared<const Modules>(make_modules(model.data(), method.modules));
  return solve_ns(model, *make_lane_solver<double>(instruction_set(), many, model, method, modules), calls);
}

/// The time of an operation of a whole register over that of one number: how much longer limbs of twelve bodies more
/// take in a pack, over how much longer they take one by one.
double register_over_number(int width) {
  constexpr int calls = 20;
  double alone[2], packed[2];
  for (const int k : {0, 1}) {
    const Model star = make_model("star:" + std::to_string(width) + (k == 0 ? "x4" : "x16"));
    Parts parts;
    parts.limbs = limbs_that_pay(star.data(), width);
    alone[k] = solve_ns(star, {}, false, calls);
    packed[k] = solve_ns(star, *make_parts_solver<double>(instruction_set(), star, {}, parts), calls);
  }
  return std::max(1.0, width * (packed[1] - packed[0]) / std::max(alone[1] - alone[0], 1.0));
}

Calibration one_thread_once() {
  Calibration c;
  const Model small = make_model("chain:64"), large = make_model("chain:256");
  const Method ab, dial{.algorithm = Algorithm::modular, .modules = {.grain = 64}, .refinements = 1};
  // A correction of what is measured, no price: the calls of a caller take longer than the least of repeated calls, 1.1
  // times with 64 states in turn, which are checked each time, 1.07 times with one state (chain:64, chain:256).
  constexpr double of_a_caller = 1.1;
  c.ab = of_a_caller * solve_ns(small, ab, false, 40) / weighed_operations(small, ab);
  c.dial = of_a_caller * solve_ns(large, dial, false, 15) / weighed_operations(large, dial);
  for (const int width : limb_widths(instruction_set()))
    c.lanes[at(static_cast<int>(std::bit_width(static_cast<unsigned>(width))) - 2)] = register_over_number(width);
  return c;
}

/// Tasks that take a while and touch nothing of another's.
struct Spin {
  static constexpr std::size_t stride = 16;  // doubles: more than a line of the cache
  int iterations;
  std::vector<double> x;

  static void kernel(void* space, int step) {
    Spin& spin = *static_cast<Spin*>(space);
    double& x = spin.x[stride * at(step)];
    double y = x;
    for (int k = 0; k < spin.iterations; ++k) y = 0.999 * y + 0.001;  // each waits for the one before
    x = y;
  }
};

constexpr int most_passes = 12;
constexpr auto spin_passes = [] {
  std::array<Pass, most_passes> passes;
  passes.fill({Direction::each, &Spin::kernel});
  return passes;
}();

/// Nanoseconds of `passes` passes over `count` independent tasks: the lower quartile of 17 runs, since other programs
/// disturb some of them.
double tasks_ns(Executor& executor, int passes, int count, int iterations) {
  Spin spin{iterations, std::vector<double>(Spin::stride * at(count), 1)};
  Tasks tasks;
  tasks.levels.resize(1);
  tasks.first_range.push_back(0);
  for (int t = 0; t < count; ++t) {
    tasks.parent.push_back(-1);
    tasks.ranges.push_back({t, t + 1});
    tasks.first_range.push_back(t + 1);
    tasks.levels[0].push_back(t);
  }
  executor.prepare({spin_passes.data(), at(passes)}, &spin, tasks);
  return sorted_ns(17, [&] { executor.run(); })[4];
}

/// Nanoseconds of together(), once its threads stand on cores of their own. The system may start or wake threads on the
/// caller's core, and move them after 30 ms; so together() is called until it takes no more than 1.5 times `ideal`, its
/// time without any waiting, but not after `latest`. It has to use one executor, since another one's threads would have
/// to be woken. Returns the better of the last two calls, since the threads may have been moved during one.
template <class Together>
double settled(double ideal, Clock::time_point latest, Together&& together) {
  double ns = together();
  for (int tries = 0; tries < 24 && ns > 1.5 * ideal && Clock::now() < latest; ++tries) ns = together();
  return std::min(ns, together());
}

/// What `threads` threads add to the work: `task` for each task, `meet` for each pass, and `fork` for a run, however
/// many tasks and passes it has. The other members keep their defaults.
SchedulingCost measure_tasks(ExecutorKind kind, int threads, Clock::time_point latest) {
  constexpr int iterations = 200;  // about half a microsecond
  constexpr int passes = 3;
  constexpr double few = 4 * passes, many = 24 * passes;
  const double spin = tasks_ns(*make_executor(ExecutorKind::serial, 1), passes, 64, 2 * iterations) / (64 * passes);
  const std::unique_ptr<Executor> executor = make_executor(kind, threads);
  const auto run_of = [&](int in_passes, int each, int length) {
    return settled(in_passes * each * spin * length / (2 * iterations), latest,
                   [&] { return tasks_ns(*executor, in_passes, each * threads, length); });
  };
  const double long_run = run_of(passes, 24, 2 * iterations), short_run = run_of(passes, 4, 2 * iterations),
               finer = run_of(passes, 48, iterations);  // the same work in twice the tasks
  const double task = std::max(0.0, finer - long_run) / many, both = (long_run - short_run) / (many - few);
  const double efficiency = std::clamp(spin / std::max(both - task, 1.0), 1.0 / threads, 1.0);
  SchedulingCost cost;
  cost.task = task * efficiency;
  // The same tasks in twelve passes and in one. A task is long enough that each thread does its own and then waits,
  // and steals none of another thread's.
  const double in_many = run_of(most_passes, 1, 2 * iterations), in_one = run_of(1, most_passes, 2 * iterations);
  cost.meet = std::max(0.0, (in_many - in_one) / (most_passes - 1));
  cost.fork = std::max(0.0, short_run - few * (spin + cost.task) / efficiency - passes * cost.meet);
  return cost;
}

struct TreeTimes {
  double alone, together;  ///< ns of a run by one thread; by all, less fork-join overhead and barriers
  int task_runs;           ///< how often tasks run: stages times tasks
};

/// The median of the runs counts, since which thread gets which bodies is chance.
TreeTimes time_tree(ExecutorKind kind, int threads, int height, int runs, const SchedulingCost& cost,
                    Clock::time_point latest) {
  const Model model = make_model("tree:2x" + std::to_string(height));
  const int bodies = task_bodies(model.body_count(), threads);
  Method method;
  method.modules.task_bodies = bodies;
  const auto modules = std::make_shared<const Modules>(make_modules(model.data(), method.modules));
  const Tasks tasks = shared_out(*modules, step_work(model, *modules, method), threads);
  const auto solver = make_lane_solver<double>(instruction_set(), false, model, method, modules);
  LikeStates states(model, 1);
  solver->set(states.states);
  const std::unique_ptr<Executor> serial = make_executor(ExecutorKind::serial, 1),
                                  executor = make_executor(kind, threads);
  for (Executor* one : {serial.get(), executor.get()}) one->prepare(solver->passes(), solver->space(), tasks);
  const auto median = [&](Executor& by) { return sorted_ns(runs, [&] { by.run(); })[at(runs / 2)]; };
  const int passes = static_cast<int>(solver->passes().size());
  const double alone = median(*serial), together = settled(alone / threads, latest, [&] { return median(*executor); });
  const int delays = kind == ExecutorKind::team ? passes : 0;  // between the root's task and tips, once in a pass
  const double over =
      cost.fork +
      cost.meet * (delays + barriers(kind, tasks, {.sweeps = passes, .turns_at_roots = 1, .turns_at_tips = 1}));
  // Two levels and three passes: a root's task goes from the gather to the scatter in one stage, and a tip's task from
  // the first scatter to the gather, so that each task runs in one stage less than there are passes.
  const int stages = passes - 1;
  return {alone, std::max(together - over, 1.0), stages * tasks.count()};
}

/// The efficiency of `threads` threads, by two trees with at least 511 and 2047 bodies per thread in as many tasks: how
/// much longer one thread takes for the larger tree, over `threads` times how much longer all take. If the smaller
/// takes longer than this efficiency explains, its tasks wait for data in other cores' caches: cost.task is raised to
/// this wait. It is long where cores share no cache (an EPYC with two L3: 0.5 us a message between these, 0.2 us within
/// one).
double measure_efficiency(ExecutorKind kind, int threads, int runs, SchedulingCost& cost, Clock::time_point latest) {
  const int height = 9 + static_cast<int>(std::bit_width(static_cast<unsigned>(threads - 1)));
  const TreeTimes small = time_tree(kind, threads, height, runs, cost, latest),
                  large = time_tree(kind, threads, height + 2, runs / 4, cost, latest);
  const double longer = std::max(large.together - small.together, 1.0);
  const double efficiency = std::clamp((large.alone - small.alone) / threads / longer, 0.01, 1.0);
  const double waiting = threads * efficiency * small.together - small.alone;
  cost.task = std::max(cost.task, waiting / small.task_runs);
  return efficiency;
}

/// Calls action() on a thread pinned to the fastest processor: another virtual machine may be on the caller's core.
template <class Action>
auto on_the_fastest(Action&& action) {
  const int processor = fastest_processor();
  const auto pinned = [&] {
    if (processor >= 0) pin_to(processor);
    return action();
  };
  return std::async(std::launch::async, pinned).get();  // an exception comes to the caller
}

constexpr int fewest_readings = 7;
constexpr int runs = 250;                               ///< of the small tree by two threads
constexpr int fewer_runs = runs / 4;                    ///< of other trees
constexpr std::chrono::milliseconds longest_wait(500);  ///< of a reading, for threads to get cores of their own

SchedulingCost scheduling_once(ExecutorKind kind) {
  const Clock::time_point latest = Clock::now() + longest_wait;
  SchedulingCost cost = measure_tasks(kind, 2, latest);
  cost.thread = cost.fork;  // with two cores no further thread can be measured
  cost.efficiency_of_two = measure_efficiency(kind, 2, runs, cost, latest);
  const int cores = std::max(2, physical_cores());
  cost.efficiency = cost.efficiency_of_two;
  if (cores > 2) {
    SchedulingCost all = measure_tasks(kind, cores, latest);
    const double further = cores - 2;
    cost.thread = std::max(0.0, (all.fork - cost.fork) / further);
    cost.meet_growth = std::max(0.0, (all.meet - cost.meet) / further);
    cost.efficiency = measure_efficiency(kind, cores, fewer_runs, all, latest);
    cost.task_growth = std::max(0.0, (all.task - cost.task) / further);
  }
  return cost;
}

/// Readings, and whether processors had their speed meanwhile.
class WatchedReadings {
 public:
  template <class Read>
  void read(Read&& once) {
    const double before = slowest_ns();
    all_.push_back(once());
    slowest_.push_back(std::max(before, slowest_ns()));
  }
  int count() const { return static_cast<int>(all_.size()); }
  const std::vector<SchedulingCost>& all() const { return all_; }
  /// The readings before and after which no processor was slow: another virtual machine on a core makes threads wait.
  std::vector<SchedulingCost> undisturbed() const {
    const double usual = *std::min_element(slowest_.begin(), slowest_.end());
    std::vector<SchedulingCost> good;
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (slowest_[k] <= most_drift * usual) good.push_back(all_[k]);
    return good;
  }

 private:
  /// The most that arithmetic_ns() takes on any processor; 0: they are not known.
  static double slowest_ns() {
    const std::vector<double> times = arithmetic_of_processors();
    return times.empty() ? 0 : *std::max_element(times.begin(), times.end());
  }

  std::vector<SchedulingCost> all_;
  std::vector<double> slowest_;  ///< over readings: slowest_ns() before or after, the larger
};

/// The median; of an even count the better of the middle two. `most`: larger numbers are better.
double middle(std::vector<double> numbers, bool most = false) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[(numbers.size() - (most ? 0 : 1)) / 2];
}

}  // namespace

void measure_one_thread(Calibration& c, int most_readings) {
  const auto distance = [](const Calibration& a, const Calibration& b) {
    const int widest = lane_width(instruction_set());
    return std::max({apart(a.ab, b.ab, 0), apart(a.dial, b.dial, 0), apart(a.in_lanes(widest), b.in_lanes(widest), 0)});
  };
  std::vector<double> ab, dial;  // of all readings
  const auto read = [&] {
    const Calibration one = on_the_fastest(one_thread_once);
    ab.push_back(one.ab), dial.push_back(one.dial);
    return one;
  };
  const auto [first, second, disagreement] = two_that_agree(most_readings, read, distance);
  const Calibration& faster = first.ab < second.ab ? first : second;
  while (static_cast<int>(ab.size()) < std::min(fewest_readings, most_readings)) read();
  c.ab = middle(ab), c.dial = middle(dial), c.lanes = faster.lanes;
  set_caches(c, data_caches());  // by this thread, which may use all processors
  c.disagreement = std::max(c.disagreement, disagreement);
}

void measure_scheduling(Calibration& c, ExecutorKind kind, int most_readings) {
  constexpr double ns = 500;  // less decides no plan
  using Cost = SchedulingCost;
  const double further = std::max(2, physical_cores()) - 2;
  const auto of_all = [&](const Cost& cost, double Cost::*of_two, double Cost::*growth) {
    return cost.*of_two + further * cost.*growth;
  };
  const auto distance = [&](const SchedulingCost& a, const SchedulingCost& b) {
    return std::max(
        {apart(a.task, b.task, ns), apart(a.fork, b.fork, ns), apart(a.thread, b.thread, ns), apart(a.meet, b.meet, ns),
         apart(a.efficiency_of_two, b.efficiency_of_two, 0), apart(a.efficiency, b.efficiency, 0),
         apart(of_all(a, &Cost::task, &Cost::task_growth), of_all(b, &Cost::task, &Cost::task_growth), ns),
         apart(of_all(a, &Cost::meet, &Cost::meet_growth), of_all(b, &Cost::meet, &Cost::meet_growth), ns)});
  };
  WatchedReadings readings;
  std::vector<SchedulingCost> all;
  const auto enough = [&] {
    return all.size() >= 2 && static_cast<int>(all.size()) >= fewest_readings &&
           nearest_two(all, distance).disagreement <= agreed_within;
  };
  do {
    readings.read([&] { return scheduling_once(kind); });
    all = readings.undisturbed();
  } while (readings.count() < 2 || (readings.count() < most_readings && !enough()));
  if (all.size() < 2) all = readings.all();
  const double disagreement = nearest_two(all, distance).disagreement;
  const auto middle_of = [&](double SchedulingCost::*number, bool most = false) {
    std::vector<double> numbers;
    for (const SchedulingCost& one : all) numbers.push_back(one.*number);
    return middle(std::move(numbers), most);
  };
  c.of(kind) = {middle_of(&Cost::task),
                middle_of(&Cost::fork),
                middle_of(&Cost::thread),
                middle_of(&Cost::meet),
                middle_of(&Cost::efficiency_of_two, true),
                middle_of(&Cost::efficiency, true)};
  // by the times on all cores: a task that takes long on two threads, which stood far from each other, grows little
  const auto growth_of = [&](double Cost::*of_two, double Cost::*growth) {
    std::vector<double> numbers;
    for (const Cost& one : all) numbers.push_back(of_all(one, of_two, growth));
    return further > 0 ? std::max(0.0, middle(std::move(numbers)) - c.of(kind).*of_two) / further : 0.0;
  };
  c.of(kind).task_growth = growth_of(&Cost::task, &Cost::task_growth);
  c.of(kind).meet_growth = growth_of(&Cost::meet, &Cost::meet_growth);
  c.cores = std::max(2, physical_cores());
  c.line_transfer = line_transfer_ns();
  c.disagreement = std::max(c.disagreement, disagreement);
}

void measure_memory(Calibration& c, int most_readings) {
  double disagreement = 0;
  set_memory(c, measured_memory(most_readings, disagreement));
  c.disagreement = std::max(c.disagreement, disagreement);
}

}  // namespace kinetree::inline inner
