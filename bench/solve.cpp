// `kinetree solve`: accelerations of given states, as JSON.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <kinetree/kinetree.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/plan_json.hpp"
#include "bench/ranks/world.hpp"
#include "bench/residual.hpp"
#include "bench/subcommands.hpp"
#include "bench/text_out.hpp"
#include "bench/vectors.hpp"
#include "bench/violation_words.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/io/states.hpp"
#include "engine/model/closure.hpp"
#include "engine/partition/modules.hpp"
#include "library/option_words.hpp"
#if KINETREE_MPI
#include <kinetree/mpi/ensemble.hpp>
#include <kinetree/mpi/forward_dynamics.hpp>

#include "mpi/communicator.hpp"
#include "mpi/first_failed.hpp"
#endif

namespace kinetree::bench {
namespace {

using Eigen::VectorXd;

/// 17 significant digits: what is printed reads back as the same number. JSON has no NaN.
std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.17g}", x) : "null"; }

std::string list(const std::vector<double>& numbers) {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) text.append(i ? ", " : "").append(number(numbers[i]));
  return text + "]";
}

/// What is printed, one entry per state.
struct Answers {
  std::string accelerations, residuals, statuses;
  bool all_ok = true;

  void add(const std::string& acceleration, const std::string& residual, const std::string& status) {
    accelerations += (accelerations.empty() ? "\n    " : ",\n    ") + acceleration;
    residuals += (residuals.empty() ? "" : ", ") + residual;
    statuses += (statuses.empty() ? "" : ", ") + json_text(status);
  }
};

/// Accelerations of states and what became of them, by one call.
struct Solved {
  Eigen::MatrixXd a;
  std::vector<Status> statuses;
};

/// States as columns; f has none where no force acts.
struct StateColumns {
  Eigen::MatrixXd q, v, tau, f;
};

StateColumns columns_of(const States& states, const Model& model) {
  const Eigen::Index columns = states.count();
  StateColumns s{Eigen::MatrixXd(model.nq(), columns), Eigen::MatrixXd(model.nv(), columns),
                 Eigen::MatrixXd(model.nv(), columns), Eigen::MatrixXd::Zero(6 * model.body_count(), columns)};
  bool forced = false;
  for (Eigen::Index c = 0; c < columns; ++c) {
    const auto k = static_cast<std::size_t>(c);
    s.q.col(c) = to_vector(states.q[k]), s.v.col(c) = to_vector(states.v[k]);
    s.tau.col(c) = to_vector(states.tau[k]);
    if (states.f_ext[k].empty()) continue;
    s.f.col(c) = to_vector(states.f_ext[k]);
    forced = true;
  }
  if (!forced) s.f.resize(0, 0);
  return s;
}

/// How states are solved, by this process or by all ranks of MPI: one after the other, or, where `together` is set, all
/// in one call.
struct Way {
  std::function<Status(const VectorXd& q, const VectorXd& v, const VectorXd& tau, const VectorXd& f, VectorXd& a)> one;
  std::function<Solved(const StateColumns& s)> together;
  Plan plan;
};

/// f is empty where no force acts.
template <class Solver, class Vector, class Result>
Status solve_by(Solver& solver, const Vector& q, const Vector& v, const Vector& tau, const Vector& f, Result& a) {
  return f.size() > 0 ? solver.solve(q, v, tau, f, a) : solver.solve(q, v, tau, a);
}

/// One after the other, by a solver of one state at a time.
template <class Solver>
Way one_by_one(std::shared_ptr<Solver> solver) {
  return {[solver](const VectorXd& q, const VectorXd& v, const VectorXd& tau, const VectorXd& f, VectorXd& a) {
            return solve_by(*solver, q, v, tau, f, a);
          },
          {},
          solver->plan()};
}

/// In lanes, packs of them on threads.
Solved solve_together(ForwardDynamics& dynamics, const StateColumns& s) {
  Solved solved{Eigen::MatrixXd(s.v.rows(), s.v.cols()), {}};
  static_cast<void>(solve_by(dynamics, s.q, s.v, s.tau, s.f, solved.a));
  solved.statuses.assign(dynamics.statuses().begin(), dynamics.statuses().end());
  return solved;
}

#if KINETREE_MPI

/// The states are shared out over the ranks; each gets all answers.
Solved solve_together(mpi::Ensemble& ensemble, const StateColumns& s) {
  const mpi::Shares& shares = ensemble.shares();
  const auto [first, count] = shares.own();
  const auto own = [first = first, count = count](const Eigen::MatrixXd& all) -> Eigen::MatrixXd {
    return all.size() > 0 ? all.middleCols(first, count) : Eigen::MatrixXd();
  };
  Eigen::MatrixXd a(s.v.rows(), count);
  static_cast<void>(solve_by(ensemble, own(s.q), own(s.v), own(s.tau), own(s.f), a));
  Solved solved{Eigen::MatrixXd(s.v.rows(), s.v.cols()), std::vector<Status>(static_cast<std::size_t>(s.v.cols()))};
  shares.gather_to_all(a, solved.a);
  for (int rank = 0; rank < shares.ranks(); ++rank) {
    const auto [begin, columns] = shares.of(rank);
    for (int c = begin; c < begin + columns; ++c) {
      const bool is_own = rank == shares.rank();
      const Status status = is_own ? ensemble.statuses()[static_cast<std::size_t>(c - first)] : Status{};
      solved.statuses[static_cast<std::size_t>(c)] = status_of(shares.communicator(), status, rank);
    }
  }
  return solved;
}

#endif

template <class Solver>
Way all_together(std::shared_ptr<Solver> solver) {
  return {{}, [solver](const StateColumns& s) { return solve_together(*solver, s); }, solver->plan()};
}

Way way_of(const Model& model, const PlanArguments& plan, [[maybe_unused]] const States& states) {
#if KINETREE_MPI
  if (rank_count() > 1) {
    const Options options = plan.options_over_ranks();
    if (plan.side_by_side())
      return all_together(std::make_shared<mpi::Ensemble>(MPI_COMM_WORLD, model, states.count(), options));
    return one_by_one(std::make_shared<mpi::ForwardDynamics>(MPI_COMM_WORLD, model, options));
  }
#endif
  const auto dynamics = std::make_shared<ForwardDynamics>(plan.make(model));
  if (const Modules* modules = dynamics->modules())
    for (const std::string& notice : modules->notices) fmt::print(stderr, "{}\n", notice);
  return plan.side_by_side() ? all_together(dynamics) : one_by_one(dynamics);
}

/// One after the other, each on all threads; or side by side.
Answers solve_all(const Model& model, const Way& way, const States& states, const std::string& file) {
  const bool side_by_side = way.together != nullptr;
  Workspace workspace(model);
  Closure closure(model.data());
  Answers answers;
  Solved together;
  if (side_by_side) together = way.together(columns_of(states, model));
  for (Status& status : together.statuses) status.column = 0;  // each is told of its state
  const std::vector<bool> multipliers =
      multiplier_aggregates(model.data(), side_by_side ? way.plan.batch_loops : way.plan.loops);
  for (int s = 0; s < states.count(); ++s) {
    const auto k = static_cast<std::size_t>(s);
    const VectorXd q = to_vector(states.q[k]), v = to_vector(states.v[k]), tau = to_vector(states.tau[k]);
    const VectorXd f_ext = to_vector(states.f_ext[k]);
    if (const std::string broken = violation_words(closure, q, v); !broken.empty()) {
      fmt::print(stderr, "{}: state {}: {}\n", file, s, broken);
      answers.all_ok = false;
      answers.add("null", "null", broken);
      continue;
    }
    VectorXd a(model.nv());
    Status status;
    if (side_by_side)
      a = together.a.col(s), status = together.statuses[k];
    else
      status = way.one(q, v, tau, f_ext, a);
    if (!status.ok()) {
      const std::string message = status.message(model);
      fmt::print(stderr, "{}: state {}: {}\n", file, s, message);
      answers.all_ok = false;
      answers.add("null", "null", message);
      continue;
    }
    for (const Nearness& near : near_change_points(model, multipliers, q))
      fmt::print(stderr,
                 "{}: notice: state {}: {} near a change point: about {} digits of the accelerations are lost{}\n",
                 file, s, near.loops, near.digits, near.twice ? ", up to twice as many by multipliers" : "");
    const std::vector<double> in_order = in_callers_order(states, model, {a.begin(), a.end()});
    answers.add(list(in_order), number(residual(model, workspace, q, v, tau, f_ext, a)), "ok");
  }
  return answers;
}

/// All ranks, each with the same states; rank 0 prints.
int solve(const ModelArguments& model_arguments, const PlanArguments& plan, const std::string& states_file) {
  plan.check();
  std::optional<Model> model;
  std::optional<States> read;
  on_all_ranks([&] {
    if (rank_count() > 1) static_cast<void>(plan.options_over_ranks());
    model = model_arguments.read();
    read = read_states(states_file, *model);
  });
  const States& states = *read;
  for (const Finding& finding : states.findings) fmt::print(stderr, "{}\n", to_string(finding));
  const Way way = way_of(*model, plan, states);
  const Answers answers = solve_all(*model, way, states, states_file);
  const std::string ranks = rank_count() > 1 ? fmt::format("\n  \"ranks\": {},", rank_count()) : "";
  fmt::print("{{\n  \"algorithm\": \"{}\",{}\n  \"plan\": {},\n  \"joints\": {},\n", to_word(way.plan.algorithm), ranks,
             json_text(plan_json(way.plan)), json_text(states.joints));
  fmt::print("  \"accelerations\": [{}],\n  \"residuals\": [{}],\n  \"statuses\": [{}]\n}}\n", answers.accelerations,
             answers.residuals, answers.statuses);
  return answers.all_ok ? done : state_failed;
}

}  // namespace

void add_solve(CLI::App& app, Action& action) {
  struct Arguments {
    ModelArguments model;
    PlanArguments plan;
    std::string states;
  };
  CLI::App* sub = app.add_subcommand(
      "solve", "Accelerations of given states; one after the other on all threads, or with --lanes side by side");
  const auto a = std::make_shared<Arguments>();
  a->model.add_to(*sub);
  a->plan.add_to(*sub);
  sub->add_option("--states", a->states,
                  "JSON: {\"joints\": [...], \"states\": [{\"q\", \"v\", \"tau\", \"f_ext\"}, ...]}")
      ->required();
  sub->callback([a, &action] { action = [a] { return solve(a->model, a->plan, a->states); }; });
}

}  // namespace kinetree::bench
