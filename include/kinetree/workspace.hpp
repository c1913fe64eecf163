#pragma once
// Free functions beside forward dynamics: each f(model, workspace, inputs, outputs), one workspace per thread. A result
// that shares memory with an input is refused: shared_memory, and nothing is written.

#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

struct Energy;
namespace boundary {
// The compiled functions behind the adapters below. f_ext may be empty.
Status inverse_dynamics(const Model& model, Workspace& workspace, Columns<const double> q, Columns<const double> v,
                        Columns<const double> a, Columns<const double> f_ext, Columns<double> tau);
Status mass_matrix(const Model& model, Workspace& workspace, Columns<const double> q, Columns<double> H);
Status operational_space_compliance(const Model& model, Workspace& workspace, Columns<const double> q,
                                    std::span<const int> frames, Columns<double> result);
Status energy(const Model& model, Workspace& workspace, Columns<const double> q, Columns<const double> v,
              Energy& result);
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

/// The velocities that independent_joints names, as indices in v, ascending; all of them where nothing is coupled.
std::vector<int> independent_velocities(const Model& model);
/// The coordinates of the mass matrix: the joint of each, where loops and couplings make others depend on it; as many
/// entries as freedoms, so a joint of several may stand several times. Chosen by the user (`independent`) or at
/// loading.
std::vector<std::string> independent_joints(const Model& model);

/// The joint-space mass matrix, both triangles (Jain 2011, Alg. 4.2): nv rows and columns; of a model with loops or
/// couplings X_Sᵀ H X_S, a row and column per entry of independent_joints (Jain 2012 II, Eq. 32). Status: wrong_size,
/// other_model; singular_loop where these joints do not determine the others at q: the result is NaN then.
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

/// J; potential is that of gravity, zero where a mass is at the height of the ground's origin. Rotors count.
struct Energy {
  double kinetic = 0, potential = 0;
  double total() const { return kinetic + potential; }
};

/// Status: wrong_size, other_model.
template <class Q, class V>
Status energy(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
              Energy& result) {
  using namespace boundary;
  return boundary::energy(model, workspace, input<double>(q).columns(), input<double>(v).columns(), result);
}

/// The number of a link, by the user's name for it, among all links as the user wrote them (ModelData::frames), those
/// merged by fixed joints too. Throws std::invalid_argument where no link has the name.
int frame_index(const Model& model, std::string_view link);

/// The operational space compliance J M⁻¹ Jᵀ of some links; its inverse is the operational space inertia. 6 rows and
/// columns per frame, in the order of `frames` (frame_index), both triangles: accelerations in the link's own frame per
/// unit force on it there, angular part first (1/(kg m²), 1/(kg m), 1/kg). A frame may stand twice; one that is fixed
/// to the ground has zero rows. Of a tree by articulated bodies, without J and M (Jain 2011, Sec. 6.2, Eq. 60): work
/// linear in the bodies, in each frame's path and in the pairs of frames. Of a model with loops or couplings J X_S
/// (X_Sᵀ M X_S)⁻¹ X_Sᵀ Jᵀ by the dense mass matrix of independent coordinates, the best for q, whatever joints the user
/// chose (Jain 2012 II, Eq. 32); q is taken as closed. Allocates nothing after the first call with as many frames.
/// Status: wrong_size, other_model, no_such_frame, not_finite, all of which write nothing; singular, singular_loop,
/// where the result is NaN.
template <class Q, class R>
Status operational_space_compliance(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    std::span<const int> frames, const Eigen::DenseBase<R>& result) {
  using namespace boundary;
  if constexpr (R::IsRowMajor && !R::IsVectorAtCompileTime)  // symmetric: its rows are its columns
    return boundary::operational_space_compliance(model, workspace, input<double>(q).columns(), frames,
                                                  output<double>(result.const_cast_derived().transpose()));
  else
    return boundary::operational_space_compliance(model, workspace, input<double>(q).columns(), frames,
                                                  output<double>(result));
}

}  // namespace kinetree
