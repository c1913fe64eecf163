#pragma once
// ForwardDynamics: accelerations of a Model by any of the algorithms, serial or parallel.

#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/plan.hpp>
#include <kinetree/status.hpp>
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
  ~ForwardDynamics();
  ForwardDynamics(ForwardDynamics&&) noexcept;
  ForwardDynamics& operator=(ForwardDynamics&&) noexcept;

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

  Status solve_columns(const Columns<const double>& q, const Columns<const double>& v, const Columns<const double>& tau,
                       const Columns<const double>& f_ext, const Columns<double>& a);
  Status solve_columns(const Columns<const float>& q, const Columns<const float>& v, const Columns<const float>& tau,
                       const Columns<const float>& f_ext, const Columns<float>& a);

  /// One status per column of the last solve.
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
