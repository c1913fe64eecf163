// Rows of loop joints that are open: positions and velocities are held alike, as differences of errors show.
#include "engine/model/open_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/kinetree.hpp>
#include <random>

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/partition/make_modules.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace {

using Eigen::VectorXd;

/// Two bodies that float, and a loop between them of which some mixtures of rows are held.
ModelData open_pair(LoopType type, std::mt19937& random) {
  std::uniform_real_distribution<double> some(-1, 1);
  Description d = mechanism({body("a", "world", "floating"), body("b", "world", "floating", {0, 0, 1}, {})});
  LoopDescription l;
  l.name = "loop", l.type = name_of(type), l.axis = {0.6, 0, 0.8};
  if (type == LoopType::universal) l.axis2 = {0, 1, 0};
  l.first = {"a", {{0.2, -0.1, 0.3}, {0, 0, 0, 1}}}, l.second = {"b", {{-0.3, 0.2, 0.1}, {0, 0, 0, 1}}};
  d.loops.push_back(l);
  ModelData m = make_model(d).data();
  Loop& loop = m.loops.front();
  loop.rounded = true;
  for (int r = 0; r < constraint_count(type); ++r) {
    HeldRow& row = loop.held.emplace_back();
    for (int k = 0; k < constraint_count(type); ++k) row.of[at(k)] = some(random);
  }
  return m;
}

VectorXd moved(const ModelData& m, const VectorXd& q, const VectorXd& x) {
  VectorXd to = q;
  for (std::size_t i = 0; i < m.parent.size(); ++i)
    advance(m.joint_type[i], to.data() + m.q_index[i], x.data() + m.v_index[i]);
  return to;
}

struct Rows {
  Eigen::MatrixXd K;
  VectorXd k;
};

Rows rows_at(const ModelData& m, const VectorXd& q, const VectorXd& v) {
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
  const Aggregate& a = m.aggregates.front();
  ConstraintRows<double> rows(m, a);
  constraint_rows(m, a, {run.k.X_up.data(), run.k.columns.data(), run.k.v.data(), run.k.c.data()}, rows);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return {Eigen::Map<const RowMajor>(rows.K.data(), a.rows, a.velocities),
          Eigen::Map<const VectorXd>(rows.k.data(), a.rows)};
}

TEST(OpenRows, VelocitiesAreHeldAsPositionsAre) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> some(-1, 1);
  for (const LoopType type : {LoopType::revolute, LoopType::prismatic, LoopType::cylindrical, LoopType::universal,
                              LoopType::spherical, LoopType::planar, LoopType::weld, LoopType::point_on_line})
    for (int trial = 0; trial < 20; ++trial) {
      const ModelData m = open_pair(type, random);
      Closure closure(m);
      VectorXd q = Eigen::Map<const VectorXd>(m.assembled.data(), m.q_index.back()), v(12), x(12);
      for (double& value : v) value = some(random);
      for (double& value : x) value = 0.3 * some(random);  // open by tenths, and not back to front
      q = moved(m, q, x);
      const auto errors = [&](const VectorXd& at_q) {
        const std::vector<double> e = closure.errors(m.aggregates.front(), at_q.data());
        return VectorXd(Eigen::Map<const VectorXd>(e.data(), static_cast<Eigen::Index>(e.size())));
      };
      const double h = 1e-4;
      const auto along = [&](double t) { return moved(m, q, t * v); };
      // d/dt e = K v, and with dv/dt = 0 d/dt (K v) = -k: fourth-order differences
      const VectorXd rate =
          (8 * (errors(along(h)) - errors(along(-h))) - errors(along(2 * h)) + errors(along(-2 * h))) / (12 * h);
      const Rows here = rows_at(m, q, v);
      EXPECT_LE((here.K * v - rate).cwiseAbs().maxCoeff(), 1e-10) << name_of(type);
      const auto Kv = [&](double t) { return VectorXd(rows_at(m, along(t), v).K * v); };
      const VectorXd growth = (8 * (Kv(h) - Kv(-h)) - Kv(2 * h) + Kv(-2 * h)) / (12 * h);
      EXPECT_LE((here.k + growth).cwiseAbs().maxCoeff(), 1e-9) << name_of(type);
    }
}

}  // namespace
}  // namespace kinetree::test
