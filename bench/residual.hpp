#pragma once
// How far accelerations are from satisfying the equations of motion, and where that can't tell how good they are.

#include <Eigen/Core>
#include <kinetree/kinetree.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

/// |ID(q, v, a, f_ext) - tau| / (|tau| + |b|), 0 where the numerator is 0; b is the sum of |ID(q, v, 0)| and of what
/// f_ext makes of it, entry by entry. `f_ext` may be empty. In a model with loops or couplings the numerator is first
/// multiplied by X_Sᵀ (what constraint forces take up is not off), tau and b are by |X_S|ᵀ, and the constraints count
/// as well: the larger of that and |K a - k| / | |K| |a| + |k| |. Both denominators have a further term, for states in
/// which constraints take up all forces: the inertia's forces, and the accelerations in |K|, of an acceleration as
/// large as all forces give the largest inertia.
double residual(const Model& model, Workspace& workspace, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const Eigen::VectorXd& tau, const Eigen::VectorXd& f_ext, const Eigen::VectorXd& a);

/// Loops that tie bodies together and stand near a change point.
struct Nearness {
  std::string loops;   ///< `loop "a", "b"`
  int digits = 0;      ///< of the accelerations, about as many are lost; no residual shows it
  bool twice = false;  ///< up to twice as many: multipliers solve with K H⁻¹ Kᵀ
};

/// Where at least four digits are lost. `multipliers`: which aggregates the solver leaves to multipliers
/// (multiplier_aggregates); empty: none.
std::vector<Nearness> near_change_points(const Model& model, const std::vector<bool>& multipliers,
                                         const Eigen::VectorXd& q);

}  // namespace kinetree::bench
