#include "simulation/stepper.hpp"

#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <kinetree/configuration.hpp>
#include <tuple>

#include "engine/scalar/worst.hpp"
#include "simulation/divergence.hpp"
#include "simulation/step_limits.hpp"

namespace kinetree::inline inner {

using Eigen::VectorXd;

/// Fehlberg's own estimate, 41/840 h (k0 + k10 - k11 - k12), is zero for forces of time alone, and where a jump is seen
/// by stages between the ends alone. With such forces the pair is Newton and Cotes's rule over sixths of the step:
/// rates A exp(i w t) have the sixth difference D = A (wh/6)^6, and the rule's error is 9/8400 h A (wh/6)^8.
struct Stepper::Fehlberg {
  /// That error may be so much larger than the tolerance: where rates go with positions, D has errors of stages too.
  static constexpr double leave = 30;
  boost::numeric::odeint::runge_kutta_fehlberg78<Vector> stepper;

  void begin(const Vector& rate) {
    difference_.assign(rate.size(), 0.0), largest_.assign(rate.size(), 0.0);
    stage_ = 0;
    include(rate);
  }
  /// Rates at the next stage.
  void include(const Vector& rate) {
    constexpr double weights[]{1, 0, 0, 0, 0, -20, -6, -6, 15, 15, 0, 0, 1};
    const double weight = weights[stage_++];
    if (weight == 0) return;
    for (std::size_t k = 0; k < rate.size(); ++k)
      difference_[k] += weight * rate[k], keep_worst(largest_[k], std::abs(rate[k]));
  }
  /// The rule's error after the last stage of a step.
  const Vector& error_between(double h) {
    for (std::size_t k = 0; k < difference_.size(); ++k)
      if (difference_[k] != 0) difference_[k] *= 9.0 / 8400 * h * std::cbrt(std::abs(difference_[k]) / largest_[k]);
    return difference_;
  }

 private:
  Vector difference_, largest_;
  std::size_t stage_ = 0;
};

Stepper::Stepper(ForwardDynamics& dynamics, const SimulationOptions& how)
    : dynamics_(dynamics),
      m_(dynamics.model().data()),
      how_(how),
      workspace_(dynamics.model()),
      closure_(m_),
      fine_closure_(m_, closure_),
      change_points_(m_, closure_),
      forces_(dynamics.model()),
      turns_(m_),
      fixed_(m_, how.integrator),
      keeps_work_(how.work || change_points_.possible()),
      fehlberg_(std::make_unique<Fehlberg>()),
      q_(neutral(dynamics.model())),
      v_(VectorXd::Zero(dynamics.model().nv())),
      a_(v_),
      turned_(q_),
      memory_(fixed_.memory()),
      floating_(fixed_.floating(false)) {
  now_.state.assign(q_.begin(), q_.end());
  now_.state.resize(at(static_cast<int>(q_.size() + v_.size())) + 1, 0.0);
  now_.step = how.step;
  before_ = kept_ = now_;
  raw_ = slope_ = next_ = error_ = from_ = now_.state;
  if (how.integrator == Integrator::stiff) prepare_stiff();
  look_about();
  if (!change_points_.possible()) return;
  passage_forces_.assign(most_nodes, forces_.now());
  double seconds = 4e-6 * static_cast<double>(m_.parent.size());  // of an evaluation, measured on 2 GHz
  for (const Aggregate& a : m_.aggregates) seconds += 1.2e-9 * a.rows * a.velocities * std::min(a.rows, a.velocities);
  most_evaluations_ = 0.6 / seconds;
  crossing_.emplace(
      static_cast<int>(now_.state.size()),
      [this](int node, double t, Vector& x, Vector& rate) { return rates_on_constraints(node, t, x, rate); },
      [this](const Vector& x) { return change_points_.distance(x.data()); });
}

Stepper::~Stepper() = default;

Status Stepper::stand(const Eigen::Ref<const VectorXd>& q, const Eigen::Ref<const VectorXd>& v, double time, bool anew,
                      Start start) {
  // the dynamics' own checks of a state, without forces
  if (const Status status = forces_.accelerate_without(dynamics_, q, v, a_); !may_stand(status)) return status;
  before_ = now_;
  std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), now_.state.begin()));
  if (const Status status = settle_start(m_, closure_, start, now_.state.data(), now_.state.data() + q_.size());
      !status.ok()) {
    now_ = before_;
    return status;
  }
  now_.time = time;
  if (anew) now_.state.back() = now_.work = 0, now_.step = how_.step, evaluations_ = 0;
  load(now_.state);
  look_about();
  return {};
}

/// Begins to keep account of the motion from the state in now_.
void Stepper::look_about() {
  in_passage_ = differences_hold_ = false;
  now_.search = {};
  now_.way = usual_way(), now_.creeping = 0, now_.usual = {}, now_.passed_to = 0.5, now_.curved = false;
  change_points_.start(q_.data(), v_.data());
  now_.distance = change_points_.possible() ? change_points_.distance(q_.data()) : 1;
  if (change_points_.possible()) now_.energy = energy();
  now_.speed = largest_speed(), now_.kinetic = now_.energy.kinetic;
}

Stepper::Leg Stepper::leg_to(double end) const {
  const double rest = end - now_.time;
  if (by_tolerance() || rest < how_.step * (1 + 1e-9)) return {rest, end};
  return {how_.step, now_.time + how_.step};
}

Status Stepper::take(const Leg& leg) {
  before_ = now_;
  status_ = {};
  horizon_ = INFINITY;
  limited_by_ = -1;
  Status status;
  try {
    status = !by_tolerance() ? take_fixed(leg) : differences_ ? take_stiff(leg.end) : take_adaptive(leg.end);
  } catch (...) {  // of the caller's forces
    go_back();
    throw;
  }
  if (!status.ok()) now_ = before_;
  load(now_.state);
  return status;
}

void Stepper::go_back() {
  now_ = before_;
  load(now_.state);
}

Status Stepper::take_fixed(const Leg& leg) {
  if (passage_goes_on()) {
    if (take_passage(leg.end)) return {};
    now_ = before_;
  }
  in_passage_ = false;
  // steps that are short have stages near a change point, where rates are not known well
  if (change_points_.possible() && now_.distance < now_.passed_to) {
    rates(now_.state, slope_, now_.time);
    if (look_for_passage(leg.end, status_.ok())) return {};
    now_.passed_to = before_.passed_to = 0.8 * now_.distance;
  } else if (now_.distance > 0.6) {
    now_.passed_to = 0.5, now_.search = {};
  }
  status_ = {};
  if (const Status status = take_stages(leg); !status.ok()) return status;
  return accept(true);
}

/// A fixed step of the state in now_, which is to be settled.
Status Stepper::take_stages(const Leg& leg) {
  load(now_.state);
  for (int stage = 0; stage < fixed_.stages(); ++stage) {
    if (const Status status = accelerate(now_.time + fixed_.part(stage) * leg.length); !status.ok()) return status;
    const FixedStep::Column state[]{{q_.data(), v_.data(), a_.data(), memory_.data()}};
    const bool works = keeps_work_ && forces_.act();
    fixed_.kick(stage, leg.length, state, floating_.get(), works);
    if (works) now_.state.back() += leg.length * fixed_.share(stage) * forces_.power(q_, v_);
    fixed_.drift(stage, leg.length, state, floating_.get());
  }
  std::copy_n(v_.data(), v_.size(), std::copy_n(q_.data(), q_.size(), now_.state.data()));
  now_.time = leg.end;
  return {};
}

/// Whether the energy lost by the fixed step from before_ to now_ is its method's error, which two steps of half the
/// length have the less the higher the method's order is, and not that of accelerations without digits.
bool Stepper::loses_by_length(double loss) {
  kept_ = now_;
  now_.state = before_.state, now_.time = before_.time;
  const double middle = 0.5 * (before_.time + kept_.time);
  bool known = true;
  for (const Leg& half : {Leg{middle - before_.time, middle}, Leg{kept_.time - middle, kept_.time}})
    known = known && take_stages(half).ok() && settle_state().ok();
  load(now_.state);
  const double by_halves = std::abs(energy().total() - before_.energy.total() - (now_.state.back() - before_.work));
  now_ = kept_;
  load(now_.state);
  return known && by_halves <= loss * std::pow(2, -0.5 * fixed_.order());
}

/// The status of a step near a change point that loses that share of the speed or kinetic energy, `times` as much as
/// is allowed.
Status Stepper::lost(double share, double times) {
  if (in_passage_) now_.search.error = std::min(now_.search.error, times * tolerance_);
  Status status{StatusCode::change_point, 0, change_points_.nearest(), share};
  if (by_tolerance() && now_.search.error > how_.tolerance && now_.search.error < 1e-3)
    status.value = now_.search.error, status.argument = "tolerance";
  return status;
}

Status Stepper::take_adaptive(double end) {
  const Vector& start = before_.state;
  const double then = now_.time;
  const double longest = std::min(now_.step, how_.longest_step);
  if (passage_goes_on()) {
    if (take_passage(end)) return {};
    now_ = before_;
  }
  in_passage_ = false;
  const bool last = end - then < longest * (1 + 1e-9);
  double h = last ? end - then : longest;
  rates(start, slope_, then);
  const Status first = status_;
  if (const std::optional<Status> done = pass_change_point(end, first)) return *done;
  h = std::min(h, horizon_ / 2);  // from there it is crossed in one step
  if (!first.ok()) return first;
  Status failed{StatusCode::step_too_small};
  int losses = 0;
  for (int attempt = 0; attempt < 200 && h > 1e-14 * std::max(1.0, std::abs(then)); ++attempt) {
    const double tried = h;
    status_ = {};
    fehlberg_->begin(slope_);
    fehlberg_->stepper.do_step(
        [this](const Vector& x, Vector& rate, double t) {
          rates(x, rate, t);
          fehlberg_->include(rate);
        },
        start, slope_, then, next_, h, error_);
    if (!status_.ok()) {  // a stage too far ahead fails first: shorter steps, until one shows that the state is at
                          // fault
      failed = status_;
      h = tried / 5;
      continue;
    }
    auto [worst, where] = largest_error(dynamics_.model(), start, slope_, error_, h, how_.tolerance);
    const auto between = largest_error(dynamics_.model(), start, slope_, fehlberg_->error_between(h), h,
                                       Fehlberg::leave * how_.tolerance);
    if (!(between.first <= worst)) std::tie(worst, where) = between;
    if (!(worst <= 1)) {
      h *= std::isfinite(worst) ? std::max(0.9 * std::pow(worst, -1.0 / 6), 0.2) : 0.2;
      failed = std::isfinite(worst)
                   ? Status{StatusCode::step_too_small, 0, -1, h}
                   : divergence(m_, next_.data(), next_.data() + q_.size(), start.data() + q_.size(), then);
      continue;
    }
    now_.state = next_;
    now_.time = last && tried == end - then ? end : then + tried;
    if (const Status status = accept(true); !status.ok()) {
      now_.state = start, now_.time = then;
      failed = status;
      if (++losses > 8) return failed;
      h = tried / 4;
      continue;
    }
    limited_by_ = where;
    if (worst < 0.5) h *= 0.9 * std::pow(std::max(std::pow(5.0, -8), worst), -1.0 / 8);
    if (!last || attempt > 0) now_.step = h;  // what it asks for next, unless only the end cut it short
    return {};
  }
  return failed;
}

Status Stepper::settle_state() {
  double *q = now_.state.data(), *v = q + q_.size();
  if (!all_finite(q, now_.state.size() - 1))
    return divergence(m_, q, v, before_.state.data() + q_.size(), before_.time);
  return settle(m_, closure_, q, v);
}

/// Settles a step that was taken and says whether more is lost than its tolerance allows. What projections take of
/// velocities can't be told from a landing on another branch by errors of the step: those see neither.
Status Stepper::accept(bool project) {
  if (change_points_.possible()) raw_ = now_.state;
  if (project) {
    if (const Status status = settle_state(); !status.ok()) return status;
  } else {
    normalize_positions(m_, now_.state.data());
  }
  load(now_.state);
  const double work = now_.state.back() - now_.work;
  if (!change_points_.possible()) {
    now_.work = now_.state.back();
    return {};
  }
  const Energy energy = this->energy();
  const double distance = change_points_.distance(now_.state.data());
  const double kinetic = std::max(now_.kinetic, energy.kinetic), speed = std::max(now_.speed, largest_speed());
  const bool adaptive = by_tolerance();
  double moved = 0;
  for (std::size_t k = at(static_cast<int>(q_.size())); k + 1 < raw_.size(); ++k)
    keep_worst(moved, std::abs(raw_[k] - now_.state[k]));
  const double allowed = adaptive ? how_.tolerance * (100 + 1e3 * speed) : 1e-6 + 1e-2 * speed;
  if (!(moved <= allowed)) return lost(moved / speed, moved / allowed);
  // near a change point accelerations lose digits too, which leaves no trace in the velocities
  const double off = std::abs(energy.total() - now_.energy.total() - work);
  const double rounding = 1e-12 * (kinetic + std::abs(energy.potential) + std::abs(now_.energy.potential));
  const bool far = std::min(distance, now_.distance) >= 0.3;
  // a method of fixed steps loses energy anywhere: near a change point no more than elsewhere
  const bool by_method = !adaptive && !in_passage_;
  const double power = by_method ? std::pow(now_.time - before_.time, fixed_.order() + 1) : 0;
  Usual& usual = now_.usual;
  const double allowed_loss = !by_method                      ? 1e3 * tolerance() * kinetic
                              : usual.far || usual.energy > 0 ? 30 * std::max(usual.energy, usual.rate * power)
                                                              : 1e-6 * kinetic;
  const bool loses = !far && !(off <= allowed_loss + rounding);
  // a motion that has only been near has no usual loss yet
  if (loses && !(by_method && !usual.far && loses_by_length(off))) return lost(off / kinetic, off / allowed_loss);
  if (by_method && (far || loses)) {
    usual.energy = std::max(usual.energy, off);
    usual.rate = std::max(usual.rate, (off - rounding) / power);
    usual.far = usual.far || far;
  }
  if (distance >= near && std::isinf(horizon_)) now_.search = {};  // it is behind
  now_.kinetic = kinetic, now_.speed = speed;
  now_.distance = distance, now_.energy = energy, now_.work = now_.state.back();
  return {};
}

/// Of the state in q_ and v_, to a_; zero where that fails.
Status Stepper::accelerate(double t) {
  ++evaluations_;
  Status status = forces_.evaluate(t, q_, v_);
  if (status.ok()) status = forces_.accelerate(dynamics_, q_, v_, a_);
  if (!status.ok()) a_.setZero();
  return status_in_motion(status, m_, q_.data(), v_.data(), before_.state.data() + q_.size(), before_.time);
}

/// Quaternions of stages are not quite units.
void Stepper::rates(const Vector& x, Vector& rate, double t) {
  load(x);
  normalize_positions(m_, q_.data());
  const Status status = accelerate(t);
  if (status_.ok()) status_ = status;
  fill_rates(x, rate);
  if (!status.ok()) rate.back() = 0;
}

/// By the velocities in x, the accelerations in a_ and the forces that act.
void Stepper::fill_rates(const Vector& x, Vector& rate) {
  const double* v = x.data() + q_.size();
  for (std::size_t i = 0; i < m_.parent.size(); ++i)
    position_rates(m_.joint_type[i], &x[at(m_.q_index[i])], v + m_.v_index[i], &rate[at(m_.q_index[i])]);
  std::copy(a_.begin(), a_.end(), rate.begin() + q_.size());
  rate.back() = keeps_work_ ? forces_.power(q_, v_) : 0;
}

void Stepper::load(const Vector& x) {
  std::copy_n(x.data(), q_.size(), q_.data());
  std::copy_n(x.data() + q_.size(), v_.size(), v_.data());
}

Energy Stepper::energy() {
  Energy e;
  (void)kinetree::energy(dynamics_.model(), workspace_, q_, v_, e);  // of a state that was just solved
  return e;
}

double Stepper::closure_error() {
  double worst = 0;
  for (const Aggregate& a : m_.aggregates)
    for (const double e : closure_.errors(a, now_.state.data())) keep_worst(worst, std::abs(e));
  return worst;
}

}  // namespace kinetree::inline inner
