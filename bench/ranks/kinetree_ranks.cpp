// mpirun -n R kinetree_ranks: R ranks of one thread against one process of R threads, turn by turn.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <kinetree/kinetree.hpp>
#include <kinetree/mpi/ensemble.hpp>
#include <kinetree/mpi/forward_dynamics.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/arguments.hpp"
#include "bench/ranks/full_speed.hpp"
#include "bench/ranks/predicted_ranks.hpp"
#include "bench/ranks/turns.hpp"
#include "bench/ranks/world.hpp"
#include "bench/sweep/copies.hpp"
#include "bench/sweep/random_states.hpp"
#include "bench/sweep/statistics.hpp"
#include "bench/values.hpp"
#include "mpi/predicted_ns.hpp"

namespace kinetree::bench {
namespace {

struct Arguments {
  std::vector<std::string> models{"chain:65536", "tree:2x14"};
  int rounds = 51, copies = 1, columns = 0;
  double milliseconds = 20, patience = 60;
};

/// Ratios of a round's times, and the times.
struct Compared {
  std::vector<double> ratios, over_ranks, on_threads, on_one;
};

/// Nanoseconds, on rank 0, of one state.
struct Predicted {
  std::optional<double> on_one{}, on_threads{}, over_ranks{};
};

/// Of all rounds, on rank 0. `together`: all ranks' call.
Compared compare(const Arguments& a, FullSpeed& speed, const std::function<void()>& together,
                 const std::function<void()>& on_threads, const std::function<void()>& on_one) {
  Compared all;
  double first = time_together(1, together);
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const int calls = std::max(1, static_cast<int>(1e6 * a.milliseconds / first));
  for (int round = 0; round < a.rounds;) {
    speed.wait();
    const double ranks = time_together(calls, together), threads = time_alone(calls, on_threads),
                 one = time_alone(calls, on_one);
    if (!speed.counts()) continue;
    ++round;
    all.over_ranks.push_back(ranks), all.on_threads.push_back(threads), all.on_one.push_back(one);
    all.ratios.push_back(threads / ranks);
  }
  return all;
}

void check(const Status& status, const Model& model) {
  if (!status.ok()) throw std::runtime_error(status.message(model));
}

/// How a model fares, by rank 0.
void tell(const std::string& what, const std::string& parted, const Compared& c, const Predicted& p) {
  if (own_rank() != 0) return;
  const auto cell = [](const std::vector<double>& times, std::optional<double> predicted) {
    const double ns = median_interval(times).median;
    const std::string error = predicted ? fmt::format(" ({:+.0f} %)", 100 * (*predicted / ns - 1)) : "";
    return fmt::format("{:.4g}{}", ns / 1000, error);
  };
  const MedianInterval ratio = median_interval(c.ratios);
  fmt::print("| {} | {} | {} | {} | {} | {:.3f} ({:.3f} to {:.3f}) |\n", what, parted, cell(c.on_one, p.on_one),
             cell(c.on_threads, p.on_threads), cell(c.over_ranks, p.over_ranks), ratio.median, ratio.low, ratio.high);
  std::fflush(stdout);
}

Predicted predicted(const Model& model, const Plan& over_ranks, int ranks) {
  if (own_rank() != 0) return {};
  const Calibration here = calibration();
  return {predicted_in_one_process(model, 1, here), predicted_in_one_process(model, ranks, here),
          predicted_over_ranks(model, over_ranks, {ranks, ranks}, here)};
}

void one_mechanism(const Arguments& a, FullSpeed& speed, const Model& model, int ranks) {
  mpi::ForwardDynamics shared(MPI_COMM_WORLD, model, {}, mpi::Results::own_bodies);
  ForwardDynamics on_threads(model, {.threads = ranks}), on_one(model);
  const StateSet s = random_states(model, states_that_fit(model, 16), 1);
  Eigen::VectorXd x(model.nv());
  // all ranks have the same state
  const auto by = [&](auto& dynamics) {
    return [&, k = Eigen::Index(0)]() mutable {
      check(dynamics.solve(s.q.col(k), s.v.col(k), s.tau.col(k), x), model);
      k = (k + 1) % s.count();
    };
  };
  const Compared c = compare(a, speed, by(shared), by(on_threads), by(on_one));
  tell(model.name(), parting(shared.plan()), c, predicted(model, shared.plan(), ranks));
}

void ensemble(const Arguments& a, FullSpeed& speed, const Model& model, int ranks) {
  mpi::Ensemble shared(MPI_COMM_WORLD, model, a.columns);
  ForwardDynamics on_threads(model, {.threads = ranks}), on_one(model);
  const StateSet s = random_states(model, a.columns, 1);
  const auto [first, count] = shared.shares().own();
  const Eigen::MatrixXd q = s.q.middleCols(first, count), v = s.v.middleCols(first, count),
                        tau = s.tau.middleCols(first, count);
  Eigen::MatrixXd own(model.nv(), count), all(model.nv(), a.columns);
  const Compared c = compare(
      a, speed,
      [&] {
        check(shared.solve(q, v, tau, own), model);
        MPI_Barrier(MPI_COMM_WORLD);
      },
      [&] { check(on_threads.solve(s.q, s.v, s.tau, all), model); },
      [&] { check(on_one.solve(s.q, s.v, s.tau, all), model); });
  tell(fmt::format("{}, {} columns", model.name(), a.columns), "columns", c, {});
}

int run(const Arguments& a) {
  const int rank = own_rank(), ranks = rank_count();
  FullSpeed speed(a.patience);
  if (rank == 0)
    fmt::print(
        "medians of {} rounds, microseconds a call, and how far predictions are off; last: how many times as fast {} "
        "ranks are as {} threads (95 %)\n"
        "| model | parted | one thread | {} threads | {} ranks | ratio |\n| --- | --- | --- | --- | --- | --- |\n",
        a.rounds, ranks, ranks, ranks, ranks);
  for (const std::string& name : a.models) {
    ModelArguments arguments;
    arguments.model = name;
    const Model model =
        a.copies > 1 ? make_model(on_platform(arguments.description(), a.copies, false)) : arguments.read();
    a.columns > 0 ? ensemble(a, speed, model, ranks) : one_mechanism(a, speed, model, ranks);
  }
  if (rank == 0 && speed.disturbed() > 0)
    fmt::print("in {} rounds a processor was slow: --patience was not enough\n", speed.disturbed());
  return done;
}

}  // namespace
}  // namespace kinetree::bench

int main(int argc, char** argv) {
  using namespace kinetree::bench;
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Arguments a;
  CLI::App app("R ranks of one thread against one process of R threads: mpirun -n R kinetree_ranks");
  app.add_option("MODEL", a.models, "Files or families")->capture_default_str();
  constexpr int most = std::numeric_limits<int>::max();
  add_whole(app, "--rounds", a.rounds, 1, most, "Turns of each");
  add_whole(app, "--copies", a.copies, 1, most, "Of each model, on one platform");
  add_whole(app, "--columns", a.columns, 1, most, "States of an ensemble; without: one state of one mechanism")
      ->default_str("");
  add_above_zero(app, "--milliseconds", a.milliseconds, "Of one turn");
  add_not_negative(app, "--patience", a.patience, "Seconds to wait, in all, for processors at full speed");
  int status = 0;
  try {
    app.parse(argc, argv);
    status = run(a);
  } catch (const CLI::ParseError& error) {
    status = rank == 0 ? app.exit(error) : error.get_exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "kinetree_ranks: rank {}: {}\n", rank, error.what());
    std::fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, wrong_input);  // others may wait for this one
  }
  MPI_Finalize();
  return status;
}
