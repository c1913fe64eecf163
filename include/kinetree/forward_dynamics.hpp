#pragma once
// ForwardDynamics: accelerations of a Model by any of the algorithms, serial or parallel.

#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/plan.hpp>
#include <kinetree/status.hpp>
#include <kinetree/varying.hpp>
#include <memory>
#include <span>
#include <string>

namespace kinetree {

inline namespace inner {
struct Modules;
}

class KINETREE_EXPORT ForwardDynamics {
 public:
  /// Throws OptionError where options make no sense (see Options), TooManyCuts, and InputError on a calibration file
  /// that can't be read. `runner`: what several threads do by the executor `team` goes to it, options.threads tasks a
  /// call; it is predicted to take as long as threads of the library's.
  explicit ForwardDynamics(Model model, const Options& options = {}, const Runner& runner = {});
  /// Runs a plan again. Throws OptionError where it leaves a choice open or the model can't have it, and TooManyCuts.
  ForwardDynamics(Model model, const Plan& plan, const Runner& runner = {});
  /// Of varying.model(), for columns with parameters of their own: by `ab`, which `automatic` takes, or by the named
  /// algorithm, which cuts no joint beside a body whose inertia varies. Throws OptionError also for limbs above 1.
  explicit ForwardDynamics(const Varying& varying, const Options& options = {}, const Runner& runner = {});
  ForwardDynamics(const Varying& varying, const Plan& plan, const Runner& runner = {});
  ~ForwardDynamics();
  ForwardDynamics(ForwardDynamics&&) noexcept;
  ForwardDynamics& operator=(ForwardDynamics&&) noexcept;

  /// The next call takes these parameters: varying.rows() rows, a column a state, in the scalar type of its arguments:
  /// dynamics.with(P).solve(q, v, tau, a). They are read in that call, and in no other; a call without takes the
  /// model's own numbers. Status of that call also: wrong_size of `parameters` refuses it; not_finite, out_of_bounds
  /// and not_rigid of its own parameters fail a column. Row-major matrices and expressions are copied.
  ForwardDynamics& with(const Eigen::Ref<const Eigen::MatrixXd>& parameters) {
    return take(boundary::input<double>(parameters).columns());
  }
  ForwardDynamics& with(const Eigen::Ref<const Eigen::MatrixXf>& parameters) {
    return take(boundary::input<float>(parameters).columns());
  }
  /// The same of parameters that several calls read, without converting them each time.
  ForwardDynamics& with(KeptParameters& parameters);

  /// Writes accelerations dv/dt (m/s², rad/s²) to `a`. One state per column; q: nq rows, v (m/s, rad/s), tau (N, Nm)
  /// and a: nv rows, in the order and units of docs/conventions.md. One column is solved by all threads together;
  /// several are shared out among them, each solved by one.
  ///
  /// `a` has nv rows and as many columns as q; it is never resized. Status: wrong_size, shared_memory, too_large (crb),
  /// cut_needs_double: the call is refused and nothing is written. not_finite, not_normalized, singular, singular_loop:
  /// a column failed and its accelerations are NaN; the Status is that of the first such column, statuses() has one for
  /// each column. Inputs may be expressions (columns.hpp says when these are copied).
  ///
  /// Allocates nothing after the first call of its kind (scalar type; one column or several, no more than before; with
  /// f_ext or without).
  /// Throws nothing but what a Runner throws. Two threads must not call one object at a time.
  template <class Q, class V, class T, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    using namespace boundary;
    return solve_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(tau).columns(), {}, output<S>(a));
  }
  /// The same with external forces on the bodies. f_ext: 6 rows per body in world axes: the moment about the origin of
  /// the body's frame (Nm), then the force (N).
  template <class Q, class V, class T, class F, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    using namespace boundary;
    return solve_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(tau).columns(),
                         input<S>(f_ext).columns(), output<S>(a));
  }

  /// Tangents of the accelerations: da = M⁻¹ (dtau - dID/dq dq - dID/dv dv), to first order what `solve` gives at
  /// displaced positions, velocities and forces. `a`: the accelerations that it gave at q, v, tau and f_ext. Directions
  /// dq (in the coordinates of v), dv, dtau and da: nv rows, any number of columns for each state, those of one state
  /// side by side (derivative_products.hpp says more). O(N) work, by the plan's algorithm: through the dial where that
  /// cuts joints, one state by all threads together, to the same bits by any number; else by articulated bodies, one
  /// state on the calling thread. Several states are shared out as by `solve`. Status as of solve; state_dependent_loop
  /// where constraints depend on the state: the call is refused. A state that failed has NaN in all its directions.
  template <class Q, class V, class A, class DQ, class DV, class DT, class DA>
  Status push(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
              const Eigen::DenseBase<DQ>& dq, const Eigen::DenseBase<DV>& dv, const Eigen::DenseBase<DT>& dtau,
              const Eigen::DenseBase<DA>& da) {
    using S = typename DA::Scalar;
    using namespace boundary;
    return push_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(a).columns(), {}, input<S>(dq).columns(),
                        input<S>(dv).columns(), input<S>(dtau).columns(), output<S>(da));
  }
  /// The same with external forces, whose axes and points stay as they are in the world.
  template <class Q, class V, class A, class F, class DQ, class DV, class DT, class DA>
  Status push(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
              const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<DQ>& dq, const Eigen::DenseBase<DV>& dv,
              const Eigen::DenseBase<DT>& dtau, const Eigen::DenseBase<DA>& da) {
    using S = typename DA::Scalar;
    using namespace boundary;
    return push_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(a).columns(), input<S>(f_ext).columns(),
                        input<S>(dq).columns(), input<S>(dv).columns(), input<S>(dtau).columns(), output<S>(da));
  }

  /// Cotangents: the gradients of a number by q (in the coordinates of v), v and tau, given that by the accelerations,
  /// a_bar. tau_bar = M⁻¹ a_bar, q_bar = -(dID/dq)ᵀ tau_bar, v_bar = -(dID/dv)ᵀ tau_bar; columns and Status as of push.
  template <class Q, class V, class A, class AB, class QB, class VB, class TB>
  Status pull(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
              const Eigen::DenseBase<AB>& a_bar, const Eigen::DenseBase<QB>& q_bar, const Eigen::DenseBase<VB>& v_bar,
              const Eigen::DenseBase<TB>& tau_bar) {
    using S = typename TB::Scalar;
    using namespace boundary;
    return pull_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(a).columns(), {},
                        input<S>(a_bar).columns(), output<S>(q_bar), output<S>(v_bar), output<S>(tau_bar));
  }
  /// The same with external forces.
  template <class Q, class V, class A, class F, class AB, class QB, class VB, class TB>
  Status pull(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a,
              const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<AB>& a_bar, const Eigen::DenseBase<QB>& q_bar,
              const Eigen::DenseBase<VB>& v_bar, const Eigen::DenseBase<TB>& tau_bar) {
    using S = typename TB::Scalar;
    using namespace boundary;
    return pull_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(a).columns(), input<S>(f_ext).columns(),
                        input<S>(a_bar).columns(), output<S>(q_bar), output<S>(v_bar), output<S>(tau_bar));
  }

  // The compiled functions behind the adapters above.
  ForwardDynamics& take(const Columns<const double>& parameters);
  ForwardDynamics& take(const Columns<const float>& parameters);

  Status solve_columns(const Columns<const double>& q, const Columns<const double>& v, const Columns<const double>& tau,
                       const Columns<const double>& f_ext, const Columns<double>& a);
  Status solve_columns(const Columns<const float>& q, const Columns<const float>& v, const Columns<const float>& tau,
                       const Columns<const float>& f_ext, const Columns<float>& a);

  Status push_columns(const Columns<const double>& q, const Columns<const double>& v, const Columns<const double>& a,
                      const Columns<const double>& f_ext, const Columns<const double>& dq,
                      const Columns<const double>& dv, const Columns<const double>& dtau, const Columns<double>& da);
  Status push_columns(const Columns<const float>& q, const Columns<const float>& v, const Columns<const float>& a,
                      const Columns<const float>& f_ext, const Columns<const float>& dq, const Columns<const float>& dv,
                      const Columns<const float>& dtau, const Columns<float>& da);
  Status pull_columns(const Columns<const double>& q, const Columns<const double>& v, const Columns<const double>& a,
                      const Columns<const double>& f_ext, const Columns<const double>& a_bar,
                      const Columns<double>& q_bar, const Columns<double>& v_bar, const Columns<double>& tau_bar);
  Status pull_columns(const Columns<const float>& q, const Columns<const float>& v, const Columns<const float>& a,
                      const Columns<const float>& f_ext, const Columns<const float>& a_bar, const Columns<float>& q_bar,
                      const Columns<float>& v_bar, const Columns<float>& tau_bar);

  /// One status per column of the last solve, or per state of the last push or pull.
  std::span<const Status> statuses() const;

  const Model& model() const;
  /// The choices that were made. Its numbers of threads are those that run: oneTBB may give fewer than were asked for.
  const Plan& plan() const;
  /// For programs of this project: the modules in which one state is solved, and the joints that are cut between them
  /// (`kinetree info` prints them). Null where the algorithm can't solve the model. Found in the first call.
  const Modules* modules() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree
