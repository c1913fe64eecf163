// The gather of articulated inertias (Jain 2011, Alg. 6.1), only to see where it breaks down.
#include "engine/model/idle_directions.hpp"

#include <Eigen/Eigenvalues>

#include "engine/joint/joint.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "engine/spatial/articulated_inertia.hpp"

namespace kinetree::inline inner {
namespace {

using Inertia = ArticulatedInertia<double>;

double trace(const Inertia& P) { return P.I.xx + P.I.yy + P.I.zz + P.M.xx + P.M.yy + P.M.zz; }

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;  // one decomposition for all joints

/// U and D of a joint.
template <class Subspace>
Square inertia_along(const Subspace& subspace, const Inertia& P, Force<double>* U) {
  constexpr int n = Subspace::freedoms;
  Square D(n, n);
  subspace.image(P, U);
  for (int k = 0; k < n; ++k) subspace.transpose_times(U[k], D.col(k).data());
  return D;
}

/// Takes the joint's directions out of P, but for those along which D is below `least`. Returns the velocity that comes
/// nearest to such a direction, -1 where there is none.
int give_way(const Square& D, const Force<double>* U, double least, Inertia& P) {
  const Eigen::SelfAdjointEigenSolver<Square> eigen(D);
  Eigen::Index idle = -1;
  for (Eigen::Index k = 0; k < D.rows(); ++k) {
    const double d = eigen.eigenvalues()[k];
    if (!(d > least)) {
      if (idle < 0) eigen.eigenvectors().col(k).cwiseAbs().maxCoeff(&idle);
      continue;
    }
    Force<double> u{};
    for (Eigen::Index m = 0; m < D.rows(); ++m) u += eigen.eigenvectors()(m, k) * U[m];
    P.downdate(u, (1 / d) * u);
  }
  return static_cast<int>(idle);
}

}  // namespace

std::vector<IdleDirection> idle_directions(const ModelData& model, bool tied_too) {
  const std::size_t n = model.parent.size();
  // P >= I of the body, so only a body of singular inertia can be at fault, and only what hangs from it matters
  std::vector<char> matters(n, 0);
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    matters[i] = !model.allows_cuts[i] || (model.parent[i] >= 0 && matters[static_cast<std::size_t>(model.parent[i])]);
    any = any || matters[i];
  }
  if (!any) return {};

  std::vector<int> faults(n, 0), direction(n, 0);
  std::vector<Inertia> P(n);
  std::vector<double> scale(n);  // trace before the children's joints give way: what rounding is measured by
  Random random(1);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < n; ++i)
      if (matters[i]) P[i] = Inertia(model.link[i].I), scale[i] = trace(P[i]);
    for (std::size_t i = n; i-- > 0;) {
      if (!matters[i]) continue;
      double q[7];
      for (double& x : q) x = random.uniform(-1, 1);
      const double v[6]{};
      Transform<double> X;
      Motion<double> columns[6], cJ;
      joint_at(model.joint_type[i], model.link[i], q, v, X, columns, cJ);
      const int p = model.parent[i];
      if (p >= 0) scale[static_cast<std::size_t>(p)] += trace(congruence(X, P[i]));
      // an aggregate's joints move together: whether one of its coordinates is idle is seen when it is solved
      const bool tied = !tied_too && aggregate_of(model, static_cast<int>(i)) >= 0;
      int idle = -1;
      if (!tied) {
        Force<double> U[6];
        const Square D = with_subspace(model.joint_type[i], columns,
                                       [&](const auto& subspace) { return inertia_along(subspace, P[i], U); });
        idle = give_way(D, U, 1e-10 * scale[i], P[i]);
      }
      if (idle >= 0) ++faults[i], direction[i] = idle;
      if (p >= 0) P[static_cast<std::size_t>(p)] += congruence(X, P[i]);
    }
  }
  std::vector<IdleDirection> found;
  for (std::size_t i = 0; i < n; ++i)
    if (faults[i] == 3) found.push_back({static_cast<int>(i), direction[i]});
  return found;
}

}  // namespace kinetree::inline inner
