#pragma once
// Motion over time: accelerations integrated on the configuration manifold, loops kept closed.

#include <cstddef>
#include <functional>
#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/kinetree.hpp>
#include <memory>

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
};

/// The joint that sets the steps of the adaptive integrator: its error was the largest most often.
struct StepLimit {
  int body = -1;       ///< the index of the body that the joint carries; -1: no step yet
  double share = 0;    ///< the fraction of the steps that it set, 0 to 1
  double inertia = 0;  ///< the inertia that a force at the joint meets here, all other joints free (kg m² or kg); 0:
                       ///< not determined in this state
};

/// Joint forces tau (nv, zero on entry) at a time and state. May read anything; must not throw.
using Control =
    std::function<void(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau)>;

/// The same with forces on bodies: f_ext has 6 entries a body, zero on entry, in the layout of ForwardDynamics::solve;
/// add_forces (forces.hpp) adds forces at points of links up into it.
using Forces = std::function<void(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& tau,
                                  Eigen::VectorXd& f_ext)>;

namespace boundary {
/// What the library calls for either: reads and writes numbers in the library's memory, and tells how many entries the
/// caller's function left tau and f_ext with.
struct EntriesLeft {
  std::ptrdiff_t tau, f_ext;
};
using ForceFunction = std::function<EntriesLeft(double time, Columns<const double> q, Columns<const double> v,
                                                Columns<double> tau, Columns<double> f_ext)>;

template <class T>
Columns<T> column(T* data, std::ptrdiff_t rows) {
  return {data, rows, 1, rows};
}
inline Columns<const double> column(const Eigen::VectorXd& x) { return column(x.data(), x.size()); }
inline Eigen::Map<const Eigen::VectorXd> vector(Columns<const double> x) { return {x.data, x.rows}; }
inline void write(const Eigen::VectorXd& from, Columns<double> to) {
  if (from.size() == to.rows) Eigen::Map<Eigen::VectorXd>(to.data, to.rows) = from;
}

/// The caller's function on vectors of the caller's: Eigen aligns and frees those by the caller's compiler flags.
inline ForceFunction on_vectors(const Control& control) {
  if (!control) return {};
  return [&control, q = Eigen::VectorXd(), v = Eigen::VectorXd(), tau = Eigen::VectorXd()](
             double time, Columns<const double> at, Columns<const double> rate, Columns<double> joints,
             Columns<double> bodies) mutable {
    q = vector(at), v = vector(rate), tau.setZero(joints.rows);
    control(time, q, v, tau);
    write(tau, joints);
    return EntriesLeft{tau.size(), bodies.rows};
  };
}
inline ForceFunction on_vectors(const Forces& forces) {
  if (!forces) return {};
  return [&forces, q = Eigen::VectorXd(), v = Eigen::VectorXd(), tau = Eigen::VectorXd(), f_ext = Eigen::VectorXd()](
             double time, Columns<const double> at, Columns<const double> rate, Columns<double> joints,
             Columns<double> bodies) mutable {
    q = vector(at), v = vector(rate), tau.setZero(joints.rows), f_ext.setZero(bodies.rows);
    forces(time, q, v, tau, f_ext);
    write(tau, joints), write(f_ext, bodies);
    return EntriesLeft{tau.size(), f_ext.size()};
  };
}
}  // namespace boundary

/// One mechanism in motion. After every step quaternions are normalized, positions of loops and couplings are closed
/// by Newton's method and velocities brought to the nearest that the constraints allow. The adaptive integrator passes
/// change points, where motions that loops allow cross, to the configurations that the velocity is tangent to: in one
/// step whose stages keep away from them. A step fails with StatusCode::change_point if the projection onto the
/// constraints changes the velocity by more than the tolerance allows, or if, near a change point, energy and work
/// disagree by more than it allows.
class KINETREE_EXPORT Simulation {
 public:
  /// Throws std::invalid_argument where step or tolerance is not positive, and as ForwardDynamics does: OptionError,
  /// TooManyCuts, InputError.
  explicit Simulation(Model model, const Options& options = {}, const SimulationOptions& how = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Begins at time 0 from positions q (nq) and velocities v (nv), each brought to the nearest that closes, in the same
  /// assembly mode. Status: wrong_size, not_finite, not_normalized; not_closed where Newton's method doesn't get there.
  Status start(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    return start_columns(boundary::column(q), boundary::column(v));
  }
  /// Goes on until `time`, exactly; does nothing where that has passed. Without a function all forces are zero.
  /// A step that fails ends the call with its Status, and the state stays where the last good step left it. Status:
  /// step_too_small where the tolerance can't be met; change_point, not_closed; those of ForwardDynamics::solve.
  Status advance_to(double time, const Control& control = {}) {
    return advance_by(time, boundary::on_vectors(control), false);
  }
  Status advance_to(double time, const Forces& forces) { return advance_by(time, boundary::on_vectors(forces), true); }

  /// One step, not past `time`.
  Status step_towards(double time, const Control& control = {}) {
    return step_by(time, boundary::on_vectors(control), false);
  }
  Status step_towards(double time, const Forces& forces) { return step_by(time, boundary::on_vectors(forces), true); }

  double time() const;  ///< s since start
  /// Positions (nq) and velocities (nv) now, as ForwardDynamics has them: views of them, which follow the motion.
  Eigen::Map<const Eigen::VectorXd> q() const { return boundary::vector(positions()); }
  Eigen::Map<const Eigen::VectorXd> v() const { return boundary::vector(velocities()); }
  /// Kinetic and potential energy now (J).
  Energy energy();
  /// The work of joint forces and of forces on bodies since start (J): the growth of the energy, but for errors.
  double work() const;
  StepLimit limit();
  /// The largest of the constraints' errors (m or rad; couplings in their own units); 0 where there are none.
  double closure_error();
  /// The number of steps since start, and of accelerations computed for them.
  long steps() const;
  long evaluations() const;
  const Model& model() const;

 private:
  // The compiled functions behind the adapters above; `on_bodies`: whether the function gives forces on bodies too.
  Status start_columns(Columns<const double> q, Columns<const double> v);
  Status advance_by(double time, const boundary::ForceFunction& function, bool on_bodies);
  Status step_by(double time, const boundary::ForceFunction& function, bool on_bodies);
  Columns<const double> positions() const;
  Columns<const double> velocities() const;

  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree
