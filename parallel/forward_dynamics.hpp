#pragma once
// ForwardDynamics: accelerations of a Model by any of the algorithms, serial or parallel.

#include <Eigen/Core>
#include <cstddef>
#include <kinetree/model/model.hpp>
#include <kinetree/parallel/options.hpp>
#include <kinetree/parallel/status.hpp>
#include <memory>
#include <span>
#include <string>

namespace kinetree {

/// Columns of numbers somewhere in the caller's memory: entry (row, column) is data[row + column * stride].
template <class T>
struct Columns {
  T* data = nullptr;
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t columns = 0;
  std::ptrdiff_t stride = 0;
};

class ForwardDynamics {
 public:
  explicit ForwardDynamics(Model model, const Options& options = {});
  ~ForwardDynamics();
  ForwardDynamics(ForwardDynamics&&) noexcept;
  ForwardDynamics& operator=(ForwardDynamics&&) noexcept;

  /// Accelerations dv/dt. q: nq rows, v, tau, a: nv rows, one state per column. One state runs on all threads; several
  /// are shared out among them. `a` must have its size already: it is never resized. A failed column is NaN.
  /// Allocates nothing after the first call of its kind (scalar type; one state or several; with f_ext or without) and
  /// never throws on a state; not to be called on one object from two threads.
  template <class Q, class V, class T, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    return solve_columns(view<const S>(q), view<const S>(v), view<const S>(tau), Columns<const S>{}, view<S>(a));
  }
  /// The same with external forces: 6 rows per body, world axes, moment about the body frame's origin first.
  template <class Q, class V, class T, class F, class A>
  Status solve(const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau,
               const Eigen::DenseBase<F>& f_ext, const Eigen::DenseBase<A>& a) {
    using S = typename A::Scalar;
    return solve_columns(view<const S>(q), view<const S>(v), view<const S>(tau), view<const S>(f_ext), view<S>(a));
  }

  Status solve_columns(Columns<const double> q, Columns<const double> v, Columns<const double> tau,
                       Columns<const double> f_ext, Columns<double> a);
  Status solve_columns(Columns<const float> q, Columns<const float> v, Columns<const float> tau,
                       Columns<const float> f_ext, Columns<float> a);

  /// One status per column of the last solve.
  std::span<const Status> statuses() const;

  const Model& model() const;
  /// The options with every 0 and `automatic` replaced by what was chosen.
  const Options& plan() const;
  /// The modules one state is solved in, and which of their joints are cut; null where the algorithm can't hold the
  /// model.
  const Modules* modules() const;

 private:
  template <class T, class D>
  static Columns<T> view(const Eigen::DenseBase<D>& matrix) {
    const D& m = matrix.derived();
    static_assert(D::InnerStrideAtCompileTime == 1 && (D::IsVectorAtCompileTime || !D::IsRowMajor),
                  "kinetree takes columns of contiguous numbers");
    return {const_cast<T*>(m.data()), D::IsRowMajor ? m.cols() : m.rows(), D::IsRowMajor ? m.rows() : m.cols(),
            D::IsVectorAtCompileTime ? m.size() : m.outerStride()};
  }

  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace kinetree
