// ForwardDynamics: arguments are checked, then the engine of their scalar type solves.
#include <algorithm>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/function.hpp>
#include <kinetree/model.hpp>
#include <kinetree/workspace.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "library/argument.hpp"
#include "library/engine.hpp"
#include "library/option_table.hpp"
#include "library/parameters.hpp"
#include "library/plan_check.hpp"
#include "library/planner.hpp"
#include "library/varying_data.hpp"
#include "library/workspace_space.hpp"

namespace kinetree {

inline namespace inner {
namespace forward_dynamics_detail {

/// What columns may have of their own.
struct Own {
  Varying varying;
  Declared declared;
};

/// Columns with numbers of their own go side by side, each whole.
inline Options options_of_columns(Options o) {
  if (o.algorithm == Algorithm::automatic) o.algorithm = Algorithm::ab;
  if (o.limbs > 1)
    throw OptionError("limbs is " + std::to_string(o.limbs) +
                      ", and states with parameters of their own are solved body by body: take limbs 0 or 1");
  return o;
}
inline void check_columns(const Plan& plan) {
  if (plan.algorithm == Algorithm::automatic) return;
  static_cast<void>(options_of_columns({.algorithm = plan.algorithm, .limbs = std::max(plan.limbs, plan.end_chains)}));
}

}  // namespace forward_dynamics_detail
}  // namespace inner

class ForwardDynamics::Implementation {
  using Own = forward_dynamics_detail::Own;

 public:
  Implementation(const Model& m, const Options& o, const Runner& r)
      : Implementation(m, (check_options(o, r), make_plan(m, o)), r) {}
  Implementation(const Model& m, const Plan& p, const Runner& r)
      : Implementation(m, (check_plan(p, r), replay(m, p)), r) {}
  Implementation(const Varying& varying, const Declared& d, const Options& o, const Runner& r)
      : Implementation(varying.model(),
                       (check_options(o, r), make_plan(d.model, forward_dynamics_detail::options_of_columns(o))), r,
                       std::make_unique<Own>(Own{varying, d})) {}
  Implementation(const Varying& varying, const Declared& d, const Plan& p, const Runner& r)
      : Implementation(varying.model(),
                       (check_plan(p, r), forward_dynamics_detail::check_columns(p), replay(d.model, p)), r,
                       std::make_unique<Own>(Own{varying, d})) {}
  Implementation(const Model& m, Planned p, const Runner& r, std::unique_ptr<Own> columns = nullptr)
      : model(m), planned(std::move(p)), runner(r), own(std::move(columns)) {
    const Plan& plan = planned.plan;
    gigabytes = plan.algorithm == Algorithm::crb ? mass_matrix_gigabytes(model, plan.factorization) : 0;
    if (gigabytes <= largest_mass_matrix_gigabytes) make_engine(in_double, planned);
  }

  template <class S>
  void make_engine(std::optional<Engine<S>>& engine, const Planned& by) {
    own ? engine.emplace(own->declared.model, by, set, runner, own->declared.own)
        : engine.emplace(model, by, set, runner);
  }

  template <class S>
  std::optional<Engine<S>>& engine() {
    return of_scalar<S>(in_double, in_float);
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
    const auto& [q, v, tau, f, own_numbers, kept] = inputs;
    const Parameters given = std::exchange(parameters, {});
    of_products = {};
    statuses.begin(a.columns);
    const std::ptrdiff_t n = a.columns;
    Status whole = fault_of_sizes(argument("q", q, model.nq(), n), argument("v", v, model.nv(), n),
                                  argument("tau", tau, model.nv(), n), argument("a", a, model.nv(), n),
                                  optional_argument("f_ext", f, 6 * std::ptrdiff_t{model.body_count()}, n));
    if (whole.ok()) whole = given.fault<S>(own ? own->declared.own.get() : nullptr, n);
    if (whole.ok() && gigabytes > largest_mass_matrix_gigabytes)
      whole = {StatusCode::too_large, 0, -1, gigabytes};
    else if (whole.ok() && (!stands_apart(a, q, v, tau, f) || (given.given && !stands_apart(a, own_numbers))))
      whole.code = StatusCode::shared_memory;
    else if (const int lost = whole.ok() ? lost_cut<S>() : -1; lost >= 0)
      whole = {StatusCode::cut_needs_double, 0, lost, 0};
    if (!whole.ok()) return statuses.fill(whole);
    if (a.columns == 0) return whole;
    if (!engine<S>()) make_engine(engine<S>(), planned_in<S>());
    engine<S>()->solve(inputs, a, statuses);
    return statuses.first_failed();
  }

  /// A product of derivatives.
  template <class S>
  Status multiply(boundary::Function function, const boundary::ProductArguments<S>& product,
                  const boundary::Arguments<S>& arguments) {
    const Plan& plan = planned.plan;
    const WorkspaceOptions options{.executor = plan.executor,
                                   .threads = plan.batch_threads,
                                   .pinning = plan.batch_threads > 1 ? plan.pinning : Pinning::none,
                                   .lanes = plan.lanes};
    if (!products)
      products = own ? std::make_shared<Workspace>(own->varying, options, runner)
                     : std::make_shared<Workspace>(model, options, runner);
    if (const int lost = lost_cut<S>(); lost >= 0) {
      parameters = {}, of_products = {};
      statuses.begin(1);
      return statuses.fill({StatusCode::cut_needs_double, 0, lost, 0});
    }
    Workspace::Space& space = products->space();
    auto& planned_products = of_scalar<S>(space.in_double, space.in_float).planned;
    if (!planned_products)
      planned_products = std::make_unique<PlannedProducts<S>>(space.batch_model(), planned_in<S>().plan, runner);
    space.parameters = std::exchange(parameters, {});
    const Status status = boundary::evaluate(function, model, *products, product, arguments);
    of_products = products->statuses();
    return status;
  }
  std::span<const Status> last_statuses() const { return of_products.empty() ? statuses.span() : of_products; }

  Model model;
  Planned planned;
  Runner runner;
  std::unique_ptr<Own> own;  ///< null: all columns have the model's numbers
  Parameters parameters;     ///< of the next call
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
ForwardDynamics::ForwardDynamics(const Varying& varying, const Options& options, const Runner& runner)
    : implementation_(std::make_unique<Implementation>(varying, declared(varying), options, runner)) {}
ForwardDynamics::ForwardDynamics(const Varying& varying, const Plan& plan, const Runner& runner)
    : implementation_(std::make_unique<Implementation>(varying, declared(varying), plan, runner)) {}
ForwardDynamics::~ForwardDynamics() = default;
ForwardDynamics::ForwardDynamics(ForwardDynamics&&) noexcept = default;
ForwardDynamics& ForwardDynamics::operator=(ForwardDynamics&&) noexcept = default;

ForwardDynamics& ForwardDynamics::take(const Columns<const double>& parameters) {
  return implementation_->parameters = {.in_double = parameters, .given = true}, *this;
}
ForwardDynamics& ForwardDynamics::take(const Columns<const float>& parameters) {
  return implementation_->parameters = {.in_float = parameters, .given = true}, *this;
}
ForwardDynamics& ForwardDynamics::with(KeptParameters& parameters) {
  return implementation_->parameters = parameters_of(parameters), *this;
}

#define KINETREE_COLUMNS(T)                                                                                            \
  Status ForwardDynamics::solve_columns(const Columns<const T>& q, const Columns<const T>& v,                          \
                                        const Columns<const T>& tau, const Columns<const T>& f_ext,                    \
                                        const Columns<T>& a) {                                                         \
    const Parameters& own = implementation_->parameters;                                                               \
    return implementation_->solve<T>({q, v, tau, f_ext, own.in<T>(), own.kept_numbers<T>()}, a);                       \
  }                                                                                                                    \
  Status ForwardDynamics::push_columns(                                                                                \
      const Columns<const T>& q, const Columns<const T>& v, const Columns<const T>& a, const Columns<const T>& f_ext,  \
      const Columns<const T>& dq, const Columns<const T>& dv, const Columns<const T>& dtau, const Columns<T>& da) {    \
    return implementation_->multiply<T>(boundary::Function::forward_dynamics_tangent, {{dq, dv, dtau}},                \
                                        {.q = q, .v = v, .a = a, .f_ext = f_ext, .results = {da}});                    \
  }                                                                                                                    \
  Status ForwardDynamics::pull_columns(                                                                                \
      const Columns<const T>& q, const Columns<const T>& v, const Columns<const T>& a, const Columns<const T>& f_ext,  \
      const Columns<const T>& a_bar, const Columns<T>& q_bar, const Columns<T>& v_bar, const Columns<T>& tau_bar) {    \
    return implementation_->multiply<T>(boundary::Function::forward_dynamics_cotangent, {{a_bar}},                     \
                                        {.q = q, .v = v, .a = a, .f_ext = f_ext, .results = {q_bar, v_bar, tau_bar}}); \
  }
KINETREE_COLUMNS(double)
KINETREE_COLUMNS(float)
#undef KINETREE_COLUMNS

std::span<const Status> ForwardDynamics::statuses() const { return implementation_->last_statuses(); }
const Model& ForwardDynamics::model() const { return implementation_->model; }
const Plan& ForwardDynamics::plan() const { return implementation_->planned.plan; }
const Modules* ForwardDynamics::modules() const {
  std::optional<Modules>& modules = implementation_->shown_modules;
  if (!modules && implementation_->in_double) modules = modules_of(implementation_->model, implementation_->planned);
  return modules ? &*modules : nullptr;
}

}  // namespace kinetree
