#pragma once
// Motion over time: accelerations integrated on the configuration manifold, loops kept closed.

#include <functional>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/event.hpp>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace kinetree {

enum class Integrator {
  semi_implicit_euler,  ///< first order; one evaluation a step, exact exponentials of the joints
  rk4,                  ///< fourth order, four evaluations a step
  adaptive,             ///< Fehlberg's pair of orders 7 and 8, steps by the tolerance
};

struct SimulationOptions {
  Integrator integrator = Integrator::adaptive;
  double step = 1e-3;        ///< s; the adaptive integrator's first
  double tolerance = 1e-10;  ///< adaptive: error a step may make in each position and velocity, absolute plus relative
  /// s, adaptive: no step is longer, so that none passes over a short force, or over two changes of an event's sign.
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

/// Joint forces tau (nv, zero on entry) at a time and state. May read anything; must not throw: NaN in tau makes the
/// step fail.
using Control =
    std::function<void(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau)>;

/// The same with forces on bodies: f_ext has 6 entries a body, zero on entry, in the layout of ForwardDynamics::solve;
/// add_forces (forces.hpp) adds forces at points of links up into it.
using Forces = std::function<void(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau,
                                  Eigen::VectorXd& f_ext)>;

/// One mechanism in motion. After every step quaternions are normalized, positions of loops and couplings are closed
/// by Newton's method and velocities brought to the nearest that the constraints allow. The adaptive integrator passes
/// change points, where motions that loops allow cross, to the configurations that the velocity is tangent to: in one
/// step whose stages keep away from them. A step fails with StatusCode::change_point if the projection onto the
/// constraints changes the velocity by more than the tolerance allows, or if, near a change point, energy and work
/// disagree by more than it allows.
///
/// A call that takes steps takes them under the forces of its function, without one under none. A step that fails ends
/// the call with its Status, and the state stays where the last good step left it. Status: wrong_size of tau or f_ext
/// where the function changed their sizes; not_finite of a time or an event's value; step_too_small where the tolerance
/// can't be met; change_point, not_closed; those of ForwardDynamics::solve. No call throws. Without loops and couplings
/// none allocates after the first step.
class Simulation {
 public:
  /// At rest where `neutral` (configuration.hpp) stands, at time 0. Throws std::invalid_argument where step, tolerance
  /// or longest_step is not positive, and as ForwardDynamics does: OptionError, TooManyCuts, InputError.
  explicit Simulation(Model model, const Options& options = {}, const SimulationOptions& how = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Begins anew at `time` from positions q (nq) and velocities v (nv), each brought to the nearest that closes, in the
  /// same assembly mode. Work, steps and evaluations count from here. Status: wrong_size, not_finite, not_normalized;
  /// not_closed where Newton's method doesn't get there; nothing has changed then.
  Status reset(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double time = 0);
  /// Goes on from another state, an impact's for instance, at the time that it is; nothing is counted anew, and
  /// energy_set() has what it changes. Status as of reset.
  Status set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  /// Goes on by `dt` (s): one step of exactly that length, whatever SimulationOptions::step is; the adaptive integrator
  /// takes as many steps as the tolerance asks for. Status: not_positive of dt.
  Status step(double dt, const Control& control = {});
  Status step(double dt, const Forces& forces);
  /// Goes on until `time`, exactly; does nothing where that has passed.
  Status advance_to(double time, const Control& control = {});
  Status advance_to(double time, const Forces& forces);
  /// One step of the integrator's own length, not past `time`.
  Status step_towards(double time, const Control& control = {});
  Status step_towards(double time, const Forces& forces);

  /// From now on steps end at these events, in place of those of before. A step that an event is in is taken again,
  /// shorter, until it ends where the event is. What was short of the call's time is left to further steps, or to the
  /// caller where the event ends the call: its Status is ok and time() is the event's. One step tells one change of
  /// sign: an event is seen where its value has other signs at the step's ends. A value of zero is of the sign from
  /// which it is an event to leave; an event that just happened is not looked at in the step that follows. Throws
  /// std::invalid_argument on an event without a value or with a tolerance that is not positive.
  void watch(std::vector<Event> events);
  /// The indices of the events that ended the last step.
  std::span<const int> happened() const;

  double time() const;  ///< s
  /// Positions (nq) and velocities (nv) now, as ForwardDynamics has them.
  const Eigen::VectorXd& q() const;
  const Eigen::VectorXd& v() const;
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
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree
