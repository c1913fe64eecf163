// Products of derivatives against differences in 60 digits, and cotangents against tangents: every joint type, floating
// bases, external forces, rotors, gears, random trees; several directions and states against one by one.
#include <gtest/gtest.h>

#include <array>
#include <kinetree/derivative_products.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/scalar/counted.hpp>
#include <kinetree/scalar/reference.hpp>
#include <limits>
#include <optional>

#include "engine/algorithm/solver/inverse_solver.hpp"
#include "engine/algorithm/solver/product_solver.hpp"
#include "engine/joint/advance.hpp"
#include "engine/partition/make_modules.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Digits = std::vector<Reference>;

Digits lifted(const VectorXd& x) { return {x.begin(), x.end()}; }

/// A state and a direction of each argument.
struct Case {
  Case(const Model& m, std::uint64_t seed, bool external, int directions = 1)
      : model(m), random(seed), state(random_state(m, seed)), f_ext(external ? state.f_ext : VectorXd()) {
    const auto any = [&] {
      MatrixXd x(m.nv(), directions);
      for (Eigen::Index k = 0; k < x.size(); ++k) x.data()[k] = random.uniform(-1, 1);
      return x;
    };
    a = any().col(0), dq = any(), dv = any(), da = any(), dtau = any(), bar = any();
    dynamics.emplace(m, Options{.algorithm = Algorithm::ab, .threads = 1});
    workspace.emplace(m);
  }
  bool external() const { return f_ext.size() > 0; }

  /// The difference quotient of a function of displaced arguments: value(q, v, joint), `joint` being a, or tau.
  template <class Value>
  VectorXd difference(const VectorXd& joint, const VectorXd& along, Value&& value) const {
    const Reference h("1e-20");
    Digits ends[2];
    for (const int sign : {-1, 1}) {
      Digits q = lifted(state.q), v = lifted(state.v), z = lifted(joint);
      for (int b = 0; b < model.body_count(); ++b) {
        const auto body = static_cast<std::size_t>(b);
        const int at = model.data().v_index[body];
        std::array<Reference, 6> x;
        for (int k = 0; k < velocity_count(model.data().joint_type[body]); ++k)
          x[static_cast<std::size_t>(k)] = sign * h * dq(at + k, 0);
        advance(model.data().joint_type[body], &q[static_cast<std::size_t>(model.data().q_index[body])], x.data());
      }
      for (std::size_t k = 0; k < v.size(); ++k) {
        v[k] += sign * h * dv(static_cast<Eigen::Index>(k), 0);
        z[k] += sign * h * along[static_cast<Eigen::Index>(k)];
      }
      ends[sign < 0 ? 0 : 1] = value(q, v, z);
    }
    VectorXd quotient(model.nv());
    for (Eigen::Index k = 0; k < quotient.size(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      quotient[k] = static_cast<double>(Reference((ends[1][at] - ends[0][at]) / (2 * h)));
    }
    return quotient;
  }

  VectorXd tangent_of_inverse() {
    MatrixXd out(model.nv(), dq.cols());
    const Status status = external()
                              ? inverse_dynamics_tangent(model, *workspace, state.q, state.v, a, f_ext, dq, dv, da, out)
                              : inverse_dynamics_tangent(model, *workspace, state.q, state.v, a, dq, dv, da, out);
    EXPECT_TRUE(status.ok()) << status.message(model);
    return out.reshaped();
  }
  MatrixXd push() {
    MatrixXd out(model.nv(), dq.cols());
    const Status status = external() ? dynamics->push(state.q, state.v, a, f_ext, dq, dv, dtau, out)
                                     : dynamics->push(state.q, state.v, a, dq, dv, dtau, out);
    EXPECT_TRUE(status.ok()) << status.message(model);
    return out;
  }

  const Model& model;
  Random random;
  TestState state;
  VectorXd f_ext, a;
  MatrixXd dq, dv, da, dtau, bar;
  std::optional<ForwardDynamics> dynamics;
  std::optional<Workspace> workspace;
};

double relative(const VectorXd& x, const VectorXd& y) {
  return (x - y).cwiseAbs().maxCoeff() / std::max(y.cwiseAbs().maxCoeff(), 1e-300);
}

std::shared_ptr<const Modules> whole(const Model& m) {
  return std::make_shared<const Modules>(make_modules(m.data(), {}));
}

/// Of inverse and of forward dynamics, at its own accelerations.
void tangents_are_differences(const Model& model, std::uint64_t seed, double tolerance) {
  for (const bool external : {false, true}) {
    Case c(model, seed, external);
    const Digits f = lifted(c.state.f_ext);
    const Reference* f_ext = external ? f.data() : nullptr;
    InverseSolver<Reference> inverse(model, whole(model), false);
    const auto forces = [&](const Digits& q, const Digits& v, const Digits& a) {
      Digits tau(v.size());
      inverse.solve({.q = q.data(), .v = v.data(), .f_ext = f_ext, .a = a.data(), .result = tau.data()});
      return tau;
    };
    EXPECT_LE(relative(c.tangent_of_inverse(), c.difference(c.a, c.da.col(0), forces)), tolerance)
        << model.name() << ", seed " << seed << (external ? ", f_ext" : "");
    const auto forward = make_solver<Reference>(model, Method{});
    const auto accelerations = [&](const Digits& q, const Digits& v, const Digits& tau) {
      Digits a(v.size());
      forward->solve({.q = q.data(), .v = v.data(), .f_ext = f_ext, .tau = tau.data(), .result = a.data()});
      return a;
    };
    const Digits own = accelerations(lifted(c.state.q), lifted(c.state.v), lifted(c.state.tau));
    for (std::size_t k = 0; k < own.size(); ++k) c.a[static_cast<Eigen::Index>(k)] = static_cast<double>(own[k]);
    EXPECT_LE(relative(c.push(), c.difference(c.state.tau, c.dtau.col(0), accelerations)), 10 * tolerance)
        << model.name() << ", seed " << seed << (external ? ", f_ext" : "");
  }
}

class ProductsOfJoint : public testing::TestWithParam<JointType> {};

TEST_P(ProductsOfJoint, AreDifferences) {
  for (const bool alone : {true, false})
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      tangents_are_differences(make_model(around(GetParam(), alone, seed)), seed, 1e-13);
}
INSTANTIATE_TEST_SUITE_P(Types, ProductsOfJoint,
                         testing::Values(JointType::revolute, JointType::continuous, JointType::prismatic,
                                         JointType::helical, JointType::cylindrical, JointType::universal,
                                         JointType::spherical, JointType::planar, JointType::floating),
                         [](const auto& info) { return std::string(kinetree::name_of(info.param)); });

TEST(Products, OfGearsAndRotorsAreDifferences) {
  for (const char* family : {"geared:3", "geared:4:rotors=armature", "chain:5:armature=0.1", "star:3x2:armature=0.3"})
    tangents_are_differences(make_model(family), 4, 1e-13);
}

TEST(Products, OfRandomTreesAreDifferences) {
  for (int k = 1; k <= 24; ++k)
    tangents_are_differences(
        make_model("random:" + std::to_string(k) + ":seed=" + std::to_string(k) + ":floating=" + std::to_string(k % 2)),
        static_cast<std::uint64_t>(k), 1e-12);
}

/// <y_bar, dy> = <x_bar, dx>, relative to the sum of the terms' magnitudes.
struct Balance {
  double sum = 0, magnitude = 0;
  void add(double sign, const MatrixXd& x, const MatrixXd& y) {
    sum += sign * x.cwiseProduct(y).sum();
    magnitude += x.cwiseProduct(y).cwiseAbs().sum();
  }
  double off() const { return std::abs(sum) / magnitude; }
};

void cotangents_match_tangents(const Model& model, std::uint64_t seed, double tolerance, double of_dynamics) {
  const bool external = seed % 2 == 0;
  Case c(model, seed, external);
  MatrixXd q_bar(model.nv(), 1), v_bar = q_bar, a_bar = q_bar, tau_bar = q_bar;
  const auto& [q, v, tau, f] = c.state;
  ASSERT_TRUE((external ? inverse_dynamics_cotangent(model, *c.workspace, q, v, c.a, f, c.bar, q_bar, v_bar, a_bar)
                        : inverse_dynamics_cotangent(model, *c.workspace, q, v, c.a, c.bar, q_bar, v_bar, a_bar))
                  .ok());
  Balance inverse;
  inverse.add(1, c.bar, c.tangent_of_inverse());
  inverse.add(-1, q_bar, c.dq), inverse.add(-1, v_bar, c.dv), inverse.add(-1, a_bar, c.da);
  EXPECT_LE(inverse.off(), tolerance) << model.name() << ", seed " << seed;
  ASSERT_TRUE((external ? c.dynamics->pull(q, v, c.a, f, c.bar, q_bar, v_bar, tau_bar)
                        : c.dynamics->pull(q, v, c.a, c.bar, q_bar, v_bar, tau_bar))
                  .ok());
  Balance forward;
  forward.add(1, c.bar, c.push());
  forward.add(-1, q_bar, c.dq), forward.add(-1, v_bar, c.dv), forward.add(-1, tau_bar, c.dtau);
  EXPECT_LE(forward.off(), of_dynamics) << model.name() << ", seed " << seed;
}

TEST(Products, CotangentsMatchTangents) {
  for (const JointType type : {JointType::universal, JointType::planar, JointType::spherical, JointType::floating})
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      cotangents_match_tangents(make_model(around(type, false, seed)), seed, 1e-14, 1e-14);
  for (const char* family : {"geared:6", "chain:60", "tree:3x4", "chain:9:joints=universal:armature=0.2"})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) cotangents_match_tangents(make_model(family), seed, 1e-14, 1e-14);
}

TEST(Products, CotangentsMatchTangentsInRandomTrees) {
  for (int k = 1; k <= 1000; ++k)
    cotangents_match_tangents(make_model("random:" + std::to_string(1 + k % 17) + ":seed=" + std::to_string(k) +
                                         ":floating=" + std::to_string(k % 2)),
                              static_cast<std::uint64_t>(k), 1e-14, 1e-14);
}

/// But for rounding: one alone goes by other kernels than several. On threads to the same bits.
TEST(Products, DirectionsAndStatesAreAsOneByOne) {
  for (const char* family : {"random:9:seed=4:floating=1", "geared:3", "chain:3:joints=planar"}) {
    const Model model = make_model(family);
    const int nv = model.nv(), nq = model.nq();
    ForwardDynamics alone(model, Options{.algorithm = Algorithm::ab, .threads = 1});
    ForwardDynamics shared(model, Options{.algorithm = Algorithm::ab, .executor = ExecutorKind::team, .threads = 2});
    for (const int states : {1, 2, 9})
      for (const int each : {1, 2, 5, 13}) {
        Random random(3);
        MatrixXd q(nq, states), v(nv, states), a(nv, states);
        for (int c = 0; c < states; ++c) {
          const TestState s = random_state(model, static_cast<std::uint64_t>(40 + c));
          q.col(c) = s.q, v.col(c) = s.v, a.col(c) = s.tau;
        }
        std::array<MatrixXd, 3> x, pulled, on_threads;
        for (MatrixXd& m : x) {
          m.resize(nv, states * each);
          for (Eigen::Index k = 0; k < m.size(); ++k) m.data()[k] = random.uniform(-1, 1);
        }
        MatrixXd pushed(nv, states * each), other = pushed;
        pulled.fill(pushed), on_threads.fill(pushed);
        ASSERT_TRUE(alone.push(q, v, a, x[0], x[1], x[2], pushed).ok());
        EXPECT_EQ(alone.statuses().size(), static_cast<std::size_t>(states));
        ASSERT_TRUE(shared.push(q, v, a, x[0], x[1], x[2], other).ok());
        EXPECT_EQ(pushed, other) << family;
        ASSERT_TRUE(alone.pull(q, v, a, x[0], pulled[0], pulled[1], pulled[2]).ok());
        ASSERT_TRUE(shared.pull(q, v, a, x[0], on_threads[0], on_threads[1], on_threads[2]).ok());
        EXPECT_EQ(pulled, on_threads) << family;
        VectorXd one(nv), bars[3] = {one, one, one};
        for (int c = 0; c < states * each; ++c) {
          const int s = c / each;
          ASSERT_TRUE(alone.push(q.col(s), v.col(s), a.col(s), x[0].col(c), x[1].col(c), x[2].col(c), one).ok());
          EXPECT_LE(relative(pushed.col(c), one), 1e-12) << family << ", direction " << c << " of " << each;
          ASSERT_TRUE(alone.pull(q.col(s), v.col(s), a.col(s), x[0].col(c), bars[0], bars[1], bars[2]).ok());
          for (std::size_t k = 0; k < 3; ++k)
            EXPECT_LE(relative(pulled[k].col(c), bars[k]), 1e-12) << family << ", direction " << c << " of " << each;
        }
      }
  }
}

TEST(Products, InFloatAgree) {
  const Model model = make_model("random:8:seed=3:floating=1");
  Case c(model, 5, false, 6);
  Eigen::MatrixXf out(model.nv(), 6);
  const Eigen::MatrixXf dq = c.dq.cast<float>(), dv = c.dv.cast<float>(), dtau = c.dtau.cast<float>();
  const Eigen::VectorXf q = c.state.q.cast<float>(), v = c.state.v.cast<float>(), a = c.a.cast<float>();
  ASSERT_TRUE(c.dynamics->push(q, v, a, dq, dv, dtau, out).ok());
  EXPECT_LE(relative(out.cast<double>().reshaped(), c.push().reshaped()), 1e-4);
}

TEST(Products, SayWhatIsWrong) {
  const Model model = make_model("random:5:seed=2:joints=revolute");
  Case c(model, 3, false, 3);
  const int nv = model.nv();
  MatrixXd out(nv, 3), small(nv, 2), bars[3] = {out, out, out};
  const auto& [q, v, tau, f] = c.state;
  Workspace& w = *c.workspace;
  Status status = c.dynamics->push(q, v, c.a, c.dq, c.dv, c.dtau, small);
  EXPECT_EQ(status.code, StatusCode::wrong_size);
  EXPECT_STREQ(status.argument, "da");
  status = c.dynamics->push(q, v, c.a, c.dq, c.dv.leftCols(2), c.dtau, out);
  EXPECT_EQ(status.code, StatusCode::wrong_size);
  EXPECT_STREQ(status.argument, "dv");
  EXPECT_EQ(status.expected, 3);
  status = inverse_mass_product(model, w, q, MatrixXd(nv + 1, 3), out);
  EXPECT_EQ(status.code, StatusCode::wrong_size);
  EXPECT_STREQ(status.argument, "forces");
  const MatrixXd two = q.replicate(1, 2);
  EXPECT_EQ(inverse_mass_product(model, w, two, c.dq, out).code, StatusCode::wrong_size);
  EXPECT_EQ(inverse_mass_product(model, w, q, c.dq, c.dq).code, StatusCode::shared_memory);
  EXPECT_EQ(c.dynamics->pull(q, v, c.a, c.bar, bars[0], bars[1], bars[0]).code, StatusCode::shared_memory);
  EXPECT_EQ(inverse_mass_product(make_model("chain:5"), w, q, c.dq, out).code, StatusCode::other_model);
  EXPECT_TRUE(inverse_mass_product(model, w, q, MatrixXd(nv, 0), MatrixXd(nv, 0)).ok());

  MatrixXd dv = c.dv;
  dv(2, 1) = std::numeric_limits<double>::infinity();
  status = c.dynamics->push(q, v, c.a, c.dq, dv, c.dtau, out);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_STREQ(status.argument, "dv");
  EXPECT_EQ(status.body, 2);
  EXPECT_TRUE(out.array().isNaN().all());
  MatrixXd both(nv, 6), doubled = c.dq.replicate(1, 2);
  doubled(0, 4) = std::numeric_limits<double>::quiet_NaN();
  status = inverse_mass_product(model, w, two, doubled, both);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_EQ(status.column, 1);
  EXPECT_FALSE(both.leftCols(3).array().isNaN().any());
  EXPECT_TRUE(both.rightCols(3).array().isNaN().all());

  const std::vector<LinkPoint> points{{0}};
  VectorXd six = VectorXd::Ones(6), answer(6);
  EXPECT_EQ(delassus_product(model, w, q, points, Axes::link, PointRows::linear, 0.0, six, answer).code,
            StatusCode::wrong_size);
  EXPECT_EQ(delassus_product(model, w, q, points, Axes::link, PointRows::all, 0.0 / 0.0, six, answer).code,
            StatusCode::not_finite);
  EXPECT_EQ(
      delassus_product(model, w, q, std::vector<LinkPoint>{{99}}, Axes::link, PointRows::all, 0.0, six, answer).code,
      StatusCode::no_such_frame);
}

TEST(Products, OfLoopsAreRefusedByName) {
  const Model model = make_model("fourbars:1");
  const VectorXd q = VectorXd::Zero(model.nq()), x = VectorXd::Zero(model.nv());
  VectorXd out(model.nv());
  ForwardDynamics dynamics(model, Options{.algorithm = Algorithm::ab, .threads = 1});
  const Status status = dynamics.push(q, x, x, x, x, x, out);
  EXPECT_EQ(status.code, StatusCode::state_dependent_loop);
  EXPECT_NE(status.message(model).find("loop \""), std::string::npos) << status.message(model);
  EXPECT_EQ(dynamics.statuses().front().code, StatusCode::state_dependent_loop);
  ASSERT_TRUE(dynamics.solve(q, x, x, out).ok());
  EXPECT_TRUE(dynamics.statuses().front().ok());
}

TEST(Products, AllocateNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Model model = make_model("random:8:seed=5:floating=1");
  Case c(model, 3, true, 5);
  MatrixXd out(model.nv(), 5), bars[3] = {out, out, out};
  const std::vector<LinkPoint> points{{0}, {2, {0.1, 0, 0}}};
  MatrixXd F = MatrixXd::Ones(6, 5), A(6, 5);
  const VectorXd &q = c.state.q, &v = c.state.v, &f = c.state.f_ext;
  const auto calls = [&] {
    EXPECT_TRUE(c.dynamics->push(q, v, c.a, f, c.dq, c.dv, c.dtau, out).ok());
    EXPECT_TRUE(c.dynamics->pull(q, v, c.a, f, c.bar, bars[0], bars[1], bars[2]).ok());
    EXPECT_TRUE(inverse_dynamics_tangent(model, *c.workspace, q, v, c.a, f, c.dq, c.dv, c.da, out).ok());
    EXPECT_TRUE(inverse_dynamics_cotangent(model, *c.workspace, q, v, c.a, f, c.bar, bars[0], bars[1], bars[2]).ok());
    EXPECT_TRUE(inverse_mass_product(model, *c.workspace, q, c.dq, out).ok());
    EXPECT_TRUE(
        delassus_product(model, *c.workspace, q, points, Axes::world_aligned, PointRows::linear, 0.1, F, A).ok());
  };
  calls();
  start_counting();
  calls();
  EXPECT_EQ(stop_counting().ours, 0u);
}

/// Operations of one product over those of one forward dynamics.
TEST(Products, TakeAtMostTwoAndAHalfSolves) {
  using S = Counted;
  for (const char* family : {"chain:7", "chain:40", "tree:2x5", "random:20:seed=4:floating=1"}) {
    const Model model = make_model(family);
    const TestState s = random_state(model, 3);
    const auto counted = [](const VectorXd& x) {
      std::vector<S> all;
      for (const double number : x) all.push_back(S(number));
      return all;
    };
    const std::vector<S> q = counted(s.q), v = counted(s.v), tau = counted(s.tau),
                         directions = counted(s.tau.replicate(3, 1));
    std::vector<S> result(3 * tau.size());
    const auto operations = [&](Solver<S>& solver, const std::vector<S>& given) {
      solver.ask({.points = {}, .axes = Axes::link, .directions = 1});
      S::counts() = {};
      solver.solve({.q = q.data(), .v = v.data(), .tau = given.data(), .a = tau.data(), .result = result.data()});
      return static_cast<double>(S::counts().total());
    };
    const double solve = operations(*make_solver<S>(model, Method{}), tau);
    MassProductSolver<S> push(model, whole(model), Function::forward_dynamics_tangent),
        pull(model, whole(model), Function::forward_dynamics_cotangent);
    EXPECT_LE(operations(push, directions), 2.5 * solve) << family;
    EXPECT_LE(operations(pull, directions), 2.5 * solve) << family;
  }
}

}  // namespace
}  // namespace kinetree::oracle
