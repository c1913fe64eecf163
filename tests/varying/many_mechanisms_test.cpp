// Columns of a thousand random trees and linkages: their bits wherever they stand, and those of models built with their
// numbers; their accelerations and forces against models without a declaration.
#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/closing.hpp>
#include <kinetree/kinetree.hpp>
#include <string>
#include <vector>

#include "varying/columns.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int few = 5;  // a pack of AVX2 and one more

std::string tree(int seed) {
  return "random:" + std::to_string(1 + seed % 9) + ":seed=" + std::to_string(seed) +
         (seed % 3 == 0 ? ":floating=1" : "");
}

/// A tree in which joints with one velocity are coupled in pairs.
Description coupled(int seed) {
  Description d = make_description(tree(seed));
  const Model model = make_model(d);
  Random random(static_cast<std::uint64_t>(seed));
  std::vector<std::string> single;
  for (int body = 0; body < model.body_count(); ++body)
    if (velocity_count(model.data().joint_type[static_cast<std::size_t>(body)]) == 1 &&
        position_count(model.data().joint_type[static_cast<std::size_t>(body)]) == 1)
      single.emplace_back(model.joint_name(body));
  for (std::size_t k = 0; k + 1 < single.size(); k += 2) {
    CouplingDescription c;
    c.name = "coupling " + std::to_string(k);
    c.terms = {{single[k], 1}, {single[k + 1], random.uniform(0.3, 3)}};
    d.couplings.push_back(c);
  }
  return d;
}

Description mechanism(int seed) {
  switch (seed % 4) {
    case 0:
      return coupled(seed);
    case 1:
      return make_description(seed % 8 == 1 ? "fourbars:" + std::to_string(1 + seed % 3)
                                            : "geared:" + std::to_string(1 + seed % 4) +
                                                  (seed % 3 == 0 ? ":rotors=armature" : ""));
    default:
      return make_description(tree(seed));
  }
}

/// States in which the mechanism is closed, and numbers of five models.
struct Columns {
  explicit Columns(int seed)
      : base(changed(mechanism(seed), static_cast<std::uint64_t>(seed))),
        model(make_model(base)),
        varying(all_of(model)),
        P(varying.rows(), few),
        q(model.nq(), few),
        v(model.nv(), few),
        tau(v),
        a(v) {
    Workspace workspace(model);
    for (int k = 0; k < few; ++k) {
      const auto other = static_cast<std::uint64_t>(few * seed + k);
      models.push_back(make_model(changed(base, other)));
      P.col(k) = varying.numbers_of(models.back());
      const TestState s = random_state(model, other);
      q.col(k) = s.q, v.col(k) = s.v, tau.col(k) = s.tau;
      if (has_loops(model)) q.col(k) = neutral(model), q.col(k).array() += 0.1 * s.q.array();
    }
    if (!base.loops.empty() || !base.couplings.empty()) closed = close(model, workspace, q, v);
  }
  static bool has_loops(const Model& m) { return !m.data().loops.empty(); }

  Description base;
  Model model;
  Varying varying;
  MatrixXd P, q, v, tau, a;
  std::vector<Model> models;
  Status closed;
};

/// Equal bits in another place of the batch, and of a model built with the column's numbers, in a batch and alone. (One
/// state alone goes by kernels of its own, whose sums may stand in another order.)
void expect_own_bits(Columns& c, int k, const Options& options) {
  ForwardDynamics dynamics(c.varying, options), rebuilt(all_of(c.models[static_cast<std::size_t>(k)]), options);
  ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a).ok());
  const VectorXd own = c.a.col(k);
  MatrixXd a = c.a;
  VectorXd alone(c.model.nv()), of_rebuilt = alone;
  ASSERT_TRUE(dynamics.with(c.P.rowwise().reverse())
                  .solve(c.q.rowwise().reverse(), c.v.rowwise().reverse(), c.tau.rowwise().reverse(), a)
                  .ok());
  EXPECT_EQ(a.col(few - 1 - k), own) << "in another place";
  ASSERT_TRUE(rebuilt.solve(c.q, c.v, c.tau, a).ok());
  EXPECT_EQ(a.col(k), own) << "of a model with its numbers, in a batch";
  ASSERT_TRUE(dynamics.with(c.P.col(k)).solve(c.q.col(k), c.v.col(k), c.tau.col(k), alone).ok());
  ASSERT_TRUE(rebuilt.solve(c.q.col(k), c.v.col(k), c.tau.col(k), of_rebuilt).ok());
  EXPECT_EQ(alone, of_rebuilt) << "alone";
}

/// Forces that make the accelerations of a column, and those of a model without a declaration: the same in relation to
/// the largest of their terms.
double off_plain(Columns& c, int k, const Options& options) {
  const Model& model = c.models[static_cast<std::size_t>(k)];
  ForwardDynamics plain(model, options);
  Workspace workspace(model);
  VectorXd a(model.nv()), own = a, expected = a, still = a;
  EXPECT_TRUE(plain.solve(c.q.col(k), c.v.col(k), c.tau.col(k), a).ok());
  EXPECT_TRUE(inverse_dynamics(model, workspace, c.q.col(k), c.v.col(k), a, expected).ok());
  EXPECT_TRUE(inverse_dynamics(model, workspace, c.q.col(k), c.v.col(k), c.a.col(k), own).ok());
  EXPECT_TRUE(inverse_dynamics(model, workspace, c.q.col(k), c.v.col(k), VectorXd::Zero(model.nv()), still).ok());
  const double terms = std::max({1.0, expected.lpNorm<Eigen::Infinity>(), still.lpNorm<Eigen::Infinity>(),
                                 (expected - still).lpNorm<Eigen::Infinity>()});
  return (own - expected).lpNorm<Eigen::Infinity>() / terms;
}

double forces_off_plain(Columns& c, int k) {
  const Model& model = c.models[static_cast<std::size_t>(k)];
  Workspace own(c.varying), plain(model);
  MatrixXd all(model.nv(), few);
  VectorXd expected(model.nv());
  EXPECT_TRUE(inverse_dynamics(c.model, own.with(c.P), c.q, c.v, c.tau, all).ok());
  EXPECT_TRUE(inverse_dynamics(model, plain, c.q.col(k), c.v.col(k), c.tau.col(k), expected).ok());
  return relative(all.col(k), expected);
}

TEST(Varying, AThousandTreesAndLinkages) {
  double accelerations = 0, forces = 0;
  int linkages = 0;
  for (int seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    Columns c(seed);
    ASSERT_TRUE(c.closed.ok()) << c.closed.message(c.model);
    linkages += !c.model.data().aggregates.empty();
    const int k = seed % few;
    const Algorithm algorithm = seed % 5 == 0 ? Algorithm::crb : seed % 7 == 0 ? Algorithm::modular : Algorithm::ab;
    expect_own_bits(c, k, {.algorithm = algorithm, .threads = 1});
    accelerations = std::max(accelerations, off_plain(c, k, {.algorithm = algorithm, .threads = 1}));
    forces = std::max(forces, forces_off_plain(c, k));
  }
  EXPECT_LE(accelerations, 5e-13);
  EXPECT_LE(forces, 2e-13);
  EXPECT_GE(linkages, 300);
}

/// cfa and modular cut where nothing varies, and are ab where everything does.
TEST(Varying, CutsAwayFromWhatVaries) {
  const Description d = make_description("chain:24");
  const Model model = make_model(d);
  Varying one(model), all(model);
  one.add(Parameter::inertia, model.body_name(12)), all.add(Parameter::inertia);
  MatrixXd q(model.nq(), few), v = q, tau = q, a = q, by_ab = q, P = one.nominal().replicate(1, few);
  for (int k = 0; k < few; ++k) {
    const TestState s = random_state(model, static_cast<std::uint64_t>(k) + 1);
    q.col(k) = s.q, v.col(k) = s.v, tau.col(k) = s.tau, P.col(k) *= 1 + k;
  }
  for (const Algorithm algorithm : {Algorithm::cfa, Algorithm::modular}) {
    const Options ab{.algorithm = Algorithm::ab, .threads = 1};
    Options options{.algorithm = algorithm, .threads = 1};
    if (algorithm == Algorithm::modular) options.grain = 2;
    ForwardDynamics cut(one, options), whole(one, ab), uncut(all, options), all_whole(all, ab);
    ASSERT_TRUE(cut.with(P).solve(q, v, tau, a).ok());
    ASSERT_TRUE(whole.with(P).solve(q, v, tau, by_ab).ok());
    EXPECT_NE(a, by_ab);
    EXPECT_LE(relative(a, by_ab), 1e-8);
    ASSERT_TRUE(uncut.solve(q, v, tau, a).ok());
    ASSERT_TRUE(all_whole.solve(q, v, tau, by_ab).ok());
    EXPECT_EQ(a, by_ab);
  }
}

}  // namespace
}  // namespace kinetree::oracle
