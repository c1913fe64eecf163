// kinetree solve: accelerations of given states.
#include <cmath>
#include <iostream>

#include <nlohmann/json.hpp>

#include <kinetree/io/states.hpp>

#include "command.hpp"

namespace kinetree::command {
namespace {

using nlohmann::ordered_json;
using Vector = Eigen::VectorXd;

struct Arguments {
  ModelArguments model;
  SolverArguments solver;
  std::string states;
};

Eigen::Map<const Vector> view(const std::vector<double>& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

/// ‖ID(q, v, a) - tau‖ / (‖tau‖ + ‖bias‖), 0 where the numerator is 0 (design: the public face).
double residual(const Model& model, Workspace& workspace, const States& states, std::size_t k, const Vector& a) {
  Vector forces(model.nv()), bias(model.nv());
  const Vector zero = Vector::Zero(model.nv());
  const auto q = view(states.q[k]), v = view(states.v[k]), tau = view(states.tau[k]);
  if (states.f_ext[k].empty()) {
    inverse_dynamics(model, workspace, q, v, a, forces);
    inverse_dynamics(model, workspace, q, v, zero, bias);
  } else {
    inverse_dynamics(model, workspace, q, v, a, view(states.f_ext[k]), forces);
    inverse_dynamics(model, workspace, q, v, zero, view(states.f_ext[k]), bias);
  }
  const double difference = (forces - tau).norm();
  return difference == 0 ? 0 : difference / (tau.norm() + bias.norm());
}

ordered_json plan_of(const Options& o) {
  return {{"algorithm", word_of(o.algorithm)}, {"executor", word_of(o.executor)}, {"threads", o.threads}, {"grain", o.grain},
          {"cuts", word_of(o.cuts)}, {"corrections", o.corrections}};
}

int run(const Arguments& arguments, const Options& options) {
  const Model model = load(arguments.model);
  const States states = read_states(arguments.states, model);
  ForwardDynamics dynamics(model, options);
  Workspace workspace(model);
  ordered_json out;
  out["algorithm"] = word_of(dynamics.plan().algorithm);
  out["plan"] = plan_of(dynamics.plan());
  out["joints"] = states.joints;
  out["accelerations"] = out["residuals"] = out["statuses"] = ordered_json::array();
  int exit = done;
  Vector a(model.nv());
  for (std::size_t k = 0; k < states.q.size(); ++k) {
    const Status status = states.f_ext[k].empty()
                              ? dynamics.solve(view(states.q[k]), view(states.v[k]), view(states.tau[k]), a)
                              : dynamics.solve(view(states.q[k]), view(states.v[k]), view(states.tau[k]), view(states.f_ext[k]), a);
    out["statuses"].push_back(status.message(model));
    if (!status.ok()) {
      std::cerr << arguments.states << ": state " << k << ": " << status.message(model) << '\n';
      out["accelerations"].push_back(nullptr);
      out["residuals"].push_back(nullptr);
      exit = failed_state;
      continue;
    }
    out["accelerations"].push_back(in_callers_order(states, model, {a.data(), a.data() + a.size()}));
    out["residuals"].push_back(residual(model, workspace, states, k, a));
  }
  std::cout << out.dump() << '\n';
  return exit;
}

}  // namespace

void add_solve(CLI::App& app, int& exit) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* solve = app.add_subcommand("solve", "accelerations of states, as JSON");
  add_model(*solve, arguments->model);
  solve->add_option("--states", arguments->states, "JSON: {\"joints\": [...], \"states\": [{\"q\", \"v\", \"tau\", \"f_ext\"}]}")->required();
  add_solver(*solve, arguments->solver);
  solve->callback([solve, arguments, &exit] { exit = run(*arguments, options_of(*solve, arguments->solver)); });
}

}  // namespace kinetree::command
