#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <kinetree/model/advance.hpp>
#include <kinetree/model/closure.hpp>
#include <kinetree/scalar/index.hpp>
#include <kinetree/scalar/worst.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <stdexcept>
#include <string>

namespace kinetree {
namespace {

namespace odeint = boost::numeric::odeint;
using Eigen::VectorXd;
using Vector = std::vector<double>;  // q, then v

}  // namespace

class Simulation::Implementation {
 public:
  Implementation(Model model, const Options& options, const SimulationOptions& how)
      : dynamics_(std::move(model), options),
        workspace_(dynamics_.model()),
        closure_(dynamics_.model().data()),
        how_(how),
        step_(how.step),
        q_(dynamics_.model().nq()),
        v_(dynamics_.model().nv()),
        tau_(v_.size()),
        a_(v_.size()) {
    if (!(how.step > 0) || !std::isfinite(how.step))
      throw std::invalid_argument("simulation: the step is " + std::to_string(how.step) + " s; give one above 0");
    if (!(how.tolerance > 0) || !std::isfinite(how.tolerance))
      throw std::invalid_argument("simulation: the tolerance is not positive; give one above 0");
    state_.resize(at(model_().nq() + model_().nv()));
  }

  Status start(const VectorXd& q, const VectorXd& v) {
    if (q.size() != q_.size() || v.size() != v_.size()) return {StatusCode::wrong_size};
    // the dynamics' own checks of a state, at rest forces
    tau_.setZero();
    if (const Status status = dynamics_.solve(q, v, tau_, a_);
        !status.ok() && status.code != StatusCode::singular && status.code != StatusCode::singular_loop)
      return status;
    std::copy(q.begin(), q.end(), state_.begin());
    std::copy(v.begin(), v.end(), state_.begin() + q.size());
    time_ = 0, steps_ = evaluations_ = 0, step_ = how_.step;
    return settle();
  }

  Status advance_to(double end, const Control& control) {
    control_ = control ? &control : nullptr;
    while (time_ < end) {
      const Vector before = state_;
      const double then = time_;
      status_ = {};
      Status status = how_.integrator == Integrator::adaptive ? step_adaptively(end) : step_once(end);
      if (status.ok()) status = settle();
      if (!status.ok()) {
        state_ = before;
        time_ = then;
        load();
        return status;
      }
      ++steps_;
    }
    return {};
  }

  double closure_error() {
    double worst = 0;
    for (const Aggregate& a : model_().data().aggregates)
      for (const double e : closure_.errors(a, state_.data())) keep_worst(worst, std::abs(e));
    return worst;
  }

  const Model& model_() const { return dynamics_.model(); }

  ForwardDynamics dynamics_;
  Workspace workspace_;
  Closure closure_;
  SimulationOptions how_;
  double time_ = 0, step_;
  long steps_ = 0, evaluations_ = 0;
  VectorXd q_, v_;

 private:
  /// Fits the step to the end: time_ becomes `end` itself, not a sum that misses it by rounding.
  double step_to(double end) const { return end - time_ < step_ * (1 + 1e-9) ? end - time_ : step_; }

  Status step_once(double end) {
    const double h = step_to(end);
    if (how_.integrator == Integrator::rk4) {
      odeint::runge_kutta4<Vector> stepper;
      stepper.do_step([this](const Vector& x, Vector& rate, double t) { rates(x, rate, t); }, state_, time_, h);
    } else {
      accelerate(state_, time_);
      const ModelData& m = model_().data();
      double* v = state_.data() + model_().nq();
      for (int k = 0; k < model_().nv(); ++k) v[k] += h * a_[k];
      VectorXd way = h * Eigen::Map<const VectorXd>(v, model_().nv());
      for (std::size_t i = 0; i < m.parent.size(); ++i)
        kinetree::advance(m.joint_type[i], &state_[at(m.q_index[i])], way.data() + m.v_index[i]);
    }
    time_ = h < step_ ? end : time_ + h;
    return status_;
  }

  Status step_adaptively(double end) {
    using Pair = odeint::runge_kutta_fehlberg78<Vector>;
    odeint::controlled_runge_kutta<Pair> stepper{
        odeint::controlled_runge_kutta<Pair>::error_checker_type(how_.tolerance, how_.tolerance)};
    const auto system = [this](const Vector& x, Vector& rate, double t) { rates(x, rate, t); };
    const bool last = step_to(end) < step_;
    double t = time_, h = step_to(end);
    Status failed{StatusCode::step_too_small};
    for (int attempt = 0; attempt < 200 && h > 1e-14 * std::max(1.0, std::abs(time_)); ++attempt) {
      const double tried = h;
      status_ = {};
      Vector next = state_;
      const auto result = stepper.try_step(system, next, t, h);
      if (!status_
               .ok()) {  // a stage too far ahead fails first: shorter steps, until one shows that the state is at fault
        failed = status_;
        t = time_, h = tried / 5;
        continue;
      }
      if (result != odeint::success) {
        failed = {StatusCode::step_too_small, 0, -1, h};
        continue;
      }
      state_ = std::move(next);
      time_ = last && tried == end - time_ ? end : t;
      if (!last || attempt > 0) step_ = h;  // what it asks for next, unless only the end cut it short
      return {};
    }
    return failed;
  }

  /// Accelerations of a stage, to a_; quaternions of stages are not quite units.
  void accelerate(const Vector& x, double t) {
    ++evaluations_;
    std::copy(x.begin(), x.begin() + q_.size(), q_.begin());
    std::copy(x.begin() + q_.size(), x.end(), v_.begin());
    normalize(q_.data());
    tau_.setZero();
    if (control_ != nullptr) (*control_)(t, q_, v_, tau_);
    if (status_.ok()) status_ = dynamics_.solve(q_, v_, tau_, a_);
    if (!status_.ok()) a_.setZero();
  }

  void rates(const Vector& x, Vector& rate, double t) {
    accelerate(x, t);
    const ModelData& m = model_().data();
    const double* v = x.data() + model_().nq();
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      position_rates(m.joint_type[i], &x[at(m.q_index[i])], v + m.v_index[i], &rate[at(m.q_index[i])]);
    std::copy(a_.begin(), a_.end(), rate.begin() + model_().nq());
  }

  void normalize(double* q) const {
    const ModelData& m = model_().data();
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      if (m.joint_type[i] != JointType::spherical && m.joint_type[i] != JointType::floating) continue;
      double* x = q + m.q_index[i + 1] - 4;
      const double norm = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
      for (int k = 0; k < 4; ++k) x[k] /= norm;
    }
  }

  /// Back to the manifold, and to loops that are closed.
  Status settle() {
    double* q = state_.data();
    double* v = q + model_().nq();
    normalize(q);
    for (const Aggregate& a : model_().data().aggregates) {
      const double error = closure_.project(a, q);
      if (!(error <= 1e-10)) return {StatusCode::not_closed, 0, a.bodies.front(), error};
      closure_.project_velocity(a, q, v);
    }
    load();
    return {};
  }

  void load() {
    std::copy(state_.begin(), state_.begin() + q_.size(), q_.begin());
    std::copy(state_.begin() + q_.size(), state_.end(), v_.begin());
  }

  VectorXd tau_, a_;
  Vector state_;
  Status status_;  ///< of the stages of a step
  const Control* control_ = nullptr;
};

Simulation::Simulation(Model model, const Options& options, const SimulationOptions& how)
    : implementation_(std::make_unique<Implementation>(std::move(model), options, how)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Status Simulation::start(const VectorXd& q, const VectorXd& v) { return implementation_->start(q, v); }
Status Simulation::advance_to(double time, const Control& control) {
  return implementation_->advance_to(time, control);
}
double Simulation::time() const { return implementation_->time_; }
const VectorXd& Simulation::q() const { return implementation_->q_; }
const VectorXd& Simulation::v() const { return implementation_->v_; }
double Simulation::closure_error() { return implementation_->closure_error(); }
long Simulation::steps() const { return implementation_->steps_; }
long Simulation::evaluations() const { return implementation_->evaluations_; }
const Model& Simulation::model() const { return implementation_->model_(); }
Energy Simulation::energy() {
  Energy e;
  kinetree::energy(model(), implementation_->workspace_, q(), v(), e);
  return e;
}

}  // namespace kinetree
