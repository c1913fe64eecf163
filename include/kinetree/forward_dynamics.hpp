#pragma once
// ForwardDynamics: accelerations of a Model by any of the algorithms, serial or parallel.

#include <kinetree/columns.hpp>
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

class ForwardDynamics {
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

  /// Accelerations dv/dt. q: nq rows, v, tau, a: nv rows, one state per column. One state runs on all threads; several
  /// are shared out among them. `a` must have its size already, since it is never resized, and share no memory with the
  /// inputs: else the status is shared_memory, and nothing is written. A failed column is NaN. Inputs may be
  /// expressions (see Input for what is copied). Allocates nothing after the first call of its kind (scalar type; one
  /// state or several; with f_ext or without) and never throws on a state; not to be called on one object from two
  /// threads.
  template <class Q, class V, class T, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    using namespace boundary;
    return solve_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(tau).columns(), {}, output<S>(a));
  }
  /// The same with external forces: 6 rows per body, world axes, moment about the body frame's origin first.
  template <class Q, class V, class T, class F, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    using namespace boundary;
    return solve_columns(input<S>(q).columns(), input<S>(v).columns(), input<S>(tau).columns(),
                         input<S>(f_ext).columns(), output<S>(a));
  }

  Status solve_columns(Columns<const double> q, Columns<const double> v, Columns<const double> tau,
                       Columns<const double> f_ext, Columns<double> a);
  Status solve_columns(Columns<const float> q, Columns<const float> v, Columns<const float> tau,
                       Columns<const float> f_ext, Columns<float> a);

  /// One status per column of the last solve.
  std::span<const Status> statuses() const;

  const Model& model() const;
  /// What was chosen; threads are those that run, where oneTBB gives fewer than were asked for.
  const Plan& plan() const;
  /// The modules one state is solved in, and which of their joints are cut, by the dial or by chains that go side by
  /// side with themselves; without the steps that solve them. Null where the algorithm can't hold the model. Found in
  /// the first call.
  const Modules* modules() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree
