// ForwardDynamics: arguments are checked, then the engine of their scalar type solves.
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/function.hpp>
#include <kinetree/model.hpp>
#include <kinetree/workspace.hpp>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "library/argument.hpp"
#include "library/engine.hpp"
#include "library/option_table.hpp"
#include "library/plan_check.hpp"
#include "library/planner.hpp"

namespace kinetree {

class ForwardDynamics::Implementation {
 public:
  Implementation(const Model& m, const Options& o, const Runner& r)
      : Implementation(m, (check_options(o, r), make_plan(m, o)), r) {}
  Implementation(const Model& m, const Plan& p, const Runner& r)
      : Implementation(m, (check_plan(p, r), replay(m, p)), r) {}
  Implementation(const Model& m, Planned p, const Runner& r) : model(m), planned(std::move(p)), runner(r) {
    const Plan& plan = planned.plan;
    gigabytes = plan.algorithm == Algorithm::crb ? mass_matrix_gigabytes(model, plan.factorization) : 0;
    if (gigabytes <= largest_mass_matrix_gigabytes) in_double.emplace(model, planned, set, runner);
  }

  template <class S>
  std::optional<Engine<S>>& engine() {
    if constexpr (std::is_same_v<S, double>)
      return in_double;
    else
      return in_float;
  }

  template <class S>
  const Planned& planned_in() {
    if constexpr (std::is_same_v<S, double>) return planned;
    if (!float_plan) float_plan = plan_in_float(model, planned);
    return float_plan->planned;
  }
  /// A cut that this scalar can't hold; -1: none.
  template <class S>
  int lost_cut() {
    if constexpr (std::is_same_v<S, double>) return -1;
    return planned_in<S>(), float_plan->lost_cut;
  }

  template <class S>
  Status solve(const DynamicsInputs<S>& inputs, const Columns<S>& a) {
    const auto& [q, v, tau, f] = inputs;
    of_products = {};
    statuses.begin(a.columns);
    const std::ptrdiff_t n = a.columns;
    Status whole = fault_of_sizes(argument("q", q, model.nq(), n), argument("v", v, model.nv(), n),
                                  argument("tau", tau, model.nv(), n), argument("a", a, model.nv(), n),
                                  optional_argument("f_ext", f, 6 * std::ptrdiff_t{model.body_count()}, n));
    if (whole.ok() && gigabytes > largest_mass_matrix_gigabytes)
      whole = {StatusCode::too_large, 0, -1, gigabytes};
    else if (whole.ok() && !stands_apart(a, q, v, tau, f))
      whole.code = StatusCode::shared_memory;
    else if (const int lost = whole.ok() ? lost_cut<S>() : -1; lost >= 0)
      whole = {StatusCode::cut_needs_double, 0, lost, 0};
    if (!whole.ok()) return statuses.fill(whole);
    if (a.columns == 0) return whole;
    if (!engine<S>()) engine<S>().emplace(model, planned_in<S>(), set, runner);
    engine<S>()->solve(inputs, a, statuses);
    return statuses.first_failed();
  }

  /// A product of derivatives: by articulated bodies, whichever the plan's algorithm.
  template <class S>
  Status multiply(boundary::Function function, const boundary::ProductArguments<S>& product,
                  const boundary::Arguments<S>& arguments) {
    const Plan& plan = planned.plan;
    if (!products)
      products =
          std::make_shared<Workspace>(model,
                                      WorkspaceOptions{.executor = plan.executor,
                                                       .threads = plan.batch_threads,
                                                       .pinning = plan.batch_threads > 1 ? plan.pinning : Pinning::none,
                                                       .lanes = plan.lanes},
                                      runner);
    const Status status = boundary::evaluate(function, model, *products, product, arguments);
    of_products = products->statuses();
    return status;
  }
  std::span<const Status> last_statuses() const { return of_products.empty() ? statuses.span() : of_products; }

  Model model;
  Planned planned;
  Runner runner;
  InstructionSet set = instruction_set();
  double gigabytes = 0;
  std::optional<Engine<double>> in_double;
  std::optional<Engine<float>> in_float;
  std::optional<FloatPlan> float_plan;   ///< since the first call in float
  std::optional<Modules> shown_modules;  ///< for callers
  Statuses statuses;
  /// Since the first push or pull. By a pointer that knows how to delete, so that a program that calls neither links
  /// none of their code.
  std::shared_ptr<Workspace> products;
  std::span<const Status> of_products;  ///< of the last call, where it was a push or pull
};

ForwardDynamics::ForwardDynamics(Model model, const Options& options, const Runner& runner)
    : implementation_(std::make_unique<Implementation>(model, options, runner)) {}
ForwardDynamics::ForwardDynamics(Model model, const Plan& plan, const Runner& runner)
    : implementation_(std::make_unique<Implementation>(model, plan, runner)) {}
ForwardDynamics::~ForwardDynamics() = default;
ForwardDynamics::ForwardDynamics(ForwardDynamics&&) noexcept = default;
ForwardDynamics& ForwardDynamics::operator=(ForwardDynamics&&) noexcept = default;

Status ForwardDynamics::solve_columns(const Columns<const double>& q, const Columns<const double>& v,
                                      const Columns<const double>& tau, const Columns<const double>& f_ext,
                                      const Columns<double>& a) {
  return implementation_->solve<double>({q, v, tau, f_ext}, a);
}
Status ForwardDynamics::solve_columns(const Columns<const float>& q, const Columns<const float>& v,
                                      const Columns<const float>& tau, const Columns<const float>& f_ext,
                                      const Columns<float>& a) {
  return implementation_->solve<float>({q, v, tau, f_ext}, a);
}

Status ForwardDynamics::push_columns(const Columns<const double>& q, const Columns<const double>& v,
                                     const Columns<const double>& a, const Columns<const double>& f_ext,
                                     const Columns<const double>& dq, const Columns<const double>& dv,
                                     const Columns<const double>& dtau, const Columns<double>& da) {
  return implementation_->multiply<double>(boundary::Function::forward_dynamics_tangent, {{dq, dv, dtau}},
                                           {.q = q, .v = v, .a = a, .f_ext = f_ext, .results = {da}});
}
Status ForwardDynamics::push_columns(const Columns<const float>& q, const Columns<const float>& v,
                                     const Columns<const float>& a, const Columns<const float>& f_ext,
                                     const Columns<const float>& dq, const Columns<const float>& dv,
                                     const Columns<const float>& dtau, const Columns<float>& da) {
  return implementation_->multiply<float>(boundary::Function::forward_dynamics_tangent, {{dq, dv, dtau}},
                                          {.q = q, .v = v, .a = a, .f_ext = f_ext, .results = {da}});
}
Status ForwardDynamics::pull_columns(const Columns<const double>& q, const Columns<const double>& v,
                                     const Columns<const double>& a, const Columns<const double>& f_ext,
                                     const Columns<const double>& a_bar, const Columns<double>& q_bar,
                                     const Columns<double>& v_bar, const Columns<double>& tau_bar) {
  return implementation_->multiply<double>(
      boundary::Function::forward_dynamics_cotangent, {{a_bar}},
      {.q = q, .v = v, .a = a, .f_ext = f_ext, .results = {q_bar, v_bar, tau_bar}});
}
Status ForwardDynamics::pull_columns(const Columns<const float>& q, const Columns<const float>& v,
                                     const Columns<const float>& a, const Columns<const float>& f_ext,
                                     const Columns<const float>& a_bar, const Columns<float>& q_bar,
                                     const Columns<float>& v_bar, const Columns<float>& tau_bar) {
  return implementation_->multiply<float>(boundary::Function::forward_dynamics_cotangent, {{a_bar}},
                                          {.q = q, .v = v, .a = a, .f_ext = f_ext, .results = {q_bar, v_bar, tau_bar}});
}

std::span<const Status> ForwardDynamics::statuses() const { return implementation_->last_statuses(); }
const Model& ForwardDynamics::model() const { return implementation_->model; }
const Plan& ForwardDynamics::plan() const { return implementation_->planned.plan; }
const Modules* ForwardDynamics::modules() const {
  std::optional<Modules>& modules = implementation_->shown_modules;
  if (!modules && implementation_->in_double) modules = modules_of(implementation_->model, implementation_->planned);
  return modules ? &*modules : nullptr;
}

}  // namespace kinetree
