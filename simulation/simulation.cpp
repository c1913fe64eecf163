#include <algorithm>
#include <cmath>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/scalar/number_text.hpp"
#include "simulation/event_watch.hpp"
#include "simulation/step_limits.hpp"
#include "simulation/stepper.hpp"

namespace kinetree {
namespace {

using Eigen::VectorXd;
using Vector = Eigen::Ref<const VectorXd>;

const SimulationOptions& checked(const SimulationOptions& how) {
  const auto refuse = [](const std::string& what, double value, const char* unit) {
    throw std::invalid_argument("simulation: the " + what + " is " + number_text(value) + unit + "; give one above 0");
  };
  if (!(how.step > 0) || !std::isfinite(how.step)) refuse("step", how.step, " s");
  if (!(how.tolerance > 0) || !std::isfinite(how.tolerance)) refuse("tolerance", how.tolerance, "");
  if (!(how.longest_step > 0)) refuse("longest step", how.longest_step, " s");
  return how;
}

Status fault_of_time(double time) {
  return std::isfinite(time) ? Status{} : Status{StatusCode::not_finite, 0, -1, time, "time"};
}

}  // namespace

class Simulation::Implementation {
 public:
  Implementation(Model model, const Options& options, const SimulationOptions& how)
      : dynamics(std::move(model), options), stepper(dynamics, how), limits(dynamics.model()) {}

  Status begin(const Vector& q, const Vector& v, double time, Start start) {
    if (const Status status = fault_of_time(time); !status.ok()) return status;
    if (const Status status = stepper.stand(q, v, time, true, start); !status.ok()) return status;
    steps = 0, energy_set = 0;
    limits.clear();
    events.look_again(true);
    return {};
  }

  Status set_state(const Vector& q, const Vector& v) {
    const double before = stepper.energy().total();
    if (const Status status = stepper.stand(q, v, stepper.time(), false, Start::positions); !status.ok()) return status;
    energy_set += stepper.energy().total() - before;
    events.look_again(false);
    return {};
  }

  Status step(double dt, const boundary::ForceFunction& forces) {
    if (!(dt > 0) || !std::isfinite(dt)) return {StatusCode::not_positive, 0, -1, dt, "dt"};
    const double end = stepper.time() + dt;
    if (const Status status = fault_of_time(end); !status.ok()) return status;
    stepper.forces().come_from(forces);
    Stepper::Leg leg{dt, end};
    bool goes_on;
    do {
      if (const Status status = take(leg, goes_on); !status.ok()) return status;
      leg = {end - stepper.time(), end};
    } while (goes_on && stepper.time() < end);
    return {};
  }

  Status step_towards(double end, const boundary::ForceFunction& forces) {
    bool goes_on;
    stepper.forces().come_from(forces);
    if (const Status status = fault_of_time(end); !status.ok() || !(stepper.time() < end)) return status;
    return take(stepper.leg_to(end), goes_on);
  }

  Status advance_to(double end, const boundary::ForceFunction& forces) {
    if (const Status status = fault_of_time(end); !status.ok()) return status;
    stepper.forces().come_from(forces);
    for (bool goes_on = true; goes_on && stepper.time() < end;)
      if (const Status status = take(stepper.leg_to(end), goes_on); !status.ok()) return status;
    return {};
  }

  /// The forces that `forces` gives now, the accelerations under them, and what then holds the mechanism together: in
  /// memory of its own, so that no step sees it.
  Status find_forces(const boundary::ForceFunction& forces, boundary::ForcesAsked<double> asked) {
    using boundary::column;
    if (!asked_) asked_.emplace(dynamics.model());
    const VectorXd &q = stepper.q(), &v = stepper.v();
    asked_->forces.come_from(forces);
    Status status = asked_->forces.evaluate(stepper.time(), q, v);
    if (status.ok()) status = asked_->forces.accelerate(dynamics, q, v, asked_->a);
    if (status.ok()) {
      const VectorXd &a = asked_->a, &tau = asked_->forces.now().tau, &f_ext = asked_->forces.now().f_ext;
      asked.q = column(q), asked.v = column(v), asked.a = column(a), asked.tau = column(tau);
      if (forces.on_bodies) asked.f_ext = column(f_ext);
      return boundary::constraint_forces(dynamics.model(), asked_->workspace, asked);
    }
    for (const Columns<double>& result : {asked.loops, asked.couplings, asked.joints})
      for (std::ptrdiff_t c = 0; c < result.columns; ++c)
        std::fill_n(result.data + c * result.stride, result.rows, std::numeric_limits<double>::quiet_NaN());
    return status;
  }

  ForwardDynamics dynamics;
  Stepper stepper;
  EventWatch events;
  StepLimits limits;
  double energy_set = 0;
  long steps = 0;

 private:
  /// One step, and what events do at its end; `goes_on`: whether they let the call go on.
  Status take(const Stepper::Leg& leg, bool& goes_on) {
    goes_on = true;
    if (const Status status = events.take(stepper, leg); !status.ok()) return status;
    ++steps;
    limits.count(stepper.limited_by());
    if (!events.happened().empty()) stepper.forces().may_differ();
    for (const int k : events.happened()) {
      if (!events[k].act) {
        goes_on = false;
        continue;
      }
      q_ = stepper.q(), v_ = stepper.v();
      boundary::EntriesLeft left{};
      if (!events[k].act(stepper.time(), boundary::column(q_), boundary::column(v_), left)) goes_on = false;
      // set_state refuses other sizes
      if (left.first != q_.size()) q_.setZero(left.first);
      if (left.second != v_.size()) v_.setZero(left.second);
      const bool same_sizes = q_.size() == stepper.q().size() && v_.size() == stepper.v().size();
      if (same_sizes && q_ == stepper.q() && v_ == stepper.v()) continue;
      if (const Status status = set_state(q_, v_); !status.ok()) return status;
    }
    return {};
  }

  struct Asked {
    explicit Asked(const Model& model) : forces(model), workspace(model), a(model.nv()) {}
    AppliedForces forces;
    Workspace workspace;
    VectorXd a;
  };

  VectorXd q_, v_;              ///< given to events
  std::optional<Asked> asked_;  ///< made at the first question
};

Simulation::Implementation* Simulation::make(Model model, const Options& options, const SimulationOptions& how) {
  return new Implementation(std::move(model), options, checked(how));
}
void Simulation::Delete::operator()(Implementation* implementation) const { delete implementation; }

Status Simulation::reset(Columns<const double> q, Columns<const double> v, double time) {
  return implementation_->begin(boundary::vector(q), boundary::vector(v), time, Start::closed);
}
Status Simulation::assemble(Columns<const double> q, Columns<const double> v, double time) {
  return implementation_->begin(boundary::vector(q), boundary::vector(v), time, Start::open);
}
Status Simulation::set_state(Columns<const double> q, Columns<const double> v) {
  return implementation_->set_state(boundary::vector(q), boundary::vector(v));
}
Status Simulation::step(double dt, const boundary::ForceFunction& f) { return implementation_->step(dt, f); }
Status Simulation::step_towards(double time, const boundary::ForceFunction& f) {
  return implementation_->step_towards(time, f);
}
Status Simulation::advance_to(double time, const boundary::ForceFunction& f) {
  return implementation_->advance_to(time, f);
}
void Simulation::watch_columns(std::vector<boundary::EventOnColumns> events) {
  implementation_->events.watch(std::move(events));
}
Status Simulation::forces_now(Axes axes, const ForceResults& results, const boundary::ForceFunction& function) {
  boundary::ForcesAsked<double> asked{};
  asked.axes = axes, asked.loops = results.loops, asked.couplings = results.couplings, asked.joints = results.joints;
  return implementation_->find_forces(function, asked);
}
std::span<const int> Simulation::happened() const { return implementation_->events.happened(); }
double Simulation::time() const { return implementation_->stepper.time(); }
Columns<const double> Simulation::positions() const { return boundary::column(implementation_->stepper.q()); }
Columns<const double> Simulation::velocities() const { return boundary::column(implementation_->stepper.v()); }
double Simulation::closure_error() { return implementation_->stepper.closure_error(); }
long Simulation::steps() const { return implementation_->steps; }
long Simulation::evaluations() const { return implementation_->stepper.evaluations(); }
const Model& Simulation::model() const { return implementation_->dynamics.model(); }
Energy Simulation::energy() { return implementation_->stepper.energy(); }
double Simulation::work() const { return implementation_->stepper.work(); }
double Simulation::energy_set() const { return implementation_->energy_set; }
StepLimit Simulation::limit() {
  return implementation_->limits.most(implementation_->dynamics, implementation_->stepper.q(),
                                      implementation_->stepper.v());
}

}  // namespace kinetree
