#include "bench/residual.hpp"

#include <kinetree/model/closure.hpp>
#include <vector>

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
  if (!model.data().aggregates.empty()) {
    int columns = 0;
    const std::vector<double> X = Closure(model.data()).velocity_map(q.data(), columns);
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> X_S(
        X.data(), model.nv(), columns);
    const double off = (X_S.transpose() * (forces - tau)).norm();
    return off == 0 ? 0 : off / ((X_S.transpose() * tau).norm() + (X_S.transpose() * bias).norm());
  }
  const double off = (forces - tau).norm();
  return off == 0 ? 0 : off / (tau.norm() + bias.norm());
}

}  // namespace kinetree::bench
