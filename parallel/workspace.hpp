#pragma once
// Free functions beside forward dynamics: each f(model, workspace, inputs, outputs), one workspace per thread.

#include <kinetree/model/model.hpp>
#include <kinetree/parallel/columns.hpp>
#include <kinetree/parallel/status.hpp>
#include <memory>

namespace kinetree {

/// Memory for the free functions on one model, in double. One per thread.
class Workspace {
 public:
  explicit Workspace(const Model& model);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Space;
  Space& space() { return *space_; }

 private:
  std::unique_ptr<Space> space_;
};

namespace boundary {
// The compiled functions behind the adapters below. f_ext may be empty.
Status inverse_dynamics(const Model& model, Workspace& workspace, Columns<const double> q, Columns<const double> v,
                        Columns<const double> a, Columns<const double> f_ext, Columns<double> tau);
Status mass_matrix(const Model& model, Workspace& workspace, Columns<const double> q, Columns<double> H);
}  // namespace boundary

/// Joint forces tau (nv) for positions q, velocities v and accelerations a (Jain 2011, Alg. 3.1). Inputs may be
/// expressions (see boundary::Input for what is copied); the output has its size already.
template <class Q, class V, class A, class T>
Status inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau) {
  using namespace boundary;
  return boundary::inverse_dynamics(model, workspace, input<double>(q).columns(), input<double>(v).columns(),
                                    input<double>(a).columns(), {}, output<double>(tau));
}

/// The same with external forces, 6 per body: world axes, moment about the body frame's origin first.
template <class Q, class V, class A, class F, class T>
Status inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<F>& f_ext,
                        const Eigen::DenseBase<T>& tau) {
  using namespace boundary;
  return boundary::inverse_dynamics(model, workspace, input<double>(q).columns(), input<double>(v).columns(),
                                    input<double>(a).columns(), input<double>(f_ext).columns(), output<double>(tau));
}

/// The joint-space mass matrix, nv x nv, both triangles (Jain 2011, Alg. 4.2).
template <class Q, class M>
Status mass_matrix(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                   const Eigen::DenseBase<M>& H) {
  using namespace boundary;
  if constexpr (M::IsRowMajor && !M::IsVectorAtCompileTime)  // symmetric: its rows are its columns
    return boundary::mass_matrix(model, workspace, input<double>(q).columns(),
                                 output<double>(H.const_cast_derived().transpose()));
  else
    return boundary::mass_matrix(model, workspace, input<double>(q).columns(), output<double>(H));
}

}  // namespace kinetree
