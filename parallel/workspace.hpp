#pragma once
// Free functions beside forward dynamics: each f(model, workspace, inputs, outputs), one workspace per thread.

#include <Eigen/Core>
#include <kinetree/model/model.hpp>
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

namespace pointers {
// The compiled functions behind the adapters below. f_ext may be null.
void inverse_dynamics(const Model& model, Workspace& workspace, const double* q, const double* v, const double* a,
                      const double* f_ext, double* tau);
void mass_matrix(const Model& model, Workspace& workspace, const double* q, double* H, std::ptrdiff_t stride);
}  // namespace pointers

/// Joint forces tau (nv) for positions q, velocities v and accelerations a (Jain 2011, Alg. 3.1).
template <class Q, class V, class A, class T>
Status inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::MatrixBase<Q>& q,
                        const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<T>& tau) {
  if (q.size() != model.nq() || v.size() != model.nv() || a.size() != model.nv() || tau.size() != model.nv())
    return {StatusCode::wrong_size, 0, -1, 0};
  pointers::inverse_dynamics(model, workspace, q.derived().data(), v.derived().data(), a.derived().data(), nullptr,
                             const_cast<double*>(tau.derived().data()));
  return {};
}

/// The same with external forces, 6 per body: world axes, moment about the body frame's origin first.
template <class Q, class V, class A, class F, class T>
Status inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::MatrixBase<Q>& q,
                        const Eigen::MatrixBase<V>& v, const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<F>& f_ext,
                        const Eigen::MatrixBase<T>& tau) {
  if (q.size() != model.nq() || v.size() != model.nv() || a.size() != model.nv() || tau.size() != model.nv() ||
      f_ext.size() != 6 * static_cast<Eigen::Index>(model.body_count()))
    return {StatusCode::wrong_size, 0, -1, 0};
  pointers::inverse_dynamics(model, workspace, q.derived().data(), v.derived().data(), a.derived().data(),
                             f_ext.derived().data(), const_cast<double*>(tau.derived().data()));
  return {};
}

/// The joint-space mass matrix, nv x nv, both triangles (Jain 2011, Alg. 4.2). H is column-major or symmetric anyway.
template <class Q, class M>
Status mass_matrix(const Model& model, Workspace& workspace, const Eigen::MatrixBase<Q>& q,
                   const Eigen::MatrixBase<M>& H) {
  if (q.size() != model.nq() || H.rows() != model.nv() || H.cols() != model.nv())
    return {StatusCode::wrong_size, 0, -1, 0};
  pointers::mass_matrix(model, workspace, q.derived().data(), const_cast<double*>(H.derived().data()),
                        H.derived().outerStride());
  return {};
}

}  // namespace kinetree
