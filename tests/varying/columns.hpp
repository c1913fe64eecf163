#pragma once
// A mechanism, and models of its structure with other numbers, as columns of parameters.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <kinetree/kinetree.hpp>
#include <vector>

#include "engine/model/random.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {

inline constexpr int columns = 11;  // more than two packs of four, with some left over

/// The description with other masses, centres, moments, rotors, passive forces and gravity.
inline Description changed(Description d, std::uint64_t seed) {
  Random random(seed);
  const auto factor = [&] { return std::exp(random.uniform(-0.7, 0.7)); };
  for (BodyDescription& b : d.bodies) {
    if (b.joint.type != "fixed") {
      b.joint.armature = random.uniform(0, 0.3);
      b.joint.passive.damping = {random.uniform(0, 2)};
      b.joint.passive.friction = {random.uniform(0, 2)};
      b.joint.passive.stiffness = {random.uniform(0, 2)};
    }
    if (!b.inertial) continue;
    const double mass = factor();
    b.inertial->mass *= mass;
    for (double& c : b.inertial->frame.xyz) c += random.uniform(-0.05, 0.05);
    const double size = mass * factor();
    for (double& i : b.inertial->inertia) i *= size;
  }
  for (double& g : d.gravity) g += random.uniform(-2, 2);
  return d;
}

inline Varying all_of(const Model& model) {
  Varying varying(model);
  for (const Parameter what : {Parameter::inertia, Parameter::armature, Parameter::damping, Parameter::friction,
                               Parameter::stiffness, Parameter::gravity})
    varying.add(what);
  return varying;
}

/// A mechanism, models of its structure with other numbers, and these as columns.
struct Case {
  explicit Case(const Description& d) : model(make_model(d)), varying(all_of(model)), P(varying.rows(), columns) {
    q.resize(model.nq(), columns), v.resize(model.nv(), columns), tau = v, a = v;
    f_ext.resize(6 * model.body_count(), columns);
    for (int k = 0; k < columns; ++k) {
      const auto seed = static_cast<std::uint64_t>(k) + 1;
      models.push_back(make_model(changed(d, seed)));
      P.col(k) = varying.numbers_of(models.back());
      const TestState s = random_state(model, seed);
      q.col(k) = s.q, v.col(k) = s.v, tau.col(k) = s.tau, f_ext.col(k) = s.f_ext;
    }
  }

  Model model;
  Varying varying;
  Eigen::MatrixXd P, q, v, tau, a, f_ext;
  std::vector<Model> models;
};

inline double relative(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
  return (x - y).cwiseAbs().maxCoeff() / std::max(1.0, y.cwiseAbs().maxCoeff());
}

/// call(model, workspace, first column, count, result): all columns at once against the models' own, one by one.
template <class Call>
void expect_models(Case& c, const char* what, Eigen::Index rows, Eigen::Index per_state, double tolerance,
                   Call&& call) {
  Workspace with(c.varying);
  Eigen::MatrixXd all(rows, per_state * columns), one(rows, per_state);
  const Status status = call(c.model, with.with(c.P), 0, columns, all);
  ASSERT_TRUE(status.ok()) << what << ": " << status.message(c.model);
  for (int k = 0; k < columns; ++k) {
    const Model& model = c.models[static_cast<std::size_t>(k)];
    Workspace plain(model);
    ASSERT_TRUE(call(model, plain, k, 1, one).ok()) << what;
    EXPECT_LE(relative(all.middleCols(k * per_state, per_state), one), tolerance)
        << what << " of " << c.model.name() << ", column " << k;
  }
}

}  // namespace kinetree::oracle
