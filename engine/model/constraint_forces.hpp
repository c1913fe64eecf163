#pragma once
// Forces that hold a mechanism together: of loops and couplings from what inverse dynamics leaves unexplained, and what
// every joint transmits.

#include <Eigen/Core>
#include <kinetree/export.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <vector>

#include "engine/model/constraint_units.hpp"
#include "engine/model/least_norm.hpp"
#include "engine/model/link_motion.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// m: the longest way between neighbouring joints, or from a joint to the end of a loop; 1 where all are zero.
KINETREE_EXPORT double length_of(const ModelData& m);

/// Works on one model, in double; one per thread. Each aggregate allocates at its first call alone.
///
/// M a + h = tau + Kᵀ lambda + Jᵀ f_ext of the spanning tree is solved for lambda, aggregate by aggregate. Of
/// redundant rows, which leave lambda open, the least forces are taken: loops' by |f|² + |n|² / L², f and n the force
/// and moment at the loop's first frame and L the model's length; couplings' by the forces at the joints that they tie,
/// moments over L likewise.
class ConstraintForces {
 public:
  KINETREE_EXPORT explicit ConstraintForces(const ModelData& model);

  /// `tau` null: of tied joints forces act at motors alone, and are those that make `a`. `motors`: over aggregates,
  /// their columns, ascending, as many as freedoms; none: the model's independent ones. `f_ext` may be null: 6 per body,
  /// world axes, moment first and about the origin of the body's own link. Status: singular_loop, where constraints have
  /// another rank than on any branch, or motors do not determine the motion.
  KINETREE_EXPORT Status find(const double* q, const double* v, const double* a, const double* tau, const double* f_ext,
                              const std::vector<std::vector<int>>& motors);

  // Of the last state found:
  /// What a loop does to its second body: about the origin of its first frame, in that frame's axes.
  const Force<double>& of_loop(int loop) const { return loop_[at(loop)]; }
  /// The same about the second frame's origin, in its axes.
  KINETREE_EXPORT Force<double> at_second(int loop) const;
  double of_coupling(int coupling) const { return coupling_[at(coupling)]; }
  /// What the joint that carries a body transmits to it, in the body's frame.
  const Force<double>& of_joint(int body) const { return joint_[at(body)]; }
  const LinkMotion& motion() const { return motion_; }

 private:
  struct Memory {  ///< of one aggregate
    Memory(const ModelData& m, const Aggregate& a);
    ConstraintRows<double> rows;
    std::vector<Force<double>> T;  ///< over rows of loops
    Eigen::MatrixXd A;             ///< velocities x rows: Kᵀ C⁻ᵀ, C Cᵀ the metric of lambda
    std::vector<double> C;         ///< 36 numbers a loop, lower triangles row by row; one a coupling
    std::vector<int> independent;  ///< the model's columns
    Eigen::VectorXd b;
    LeastNorm solver;
  };

  Status solve(const Aggregate& a, Memory& memory, const double* tau, const std::vector<int>& motors);
  void metric(const Aggregate& a, Memory& memory);
  void gather(bool with_loops);

  const ModelData& m_;
  double length_;
  LinkMotion motion_;
  std::vector<std::unique_ptr<Memory>> memory_;    ///< over aggregates
  std::vector<Force<double>> own_, tied_, joint_;  ///< over bodies: what its motion asks; what loops do; see of_joint
  std::vector<Force<double>> loop_;
  std::vector<double> coupling_, asked_;  ///< asked_: over velocities, what inverse dynamics asks of joints
  const double* a_ = nullptr;
};

}  // namespace kinetree::inline inner
