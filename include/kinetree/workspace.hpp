#pragma once
// Free functions beside forward dynamics: f(model, workspace, inputs, outputs), one Workspace per thread; a column is a
// state, and all arguments have one scalar type, double or float. All return shared_memory where a result overlaps an
// input (nothing is written). They fail a column, whose result is NaN, where a number of its own is not finite
// (not_finite) or a quaternion of q not of unit length within 1e-6, in float 1e-4 (not_normalized).

#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/function.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/status.hpp>
#include <kinetree/varying.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree {

/// How the columns of one call are shared out; one column goes on the caller's thread.
struct WorkspaceOptions {
  ExecutorKind executor = ExecutorKind::team;
  int threads = 1;                  ///< at most; 0: as many physical cores as the process may use
  Pinning pinning = Pinning::none;  ///< as Options has it
  int lanes = 0;                    ///< states side by side, as Options has them
};

/// Memory for the free functions on one model. One per thread that calls them; a model put together anew wants a new
/// one (other_model). Each function allocates at its first call, and at the first of another kind: in float, with
/// several columns, with f_ext, with each Coordinates, without accelerations (point_kinematics), with more columns or
/// points than before; after that nothing.
class KINETREE_EXPORT Workspace {
 public:
  /// Throws OptionError for options that make no sense. `runner`: as ForwardDynamics has it.
  explicit Workspace(const Model& model, const WorkspaceOptions& options = {}, const Runner& runner = {});
  /// Of varying.model(), for columns with parameters of their own.
  explicit Workspace(const Varying& varying, const WorkspaceOptions& options = {}, const Runner& runner = {});
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  /// The next call takes these parameters, varying.rows() rows, a column a state, in the scalar type of its arguments:
  /// f(model, workspace.with(parameters), ...). They are read in that call, and in no other; a call without takes the
  /// model's own numbers. Status of that call also: wrong_size of `parameters` refuses it; not_finite, out_of_bounds
  /// and not_rigid of its own parameters fail a column. Row-major matrices and expressions are copied.
  Workspace& with(const Eigen::Ref<const Eigen::MatrixXd>& parameters) {
    return take(boundary::input<double>(parameters).columns());
  }
  Workspace& with(const Eigen::Ref<const Eigen::MatrixXf>& parameters) {
    return take(boundary::input<float>(parameters).columns());
  }
  /// The same of parameters that several calls read, without converting them each time.
  Workspace& with(KeptParameters& parameters);
  // The compiled functions behind these.
  Workspace& take(const Columns<const double>& parameters);
  Workspace& take(const Columns<const float>& parameters);

  /// One status per column of the last call; one alone where the call as a whole was refused.
  std::span<const Status> statuses() const;

  struct Space;
  Space& space() { return *space_; }

 private:
  std::unique_ptr<Space> space_;
};

/// Joint forces tau (nv) for positions q, velocities v and accelerations a (Jain 2011, Alg. 3.1), a column per state.
/// Inputs may be expressions (see boundary::Input for what is copied); the output has its size already. Status:
/// wrong_size, other_model, shared_memory.
template <class Q, class V, class A, class T>
Status inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<T>& tau) {
  using S = typename T::Scalar;
  using namespace boundary;
  return evaluate(Function::inverse_dynamics, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .results = {output<S>(tau)}});
}

/// The same with external forces, 6 per body: world axes, moment about the body frame's origin first.
template <class Q, class V, class A, class F, class T>
Status inverse_dynamics(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                        const Eigen::DenseBase<V>& v, const Eigen::DenseBase<A>& a, const Eigen::DenseBase<F>& f_ext,
                        const Eigen::DenseBase<T>& tau) {
  using S = typename T::Scalar;
  using namespace boundary;
  return evaluate(Function::inverse_dynamics, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(),
                               .v = input<S>(v).columns(),
                               .a = input<S>(a).columns(),
                               .f_ext = input<S>(f_ext).columns(),
                               .results = {output<S>(tau)}});
}

/// The bias forces h (nv) of M a + h = tau: Coriolis, centrifugal and gravity forces; inverse dynamics of zero
/// accelerations. Status: wrong_size, other_model, shared_memory.
template <class Q, class V, class T>
Status bias_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
                   const Eigen::DenseBase<T>& tau) {
  using S = typename T::Scalar;
  using namespace boundary;
  return evaluate(Function::inverse_dynamics, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .v = input<S>(v).columns(), .results = {output<S>(tau)}});
}

/// The joint forces (nv) that hold the mechanism at rest against gravity: the bias forces of v = 0. Status: wrong_size,
/// other_model, shared_memory.
template <class Q, class T>
Status gravity_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                      const Eigen::DenseBase<T>& tau) {
  using S = typename T::Scalar;
  using namespace boundary;
  return evaluate(Function::inverse_dynamics, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .results = {output<S>(tau)}});
}

/// Coriolis and centrifugal forces (nv): the bias forces without gravity. Status: wrong_size, other_model,
/// shared_memory.
template <class Q, class V, class T>
Status coriolis_forces(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                       const Eigen::DenseBase<V>& v, const Eigen::DenseBase<T>& tau) {
  using S = typename T::Scalar;
  using namespace boundary;
  return evaluate(Function::coriolis_forces, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .v = input<S>(v).columns(), .results = {output<S>(tau)}});
}

/// The velocities that independent_joints names, as indices in v, ascending; all of them where nothing is coupled.
KINETREE_EXPORT std::vector<int> independent_velocities(const Model& model);
/// The names of the joints of independent_velocities, in its order: the coordinates of mass_matrix. A joint with
/// several independent velocities is named once for each. Without loops and couplings these are all joints. The
/// description's `independent` chooses them, otherwise loading does.
KINETREE_EXPORT std::vector<std::string> independent_joints(const Model& model);

/// The joint-space mass matrix, both triangles (Jain 2011, Alg. 4.2), nv x nv; with loops or couplings X_Sᵀ H X_S, a
/// row and a column per entry of independent_velocities (Jain 2012 II, Eq. 32). Matrices of several states stand side
/// by side: that of column c of q is H.middleCols(c * n, n), n = H.rows(). Status: wrong_size, other_model,
/// shared_memory; with a NaN matrix not_normalized, singular_loop (these velocities do not determine the others at q)
/// and other_branch (q is on a branch with another number of degrees of freedom than `assembled`).
template <class Q, class M>
Status mass_matrix(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                   const Eigen::DenseBase<M>& H) {
  using S = typename M::Scalar;
  using namespace boundary;
  if (const Status status = fault_of_symmetric<M>(q); !status.ok()) return status;
  return evaluate(Function::mass_matrix, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .results = {symmetric_output<S>(H)}});
}

/// The same without its upper triangle: entry (r, c) is mass_matrix's, bit for bit, where r >= c, and zero elsewhere.
/// It is what a Cholesky factorization of the lower triangle reads (Eigen's LLT and LDLT), and saves the mirror image,
/// which takes longest on long chains. H is column-major. Status: as of mass_matrix.
template <class Q, class M>
Status lower_mass_matrix(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                         const Eigen::DenseBase<M>& H) {
  using S = typename M::Scalar;
  using namespace boundary;
  return evaluate(Function::lower_mass_matrix, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .results = {output<S>(H)}});
}

/// Energies (J): kinetic, rotors included; potential, of gravity alone (no springs), zero at the world's origin.
struct Energy {
  double kinetic = 0, potential = 0;
  double total() const { return kinetic + potential; }
};

/// Of one state. Status: wrong_size, other_model.
template <class Q, class V>
Status energy(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
              Energy& result) {
  using namespace boundary;
  double numbers[2]{};
  const Status status =
      evaluate(Function::energy, model, workspace,
               Arguments<double>{
                   .q = input<double>(q).columns(), .v = input<double>(v).columns(), .results = {{numbers, 2, 1, 2}}});
  if (status.ok()) result = {numbers[0], numbers[1]};
  return status;
}
/// Of several states: kinetic and potential energy, 2 rows, a column per state.
template <class Q, class V, class R>
Status energy(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q, const Eigen::DenseBase<V>& v,
              const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  return evaluate(Function::energy, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .v = input<S>(v).columns(), .results = {output<S>(result)}});
}

/// The number of a link, by the user's name for it, among all links as the user wrote them (Model::frame_name), those
/// merged by fixed joints and fixed to the ground too; `world` is none of them. Throws std::invalid_argument where no
/// link has the name. Allocates: to be called once, not in a control loop.
KINETREE_EXPORT int frame_index(const Model& model, std::string_view link);

/// The operational space compliance J M⁻¹ Jᵀ of points on links; its inverse is the operational space inertia. 6 rows
/// and columns per point, in the order of `points` (links by frame_index, or LinkPoint), both triangles: acceleration
/// in the link's own axes per unit force on it at the point, angular part first (1/(kg m²), 1/(kg m), 1/kg). A point
/// may occur twice; a point that is fixed to the ground has zero rows. For Jacobians with Axes::world_aligned J M⁻¹ Jᵀ
/// is B C Bᵀ: C is this result, B = blkdiag(R, R) for each point, R the rotation that `poses` (kinematics.hpp) gives.
/// Of a tree it is found by articulated bodies, without J and M (Jain 2011, Sec. 6.2, Eq. 60), in work linear in the
/// number of bodies, in the length of each point's path and in the number of pairs of points. With loops or couplings
/// it is J X_S (X_Sᵀ M X_S)⁻¹ X_Sᵀ Jᵀ, by a dense matrix in the independent coordinates that are best at q, whichever
/// the model names (Jain 2012 II, Eq. 32); q is taken as closed. Results of several states stand side by side, as mass
/// matrices do. Status: wrong_size, other_model, shared_memory, no_such_frame and not_finite of a point's offset refuse
/// the whole call and write nothing; not_finite of q, not_normalized, singular and singular_loop make the result of
/// that state NaN.
template <class Q, class R>
Status operational_space_compliance(const Model& model, Workspace& workspace, const Eigen::DenseBase<Q>& q,
                                    const LinkPoints& points, const Eigen::DenseBase<R>& result) {
  using S = typename R::Scalar;
  using namespace boundary;
  if (const Status status = fault_of_symmetric<R>(q); !status.ok()) return status;
  return evaluate(Function::compliance, model, workspace,
                  Arguments<S>{.q = input<S>(q).columns(), .points = points, .results = {symmetric_output<S>(result)}});
}

}  // namespace kinetree
