#include <algorithm>
#include <kinetree/model.hpp>
#include <kinetree/mpi/ensemble.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "engine/scalar/index.hpp"
#include "library/argument.hpp"
#include "library/statuses.hpp"
#include "mpi/agreement.hpp"
#include "mpi/first_failed.hpp"

namespace kinetree::mpi {
namespace {

/// All ranks. Rank 0 makes the plan, the others run it.
kinetree::ForwardDynamics make_dynamics(const Communicator& communicator, const Model& model, const Options& options) {
  std::optional<kinetree::ForwardDynamics> dynamics;
  std::string fault;
  if (communicator.rank() == 0) fault = fault_of([&] { dynamics.emplace(model, options); });
  communicator.agree(fault);
  Plan plan(Algorithm::ab);
  if (dynamics) plan = dynamics->plan();
  communicator.broadcast(plan);
  if (!dynamics) fault = fault_of([&] { dynamics.emplace(model, plan); });
  communicator.agree(fault);
  return std::move(*dynamics);
}

template <class S>
Columns<const S> twice(Columns<const S> one) {
  return {one.data, one.rows, one.data == nullptr ? 0 : 2, 0};
}

}  // namespace

class Ensemble::Implementation {
 public:
  Implementation(MPI_Comm comm, const Model& model, int columns, const Options& options)
      : shares(comm, columns),
        dynamics((agree_on_model(shares.communicator(), model), make_dynamics(shares.communicator(), model, options))) {
  }

  template <class S>
  Status solve(Columns<const S> q, Columns<const S> v, Columns<const S> tau, Columns<const S> f, Columns<S> a) {
    const Model& model = dynamics.model();
    const int count = shares.own().count;
    statuses_.begin(count);
    shown = statuses_.span().first(at(count));
    Status whole = fault_of_sizes({argument("q", q, model.nq(), count), argument("v", v, model.nv(), count),
                                   argument("tau", tau, model.nv(), count), argument("a", a, model.nv(), count),
                                   optional_argument("f_ext", f, 6 * std::ptrdiff_t{model.body_count()}, count)});
    const bool alone = count == 1 && shares.columns() > 1;
    if (whole.ok() && alone && !stands_apart(a, q, v, tau, f)) whole.code = StatusCode::shared_memory;
    if (!whole.ok()) return statuses_.fill(whole);
    if (!alone) {
      const Status status = dynamics.solve_columns(q, v, tau, f, a);
      shown = dynamics.statuses().first(at(count));
      return status;
    }
    // One of several columns goes by the kernels for several, which round in another way than those for one: twice.
    std::vector<S>& results = of_scalar<S>(in_double_, in_float_);
    results.resize(2 * at(model.nv()));
    std::copy_n(a.data, model.nv(), results.data());  // a solver that refuses writes nothing
    const Status status = dynamics.solve_columns(twice(q), twice(v), twice(tau), twice(f),
                                                 Columns<S>{results.data(), model.nv(), 2, model.nv()});
    std::copy_n(results.data(), model.nv(), a.data);
    shown = dynamics.statuses().first(1);
    return status;
  }

  Shares shares;
  kinetree::ForwardDynamics dynamics;
  std::span<const Status> shown;  ///< of the last solve

 private:
  std::vector<double> in_double_;
  std::vector<float> in_float_;
  Statuses statuses_;  ///< of calls that the solver never saw
};

Ensemble::Ensemble(MPI_Comm comm, Model model, int columns, const Options& options)
    : implementation_(std::make_unique<Implementation>(comm, model, columns, options)) {}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

Status Ensemble::solve_columns(Columns<const double> q, Columns<const double> v, Columns<const double> tau,
                               Columns<const double> f_ext, Columns<double> a) {
  return implementation_->solve(q, v, tau, f_ext, a);
}
Status Ensemble::solve_columns(Columns<const float> q, Columns<const float> v, Columns<const float> tau,
                               Columns<const float> f_ext, Columns<float> a) {
  return implementation_->solve(q, v, tau, f_ext, a);
}
std::span<const Status> Ensemble::statuses() const { return implementation_->shown; }
Status Ensemble::first_failed() const { return inner::first_failed(implementation_->shares, statuses()); }
const Shares& Ensemble::shares() const { return implementation_->shares; }
const Model& Ensemble::model() const { return implementation_->dynamics.model(); }
const Plan& Ensemble::plan() const { return implementation_->dynamics.plan(); }

}  // namespace kinetree::mpi
