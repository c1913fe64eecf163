#include "bench/residual.hpp"

namespace kinetree::bench {

double residual(const Model& model, Workspace& workspace, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const Eigen::VectorXd& tau, const Eigen::VectorXd& f_ext, const Eigen::VectorXd& a) {
  Eigen::VectorXd forces(model.nv()), bias(model.nv());
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.nv());
  if (f_ext.size() > 0) {
    inverse_dynamics(model, workspace, q, v, a, f_ext, forces);
    inverse_dynamics(model, workspace, q, v, rest, f_ext, bias);
  } else {
    inverse_dynamics(model, workspace, q, v, a, forces);
    inverse_dynamics(model, workspace, q, v, rest, bias);
  }
  const double off = (forces - tau).norm();
  return off == 0 ? 0 : off / (tau.norm() + bias.norm());
}

}  // namespace kinetree::bench
