// Derivatives of inverse and of forward dynamics against the same kernels on Tangent numbers, against difference
// quotients in 60 digits, and against each other: every joint type, floating bases, external forces, rotors, couplings.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <kinetree/derivatives.hpp>
#include <kinetree/scalar/reference.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/algorithm/solver/articulated_solver.hpp"
#include "engine/algorithm/solver/inverse_solver.hpp"
#include "engine/joint/advance.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/tangent.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"
#include "oracle/reference_solve.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace derivatives {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Number = Tangent<double>;
using Numbers = std::vector<Number>;
using Matrices = std::array<MatrixXd, 3>;  ///< by q, by v, by tau or a

/// What a state's derivative is along: a velocity's coordinate of q, of v, or of what is solved with.
enum Along { q, v, force };

double error(const MatrixXd& ours, const MatrixXd& theirs) {
  return (ours - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
}

/// q with the rates that it has along a coordinate of v.
Numbers moving(const Model& model, const VectorXd& q, int coordinate) {
  const ModelData& m = model.data();
  VectorXd rates = VectorXd::Zero(model.nq());
  const VectorXd unit = VectorXd::Unit(model.nv(), coordinate);
  const int body = body_of_velocity(m, coordinate), at_q = m.q_index[at(body)], at_v = m.v_index[at(body)];
  position_rates(m.joint_type[at(body)], q.data() + at_q, unit.data() + at_v, rates.data() + at_q);
  Numbers all;
  for (Eigen::Index k = 0; k < q.size(); ++k) all.emplace_back(q[k], rates[k]);
  return all;
}

Numbers changing(const VectorXd& x, int entry) {
  Numbers all;
  for (Eigen::Index k = 0; k < x.size(); ++k) all.emplace_back(x[k], k == entry ? 1 : 0);
  return all;
}

/// By a solver on Tangent numbers: accelerations, or joint forces of the accelerations that s.tau holds.
Matrices by_tangents(Solver<Number>& solver, const Model& model, const TestState& s, bool forced, bool inverse) {
  const int nv = model.nv();
  const Numbers f = changing(s.f_ext, -1);
  Matrices result{MatrixXd(nv, nv), MatrixXd(nv, nv), MatrixXd(nv, nv)};
  for (int c = 0; c < nv; ++c)
    for (const Along along : {Along::q, Along::v, Along::force}) {
      const Numbers own_q = along == Along::q ? moving(model, s.q, c) : changing(s.q, -1);
      const Numbers own_v = changing(s.v, along == Along::v ? c : -1);
      const Numbers given = changing(s.tau, along == Along::force ? c : -1);
      Numbers out(at(nv));
      solver.solve({own_q.data(), own_v.data(), forced ? f.data() : nullptr, inverse ? nullptr : given.data(),
                    inverse ? given.data() : nullptr, out.data()});
      for (int r = 0; r < nv; ++r) result[along](r, c) = out[at(r)].rate;
    }
  return result;
}

/// Central quotients of accelerations in 60 digits, which keep 30.
Matrices by_differences(const Model& model, const TestState& s, bool forced) {
  const ModelData& m = model.data();
  const int nv = model.nv();
  const Reference h("1e-15");
  const auto lifted = [](const VectorXd& x) { return std::vector<Reference>(x.begin(), x.end()); };
  const std::vector<Reference> f = lifted(s.f_ext);
  const auto solver = make_solver<Reference>(model, Method());
  Matrices result{MatrixXd(nv, nv), MatrixXd(nv, nv), MatrixXd(nv, nv)};
  for (int c = 0; c < nv; ++c)
    for (const Along along : {Along::q, Along::v, Along::force}) {
      std::vector<Reference> ends[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<Reference> given[3]{lifted(s.q), lifted(s.v), lifted(s.tau)};
        const Reference step = side == 0 ? Reference(-h) : h;
        if (along == Along::q) {
          const int body = body_of_velocity(m, c);
          std::vector<Reference> way(6);
          way[at(c - m.v_index[at(body)])] = step;
          advance(m.joint_type[at(body)], &given[0][at(m.q_index[at(body)])], way.data());
        } else {
          given[along][at(c)] += step;
        }
        ends[side].resize(at(nv));
        solver->solve({given[0].data(), given[1].data(), forced ? f.data() : nullptr, given[2].data(), nullptr,
                       ends[side].data()});
      }
      for (int r = 0; r < nv; ++r)
        result[along](r, c) = static_cast<double>(Reference((ends[1][at(r)] - ends[0][at(r)]) / (2 * h)));
    }
  return result;
}

Matrices forward(const Model& model, Workspace& w, const TestState& s, bool forced) {
  const int nv = model.nv();
  Matrices d{MatrixXd(nv, nv), MatrixXd(nv, nv), MatrixXd(nv, nv)};
  const Status status = forced ? forward_dynamics_derivatives(model, w, s.q, s.v, s.tau, s.f_ext, d[0], d[1], d[2])
                               : forward_dynamics_derivatives(model, w, s.q, s.v, s.tau, d[0], d[1], d[2]);
  EXPECT_TRUE(status.ok()) << status.message(model);
  return d;
}

/// Errors of ab's accelerations in a state, relative to the largest.
double error_of_ab(const Model& model, const TestState& s, bool forced) {
  const std::vector<Reference> truth = reference_accelerations(model, s, forced);
  VectorXd exact(model.nv()), a(model.nv());
  for (int k = 0; k < model.nv(); ++k) exact[k] = static_cast<double>(truth[at(k)]);
  ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab, .lanes = 1});
  EXPECT_TRUE((forced ? dynamics.solve(s.q, s.v, s.tau, s.f_ext, a) : dynamics.solve(s.q, s.v, s.tau, a)).ok());
  return error(a, exact);
}

/// Calls use(name, model) for every joint type alone and in a tree, with rotors, random trees and floating ones.
void for_mechanisms(const std::function<void(const std::string&, const Model&)>& use) {
  for (const JointType type : {JointType::revolute, JointType::prismatic, JointType::helical, JointType::cylindrical,
                               JointType::universal, JointType::spherical, JointType::planar, JointType::floating})
    for (const bool alone : {true, false}) {
      Description d = around(type, alone, 5);
      if (!alone)
        for (BodyDescription& b : d.bodies)
          if (b.joint.type == "revolute") b.joint.armature = 0.3;
      use(d.name, make_model(d));
    }
  for (const char* family : {"chain:12", "comb:4", "tree:2x4", "star:3x3", "random:10:seed=1:floating=1",
                             "random:12:seed=2", "random:12:seed=4:floating=1:ratio=1000"})
    use(family, make_model(family));
}

TEST(Derivatives, OfForwardDynamicsAreThoseOfTangentsAndOfDifferencesIn60Digits) {
  for_mechanisms([](const std::string& name, const Model& model) {
    Workspace w(model);
    ArticulatedSolver<Number> solver(model, std::make_shared<const Modules>(make_modules(model.data(), {})), {});
    for (const bool forced : {false, true}) {
      const TestState s = random_state(model, 7);
      const double allowed = std::max(1e-13, 10 * error_of_ab(model, s, forced));
      const Matrices ours = forward(model, w, s, forced), tangents = by_tangents(solver, model, s, forced, false),
                     differences = by_differences(model, s, forced);
      for (std::size_t k = 0; k < 3; ++k) {
        if (differences[k].cwiseAbs().maxCoeff() == 0) {  // of sliding bodies nothing changes by q
          EXPECT_LE(ours[k].cwiseAbs().maxCoeff(), 1e-13) << name << ", " << k;
          continue;
        }
        EXPECT_LE(error(ours[k], differences[k]), allowed) << name << ", " << k << (forced ? ", f_ext" : "");
        EXPECT_LE(error(tangents[k], differences[k]), allowed) << name << ", " << k << (forced ? ", f_ext" : "");
      }
    }
  });
}

TEST(Derivatives, OfInverseDynamicsAreThoseOfTangents) {
  for_mechanisms([](const std::string& name, const Model& model) {
    Workspace w(model);
    InverseSolver<Number> solver(model, std::make_shared<const Modules>(make_modules(model.data(), {})), false);
    for (const bool forced : {false, true}) {
      const TestState s = random_state(model, 8);  // s.tau: as accelerations
      const Matrices tangents = by_tangents(solver, model, s, forced, true);
      MatrixXd dq(model.nv(), model.nv()), dv = dq, H = dq;
      const Status status = forced ? inverse_dynamics_derivatives(model, w, s.q, s.v, s.tau, s.f_ext, dq, dv)
                                   : inverse_dynamics_derivatives(model, w, s.q, s.v, s.tau, dq, dv);
      ASSERT_TRUE(status.ok()) << status.message(model);
      ASSERT_TRUE(mass_matrix(model, w, s.q, H).ok());
      const double scale = std::max(1.0, tangents[0].cwiseAbs().maxCoeff());
      EXPECT_LE((dq - tangents[0]).cwiseAbs().maxCoeff(), 2e-14 * scale) << name;
      EXPECT_LE((dv - tangents[1]).cwiseAbs().maxCoeff(), 2e-14 * scale) << name;
      EXPECT_LE(error(H, tangents[2]), 1e-14) << name;
    }
  });
}

/// Closed form beside Tangents, both in double. Where they differ by more than 1e-11, the closed form is held to 60
/// digits and to ten times what `ab` errs by: in one of 100,000 trees Tangents of articulated inertias are 1.4e-11 off,
/// where the closed form is 5e-13 off and `ab` 3e-13.
void random_trees_agree(int count, int first = 1) {
  for (int k = first; k <= count; ++k) {
    const Model model = make_model("random:" + std::to_string(1 + k % 17) + ":seed=" + std::to_string(k) +
                                   ":floating=" + std::to_string(k % 2));
    Workspace w(model);
    const TestState s = random_state(model, static_cast<std::uint64_t>(k));
    const auto modules = std::make_shared<const Modules>(make_modules(model.data(), {}));
    ArticulatedSolver<Number> solver(model, modules, {});
    InverseSolver<Number> inverse(model, modules, false);
    const bool forced = k % 3 == 0;
    const Matrices ours = forward(model, w, s, forced), theirs = by_tangents(solver, model, s, forced, false);
    MatrixXd dq(model.nv(), model.nv()), dv = dq;
    ASSERT_TRUE((forced ? inverse_dynamics_derivatives(model, w, s.q, s.v, s.tau, s.f_ext, dq, dv)
                        : inverse_dynamics_derivatives(model, w, s.q, s.v, s.tau, dq, dv))
                    .ok());
    const Matrices of_forces = by_tangents(inverse, model, s, forced, true);
    const auto largest = [](const MatrixXd& d) { return d.cwiseAbs().maxCoeff(); };
    const auto scale = [&](const MatrixXd& d) { return std::max(1.0, largest(d)); };
    const auto agree = [&](const MatrixXd& d, const MatrixXd& exact, double allowed, const char* name) {
      EXPECT_LE(largest(d - exact), allowed * scale(exact)) << name << ", " << model.name() << ", state " << k;
    };
    bool near = true;
    for (std::size_t i = 0; i < 3; ++i) near = near && largest(ours[i] - theirs[i]) <= 1e-11 * scale(theirs[i]);
    if (!near) {
      const Matrices exact = by_differences(model, s, forced);
      const double allowed = std::max(1e-13, 10 * error_of_ab(model, s, forced));
      for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(error(ours[i], exact[i]), allowed) << i << ", " << model.name();
    }
    agree(dq, of_forces[0], 1e-13, "dtau_dq"), agree(dv, of_forces[1], 1e-13, "dtau_dv");
  }
}
TEST(Derivatives, OfRandomTreesAreThoseOfTangents) {
  random_trees_agree(1000);
  random_trees_agree(72895, 72895);  // the one whose Tangents are off
}
TEST(DerivativesLong, OfRandomTreesAreThoseOfTangents) { random_trees_agree(100000); }

TEST(Derivatives, AllocateNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  for (const char* family : {"random:8:seed=5:floating=1", "geared:3"})
    for (const int count : {1, 9}) {
      const Model model = make_model(family);
      const int nv = model.nv();
      MatrixXd q(model.nq(), count), v(nv, count), tau(nv, count), f(6 * model.body_count(), count);
      for (int c = 0; c < count; ++c) {
        const TestState s = random_state(model, static_cast<std::uint64_t>(c));
        q.col(c) = s.q, v.col(c) = s.v, tau.col(c) = s.tau, f.col(c) = s.f_ext;
      }
      MatrixXd A(nv, nv * count), B = A, C = A;
      Workspace w(model, {.threads = 1});
      const auto calls = [&] {
        EXPECT_TRUE(forward_dynamics_derivatives(model, w, q, v, tau, A, B, C).ok());
        EXPECT_TRUE(forward_dynamics_derivatives(model, w, q, v, tau, f, A, B, C).ok());
        EXPECT_TRUE(inverse_dynamics_derivatives(model, w, q, v, tau, f, A, B).ok());
      };
      calls();
      start_counting();
      calls();
      EXPECT_EQ(stop_counting().ours, 0u) << family << ", " << count;
    }
}

// M⁻¹ times derivatives of joint forces errs by 4e-12 on a chain of 100 links, whatever M⁻¹ is found by.
TEST(Derivatives, OfLongChainsKeepTheirDigits) {
  const Model model = make_model("chain:40");
  Workspace w(model);
  const TestState s = random_state(model, 3);
  const Matrices ours = forward(model, w, s, false), exact = by_differences(model, s, false);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(error(ours[k], exact[k]), 1e-13) << k;
}

// What is coupled, by the accelerations of a model whose couplings hold: difference quotients at states that keep them
// in v alone, since q and tau are numbers of their own.
TEST(Derivatives, ThroughGearsAreThoseOfDifferences) {
  for (const char* family : {"geared:3", "geared:5"}) {
    const Model model = make_model(family);
    Workspace w(model);
    for (const bool forced : {false, true}) {
      const TestState s = random_state(model, 4);
      const Matrices ours = forward(model, w, s, forced), exact = by_differences(model, s, forced);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(error(ours[k], exact[k]), 1e-12) << family << ", " << k;
    }
  }
}

// Batches: bits of each state alone, whatever stands beside it; floats within their rounding.
TEST(Derivatives, OfBatchesAreThoseOfTheirStates) {
  // in the fourth joints of several freedoms lie over the ends of registers of four and of eight columns
  for (const char* family : {"chain:7", "random:9:seed=3:floating=1", "geared:3", "random:17:seed=5:floating=1"}) {
    const Model model = make_model(family);
    const int nv = model.nv(), count = 11;
    MatrixXd q(model.nq(), count), v(nv, count), tau(nv, count), f(6 * model.body_count(), count);
    for (int c = 0; c < count; ++c) {
      const TestState s = random_state(model, static_cast<std::uint64_t>(c));
      q.col(c) = s.q, v.col(c) = s.v, tau.col(c) = s.tau, f.col(c) = s.f_ext;
    }
    for (const int lanes : {0, 1}) {
      Workspace w(model, {.lanes = lanes}), alone(model);
      MatrixXd all[3], one[3];
      for (MatrixXd& x : all) x = MatrixXd::Constant(nv, nv * count, 7);
      for (MatrixXd& x : one) x.resize(nv, nv);
      ASSERT_TRUE(forward_dynamics_derivatives(model, w, q, v, tau, f, all[0], all[1], all[2]).ok());
      for (int c = 0; c < count; ++c) {
        ASSERT_TRUE(
            forward_dynamics_derivatives(model, alone, q.col(c), v.col(c), tau.col(c), f.col(c), one[0], one[1], one[2])
                .ok());
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_LE(error(all[k].middleCols(c * nv, nv), one[k]), lanes == 1 ? 0 : 1e-12) << family << ", " << k;
      }
      ASSERT_TRUE(inverse_dynamics_derivatives(model, w, q, v, tau, f, all[0], all[1]).ok());
      for (int c = 0; c < count; ++c) {
        ASSERT_TRUE(
            inverse_dynamics_derivatives(model, alone, q.col(c), v.col(c), tau.col(c), f.col(c), one[0], one[1]).ok());
        for (std::size_t k = 0; k < 2; ++k)
          EXPECT_LE(error(all[k].middleCols(c * nv, nv), one[k]), lanes == 1 ? 0 : 1e-13) << family << ", " << k;
      }
    }
    Workspace w(model);
    Eigen::MatrixXf in_float[3];
    MatrixXd in_double[3];
    for (Eigen::MatrixXf& x : in_float) x.resize(nv, nv);
    for (MatrixXd& x : in_double) x.resize(nv, nv);
    const Eigen::VectorXf qf = q.col(0).cast<float>(), vf = v.col(0).cast<float>(), tf = tau.col(0).cast<float>();
    ASSERT_TRUE(forward_dynamics_derivatives(model, w, qf, vf, tf, in_float[0], in_float[1], in_float[2]).ok());
    ASSERT_TRUE(forward_dynamics_derivatives(model, w, qf.cast<double>(), vf.cast<double>(), tf.cast<double>(),
                                             in_double[0], in_double[1], in_double[2])
                    .ok());
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(error(in_float[k].cast<double>(), in_double[k]), 1e-4) << family;
  }
}

TEST(Derivatives, SayWhatIsWrongWithTheirArguments) {
  const Model model = make_model("chain:3"), loop = make_model("fourbars:1");
  Workspace w(model), of_loop(loop);
  const VectorXd x = VectorXd::Constant(3, 0.1), y = VectorXd::Constant(loop.nv(), 0.1);
  MatrixXd A(3, 3), B(3, 3), C(3, 3), narrow(3, 2), D = MatrixXd::Constant(loop.nv(), loop.nv(), 7), E = D, F = D;
  EXPECT_EQ(forward_dynamics_derivatives(model, w, x, x, x, A, B, narrow).message(model),
            "da_dtau has 2 columns; 3 are expected");
  EXPECT_EQ(forward_dynamics_derivatives(model, w, x, x, VectorXd::Zero(2), A, B, C).code, StatusCode::wrong_size);
  EXPECT_EQ(forward_dynamics_derivatives(model, w, x, x, x, A, A, C).code, StatusCode::shared_memory);
  EXPECT_EQ(inverse_dynamics_derivatives(model, w, x, x, x, A, A.leftCols(3)).code, StatusCode::shared_memory);
  VectorXd wrong = x;
  wrong[1] = std::numeric_limits<double>::infinity();
  const Status status = forward_dynamics_derivatives(model, w, x, x, wrong, A, B, C);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_STREQ(status.argument, "tau");
  EXPECT_TRUE(A.array().isNaN().all());
  const Status refused = forward_dynamics_derivatives(loop, of_loop, y, y, y, D, E, F);
  EXPECT_EQ(refused.code, StatusCode::state_dependent_loop);
  EXPECT_NE(refused.message(loop).find("loop \""), std::string::npos) << refused.message(loop);
  EXPECT_TRUE((D.array() == 7).all());
  EXPECT_TRUE(inverse_dynamics_derivatives(loop, of_loop, y, y, y, D, E).ok());  // no loop holds anything there
}

}  // namespace derivatives
}  // namespace kinetree::oracle
