// ForwardDynamics: arguments are checked, then the engine of their scalar type solves.
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/model.hpp>
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

std::span<const Status> ForwardDynamics::statuses() const { return implementation_->statuses.span(); }
const Model& ForwardDynamics::model() const { return implementation_->model; }
const Plan& ForwardDynamics::plan() const { return implementation_->planned.plan; }
const Modules* ForwardDynamics::modules() const {
  std::optional<Modules>& modules = implementation_->shown_modules;
  if (!modules && implementation_->in_double) modules = modules_of(implementation_->model, implementation_->planned);
  return modules ? &*modules : nullptr;
}

}  // namespace kinetree
