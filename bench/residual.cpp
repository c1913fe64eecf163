#include "bench/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/mobility.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/velocity_map.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double ratio(double off, double scale) { return off == 0 ? 0 : off / scale; }

/// |K a - k| / (| |K| |a| | + |k|), over the constraints of all aggregates together.
double constraint_residual(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  const ModelData& m = model.data();
  const Modules modules = make_modules(m, {});
  struct Run {
    Context<double> x;
    Kinematics<double> k;
  } run{{m, modules}, Kinematics<double>(m)};
  run.x.state = {.q = q.data(), .v = v.data()};
  const Pass pass{Direction::scatter, [](void* space, int step) {
                    auto& r = *static_cast<Run*>(space);
                    kinematics(r.x, r.k, step);
                  }};
  run_serial({&pass, 1}, &run, static_cast<int>(modules.steps.size()));
  double off = 0, scale = 0;
  for (const Aggregate& g : m.aggregates) {
    ConstraintRows<double> rows(m, g);
    constraint_rows(m, g, {run.k.X_up.data(), run.k.columns.data(), run.k.v.data(), run.k.c.data()}, rows);
    const Eigen::Map<const RowMajor> K(rows.K.data(), g.rows, g.velocities);
    const Eigen::Map<const VectorXd> k(rows.k.data(), g.rows);
    VectorXd own(g.velocities);
    for (std::size_t b = 0; b < g.bodies.size(); ++b)
      for (int f = 0; f < velocity_count(m.joint_type[at(g.bodies[b])]); ++f)
        own[g.column[b] + f] = a[m.v_index[at(g.bodies[b])] + f];
    off += (K * own - k).squaredNorm();
    scale += std::pow((K.cwiseAbs() * own.cwiseAbs()).norm() + k.norm(), 2);
  }
  return ratio(std::sqrt(off), std::sqrt(scale));
}

}  // namespace

double residual(const Model& model, Workspace& workspace, const VectorXd& q, const VectorXd& v, const VectorXd& tau,
                const VectorXd& f_ext, const VectorXd& a) {
  VectorXd forces(model.nv()), bias(model.nv());
  const VectorXd rest = VectorXd::Zero(model.nv());
  const auto inverse = [&](const VectorXd& accelerations, VectorXd& result) {
    return f_ext.size() > 0 ? inverse_dynamics(model, workspace, q, v, accelerations, f_ext, result)
                            : inverse_dynamics(model, workspace, q, v, accelerations, result);
  };
  if (!inverse(a, forces).ok() || !inverse(rest, bias).ok()) return std::numeric_limits<double>::quiet_NaN();
  if (model.data().aggregates.empty()) return ratio((forces - tau).norm(), tau.norm() + bias.norm());
  VelocityMap velocity_map(model.data());
  const VelocityMap::Matrix X_S = velocity_map(q.data());
  const double of_motion = ratio((X_S.transpose() * (forces - tau)).norm(),
                                 (X_S.transpose() * tau).norm() + (X_S.transpose() * bias).norm());
  const double of_constraints = constraint_residual(model, q, v, a);
  return of_constraints > of_motion || std::isnan(of_constraints) ? of_constraints : of_motion;
}

std::vector<Nearness> near_change_points(const Model& model, const std::vector<bool>& multipliers, const VectorXd& q) {
  const ModelData& m = model.data();
  std::vector<Nearness> found;
  Closure closure(m);
  for (std::size_t k = 0; k < m.aggregates.size(); ++k) {
    const Aggregate& a = m.aggregates[k];
    if (a.constant()) continue;
    const double margin = margin_at(m, closure, a, q.data());
    if (!(margin < 1e-4)) continue;
    found.push_back({"", static_cast<int>(std::min(16.0, std::floor(-std::log10(margin)))),
                     !multipliers.empty() && multipliers[k]});
    for (const int l : a.loops)
      found.back().loops += (found.back().loops.empty() ? "loop \"" : ", \"") + m.loops[at(l)].name + "\"";
  }
  return found;
}

}  // namespace kinetree::bench
