#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"
#include "simulation/applied_forces.hpp"
#include "simulation/change_points.hpp"
#include "simulation/crossing.hpp"
#include "simulation/step_limits.hpp"

namespace kinetree {
namespace {

namespace odeint = boost::numeric::odeint;
using Eigen::VectorXd;
using Vector = std::vector<double>;

}  // namespace

class Simulation::Implementation {
 public:
  Implementation(Model model, const Options& options, const SimulationOptions& how)
      : dynamics_(std::move(model), options),
        workspace_(dynamics_.model()),
        closure_(dynamics_.model().data()),
        change_points_(dynamics_.model().data(), closure_),
        how_(how),
        step_(how.step),
        q_(dynamics_.model().nq()),
        v_(dynamics_.model().nv()),
        limits_(dynamics_.model().body_count()),
        forces_(dynamics_.model()),
        a_(v_.size()) {
    if (!(how.step > 0) || !std::isfinite(how.step))
      throw std::invalid_argument("simulation: the step is " + std::to_string(how.step) + " s; give one above 0");
    if (!(how.tolerance > 0) || !std::isfinite(how.tolerance))
      throw std::invalid_argument("simulation: the tolerance is not positive; give one above 0");
    state_.resize(at(model_().nq() + model_().nv() + 1));
  }

  Status start(const VectorXd& q, const VectorXd& v) {
    // the dynamics' own checks of a state, without forces
    forces_.leave_out();
    if (const Status status = forces_.accelerate(dynamics_, q, v, a_);
        !status.ok() && status.code != StatusCode::singular && status.code != StatusCode::singular_loop)
      return status;
    std::copy(q.begin(), q.end(), state_.begin());
    std::copy(v.begin(), v.end(), state_.begin() + q.size());
    state_.back() = 0;
    time_ = 0, steps_ = evaluations_ = 0, step_ = how_.step, work_ = 0;
    limits_.clear();
    passage_.reset(), way_ = 0.6, creeping_ = 0;
    const Status status = settle();
    load();
    change_points_.start(q_.data(), v_.data());
    distance_ = change_points_.possible() ? change_points_.distance(q_.data()) : 1;
    energy_ = energy();
    speed_ = largest_speed(), kinetic_ = energy_.kinetic;
    return status;
  }

  Status step_towards(double end, const boundary::ForceFunction& function, bool on_bodies) {
    forces_.come_from(function, on_bodies);
    if (!(time_ < end)) return {};
    const Vector before = state_;
    const double then = time_;
    status_ = {};
    const Status status = how_.integrator == Integrator::adaptive ? step_adaptively(end) : step_once(end);
    if (!status.ok()) state_ = before, time_ = then;
    load();
    if (status.ok()) ++steps_;
    return status;
  }

  Status advance_to(double end, const boundary::ForceFunction& function, bool on_bodies) {
    Status status;
    while (status.ok() && time_ < end) status = step_towards(end, function, on_bodies);
    return status;
  }

  double closure_error() {
    double worst = 0;
    for (const Aggregate& a : model_().data().aggregates)
      for (const double e : closure_.errors(a, state_.data())) keep_worst(worst, std::abs(e));
    return worst;
  }

  Energy energy() {
    Energy e;
    (void)kinetree::energy(model_(), workspace_, q_, v_, e);  // of a state that was just solved
    return e;
  }

  StepLimit limit() { return limits_.most(dynamics_, q_, v_); }

  const Model& model_() const { return dynamics_.model(); }

  ForwardDynamics dynamics_;
  Workspace workspace_;
  Closure closure_;
  ChangePoints change_points_;
  SimulationOptions how_;
  double time_ = 0, step_;
  long steps_ = 0, evaluations_ = 0;
  VectorXd q_, v_;
  Vector state_;  ///< q, v, work of the joint forces
  StepLimits limits_;

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
      state_.back() += h * forces_.power(q_, Eigen::Map<const VectorXd>(v, model_().nv()));
      for (std::size_t i = 0; i < m.parent.size(); ++i)
        kinetree::advance(m.joint_type[i], &state_[at(m.q_index[i])], way.data() + m.v_index[i]);
    }
    if (!status_.ok()) return status_;
    time_ = h < step_ ? end : time_ + h;
    return accept(true);
  }

  Status step_adaptively(double end) {
    const Vector start = state_;
    const double then = time_;
    const bool last = step_to(end) < step_;
    if (passage_goes_on()) {
      if (take_passage(end)) return {};
      state_ = start, time_ = then;
    }
    passage_.reset();
    double h = step_to(end);
    Vector slope(start.size()), next(start.size()), error(start.size());
    rates(start, slope, then);
    const Status first = status_;
    if (change_points_.possible() && distance_ < 0.7) {
      const double* a = first.ok() && distance_ > 1e-3 ? slope.data() + q_.size() : nullptr;
      // from far enough to far enough, whatever the tolerance: rates between are not known well, motion is smooth
      const double rate = change_points_.rate(start.data(), start.data() + q_.size());
      const double reach = std::max(1.1 * step_, 0.5 * way_ / rate);
      const double ahead = change_points_.ahead(start.data(), start.data() + q_.size(), a, 2 * reach);
      if (rate > 0 && (distance_ < near || ahead < reach)) {
        if (a == nullptr) std::fill(slope.begin() + q_.size(), slope.end(), 0.0);
        if (cross(slope, end, ahead, way_ / rate)) return {};
        state_ = start, time_ = then;
        status_ = {};
        if (a == nullptr && first.ok()) rates(start, slope, then);
      }
      // where it can't be passed, steps must not come nearer and nearer
      const bool creeping = distance_ < 1e-2 && std::min(step_, ahead / 2) * rate < 1e-4;
      if (creeping && ++creeping_ > 10) return {StatusCode::change_point, 0, change_points_.nearest(), distance_};
      if (!creeping) creeping_ = 0;
      if (ahead < 2 * reach) h = std::min(h, ahead / 2);  // from there it is crossed in one step
    }
    if (!first.ok()) return first;
    Status failed{StatusCode::step_too_small};
    odeint::runge_kutta_fehlberg78<Vector> stepper;
    int lost = 0;
    for (int attempt = 0; attempt < 200 && h > 1e-14 * std::max(1.0, std::abs(then)); ++attempt) {
      const double tried = h;
      status_ = {};
      stepper.do_step([this](const Vector& x, Vector& rate, double t) { rates(x, rate, t); }, start, slope, then, next,
                      h, error);
      if (!status_.ok()) {  // a stage too far ahead fails first: shorter steps, until one shows that the state is at
                            // fault
        failed = status_;
        h = tried / 5;
        continue;
      }
      const auto [worst, where] = largest_error(model_(), start, slope, error, h, how_.tolerance);
      if (!(worst <= 1)) {
        h *= std::isfinite(worst) ? std::max(0.9 * std::pow(worst, -1.0 / 6), 0.2) : 0.2;
        failed = {StatusCode::step_too_small, 0, -1, h};
        continue;
      }
      state_ = next;
      time_ = last && tried == end - then ? end : then + tried;
      if (const Status status = accept(true); !status.ok()) {
        state_ = start, time_ = then;
        failed = status;
        if (++lost > 8) return failed;
        h = tried / 4;
        continue;
      }
      limits_.count(where);
      if (worst < 0.5) h *= 0.9 * std::pow(std::max(std::pow(5.0, -8), worst), -1.0 / 8);
      if (!last || attempt > 0) step_ = h;  // what it asks for next, unless only the end cut it short
      return {};
    }
    return failed;
  }

  /// A step past a change point `ahead` or out of one's neighbourhood, of about `usual` seconds, of which the part up
  /// to `end` is taken.
  bool cross(const Vector& slope, double end, double ahead, double usual) {
    const Vector start = state_;
    const double then = time_;
    const bool before = std::isfinite(ahead);
    for (const double part : {1.0, 0.7, 0.5, 0.35}) {
      const double length = before ? std::max(2 * ahead, usual) * part : usual * part;
      if (before && length < 1.3 * ahead) break;  // it would end near the change point
      passage_ = crossing().pass(start, slope, then, length);
      if (passage_ && take_passage(end)) {
        way_ = std::clamp(way_ * (part < 1 ? part : 1.1), 0.15, 0.8);
        return true;
      }
      passage_.reset();
      state_ = start, time_ = then;
    }
    way_ = std::max(0.7 * way_, 0.15);
    return false;
  }

  Crossing crossing() {
    return {[this](std::size_t node, double t, Vector& x, Vector& rate) {
              status_ = {};
              normalize(x.data());
              for (const Aggregate& a : model_().data().aggregates) {
                if (!(closure_.project(a, x.data()) <= 1e-10)) return Status{StatusCode::not_closed};
                closure_.project_velocity(a, x.data(), x.data() + q_.size());
              }
              rates(x, rate, t);
              if (passage_forces_.size() <= node) passage_forces_.resize(node + 1);
              passage_forces_[node] = forces_.now();
              return status_;
            },
            [this](const Vector& x) { return change_points_.distance(x.data()); }, how_.tolerance};
  }

  /// Whether a passage begun earlier goes on under the same forces.
  bool passage_goes_on() {
    if (!passage_ || !(time_ < passage_->start + passage_->length)) return false;
    for (std::size_t k = 0; k < passage_->times.size(); ++k) {
      const Vector& x = passage_->states[k];
      std::copy(x.begin(), x.begin() + q_.size(), q_.begin());
      std::copy(x.begin() + q_.size(), x.end() - 1, v_.begin());
      forces_.evaluate(passage_->times[k], q_, v_);
      if (forces_.now() != passage_forces_[k]) return false;
    }
    return true;
  }

  bool take_passage(double end) {
    time_ = std::min(end, passage_->start + passage_->length);
    state_ = passage_->at(time_);
    // positions near a change point are known better than they can be brought onto the constraints
    return accept(change_points_.distance(state_.data()) > near).ok();
  }

  /// Settles a step that was taken and says whether more is lost than its tolerance allows. What projections take of
  /// velocities can't be told from a landing on another branch by errors of the step: those see neither.
  Status accept(bool project) {
    const Vector raw = state_;
    if (project) {
      if (const Status status = settle(); !status.ok()) return status;
    } else {
      normalize(state_.data());
    }
    const double before = energy_.total(), kinetic = kinetic_, speed = speed_;
    load();
    const double work = state_.back() - work_;
    const Energy now = energy();
    if (!change_points_.possible()) {
      energy_ = now, work_ = state_.back();
      return {};
    }
    const double distance = change_points_.distance(state_.data());
    kinetic_ = std::max(kinetic_, now.kinetic), speed_ = std::max(speed_, largest_speed());
    const bool adaptive = how_.integrator == Integrator::adaptive;
    double moved = 0;
    for (std::size_t k = at(model_().nq()); k + 1 < raw.size(); ++k) {
      const double x = std::abs(raw[k] - state_[k]);
      if (!(x <= moved)) moved = x;  // NaN stays
    }
    const double allowed = adaptive ? how_.tolerance * (100 + 1e3 * speed_) : 1e-6 + 1e-2 * speed_;
    Status status;
    const auto refuse = [&](double value) { status = {StatusCode::change_point, 0, change_points_.nearest(), value}; };
    if (!(moved <= allowed)) refuse(moved / speed_);
    // near a change point accelerations lose digits too, which leaves no trace in the velocities
    const double off = std::abs(now.total() - before - work);
    const double rounding = 1e-12 * (kinetic_ + std::abs(now.potential) + std::abs(energy_.potential));
    if (adaptive && std::min(distance, distance_) < 0.3 && !(off <= 1e3 * how_.tolerance * kinetic_ + rounding))
      refuse(off / kinetic_);
    if (!status.ok()) {
      kinetic_ = kinetic, speed_ = speed;
      return status;
    }
    distance_ = distance, energy_ = now, work_ = state_.back();
    return {};
  }

  double largest_speed() const { return v_.size() > 0 ? v_.cwiseAbs().maxCoeff() : 0; }

  /// Accelerations of a stage, to a_; quaternions of stages are not quite units.
  void accelerate(const Vector& x, double t) {
    ++evaluations_;
    std::copy(x.begin(), x.begin() + q_.size(), q_.begin());
    std::copy(x.begin() + q_.size(), x.end() - 1, v_.begin());
    normalize(q_.data());
    forces_.evaluate(t, q_, v_);
    if (status_.ok()) status_ = forces_.accelerate(dynamics_, q_, v_, a_);
    if (!status_.ok()) a_.setZero();
  }

  void rates(const Vector& x, Vector& rate, double t) {
    accelerate(x, t);
    const ModelData& m = model_().data();
    const double* v = x.data() + model_().nq();
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      position_rates(m.joint_type[i], &x[at(m.q_index[i])], v + m.v_index[i], &rate[at(m.q_index[i])]);
    std::copy(a_.begin(), a_.end(), rate.begin() + model_().nq());
    rate.back() = forces_.power(q_, v_);
  }

  void normalize(double* q) const {
    const ModelData& m = model_().data();
    for (std::size_t i = 0; i < m.parent.size(); ++i) kinetree::normalize(m.joint_type[i], q + m.q_index[i]);
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
    return {};
  }

  void load() {
    std::copy(state_.begin(), state_.begin() + q_.size(), q_.begin());
    std::copy(state_.begin() + q_.size(), state_.end() - 1, v_.begin());
  }

  static constexpr double near = 0.15;  ///< distance from change points below which no stage is evaluated

  AppliedForces forces_;
  VectorXd a_;
  double work_ = 0, distance_ = 1;  ///< at the last good state
  double speed_ = 0, kinetic_ = 0;  ///< the largest since start
  Energy energy_;
  double way_ = 0.6;                                    ///< of the distance to change points that a passage takes
  int creeping_ = 0;                                    ///< steps in a row that only came nearer to a change point
  std::optional<Passage> passage_;                      ///< goes on where only the end of a step cut it short
  std::vector<AppliedForces::Numbers> passage_forces_;  ///< at its nodes
  Status status_;                                       ///< of the stages of a step
};

Simulation::Simulation(Model model, const Options& options, const SimulationOptions& how)
    : implementation_(std::make_unique<Implementation>(std::move(model), options, how)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Status Simulation::start_columns(Columns<const double> q, Columns<const double> v) {
  return implementation_->start(boundary::vector(q), boundary::vector(v));
}
Status Simulation::step_by(double time, const boundary::ForceFunction& function, bool on_bodies) {
  return implementation_->step_towards(time, function, on_bodies);
}
Status Simulation::advance_by(double time, const boundary::ForceFunction& function, bool on_bodies) {
  return implementation_->advance_to(time, function, on_bodies);
}
double Simulation::time() const { return implementation_->time_; }
Columns<const double> Simulation::positions() const { return boundary::column(implementation_->q_); }
Columns<const double> Simulation::velocities() const { return boundary::column(implementation_->v_); }
double Simulation::closure_error() { return implementation_->closure_error(); }
long Simulation::steps() const { return implementation_->steps_; }
long Simulation::evaluations() const { return implementation_->evaluations_; }
const Model& Simulation::model() const { return implementation_->model_(); }
Energy Simulation::energy() { return implementation_->energy(); }
double Simulation::work() const { return implementation_->state_.back(); }
StepLimit Simulation::limit() { return implementation_->limit(); }

}  // namespace kinetree
