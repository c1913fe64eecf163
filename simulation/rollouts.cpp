#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <kinetree/configuration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "library/argument.hpp"
#include "library/kept_parameters.hpp"
#include "library/option_table.hpp"
#include "library/varying_data.hpp"
#include "parallel/executor.hpp"
#include "parallel/processors.hpp"
#include "simulation/divergence.hpp"
#include "simulation/fixed_step.hpp"
#include "simulation/settle.hpp"

namespace kinetree {
namespace {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Given = Columns<const double>;
using Matrices = Map<const MatrixXd, 0, Eigen::OuterStride<>>;

const Model& checked(const Model& model, int count, Integrator integrator) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument("rollouts: " + why); };
  if (count < 1) refuse("the number of columns is " + std::to_string(count) + "; give one above 0");
  if (has_tolerance(integrator))
    refuse("the integrators adaptive and stiff take steps of each state's own; give semi_implicit_euler or rk4");
  for (const Aggregate& a : model.data().aggregates)
    if (!a.constant())
      refuse("model \"" + model.name() + "\" has " +
             (a.loops.empty() ? "coupling \"" + model.data().couplings[at(a.couplings.front())].name
                              : "loop \"" + model.data().loops[at(a.loops.front())].name) +
             "\", and change points, which constraints that vary with positions have, take steps of each state's own; "
             "simulate its states one by one");
  return model;
}

Options of_worker(Options options) {
  options.threads = 1, options.pinning = Pinning::none, options.executor = ExecutorKind::serial;
  return options;
}

Matrices matrices(const Given& x) { return {x.data, x.rows, x.columns, Eigen::OuterStride<>(x.stride)}; }
Given columns_of(const MatrixXd& x) { return {x.data(), x.rows(), x.cols(), x.rows()}; }

}  // namespace

class Rollouts::Implementation {
 public:
  /// `varying`: null, or what columns may have of their own.
  Implementation(const Model& given, const Varying* varying, int count, const Options& options,
                 const RolloutOptions& how, const Runner& runner)
      : model((check_options(options, runner), checked(given, count, how.integrator))),
        parameters(varying == nullptr ? MatrixXd() : varying->nominal().replicate(1, count)),
        q(neutral(model).replicate(1, count)),
        v(MatrixXd::Zero(model.nv(), count)),
        time(VectorXd::Zero(count)),
        statuses(at(count)),
        how_(how),
        m_(model.data()),
        fixed_(m_, how.integrator),
        floating_(floating_joints(m_)),
        threads_(threads_given(options.executor, options.threads <= 0 ? physical_cores() : options.threads)),
        executor_(make_executor(options.executor, threads_, options.pinning, runner)) {
    workers_.reserve(at(threads_));
    const auto worker = [&](const auto& by) {
      workers_.push_back(
          {varying == nullptr ? ForwardDynamics(model, by) : ForwardDynamics(*varying, by), Closure(m_)});
    };
    if (varying != nullptr) own_ = declared(*varying).own, take_centres(0, count);
    worker(of_worker(options));
    const int lanes = std::max(1, plan().lanes), most = (64 + lanes - 1) / lanes * lanes;
    const int shared = (count + 4 * threads_ - 1) / (4 * threads_);
    at_once_ = std::min(most, std::max(2, (shared + lanes - 1) / lanes * lanes));
    while (static_cast<int>(workers_.size()) < threads_) worker(Plan(plan()));
    for (Worker& w : workers_) {
      w.tau.resize(model.nv(), at_once_ + 1), w.a = w.tau;
      w.f_ext.resize(how.external_forces ? 6 * model.body_count() : 0, at_once_ + 1);
      w.time.resize(at_once_ + 1);
      w.memory.resize(fixed_.memory() * at(at_once_ + 1));
      w.floating = fixed_.floating(count > 1);
      w.stepping.reserve(at(at_once_ + 1));
      allocate(w);
    }
    if (own_) keep_parameters();
  }

  Status set_parameters(int first, int columns, const Given& given) {
    if (first < 0 || first >= count())
      return {StatusCode::no_such_column, 0, -1, static_cast<double>(first), "column", count()};
    if (const Status status = fault_of_size(argument("parameters", given, parameters.rows(), columns)); !status.ok())
      return status;
    parameters.middleCols(first, columns) = matrices(given);
    if (own_) take_centres(first, columns);
    for (int k = first; k < first + columns && !kept_.empty(); ++k) {
      const int range = std::min(k / at_once_, ranges() - 1);
      kept_[at(range)].data().numbers_in_double.forget(k - range * at_once_);
    }
    return {};
  }

  Status reset(const Given& given_q, const Given& given_v, double when) {
    if (const Status status = fault_of_reset(given_q, given_v, when, count()); !status.ok()) return status;
    const Matrices from_q = matrices(given_q), from_v = matrices(given_v);
    return for_ranges([&](Worker& w, int, int first, int n) {
      w.tau.setZero();
      (void)dynamics(w, first, n)
          .solve(from_q.middleCols(first, n), from_v.middleCols(first, n), w.tau.leftCols(n), w.a.leftCols(n));
      for (int k = 0; k < n; ++k)
        stand(w, first + k, from_q.col(first + k), from_v.col(first + k), when, w.dynamics.statuses()[at(k)]);
    });
  }

  Status reset(int column, const Given& given_q, const Given& given_v, double when) {
    if (column < 0 || column >= count())
      return {StatusCode::no_such_column, 0, -1, static_cast<double>(column), "column", count()};
    if (Status status = fault_of_reset(given_q, given_v, when, 1); !status.ok()) {
      status.column = column;
      return status;
    }
    const Matrices from_q = matrices(given_q), from_v = matrices(given_v);
    Worker& w = workers_.front();
    w.tau.col(0).setZero();
    const Status status = dynamics(w, column, 1).solve(from_q, from_v, w.tau.col(0), w.a.col(0));
    stand(w, column, from_q.col(0), from_v.col(0), when, status);
    return statuses[at(column)];
  }

  Status step(double dt, const RolloutForces& forces, int steps) {
    if (!(dt > 0) || !std::isfinite(dt)) return {StatusCode::not_positive, 0, -1, dt, "dt"};
    if (steps < 1) return {StatusCode::not_positive, 0, -1, static_cast<double>(steps), "steps"};
    return for_ranges([&](Worker& w, int worker, int first, int n) {
      for (int k = 0; k < steps; ++k) step_range(w, worker, first, n, dt, forces);
    });
  }

  int count() const { return static_cast<int>(statuses.size()); }
  int threads() const { return threads_; }
  const Plan& plan() const { return workers_.front().dynamics.plan(); }

  Model model;
  MatrixXd parameters;  ///< of columns; no rows where they have none of their own
  MatrixXd q, v;
  VectorXd time;
  std::vector<Status> statuses;

 private:
  struct Worker {
    ForwardDynamics dynamics;
    Closure closure;
    MatrixXd tau{}, f_ext{}, a{};  ///< of the columns that it takes at once
    VectorXd time{};               ///< of a stage
    std::vector<double> memory{};  ///< of their steps
    FixedStep::Floating floating{};
    std::vector<FixedStep::Column> stepping{};  ///< those that have not failed
  };

  Status fault_of_reset(const Given& from_q, const Given& from_v, double when, int columns) const {
    const Status status =
        fault_of_sizes({argument("q", from_q, model.nq(), columns), argument("v", from_v, model.nv(), columns)});
    if (!status.ok() || std::isfinite(when)) return status;
    return {StatusCode::not_finite, 0, -1, when, "time"};
  }

  /// The dynamics of so many columns.
  ForwardDynamics& dynamics(Worker& w, int first, Eigen::Index n) {
    if (!own_) return w.dynamics;
    const auto range = at(first / at_once_);
    if (range < kept_.size() && n == kept_[range].data().in_double.columns) return w.dynamics.with(kept_[range]);
    return w.dynamics.with(parameters.middleCols(first, n));
  }
  /// Parameters stand still from step to step, so that each range of columns has them as kernels read them.
  void keep_parameters() {
    for (int range = 0; range < ranges(); ++range) {
      auto data = std::make_unique<KeptParameters::Data>();
      const int first = range * at_once_;
      data->in_double = {parameters.data() + first * parameters.rows(), parameters.rows(), end_of(range) - first,
                         parameters.rows()};
      kept_.emplace_back(std::move(data));
    }
    (void)for_ranges([&](Worker& w, int, int first, int n) {  // so that no step allocates
      (void)dynamics(w, first, n)
          .solve(q.middleCols(first, n), v.middleCols(first, n), w.tau.leftCols(n), w.a.leftCols(n));
    });
  }
  /// Where the masses of floating bodies are.
  void take_centres(int first, int columns) {
    centres_.resize(floating_.size() * at(count()));
    for (int k = first; k < first + columns; ++k) {
      Vector3<double>* const centres = centres_.data() + floating_.size() * at(k);
      for (std::size_t j = 0; j < floating_.size(); ++j) centres[j] = floating_[j].centre;
      for (std::size_t b = 0; b < own_->bodies.size(); ++b) {
        const int body = own_->bodies[b].body;
        const auto place =
            std::find_if(floating_.begin(), floating_.end(), [&](const auto& j) { return j.body == body; });
        if (place == floating_.end()) continue;
        const RigidInertia<double> I = own_->inertia(b, parameters.col(k).data());
        centres[place - floating_.begin()] = I.mass > 0 ? (1 / I.mass) * I.h : Vector3<double>{};
      }
    }
  }

  /// What else a worker allocates at its first call: which of them takes part in a step is chance.
  void allocate(Worker& w) {
    const Eigen::Index n = std::min(count(), at_once_ + 1);
    const auto q_n = q.leftCols(n), v_n = v.leftCols(n);
    w.tau.setZero(), w.f_ext.setZero();
    (void)dynamics(w, 0, n).solve(q_n, v_n, w.tau.leftCols(n), w.a.leftCols(n));
    (void)dynamics(w, 0, 1).solve(q.col(0), v.col(0), w.tau.col(0), w.a.col(0));
    if (how_.external_forces)
      (void)dynamics(w, 0, n).solve(q_n, v_n, w.tau.leftCols(n), w.f_ext.leftCols(n), w.a.leftCols(n));
    std::copy_n(v.data(), model.nv(), std::copy_n(q.data(), model.nq(), w.memory.data()));
    (void)settle_start(m_, w.closure, Start::closed, w.memory.data(), w.memory.data() + model.nq());
  }

  /// A column at a state, of which `solved` is what the dynamics say.
  void stand(Worker& w, int column, const Eigen::Ref<const VectorXd>& from_q, const Eigen::Ref<const VectorXd>& from_v,
             double when, Status solved) {
    double* memory = w.memory.data();
    if (may_stand(solved)) {
      std::copy_n(from_v.data(), model.nv(), std::copy_n(from_q.data(), model.nq(), memory));
      solved = settle_start(m_, w.closure, Start::closed, memory, memory + model.nq());
    }
    solved.column = column;
    statuses[at(column)] = solved;
    if (!solved.ok()) return;
    std::copy_n(memory, model.nq(), q.data() + column * q.rows());
    std::copy_n(memory + model.nq(), model.nv(), v.data() + column * v.rows());
    time[column] = when;
  }

  /// One step of columns first to first + n - 1.
  void step_range(Worker& w, int worker, int first, int n, double dt, const RolloutForces& forces) {
    const auto go = [&](int k) -> bool { return statuses[at(first + k)].ok(); };
    const auto memory = [&](int k) { return w.memory.data() + fixed_.memory() * at(k); };
    const auto q_of = [&](int k) { return q.data() + (first + k) * q.rows(); };
    const auto v_of = [&](int k) { return v.data() + (first + k) * v.rows(); };
    const auto fail = [&](int k, const Status& status, int stages) {
      statuses[at(first + k)] = status;
      statuses[at(first + k)].column = first + k;
      fixed_.go_back(stages, q_of(k), v_of(k), memory(k));
    };
    const auto before = [&](int k, int stages) { return fixed_.start_velocities(stages, v_of(k), memory(k)); };
    const auto q_n = q.middleCols(first, n), v_n = v.middleCols(first, n);
    for (int stage = 0; stage < fixed_.stages(); ++stage) {
      w.tau.setZero();
      w.time.head(n) = time.segment(first, n).array() + fixed_.part(stage) * dt;
      if (forces) {
        w.f_ext.setZero();
        RolloutColumns columns{first,
                               worker,
                               {w.time.data(), n},
                               {q_of(0), q.rows(), n},
                               {v_of(0), v.rows(), n},
                               {w.tau.data(), w.tau.rows(), n},
                               {w.f_ext.data(), w.f_ext.rows(), n}};
        forces(columns);
        for (int k = 0; k < n; ++k)
          if (!go(k)) w.tau.col(k).setZero(), w.f_ext.col(k).setZero();
      }
      if (forces && how_.external_forces)
        (void)dynamics(w, first, n).solve(q_n, v_n, w.tau.leftCols(n), w.f_ext.leftCols(n), w.a.leftCols(n));
      else
        (void)dynamics(w, first, n).solve(q_n, v_n, w.tau.leftCols(n), w.a.leftCols(n));
      w.stepping.clear();
      for (int k = 0; k < n; ++k) {
        if (!go(k)) continue;
        if (const Status& solved = w.dynamics.statuses()[at(k)]; !solved.ok())
          fail(k, status_in_motion(solved, m_, q_of(k), v_of(k), before(k, stage), time[first + k]), stage);
        else
          w.stepping.push_back({q_of(k), v_of(k), w.a.data() + k * w.a.rows(), memory(k),
                                own_ ? centres_.data() + floating_.size() * at(first + k) : nullptr});
      }
      FloatingSteps* const floating = w.floating.get();
      for (std::span<const FixedStep::Column> rest = w.stepping, some; !rest.empty();
           rest = rest.subspan(some.size())) {
        some = rest.first(std::min(rest.size(), FixedStep::at_once(floating)));
        fixed_.kick(stage, dt, some, floating, false);
        fixed_.drift(stage, dt, some, floating);
      }
    }
    for (int k = 0; k < n; ++k) {
      if (!go(k)) continue;
      if (const Status settled = settle_step(w, q_of(k), v_of(k), before(k, fixed_.stages()), time[first + k]);
          settled.ok())
        time[first + k] += dt;
      else
        fail(k, settled, fixed_.stages());
    }
  }

  /// The state of a column that took a step from velocities `before` at `then`.
  Status settle_step(Worker& w, double* q_k, double* v_k, const double* before, double then) {
    if (!all_finite(q_k, at(model.nq())) || !all_finite(v_k, at(model.nv())))
      return divergence(m_, q_k, v_k, before, then);
    return settle(m_, w.closure, q_k, v_k);
  }

  int ranges() const { return std::max(1, (count() - (count() % at_once_ == 1 ? 1 : 0) + at_once_ - 1) / at_once_); }
  int end_of(int range) const { return range + 1 == ranges() ? count() : (range + 1) * at_once_; }

  /// work(worker, its number, first, n) for ranges of columns, on all threads. No range has one column of several,
  /// since one column alone goes by kernels of its own.
  template <class Work>
  Status for_ranges(Work&& work) {
    auto one = [&](int range, int worker) {
      const int first = range * at_once_;
      work(workers_[at(worker)], worker, first, end_of(range) - first);
    };
    if (threads_ == 1) {
      for (int range = 0; range < ranges(); ++range) one(range, 0);
    } else {
      // what a function of forces throws goes to the caller, from whichever thread; threads themselves must not throw
      std::exception_ptr thrown;
      std::atomic_flag has_thrown;
      auto caught = [&](int range, int worker) {
        try {
          one(range, worker);
        } catch (...) {
          if (!has_thrown.test_and_set()) thrown = std::current_exception();
        }
      };
      executor_->for_columns(ranges(), &caught, [](void* context, int range, int worker) {
        (*static_cast<decltype(&caught)>(context))(range, worker);
      });
      if (thrown) std::rethrow_exception(thrown);
    }
    for (const Status& status : statuses)
      if (!status.ok()) return status;
    return {};
  }

  RolloutOptions how_;
  const ModelData& m_;
  FixedStep fixed_;
  std::vector<FloatingJoint> floating_;
  int threads_;
  int at_once_ = 1;  ///< columns that a worker takes at once, but for one more
  std::unique_ptr<Executor> executor_;
  std::vector<Worker> workers_;
  std::shared_ptr<const OwnNumbers> own_;  ///< null: columns have the model's numbers
  std::vector<KeptParameters> kept_;       ///< over ranges; of own_ alone
  std::vector<Vector3<double>> centres_;   ///< over columns, then floating joints; of own_ alone
};

Rollouts::Rollouts(Model model, int count, const Options& options, const RolloutOptions& how, const Runner& runner)
    : implementation_(std::make_unique<Implementation>(model, nullptr, count, options, how, runner)) {}
Rollouts::Rollouts(const Varying& varying, int count, const Options& options, const RolloutOptions& how,
                   const Runner& runner)
    : implementation_(std::make_unique<Implementation>(varying.model(), &varying, count, options, how, runner)) {}
Rollouts::~Rollouts() = default;
Rollouts::Rollouts(Rollouts&&) noexcept = default;
Rollouts& Rollouts::operator=(Rollouts&&) noexcept = default;

Status Rollouts::reset(Given q, Given v, double time) { return implementation_->reset(q, v, time); }
Status Rollouts::reset(int column, Given q, Given v, double time) { return implementation_->reset(column, q, v, time); }
Status Rollouts::set_parameters(Given parameters) { return implementation_->set_parameters(0, count(), parameters); }
Status Rollouts::set_parameters(int column, Given parameters) {
  return implementation_->set_parameters(column, 1, parameters);
}
Status Rollouts::step(double dt, const RolloutForces& forces, int steps) {
  return implementation_->step(dt, forces, steps);
}
Given Rollouts::positions() const { return columns_of(implementation_->q); }
Given Rollouts::parameter_columns() const { return columns_of(implementation_->parameters); }
Given Rollouts::velocities() const { return columns_of(implementation_->v); }
Given Rollouts::times() const { return boundary::column(std::as_const(implementation_->time)); }
std::span<const Status> Rollouts::statuses() const { return implementation_->statuses; }
int Rollouts::count() const { return implementation_->count(); }
int Rollouts::threads() const { return implementation_->threads(); }
const Model& Rollouts::model() const { return implementation_->model; }
const Plan& Rollouts::plan() const { return implementation_->plan(); }

}  // namespace kinetree
