#include <algorithm>
#include <kinetree/mpi/forward_dynamics.hpp>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "engine/scalar/index.hpp"
#include "library/argument.hpp"
#include "library/planner.hpp"
#include "library/state_check.hpp"
#include "mpi/agreement.hpp"
#include "mpi/first_failed.hpp"
#include "mpi/rank_solver.hpp"
#include "mpi/spread_plan.hpp"
#include "parallel/processors.hpp"

namespace kinetree::mpi {
namespace {

/// All ranks. Returns the plan that rank 0 made.
Plan agreed_plan(const Communicator& c, const Model& model, const Options& options) {
  agree_on_model(c, model);
  Plan plan(Algorithm::ab);
  std::string fault;
  if (c.rank() == 0) fault = fault_of([&] { plan = spread_plan(model, options, c.ranks()); });
  c.agree(fault);
  c.broadcast(plan);
  fault = fault_of([&] {
    plan.one_threads = threads_given(plan.executor, plan.one_threads > 0 ? plan.one_threads : physical_cores());
  });
  int provided = 0;
  MPI_Query_thread(&provided);
  if (fault.empty() && plan.one_threads > 1 && provided < MPI_THREAD_SERIALIZED)
    fault = "threads is " + std::to_string(plan.one_threads) +
            ", and MPI takes calls of one thread alone; give MPI_THREAD_SERIALIZED to MPI_Init_thread, or 1 thread";
  c.agree(fault);
  return plan;
}

/// All ranks. Returns the modules of that plan, of which each rank has some.
std::shared_ptr<const Modules> agreed_modules(const Communicator& c, const Model& model, const Plan& plan) {
  std::shared_ptr<const Modules> modules;
  const std::string fault = fault_of([&] {
    SpreadModules spread = spread_modules(model, plan, c.ranks());
    const std::vector<double> all = loads(spread, c.ranks());
    modules = std::make_shared<const Modules>(std::move(spread.modules));
    const auto busy = std::count_if(all.begin(), all.end(), [](double load) { return load > 0; });
    if (busy < c.ranks())
      throw std::invalid_argument("model \"" + model.name() + "\" comes apart in shares for " + std::to_string(busy) +
                                  " of " + std::to_string(c.ranks()) +
                                  " ranks; take fewer ranks, or modular with a smaller grain");
  });
  c.agree(fault);
  return modules;
}

}  // namespace

class ForwardDynamics::Implementation {
 public:
  Implementation(MPI_Comm comm, Model given, const Options& options, Results where)
      : communicator(comm),
        model(std::move(given)),
        plan(agreed_plan(communicator, model, options)),
        results(where),
        modules_(agreed_modules(communicator, model, plan)) {
    communicator.broadcast(results);
    const std::string fault = fault_of([&] {
      check_.emplace(model);
      find_rows();
      in_double_.emplace(communicator, model, plan, modules_);
      lost_in_float_ = cut_that_needs_double(model, {plan, spread_parts(model, plan, communicator.ranks())});
      spread.messages = in_double_->run.messages();
    });
    communicator.agree(fault);
  }

  template <class S>
  Status solve(Columns<const S> q, Columns<const S> v, Columns<const S> tau, Columns<const S> f, Columns<S> a) {
    Status whole = fault_of_sizes({argument("q", q, model.nq(), 1), argument("v", v, model.nv(), 1),
                                   argument("tau", tau, model.nv(), 1), argument("a", a, model.nv(), 1),
                                   optional_argument("f_ext", f, 6 * std::ptrdiff_t{model.body_count()}, 1)});
    if (whole.ok() && !stands_apart(a, q, v, tau, f)) whole.code = StatusCode::shared_memory;
    if (whole.ok() && std::is_same_v<S, float> && lost_in_float_ >= 0)
      whole = {StatusCode::cut_needs_double, 0, lost_in_float_, 0};
    const bool external = f.data != nullptr;
    if (!all_sizes_right(whole.ok(), external, sizeof(S))) return first_failed(communicator, whole);
    RankSolver<S>& own = solver<S>();
    const State<S> state{q.data, v.data, f.data, tau.data, nullptr, own.result.data()};
    if (own.run.is_new(external))  // it takes memory
      communicator.agree(fault_of([&] { own.solver->set({&state, 1}), own.run.lay_out(external); }));
    else
      own.solver->set({&state, 1});
    own.run.run();
    Status status = check_->passes(state, *own.solver) ? Status{} : check_->fault(state, *own.solver);
    status = first_cause(communicator, status);
    if (status.ok())
      deliver(own, a.data);
    else
      for (int rank = 0; rank < communicator.ranks(); ++rank)
        if (results == Results::everywhere || rank == communicator.rank())
          for (const Rows& r : rows[at(rank)])
            std::fill(a.data + r.begin, a.data + r.end, std::numeric_limits<S>::quiet_NaN());
    return status;
  }

  Communicator communicator;
  Model model;
  Plan plan;
  Results results;
  Spread spread;
  std::vector<std::vector<Rows>> rows;  ///< over ranks

 private:
  template <class S>
  RankSolver<S>& solver() {
    if constexpr (std::is_same_v<S, double>) {
      return *in_double_;
    } else {
      if (!in_float_) {
        communicator.agree(fault_of([&] { in_float_.emplace(communicator, model, plan, modules_); }));
      }
      return *in_float_;
    }
  }

  /// All ranks, in one message: whether sizes are right on all. Throws on all where some have external forces and some
  /// have not, or another scalar type.
  bool all_sizes_right(bool right, bool external, std::size_t bytes) const {
    const int is_double = bytes == sizeof(double) ? 1 : 0;
    const int own[5] = {right ? 0 : 1, external ? 1 : 0, external ? 0 : 1, is_double, 1 - is_double};
    int any[5] = {};
    communicator.call("MPI_Allreduce", MPI_Allreduce(own, any, 5, MPI_INT, MPI_MAX, communicator.get()));
    const bool forces_differ = any[1] + any[2] == 2, scalars_differ = any[3] + any[4] == 2;
    if (forces_differ || scalars_differ) {
      int first[2] = {external ? 1 : 0, is_double};
      communicator.broadcast(first);
      const bool differs = first[0] != (external ? 1 : 0) || first[1] != is_double;
      communicator.agree(!differs ? ""
                         : forces_differ
                             ? "some ranks have f_ext and some have not; give all the same state"
                             : "its numbers are not of rank 0's scalar type; give all ranks double, or float");
    }
    return any[0] == 0;
  }

  void find_rows() {
    const ModelData& parts = modules_->parts_of(model.data());
    const int ranks = communicator.ranks();
    rows.resize(at(ranks)), counts_.resize(at(ranks)), firsts_.resize(at(ranks));
    spread.bodies.resize(at(ranks));
    spread.cuts = static_cast<int>(modules_->cuts.size());
    spread.rounds = rounds(*modules_);
    for (int i = 0; i < static_cast<int>(parts.parent.size()); ++i) {
      const std::size_t rank = at(rank_of_body(*modules_, i));
      ++spread.bodies[rank];
      const Rows of_joint{parts.v_index[at(i)], parts.v_index[at(i + 1)]};
      counts_[rank] += of_joint.end - of_joint.begin;
      if (!rows[rank].empty() && rows[rank].back().end == of_joint.begin)
        rows[rank].back().end = of_joint.end;
      else if (of_joint.end > of_joint.begin)
        rows[rank].push_back(of_joint);
    }
    for (std::size_t rank = 1; rank < firsts_.size(); ++rank) firsts_[rank] = firsts_[rank - 1] + counts_[rank - 1];
  }

  /// From what this rank has found to where the caller wants it.
  template <class S>
  void deliver(RankSolver<S>& solved, S* a) {
    const std::vector<S>& found = solved.result;
    const auto own = at(communicator.rank());
    if (results == Results::own_bodies) {
      for (const Rows& r : rows[own]) std::copy_n(&found[at(r.begin)], r.end - r.begin, a + r.begin);
      return;
    }
    std::vector<S>& all = solved.packed;
    S* next = all.data() + firsts_[own];
    for (const Rows& r : rows[own]) next = std::copy_n(&found[at(r.begin)], r.end - r.begin, next);
    const MPI_Datatype type = std::is_same_v<S, double> ? MPI_DOUBLE : MPI_FLOAT;
    communicator.call("MPI_Allgatherv", MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), counts_.data(),
                                                       firsts_.data(), type, communicator.get()));
    const S* from = all.data();
    for (const std::vector<Rows>& of_rank : rows)
      for (const Rows& r : of_rank) {
        std::copy_n(from, r.end - r.begin, a + r.begin);
        from += r.end - r.begin;
      }
  }

  std::shared_ptr<const Modules> modules_;
  std::optional<StateCheck> check_;
  std::vector<int> counts_, firsts_;  ///< over ranks: of their rows, one after another
  std::optional<RankSolver<double>> in_double_;
  std::optional<RankSolver<float>> in_float_;
  int lost_in_float_ = -1;  ///< a cut that float can't hold, the same on all ranks; -1: none
};

ForwardDynamics::ForwardDynamics(MPI_Comm comm, Model model, const Options& options, Results results)
    : implementation_(std::make_unique<Implementation>(comm, std::move(model), options, results)) {}
ForwardDynamics::~ForwardDynamics() = default;
ForwardDynamics::ForwardDynamics(ForwardDynamics&&) noexcept = default;
ForwardDynamics& ForwardDynamics::operator=(ForwardDynamics&&) noexcept = default;

Status ForwardDynamics::solve_columns(Columns<const double> q, Columns<const double> v, Columns<const double> tau,
                                      Columns<const double> f_ext, Columns<double> a) {
  return implementation_->solve(q, v, tau, f_ext, a);
}
Status ForwardDynamics::solve_columns(Columns<const float> q, Columns<const float> v, Columns<const float> tau,
                                      Columns<const float> f_ext, Columns<float> a) {
  return implementation_->solve(q, v, tau, f_ext, a);
}
const std::vector<Rows>& ForwardDynamics::rows_of(int rank) const { return implementation_->rows[inner::at(rank)]; }
const Spread& ForwardDynamics::spread() const { return implementation_->spread; }
const Model& ForwardDynamics::model() const { return implementation_->model; }
const Plan& ForwardDynamics::plan() const { return implementation_->plan; }

}  // namespace kinetree::mpi
