#include "bench/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/constraint_units.hpp"
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

/// K and k of an aggregate in a state of motion.
struct Constraints {
  const Aggregate* aggregate;
  RowMajor K;
  VectorXd k;
  VectorXd unit;  ///< over its columns: of velocities, so that those of angles and of slides compare

  /// The aggregate's entries of a vector over the model's velocities.
  VectorXd own(const ModelData& m, const VectorXd& all) const {
    VectorXd some(aggregate->velocities);
    each(m, [&](int column, int v) { some[column] = all[v]; });
    return some;
  }
  template <class Use>
  void each(const ModelData& m, Use&& use) const {
    for (std::size_t b = 0; b < aggregate->bodies.size(); ++b) {
      const auto i = at(aggregate->bodies[b]);
      for (int v = m.v_index[i]; v < m.v_index[i + 1]; ++v) use(aggregate->column[b] + v - m.v_index[i], v);
    }
  }
};

std::vector<Constraints> constraints_at(const ModelData& m, const VectorXd& q, const VectorXd& v) {
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
  std::vector<Constraints> all;
  for (const Aggregate& g : m.aggregates) {
    ConstraintRows<double> rows(m, g);
    constraint_rows(m, g, {run.k.X_up.data(), run.k.columns.data(), run.k.v.data(), run.k.c.data(), q.data(), v.data()},
                    rows);
    const Eigen::Map<const RowMajor> K(rows.K.data(), g.rows, g.velocities);
    all.push_back({&g, K, Eigen::Map<const VectorXd>(rows.k.data(), g.rows), ConstraintUnits(m, g, K).column});
  }
  return all;
}

/// |K a - k| / | |K| (|a| + s) + |k| |, over the constraints of all aggregates together. `usual`: s, see below.
double constraint_residual(const ModelData& m, const std::vector<Constraints>& all, const VectorXd& a,
                           const VectorXd& usual) {
  double off = 0, scale = 0;
  for (const Constraints& c : all) {
    const VectorXd own = c.own(m, a);
    off += (c.K * own - c.k).squaredNorm();
    scale += (c.K.cwiseAbs() * (own.cwiseAbs() + c.own(m, usual)) + c.k.cwiseAbs()).squaredNorm();
  }
  return ratio(std::sqrt(off), std::sqrt(scale));
}

}  // namespace

double residual(const Model& model, Workspace& workspace, const VectorXd& q, const VectorXd& v, const VectorXd& tau,
                const VectorXd& f_ext, const VectorXd& a) {
  VectorXd forces(model.nv()), bias(model.nv()), unforced(model.nv());
  const VectorXd rest = VectorXd::Zero(model.nv());
  const auto inverse = [&](const VectorXd& accelerations, VectorXd& result) {
    return f_ext.size() > 0 ? inverse_dynamics(model, workspace, q, v, accelerations, f_ext, result)
                            : inverse_dynamics(model, workspace, q, v, accelerations, result);
  };
  if (!inverse(a, forces).ok() || !inverse(rest, bias).ok() ||
      !inverse_dynamics(model, workspace, q, v, rest, unforced).ok())
    return std::numeric_limits<double>::quiet_NaN();
  // f_ext may hold what gravity pulls at: bias is what rounding leaves then
  const VectorXd resting = unforced.cwiseAbs() + (bias - unforced).cwiseAbs();
  const ModelData& m = model.data();
  if (m.aggregates.empty()) return ratio((forces - tau).norm(), tau.norm() + resting.norm());
  // Where constraints take up all forces nothing is left of X_Sᵀ tau, X_Sᵀ bias, K a and k but rounding of what they
  // take up. `usual` measures it: in each coordinate the acceleration by all forces together of the largest inertia.
  const std::vector<Constraints> all = constraints_at(m, q, v);
  VectorXd unit = rest, push(model.nv());
  for (const Constraints& c : all) c.each(m, [&](int column, int velocity) { unit[velocity] = c.unit[column]; });
  const auto inertia_times = [&](const VectorXd& x) -> VectorXd {
    if (!inverse(x, push).ok()) push.setConstant(std::numeric_limits<double>::quiet_NaN());
    return push - bias;
  };
  const VectorXd first = inertia_times(unit), second = inertia_times(unit.cwiseProduct(unit).cwiseProduct(first));
  const double largest = unit.cwiseProduct(second).norm() / unit.cwiseProduct(first).norm();  // by the power method
  const double size = unit.cwiseProduct(tau.cwiseAbs() + resting).norm() / largest;
  const VectorXd usual = std::isfinite(size) ? VectorXd(size * unit) : rest;  // nothing there has inertia
  VelocityMap velocity_map(m);
  const VelocityMap::Matrix X_S = velocity_map(q.data());
  const auto sum = [&](const VectorXd& x) { return (X_S.cwiseAbs().transpose() * x.cwiseAbs()).norm(); };
  const double inertial = std::isfinite(size) ? size * sum(first) : 0;
  const double of_motion = ratio((X_S.transpose() * (forces - tau)).norm(), sum(tau) + sum(resting) + inertial);
  const double of_constraints = constraint_residual(m, all, a, usual);
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
