// The constraint force algorithm as the map tau to M⁻¹ tau, against an oracle's mass matrix.
#include "engine/sko/constraint_force_inverse.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <kinetree/kinetree.hpp>

#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"

namespace kinetree::sko {
namespace {

using MatrixXd = Matrix<double>;
using Eigen::VectorXd;
using oracle::random_state;
using oracle::TestState;

MatrixXd oracle_inverse(const Description& description, const Model& model, const VectorXd& q) {
  oracle::DenseOracle<long double> oracle(description, model);
  oracle.set(q, VectorXd::Zero(model.nv()));
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> H(model.nv(), model.nv());
  for (int r = 0; r < model.nv(); ++r)
    for (int c = 0; c < model.nv(); ++c) H(r, c) = oracle.mass(r, c);
  return H.inverse().cast<double>();
}
double difference(const MatrixXd& A, const MatrixXd& B) { return largest_of(A - B) / largest_of(B); }
MatrixXd one(const Model& model) { return MatrixXd::Identity(model.nv(), model.nv()); }

TEST(ConstraintForceInverse, IsTheInverseOfTheMassMatrixForAnyModelGrainAndCutting) {
  double worst = 0;
  int maps = 0;
  for (int number = 0; number < 40; ++number) {
    const std::string family = "random:" + std::to_string(1 + 37 * number % 40) + ":seed=" + std::to_string(number) +
                               ":floating=" + std::to_string(number % 2) + ":special=" + std::to_string(number / 2 % 2);
    const Description description = make_description(family);
    const Model model = make_model(description);
    const VectorXd q = random_state(model, static_cast<std::uint64_t>(number)).q;
    const MatrixXd truth = oracle_inverse(description, model, q);
    for (const Cuts cuts : {Cuts::paths, Cuts::main, Cuts::all})
      for (const int grain : {0, 1, 3})
        for (const Formulation formulation : {Formulation::literal, Formulation::direct})
          for (const int refinements : {0, 1}) {
            ConstraintForceInverse<double> inverse(model, {.grain = grain, .cuts = cuts}, refinements, formulation);
            inverse.set(q.data());
            const double error = difference(inverse.times(one(model)), truth);
            EXPECT_LE(error, 1e-12) << family << ", " << oracle::name_of(cuts) << ", grain " << grain;
            keep_worst(worst, error);
            ++maps;
          }
  }
  std::printf("%d maps, largest relative error %.2g\n", maps, worst);
}

TEST(ConstraintForceInverse, IsLinearAndForgetsWhatItDidBefore) {
  const Model model = make_model("random:25:seed=3");
  const TestState a = random_state(model, 1), b = random_state(model, 2);
  ConstraintForceInverse<double> inverse(model);
  inverse.set(a.q.data());
  const MatrixXd first = inverse.times(one(model));
  EXPECT_LE(difference(first, first.transpose()), 1e-14);
  EXPECT_LE(difference(inverse.times(1e9 * b.tau), 1e9 * (first * b.tau)), 1e-12);
  EXPECT_EQ(inverse.times(one(model)), first) << "a large force in between leaves nothing behind";
  inverse.set(b.q.data());
  EXPECT_GE(difference(inverse.times(one(model)), first), 1e-3);
  inverse.set(a.q.data());
  EXPECT_EQ(inverse.times(one(model)), first);
  VectorXd in_place = a.tau;
  inverse.apply(in_place.data(), in_place.data());
  EXPECT_EQ(MatrixXd(in_place), inverse.times(a.tau));
  EXPECT_EQ(inverse.times(VectorXd::Zero(model.nv())), MatrixXd::Zero(model.nv(), 1)) << "no gravity is left";
}

/// The same mechanism in millimetres: lengths by 1000, inertias by 1e6; a length's rate by 1000, and forces so that
/// power is in kg mm²/s³.
TEST(ConstraintForceInverse, MillimetresMoveTheMechanismAlike) {
  for (int number = 0; number < 10; ++number) {
    Description description =
        make_description("random:20:seed=" + std::to_string(number) + ":floating=" + std::to_string(number % 2));
    const Model metres = make_model(description);
    const TestState s = random_state(metres, static_cast<std::uint64_t>(number));
    const auto scale = [](auto& numbers, double by) {
      for (double& x : numbers) x *= by;
    };
    for (BodyDescription& b : description.bodies) {
      b.joint.pitch *= 1000;
      scale(b.joint.origin.xyz, 1000);
      if (b.inertial) scale(b.inertial->frame.xyz, 1000), scale(b.inertial->inertia, 1e6);
    }
    scale(description.gravity, 1000);
    const Model millimetres = make_model(description);
    TestState t = s;
    VectorXd length = VectorXd::Ones(metres.nv());  // of a velocity's unit
    for (int i = 0; i < metres.body_count(); ++i) {
      const JointType type = metres.data().joint_type[static_cast<std::size_t>(i)];
      const int q = metres.data().q_index[static_cast<std::size_t>(i)];
      const int v = metres.data().v_index[static_cast<std::size_t>(i)];
      const auto slides = [&](int row, int count) {
        t.q.segment(q + row, count) *= 1000;
        length.segment(v + row, count) *= 1000;
      };
      if (type == JointType::prismatic) slides(0, 1);
      if (type == JointType::cylindrical) slides(1, 1);
      if (type == JointType::planar) slides(0, 2);
      if (type == JointType::floating) slides(0, 3);
    }
    t.v = length.cwiseProduct(s.v);
    t.tau = 1e6 * s.tau.cwiseQuotient(length);
    for (const int grain : {1, 4}) {
      ConstraintForceInverse<double> here(metres, {.grain = grain}), there(millimetres, {.grain = grain});
      here.set(s.q.data()), there.set(t.q.data());
      const MatrixXd a = here.times(s.tau), b = there.times(t.tau);
      EXPECT_LE(difference(length.cwiseInverse().asDiagonal() * b, a), 1e-12) << number << ", grain " << grain;
      // and the whole algorithm, with its velocity and gravity terms
      Options options = oracle::serial(Algorithm::modular);
      options.grain = grain;
      ForwardDynamics in_metres(metres, options), in_millimetres(millimetres, options);
      const VectorXd c = oracle::accelerations(in_metres, s), d = oracle::accelerations(in_millimetres, t);
      EXPECT_LE(difference(length.cwiseInverse().asDiagonal() * d, c), 1e-14) << number << ", grain " << grain;
    }
  }
}

struct Cost {
  double bodies = 0, set = 0, apply = 0, depth = 0;
};
Cost cost(const std::string& family, Formulation formulation, Cuts cuts = Cuts::paths) {
  const Model model = make_model(family);
  const TestState s = random_state(model, 1);
  const std::vector<Counted> q(s.q.begin(), s.q.end()), tau(s.tau.begin(), s.tau.end());
  std::vector<Counted> a(tau.size());
  ConstraintForceInverse<Counted> inverse(model, {.grain = 1, .cuts = cuts}, 0, formulation);
  Counted::counts() = {};
  inverse.set(q.data());
  Cost c{static_cast<double>(model.body_count()), static_cast<double>(Counted::counts().total()), 0, 0};
  Counted::counts() = {};
  inverse.apply(tau.data(), a.data());
  c.apply = static_cast<double>(Counted::counts().total());
  for (const Counted& x : a) c.depth = std::max(c.depth, static_cast<double>(x.depth()));
  return c;
}

/// End of Sec. 4: every step of Eq. 16 takes O(log N) with N processors; side branches change
/// nothing but the work per body of the main chain (a comb's have log2 N bodies).
TEST(ConstraintForceInverse, TakesLinearWorkAndLogarithmicDepth) {
  struct Case {
    const char* word;
    Formulation formulation;
    Cuts cuts;
  };
  for (const Case& k : {Case{"chain:", Formulation::literal, Cuts::paths},
                        {"chain:", Formulation::direct, Cuts::paths},
                        {"comb:", Formulation::literal, Cuts::main}}) {
    std::vector<Cost> costs;
    for (int n = 128; n <= 2048; n *= 2) costs.push_back(cost(k.word + std::to_string(n), k.formulation, k.cuts));
    std::printf("%s2048: set %.0f, apply %.0f operations; depth at 128, ..., 2048:", k.word, costs.back().set,
                costs.back().apply);
    for (const Cost& c : costs) std::printf(" %.0f", c.depth);
    std::printf("\n");
    for (std::size_t i = 1; i < costs.size(); ++i) {
      const double now = costs[i].apply / costs[i].bodies, before = costs[i - 1].apply / costs[i - 1].bodies;
      const double slack = 0.05 * costs[0].apply / costs[0].bodies;
      EXPECT_LE(now, before + slack) << k.word;
      // bodies of side branches, of which longer combs have more, take less than those of the main chain
      if (k.cuts == Cuts::paths) {
        EXPECT_GE(now, before - slack) << k.word;
      }
      EXPECT_LE(costs[i].depth - costs[i - 1].depth, 1.5 * (costs[1].depth - costs[0].depth));
    }
    EXPECT_LE(costs.back().depth, 2 * costs.front().depth) << "sixteen times the bodies";
    if (k.formulation == Formulation::literal) {
      EXPECT_LE(costs.back().apply, 0.6 * costs.back().set) << "factors are reused";
    }
  }
}

TEST(ConstraintForceInverse, SaysWhatIsWrong) {
  const Model model = make_model("chain:4");
  ConstraintForceInverse<double> inverse(model);
  const auto message = [](auto&& call) {
    try {
      call();
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  EXPECT_THROW(inverse.times(one(model)), std::logic_error);
  const VectorXd q = random_state(model, 1).q;
  inverse.set(q.data());
  EXPECT_NE(message([&] { inverse.times(MatrixXd::Identity(3, 3)); }).find("3 entries, the model 4 freedoms"),
            std::string::npos);
  EXPECT_THROW(
      ConstraintForceInverse<double>(make_model("star:40x2", {.floating_base = true}), {.grain = 1, .cuts = Cuts::all}),
      TooManyCuts);
}

}  // namespace
}  // namespace kinetree::sko
