// `kinetree solve`: accelerations of given states, as JSON.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <kinetree/kinetree.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/arguments.hpp"
#include "bench/plan_json.hpp"
#include "bench/residual.hpp"
#include "bench/subcommands.hpp"
#include "bench/text_out.hpp"
#include "bench/vectors.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/io/states.hpp"
#include "engine/model/closure.hpp"
#include "engine/partition/modules.hpp"
#include "library/option_words.hpp"

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

/// What a state breaks of loops and couplings; empty where nothing.
std::string violation(Closure& closure, const VectorXd& q, const VectorXd& v) {
  std::string text;
  for (const Violation& broken : closure.violations(q.data(), v.data()))
    text += fmt::format("{}{} is broken by the {}, by {:.3g} (1e-8 is allowed)", text.empty() ? "" : "; ",
                        broken.constraint, broken.velocity ? "velocities" : "positions", broken.amount);
  return text;
}

/// Accelerations of states and what became of them, by one call.
struct Solved {
  Eigen::MatrixXd a;
  std::vector<Status> statuses;
};

/// All states in one call: side by side in lanes, packs of them on threads.
Solved solve_side_by_side(ForwardDynamics& dynamics, const States& states) {
  const Model& model = dynamics.model();
  const Eigen::Index columns = states.count();
  Eigen::MatrixXd q(model.nq(), columns), v(model.nv(), columns), tau = v, f(6 * model.body_count(), columns);
  f.setZero();
  bool forced = false;
  for (Eigen::Index c = 0; c < columns; ++c) {
    const auto k = static_cast<std::size_t>(c);
    q.col(c) = to_vector(states.q[k]), v.col(c) = to_vector(states.v[k]), tau.col(c) = to_vector(states.tau[k]);
    if (states.f_ext[k].empty()) continue;
    f.col(c) = to_vector(states.f_ext[k]);
    forced = true;
  }
  Solved solved{Eigen::MatrixXd(model.nv(), columns), {}};
  static_cast<void>(forced ? dynamics.solve(q, v, tau, f, solved.a) : dynamics.solve(q, v, tau, solved.a));
  solved.statuses.assign(dynamics.statuses().begin(), dynamics.statuses().end());
  for (Status& status : solved.statuses) status.column = 0;  // each is told of its state
  return solved;
}

/// One after the other, each on all threads; or side by side.
Answers solve_all(ForwardDynamics& dynamics, const States& states, const std::string& file, bool side_by_side) {
  const Model& model = dynamics.model();
  Workspace workspace(model);
  Closure closure(model.data());
  Answers answers;
  Solved together;
  if (side_by_side) together = solve_side_by_side(dynamics, states);
  const std::vector<bool> multipliers =
      multiplier_aggregates(model.data(), side_by_side ? dynamics.plan().batch_loops : dynamics.plan().loops);
  for (int s = 0; s < states.count(); ++s) {
    const auto k = static_cast<std::size_t>(s);
    const VectorXd q = to_vector(states.q[k]), v = to_vector(states.v[k]), tau = to_vector(states.tau[k]);
    const VectorXd f_ext = to_vector(states.f_ext[k]);
    if (const std::string broken = violation(closure, q, v); !broken.empty()) {
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
      status = f_ext.size() > 0 ? dynamics.solve(q, v, tau, f_ext, a) : dynamics.solve(q, v, tau, a);
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

int solve(const ModelArguments& model_arguments, const PlanArguments& plan, const std::string& states_file) {
  plan.check();
  const Model model = model_arguments.read();
  const States states = read_states(states_file, model);
  for (const Finding& finding : states.findings) fmt::print(stderr, "{}\n", to_string(finding));
  ForwardDynamics dynamics = plan.make(model);
  if (const Modules* modules = dynamics.modules())
    for (const std::string& notice : modules->notices) fmt::print(stderr, "{}\n", notice);
  const Answers answers = solve_all(dynamics, states, states_file, plan.side_by_side());
  fmt::print("{{\n  \"algorithm\": \"{}\",\n  \"plan\": {},\n  \"joints\": {},\n", to_word(dynamics.plan().algorithm),
             json_text(plan_json(dynamics.plan())), json_text(states.joints));
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
