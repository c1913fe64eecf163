#pragma once
// How far accelerations are from satisfying the equations of motion.

#include <Eigen/Core>
#include <kinetree/kinetree.hpp>

namespace kinetree::bench {

/// |ID(q, v, a, f_ext) - tau| / (|tau| + |ID(q, v, 0, f_ext)|), 0 where the numerator is 0. `f_ext` may be empty.
/// Of a model with loops or couplings all three are first multiplied by X_Sᵀ: what constraint forces take up is not
/// off.
double residual(const Model& model, Workspace& workspace, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const Eigen::VectorXd& tau, const Eigen::VectorXd& f_ext, const Eigen::VectorXd& a);

}  // namespace kinetree::bench
