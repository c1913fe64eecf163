#pragma once
// Motion over time: accelerations integrated on the configuration manifold, loops kept closed.

#include <kinetree/export.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/simulation/callers_vectors.hpp>
#include <kinetree/simulation/event.hpp>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace kinetree {

enum class Integrator {
  semi_implicit_euler,  ///< first order; one evaluation a step. Joints move along their new velocities, exactly; those
                        ///< of floating joints grow by the acceleration of the body's own centre of mass in axes that
                        ///< stand still, so that a free body keeps its linear momentum to rounding
  rk4,                  ///< fourth order, four evaluations a step
  adaptive,             ///< Fehlberg's pair of orders 7 and 8, steps by the tolerance
  stiff,  ///< backward differences of orders 1 to 5 with Newton's method (CVODE of SUNDIALS), steps by the
          ///< tolerance: for motions whose explicit steps are short because a spring or a damper is hard.
          ///< Where kinetree was built without CVODE its Simulation throws std::invalid_argument
};

/// Whether an integrator chooses the lengths of its steps, by a tolerance.
constexpr bool has_tolerance(Integrator integrator) {
  return integrator == Integrator::adaptive || integrator == Integrator::stiff;
}

struct SimulationOptions {
  Integrator integrator = Integrator::adaptive;
  double step = 1e-3;  ///< s; the adaptive integrator's first; the stiff one finds its own
  /// adaptive: error a step may make in each position and velocity, absolute plus relative. stiff: the errors of a step
  /// have a root mean square of 3e-5 times that, 1e-15 at least; with loops of 0.1 times that, 1e-13 at least.
  double tolerance = 1e-10;
  /// s, adaptive and stiff: no step is longer, so that none passes over a short force, or over two changes of an
  /// event's sign.
  double longest_step = std::numeric_limits<double>::infinity();
  /// Whether work() is kept, for which the velocities of all bodies are found once more where forces act on bodies.
  /// With loops, whose change points are told by it, it always is.
  bool work = true;
};

/// The joint that sets the steps of the adaptive integrator: its error was the largest most often.
struct StepLimit {
  int body = -1;       ///< the index of the body that the joint carries; -1: no step yet
  double share = 0;    ///< the fraction of the steps that it set, 0 to 1
  double inertia = 0;  ///< the inertia that a force at the joint meets here, all other joints free (kg m² or kg); 0:
                       ///< not determined in this state
};

/// One mechanism in motion. After every step quaternions are normalized, positions of loops and couplings are closed
/// by Newton's method and velocities brought to the nearest that the constraints allow. Change points, where motions
/// that loops allow cross, are passed to the configurations that the velocity is tangent to: in one step whose stages
/// count the less the nearer they are, between steps of equal length too. For it the function of forces is called at
/// times ahead. The stiff integrator calls it ahead at any time, by up to a step, and reads the motion off its step
/// where a call or an event ends within; the motion begins anew, by short steps, where a function gives other forces
/// than it did before at the same time and state. Its matrix of (nq + nv)² numbers is kept twice. A step fails with
/// StatusCode::change_point if the projection onto the constraints changes the velocity by more than the tolerance
/// allows, or if, near a change point, energy and work disagree by more than it allows, or by more than steps of equal
/// length lose elsewhere. Where a looser tolerance passes, Status::argument is "tolerance" and Status::value the
/// tightest that does.
///
/// A call that takes steps applies the forces of its function; without a function there are none. A step that fails
/// ends the call with its Status; the state is then that of the last good step. Status: wrong_size if the function
/// changed the size of tau or f_ext; not_finite of a time, of the function's forces or of an event's value; diverged
/// where the motion itself outgrows finite numbers; step_too_small if the tolerance cannot be met; change_point,
/// not_closed; those of ForwardDynamics::solve. Only exceptions of the caller's functions leave a
/// call; the state is then that of the last good step too. No call but watch() allocates after the first of its kind.
class KINETREE_EXPORT Simulation {
 public:
  /// At rest where `neutral` (configuration.hpp) stands, at time 0. Without options the integrator is adaptive, with a
  /// tolerance of 1e-10; contacts by penalties want semi_implicit_euler. Throws std::invalid_argument where step,
  /// tolerance or longest_step is not positive, or the integrator is stiff and was not built in, and as ForwardDynamics
  /// does: OptionError, TooManyCuts, InputError.
  explicit Simulation(Model model, const Options& options = {}, const SimulationOptions& how = {})
      : implementation_(make(std::move(model), options, how)) {}

  /// Begins anew at `time` from positions q (nq) and velocities v (nv) that loops and couplings allow, to 1e-8 m or rad
  /// and 1e-8 (1 + |v|), as `kinetree solve` takes states; what rounding has left open is closed. Work, steps and
  /// evaluations count from here. Status: wrong_size, not_finite, not_normalized; not_closed, with `argument` q or v
  /// and the amount as `value`, where a constraint is open by more. Nothing has changed then.
  Status reset(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
               double time = 0) {
    return reset(boundary::input<double>(q).columns(), boundary::input<double>(v).columns(), time);
  }
  /// The same from a state that may be open: q is brought by Newton's method to a configuration near by that closes, in
  /// the same assembly mode, v to the nearest that the constraints allow there. Every joint may have moved: look at q()
  /// and v(). Status as of reset; not_closed without an `argument` where Newton's method doesn't get there.
  Status assemble(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
                  double time = 0) {
    return assemble(boundary::input<double>(q).columns(), boundary::input<double>(v).columns(), time);
  }
  /// Goes on from another state, an impact's for instance, at the time that it is; nothing is counted anew, and
  /// energy_set() has what it changes. q is to be closed as in reset; v may be open, as where an impact changes it at
  /// one joint, and is brought to the nearest velocity that the constraints allow. An event's `act` does the same.
  /// Status as of reset.
  Status set_state(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v) {
    return set_state(boundary::input<double>(q).columns(), boundary::input<double>(v).columns());
  }

  /// Goes on by `dt` (s): one step of exactly that length, whatever SimulationOptions::step is; the adaptive integrator
  /// takes as many steps as the tolerance asks for. Status: not_positive of dt; not_finite of the time that it leads
  /// to.
  Status step(double dt, const Control& control = {}) {
    return step(dt, boundary::OnVectors(control, vectors_).on_columns());
  }
  Status step(double dt, const Forces& forces) { return step(dt, boundary::OnVectors(forces, vectors_).on_columns()); }
  /// Goes on until `time`, exactly; does nothing where that has passed.
  Status advance_to(double time, const Control& control = {}) {
    return advance_to(time, boundary::OnVectors(control, vectors_).on_columns());
  }
  Status advance_to(double time, const Forces& forces) {
    return advance_to(time, boundary::OnVectors(forces, vectors_).on_columns());
  }
  /// One step of the integrator's own length, not past `time`.
  Status step_towards(double time, const Control& control = {}) {
    return step_towards(time, boundary::OnVectors(control, vectors_).on_columns());
  }
  Status step_towards(double time, const Forces& forces) {
    return step_towards(time, boundary::OnVectors(forces, vectors_).on_columns());
  }

  /// Replaces the events at which steps end. A step that contains an event is taken again, shorter, until it ends at
  /// the event, at most Event::tolerance after it. The rest of the call's time is left to further steps, or, if the
  /// event ends the call, to the caller: the Status is then ok and time() is that of the event. Within a step signs are
  /// also checked on a cubic interpolation of the motion: at quarters of the step, and after an event from 1/4096 of
  /// the step on, so that short bounces are found. A value of zero has the sign that it must leave to be an event; an
  /// event that has just happened can happen again once its value has left zero. Throws std::invalid_argument for an
  /// event without a value or with a tolerance that is not above 0.
  void watch(std::vector<Event> events) {
    std::vector<boundary::EventOnColumns> all;
    for (Event& event : events) all.push_back(boundary::on_columns(std::move(event)));
    watch_columns(std::move(all));
  }
  /// The indices of the events that ended the last step.
  std::span<const int> happened() const;

  /// What loops, couplings and joints transmit now, under the forces that `control`, or `forces`, gives at time() in
  /// this state; without a function there are none. Rows, axes, units and the rule for redundant rows are those of
  /// loop_forces, coupling_forces and joint_reactions in constraint_forces.hpp. The function is called once and
  /// accelerations are found once, which steps() and evaluations() leave out; the motion goes on as if nobody had
  /// asked. Status: wrong_size, shared_memory; with NaN in the result not_finite of the function's forces,
  /// singular_loop, and those of ForwardDynamics::solve.
  template <class R>
  Status loop_forces(Axes axes, const Eigen::DenseBase<R>& result, const Control& control = {}) {
    return forces_now(axes, {.loops = boundary::output<double>(result)}, control);
  }
  template <class R>
  Status loop_forces(Axes axes, const Eigen::DenseBase<R>& result, const Forces& forces) {
    return forces_now(axes, {.loops = boundary::output<double>(result)}, forces);
  }
  template <class R>
  Status coupling_forces(const Eigen::DenseBase<R>& result, const Control& control = {}) {
    return forces_now(Axes::link, {.couplings = boundary::output<double>(result)}, control);
  }
  template <class R>
  Status coupling_forces(const Eigen::DenseBase<R>& result, const Forces& forces) {
    return forces_now(Axes::link, {.couplings = boundary::output<double>(result)}, forces);
  }
  template <class R>
  Status joint_reactions(Axes axes, const Eigen::DenseBase<R>& result, const Control& control = {}) {
    return forces_now(axes, {.joints = boundary::output<double>(result)}, control);
  }
  template <class R>
  Status joint_reactions(Axes axes, const Eigen::DenseBase<R>& result, const Forces& forces) {
    return forces_now(axes, {.joints = boundary::output<double>(result)}, forces);
  }

  double time() const;  ///< s
  /// Positions (nq) and velocities (nv) now, as ForwardDynamics has them: views of them, which follow the motion.
  Eigen::Map<const Eigen::VectorXd> q() const { return boundary::vector(positions()); }
  Eigen::Map<const Eigen::VectorXd> v() const { return boundary::vector(velocities()); }
  /// Kinetic and potential energy now (J).
  Energy energy();
  /// The work of joint forces and of forces on bodies since reset (J); NaN where it is not kept. The energy grows by
  /// work() + energy_set(), but for errors.
  double work() const;
  /// What set_state and events have added to the energy since reset (J).
  double energy_set() const;
  StepLimit limit();
  /// The largest of the constraints' errors (m or rad; couplings in their own units); 0 where there are none.
  double closure_error();
  /// The number of steps since reset, and of accelerations computed for them.
  long steps() const;
  long evaluations() const;
  const Model& model() const;

 private:
  class Implementation;
  struct KINETREE_EXPORT Delete {
    void operator()(Implementation* implementation) const;
  };

  struct ForceResults {  ///< those that are empty are not wanted
    Columns<double> loops{}, couplings{}, joints{};
  };
  template <class Function>
  Status forces_now(Axes axes, const ForceResults& results, const Function& function) {
    return forces_now(axes, results, boundary::OnVectors(function, vectors_).on_columns());
  }

  // The compiled functions behind the adapters above.
  static Implementation* make(Model model, const Options& options, const SimulationOptions& how);
  Status reset(Columns<const double> q, Columns<const double> v, double time);
  Status assemble(Columns<const double> q, Columns<const double> v, double time);
  Status set_state(Columns<const double> q, Columns<const double> v);
  Status step(double dt, const boundary::ForceFunction& function);
  Status advance_to(double time, const boundary::ForceFunction& function);
  Status step_towards(double time, const boundary::ForceFunction& function);
  void watch_columns(std::vector<boundary::EventOnColumns> events);
  Status forces_now(Axes axes, const ForceResults& results, const boundary::ForceFunction& function);
  Columns<const double> positions() const;
  Columns<const double> velocities() const;

  std::unique_ptr<Implementation, Delete> implementation_;
  boundary::CallersVectors vectors_;
};

}  // namespace kinetree
