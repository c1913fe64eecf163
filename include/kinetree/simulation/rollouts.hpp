#pragma once
// Many simulations of one model at once: states are columns, in lanes and on threads.

#include <Eigen/Core>
#include <functional>
#include <kinetree/export.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <memory>
#include <span>

namespace kinetree {

/// Neighbouring columns of Rollouts as a function of forces sees them, at a time of a step.
struct RolloutColumns {
  int first;   ///< the number that the first of these columns has among all
  int worker;  ///< 0 to Rollouts::threads() - 1, of one thread at a time: the index of the Workspace that it may use
  Eigen::Map<const Eigen::VectorXd> time;  ///< s, one per column
  Eigen::Map<const Eigen::MatrixXd> q, v;
  Eigen::Map<Eigen::MatrixXd> tau;    ///< nv rows, zero on entry
  Eigen::Map<Eigen::MatrixXd> f_ext;  ///< 6 rows a body, zero on entry, in the layout of ForwardDynamics::solve; no
                                      ///< rows without RolloutOptions::external_forces
};

/// Forces of some columns. Called on several threads at a time, for different columns. So that results do not depend on
/// the number of threads, what it gives a column depends on that column alone. It should not throw: step passes an
/// exception on, of several the first, and all columns are then to be reset.
using RolloutForces = std::function<void(RolloutColumns& columns)>;

struct RolloutOptions {
  Integrator integrator = Integrator::semi_implicit_euler;  ///< or rk4
  bool external_forces = true;  ///< whether functions give f_ext; without, accelerations take less time
};

/// `count` states of one model, a column each, that take steps of equal length. A column whose step fails keeps the
/// state that its last good step left, and its Status, and stops; the others go on. reset lets it go again.
///
/// A column is what a Simulation with the same integrator is, but for rounding, since one state alone goes by kernels
/// of its own: bit for bit where both, and a Workspace that a function of forces takes, run algorithm `ab` with
/// `lanes` 1. Among several, a column's bits depend neither on the others nor on the number of threads. A function of
/// forces gets 2 to 65 columns at a time, where there are several. There are no events: look at the columns between
/// steps. No call allocates, but for a function that is made of a lambda in the call itself; none throws, but what a
/// function of forces throws.
class KINETREE_EXPORT Rollouts {
 public:
  /// All at rest where `neutral` (configuration.hpp) stands, at time 0. `options`: of ForwardDynamics; columns are
  /// shared out over options.threads threads, by its executor or the runner. Throws as ForwardDynamics does, and
  /// std::invalid_argument where count is below 1, for integrators with a tolerance, and for models with loops, whose change
  /// points take steps of each state's own: simulate these one by one.
  Rollouts(Model model, int count, const Options& options = {}, const RolloutOptions& how = {},
           const Runner& runner = {});
  /// The same of columns with parameters of their own (varying.hpp), the model's at first: a step reads them as
  /// set_parameters left them. Throws as ForwardDynamics(varying) does too.
  Rollouts(const Varying& varying, int count, const Options& options = {}, const RolloutOptions& how = {},
           const Runner& runner = {});
  ~Rollouts();
  Rollouts(Rollouts&&) noexcept;
  Rollouts& operator=(Rollouts&&) noexcept;

  /// All columns begin anew at `time` from positions q (nq x count) and velocities v (nv x count) that couplings allow,
  /// as Simulation::reset takes them. Status: that of the first column that fails, which stays as it was and stops:
  /// not_finite, not_normalized, not_closed; wrong_size, not_finite of time, where nothing has changed.
  Status reset(const Eigen::Ref<const Eigen::MatrixXd>& q, const Eigen::Ref<const Eigen::MatrixXd>& v,
               double time = 0) {
    return reset(boundary::input<double>(q).columns(), boundary::input<double>(v).columns(), time);
  }
  /// One column begins anew; `time` = rollouts.time()[column] keeps its own time. Status also: no_such_column.
  Status reset(int column, const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
               double time = 0) {
    return reset(column, boundary::input<double>(q).columns(), boundary::input<double>(v).columns(), time);
  }

  /// The parameters of all columns (varying.rows() x count), or of one, from now on; the states stay. Numbers that are
  /// not sound stop their column in its next step or reset (not_finite, out_of_bounds, not_rigid). Status: wrong_size,
  /// no_such_column, where nothing has changed.
  Status set_parameters(const Eigen::Ref<const Eigen::MatrixXd>& parameters) {
    return set_parameters(boundary::input<double>(parameters).columns());
  }
  Status set_parameters(int column, const Eigen::Ref<const Eigen::VectorXd>& parameters) {
    return set_parameters(column, boundary::input<double>(parameters).columns());
  }
  /// As they are now: a view. No rows where columns have none of their own.
  Eigen::Map<const Eigen::MatrixXd> parameters() const { return matrix(parameter_columns()); }

  /// `steps` steps of `dt` (s) each, of every column that has not stopped. Threads meet when all are done. Without a
  /// function all forces are zero. Status: that of the first column that has stopped, those of ForwardDynamics::solve,
  /// diverged and not_closed; not_positive of dt or steps, where nothing has changed.
  Status step(double dt, const RolloutForces& forces = {}, int steps = 1);

  /// Positions (nq x count), velocities (nv x count) and times (s) now: views of them, which follow the motion.
  Eigen::Map<const Eigen::MatrixXd> q() const { return matrix(positions()); }
  Eigen::Map<const Eigen::MatrixXd> v() const { return matrix(velocities()); }
  Eigen::Map<const Eigen::VectorXd> time() const { return boundary::vector(times()); }
  /// One per column: ok, or why it stopped.
  std::span<const Status> statuses() const;
  int count() const;
  int threads() const;
  const Model& model() const;
  /// How accelerations are found, of the columns that one worker takes.
  const Plan& plan() const;

 private:
  static Eigen::Map<const Eigen::MatrixXd> matrix(Columns<const double> x) { return {x.data, x.rows, x.columns}; }

  // The compiled functions behind the adapters above.
  Status reset(Columns<const double> q, Columns<const double> v, double time);
  Status reset(int column, Columns<const double> q, Columns<const double> v, double time);
  Status set_parameters(Columns<const double> parameters);
  Status set_parameters(int column, Columns<const double> parameters);
  Columns<const double> parameter_columns() const;
  Columns<const double> positions() const;
  Columns<const double> velocities() const;
  Columns<const double> times() const;

  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree
