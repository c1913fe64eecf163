// The gather of articulated inertias (Jain 2011, Eq. 33) on dense 6x6 matrices, only to see where it breaks down.
#include "carried_inertia.hpp"

#include <Eigen/Dense>

#include <kinetree/model/joint.hpp>
#include <kinetree/model/random.hpp>

namespace kinetree {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

Matrix6 dense(const Transform<double>& X) {
  Eigen::Matrix3d E, r;
  E << X.E.xx, X.E.xy, X.E.xz, X.E.yx, X.E.yy, X.E.yz, X.E.zx, X.E.zy, X.E.zz;
  r << 0, -X.r.z, X.r.y, X.r.z, 0, -X.r.x, -X.r.y, X.r.x, 0;
  Matrix6 M = Matrix6::Zero();
  M.topLeftCorner<3, 3>() = M.bottomRightCorner<3, 3>() = E;
  M.bottomLeftCorner<3, 3>() = -E * r;
  return M;
}

Matrix6 dense(const RigidInertia<double>& I) {
  Matrix6 M = Matrix6::Zero();
  M.topLeftCorner<3, 3>() << I.I.xx, I.I.xy, I.I.xz, I.I.xy, I.I.yy, I.I.yz, I.I.xz, I.I.yz, I.I.zz;
  M.topRightCorner<3, 3>() << 0, -I.h.z, I.h.y, I.h.z, 0, -I.h.x, -I.h.y, I.h.x, 0;
  M.bottomLeftCorner<3, 3>() = M.topRightCorner<3, 3>().transpose();
  M.bottomRightCorner<3, 3>().diagonal().setConstant(I.mass);
  return M;
}

/// S as a dense 6 x n matrix.
Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> dense_subspace(JointType type, const Motion<double>* columns) {
  const int n = velocity_count(type);
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> S(6, n);
  for (int k = 0; k < n; ++k) {
    double unit[6]{};
    unit[k] = 1;
    Motion<double> m{};
    with_subspace(type, columns, [&](auto subspace) { subspace.add(unit, m); });
    S.col(k) << m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z;
  }
  return S;
}

}  // namespace

std::vector<int> joints_without_inertia(const ModelData& model) {
  const auto n = model.parent.size();
  // only bodies of singular inertia, or with such bodies outboard and nothing else, can be at fault: look whether any is
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) any = any || !model.may_cut[i];
  if (!any) return {};
  std::vector<int> faults(n, 0);
  Random random(1);
  for (int round = 0; round < 3; ++round) {
    std::vector<Matrix6> P(n);
    for (std::size_t i = 0; i < n; ++i) P[i] = dense(model.link[i].I);
    for (std::size_t i = n; i-- > 0;) {
      double q[7], v[6]{};
      for (double& x : q) x = random.uniform(-1, 1);
      Transform<double> X;
      Motion<double> columns[6], cJ;
      joint_at(model.joint_type[i], model.link[i], q, v, X, columns, cJ);
      const auto S = dense_subspace(model.joint_type[i], columns);
      const Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> U = P[i] * S;
      const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> D = S.transpose() * U;
      const Eigen::SelfAdjointEigenSolver<std::remove_const_t<decltype(D)>> eigen(D);
      bool fault = false;
      const double scale = P[i].trace();
      for (int k = 0; k < D.rows(); ++k) {
        if (!(eigen.eigenvalues()[k] > 1e-12 * scale)) {
          fault = true;  // this direction gives way to nothing: leave it out of the downdate
          continue;
        }
        const Eigen::Matrix<double, 6, 1> u = U * eigen.eigenvectors().col(k);
        P[i] -= u * u.transpose() / eigen.eigenvalues()[k];
      }
      if (fault) ++faults[i];
      if (model.parent[i] < 0) continue;
      const auto p = static_cast<std::size_t>(model.parent[i]);
      const Matrix6 M = dense(X);
      P[p] += M.transpose() * P[i] * M;
    }
  }
  std::vector<int> bodies;
  for (std::size_t i = 0; i < n; ++i)
    if (faults[i] == 3) bodies.push_back(static_cast<int>(i));
  return bodies;
}

}  // namespace kinetree
