// ForwardDynamics: a plan, an executor, and one workspace per worker.
#include <algorithm>
#include <cmath>
#include <kinetree/algorithm/composite_body.hpp>
#include <kinetree/algorithm/solver.hpp>
#include <kinetree/parallel/executor.hpp>
#include <kinetree/parallel/forward_dynamics.hpp>
#include <kinetree/parallel/planner.hpp>
#include <limits>
#include <optional>
#include <vector>

namespace kinetree {
namespace {

/// Joints with a quaternion: where it starts in q.
struct QuaternionAt {
  int body, q;
};

std::vector<QuaternionAt> quaternions(const Model& model) {
  std::vector<QuaternionAt> found;
  for (int i = 0; i < model.body_count(); ++i) {
    const JointType type = model.data().joint_type[at(i)];
    if (type == JointType::spherical) found.push_back({i, model.data().q_index[at(i)]});
    if (type == JointType::floating) found.push_back({i, model.data().q_index[at(i)] + 3});
  }
  return found;
}

/// All that one scalar type needs. Workers beyond the first are made when several columns first come.
template <class S>
class Engine {
 public:
  Engine(const Model& model, const Options& options)
      : model_(model),
        plan_(make_plan(model, options)),
        quaternions_(quaternions(model)),
        executor_(make_executor(options.executor, options.threads)),
        threads_(std::max(1, options.threads)) {
    plan_.modules.task_bodies = threads_ > 1 ? task_bodies(model, threads_) : 0;
    plan_.modules.split_chains =
        plan_.algorithm == Algorithm::crb;  // rows of the mass matrix do not wait for each other
    one_.emplace(model, plan_);
    tasks_ = make_tasks(one_->modules(), threads_ > 1 ? task_bodies(model, threads_) : 1e300);
    executor_->prepare(one_->passes(), one_->space(), tasks_);
  }

  const Modules& modules() const { return one_->modules(); }

  void solve(Columns<const S> q, Columns<const S> v, Columns<const S> tau, Columns<const S> f, Columns<S> a,
             std::vector<Status>& statuses) {
    q_ = q, v_ = v, tau_ = tau, f_ = f, a_ = a, statuses_ = &statuses;
    const int columns = static_cast<int>(a.columns);
    if (columns == 1) {
      one_->set(state(0));
      executor_->run();
      statuses[0] = judge(0, *one_);
      return;
    }
    if (workers_.empty()) {
      Plan plan = plan_;
      plan.modules.task_bodies = 0;
      const auto modules = std::make_shared<const Modules>(make_modules(model_.data(), plan.modules));
      for (int w = 0; w < threads_; ++w) workers_.emplace_back(model_, plan, modules);
    }
    // now, since which worker meets which column is chance
    if (f_.data)
      for (Solver<S>& worker : workers_) worker.expect_external_forces();
    executor_->for_columns(columns, this, [](void* self, int column, int worker) {
      Engine& e = *static_cast<Engine*>(self);
      Solver<S>& solver = e.workers_[at(worker)];
      solver.solve(e.state(column));
      (*e.statuses_)[at(column)] = e.judge(column, solver);
    });
  }

 private:
  State<S> state(int column) const {
    return {q_.data + column * q_.stride,
            v_.data + column * v_.stride,
            f_.data ? f_.data + column * f_.stride : nullptr,
            tau_.data + column * tau_.stride,
            nullptr,
            a_.data + column * a_.stride};
  }

  /// What went wrong with a column, if anything; a failed column becomes NaN.
  Status judge(int column, const Solver<S>& solver) const {
    Status status = fault(column, solver);
    status.column = column;
    if (!status.ok()) std::fill_n(a_.data + column * a_.stride, a_.rows, std::numeric_limits<S>::quiet_NaN());
    return status;
  }

  Status fault(int column, const Solver<S>& solver) const {
    const State<S> s = state(column);
    for (const QuaternionAt& at_ : quaternions_) {
      double norm = 0;
      for (int k = 0; k < 4; ++k) norm += static_cast<double>(s.q[at_.q + k]) * static_cast<double>(s.q[at_.q + k]);
      norm = std::sqrt(norm);
      if (!std::isfinite(norm)) return {StatusCode::not_finite, 0, at_.body, norm};
      if (std::abs(norm - 1) > 1e-6) return {StatusCode::not_normalized, 0, at_.body, norm};
    }
    double pivot = 1;
    const int loop = solver.singular_aggregate(&pivot);
    S probe = 0;  // any infinity or NaN makes it NaN
    for (int i = 0; i < model_.nv(); ++i) probe += S(0) * s.result[i];
    if (probe == S(0) && loop < 0) return {};
    const ModelData& m = model_.data();
    for (int i = 0; i < model_.body_count(); ++i) {
      for (int k = m.q_index[at(i)]; k < m.q_index[at(i + 1)]; ++k)
        if (!std::isfinite(s.q[k])) return {StatusCode::not_finite, 0, i, static_cast<double>(s.q[k])};
      for (int k = m.v_index[at(i)]; k < m.v_index[at(i + 1)]; ++k)
        for (const S x : {s.v[k], s.tau[k]})
          if (!std::isfinite(x)) return {StatusCode::not_finite, 0, i, static_cast<double>(x)};
      for (int k = 0; s.f_ext && k < 6; ++k)
        if (!std::isfinite(s.f_ext[6 * i + k]))
          return {StatusCode::not_finite, 0, i, static_cast<double>(s.f_ext[6 * i + k])};
    }
    if (loop >= 0) return {StatusCode::singular_loop, 0, m.aggregates[at(loop)].bodies.front(), pivot};
    const int body = solver.singular_body();
    return {body >= 0 ? StatusCode::singular : StatusCode::not_finite, 0, body, 0};
  }

  Model model_;
  Plan plan_;
  std::vector<QuaternionAt> quaternions_;
  std::unique_ptr<Executor> executor_;
  int threads_;
  std::optional<Solver<S>> one_;
  Tasks tasks_;
  std::vector<Solver<S>> workers_;
  Columns<const S> q_, v_, tau_, f_;
  Columns<S> a_;
  std::vector<Status>* statuses_ = nullptr;
};

}  // namespace

class ForwardDynamics::Implementation {
 public:
  Implementation(Model m, const Options& o) : model(std::move(m)), options(resolve(model, o)) {
    gigabytes = options.algorithm == Algorithm::crb ? mass_matrix_gigabytes(model, options) : 0;
    if (gigabytes <= largest_gigabytes) in_double.emplace(model, options);
  }

  template <class S>
  std::optional<Engine<S>>& engine() {
    if constexpr (std::is_same_v<S, double>)
      return in_double;
    else
      return in_float;
  }

  template <class S>
  Status solve(Columns<const S> q, Columns<const S> v, Columns<const S> tau, Columns<const S> f, Columns<S> a) {
    const auto count = static_cast<std::size_t>(std::max<std::ptrdiff_t>(a.columns, 1));
    if (statuses.size() < count) statuses.resize(count);
    shown = count;
    Status whole;
    const auto fits = [&](auto c, std::ptrdiff_t rows) { return c.rows == rows && c.columns == a.columns; };
    if (!fits(q, model.nq()) || !fits(v, model.nv()) || !fits(tau, model.nv()) || !fits(a, model.nv()) ||
        ((f.data || f.columns) && !fits(f, 6 * static_cast<std::ptrdiff_t>(model.body_count()))))
      whole.code = StatusCode::wrong_size;
    else if (gigabytes > largest_gigabytes)
      whole = {StatusCode::too_large, 0, -1, gigabytes};
    if (!whole.ok()) {
      std::fill(statuses.begin(), statuses.begin() + static_cast<std::ptrdiff_t>(shown), whole);
      return whole;
    }
    if (a.columns == 0) return whole;
    if (!engine<S>()) engine<S>().emplace(model, options);
    engine<S>()->solve(q, v, tau, f, a, statuses);
    for (std::size_t c = 0; c < shown; ++c)
      if (!statuses[c].ok()) return statuses[c];
    return whole;
  }

  static constexpr double largest_gigabytes = 4;

  Model model;
  Options options;
  double gigabytes = 0;
  std::optional<Engine<double>> in_double;
  std::optional<Engine<float>> in_float;
  std::vector<Status> statuses{1};
  std::size_t shown = 1;
};

ForwardDynamics::ForwardDynamics(Model model, const Options& options)
    : implementation_(std::make_unique<Implementation>(std::move(model), options)) {}
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

std::span<const Status> ForwardDynamics::statuses() const {
  return {implementation_->statuses.data(), implementation_->shown};
}
const Model& ForwardDynamics::model() const { return implementation_->model; }
const Options& ForwardDynamics::plan() const { return implementation_->options; }
const Modules* ForwardDynamics::modules() const {
  return implementation_->in_double ? &implementation_->in_double->modules() : nullptr;
}

}  // namespace kinetree
