// Jain 2012, graph transformations II, on random rigid mechanisms with loops, couplings and rotors: their SKO models
// against the multipliers' dense equations of an oracle that shares nothing with the library, and X_S-dot against
// differences in 60 digits.
#include <kinetree/sko/operational_space.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "sko/jain2012_embedding.hpp"

namespace kinetree::sko {
namespace {

constexpr std::uint64_t closed_count = 60;

template <class Check>
void on_closed_mechanisms(Check&& check) {
  for (std::uint64_t seed = 0; seed < closed_count; ++seed) {
    SCOPED_TRACE("closed mechanism " + std::to_string(seed));
    const Closed c = closed_mechanism(seed);
    oracle::ClosedOracle truth(c.mechanism.description, c.mechanism.tree);
    truth.set(c.mechanism.state.q, c.mechanism.state.v, c.f_ext);
    check(c, truth);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Jain2012EmbeddingClosed, VelocitiesAndAccelerationsThatX_SGivesAreAllowed) {  // Eq. 25, 34, 58 to 61
  on_closed_mechanisms([](const Closed& c, const oracle::ClosedOracle& truth) {
    const MatrixXd X = map_in_model(c.model, c.body);
    EXPECT_EQ(X.cols(), truth.freedoms());
    const double scale = std::max(1.0, truth.K().size() > 0 ? largest_of(truth.K()) : 0) * largest_of(X);
    EXPECT_TRUE(same(truth.K() * X, MatrixXd::Zero(truth.K().rows(), X.cols()), scale));
    const VectorXd v_R = independent_velocities(c.body, c.mechanism.state.v.data()).value;
    EXPECT_TRUE(same_within(1e-12, X * v_R, c.mechanism.state.v));
    const VectorXd g = drift_in_model(c.model, c.body);
    EXPECT_TRUE(same(truth.K() * g, -truth.k(), std::max({1.0, largest_of(g), largest_of(truth.k())})));
  });
}

TEST(Jain2012EmbeddingClosed, Lemma5ThreeExpressionsForTheVelocities) {  // Eq. 29
  on_closed_mechanisms([](const Closed& c, const oracle::ClosedOracle& truth) {
    const auto& e = c.body.embedded;
    const SkoModel<double>&tree = c.body.tree.model, &aggregated = e.aggregated.model;
    const Stacked<double> v = joint_rows(c.body.tree, c.model, c.mechanism.state.v.data());
    const Stacked<double> v_R = independent_velocities(c.body, c.mechanism.state.v.data());
    const Stacked<double> V = transpose_times(tree.A, transpose_times(tree.H, v));
    const Stacked<double> V_a =
        transpose_times(aggregated.A, transpose_times(aggregated.H, regrouped(e.aggregated, v)));
    const Stacked<double> V_R = transpose_times(e.model.A, transpose_times(e.model.H, v_R));
    EXPECT_TRUE(same(in_original_order(e.aggregated, V_a), V.value));
    EXPECT_TRUE(same_within(1e-12, V_R, V_a.value));
    double energy = truth.tree().kinetic_energy();  // and the rotors', which are no links
    for (int k = 0; k < c.model.nv(); ++k)
      energy += c.model.data().armature[static_cast<std::size_t>(k)] * std::pow(c.mechanism.state.v[k], 2) / 2;
    EXPECT_NEAR(V_R.value.dot((e.model.M * V_R).value) / 2, energy, 1e-12 * (1 + energy));
  });
}

TEST(Jain2012EmbeddingClosed, Lemma6MassMatrixAndEquationsOfMotion) {  // Eq. 30 to 36
  double worst = 0;
  on_closed_mechanisms([&](const Closed& c, const oracle::ClosedOracle& truth) {
    const auto& e = c.body.embedded;
    const MatrixXd X = map_in_model(c.model, c.body), M = truth.mass_matrix();
    EXPECT_TRUE(same(newton_euler_product(e.model).matrix, X.transpose() * M * X));
    const VectorXd bias = Eigen::Map<const VectorXd>(truth.tree().bias().data(), c.model.nv());
    const VectorXd expected = X.transpose() * (bias + M * drift_in_model(c.model, c.body));
    const Stacked<double> zero = Stacked<double>::zero(e.model.space, Kind::joint);
    EXPECT_TRUE(same(inverse_dynamics(e.model, zero, e.a, e.b), expected));
    // forward dynamics, as for any tree
    const VectorXd& tau = c.mechanism.state.tau;
    const Stacked<double> J_R = independent_forces(e, joint_rows(c.body.tree, c.model, tau.data()));
    EXPECT_TRUE(same(J_R, X.transpose() * tau));
    const Stacked<double> found = spanning_accelerations(e, forward_dynamics(e.model, riccati(e.model), J_R, e.a, e.b));
    const VectorXd a = in_model(c.model, found), accelerations = truth.accelerations(tau);
    const double difference = largest_of(a - accelerations) / std::max(1.0, largest_of(accelerations));
    EXPECT_LE(difference, 3e-11);
    keep_worst(worst, difference);
  });
  std::printf("accelerations against multipliers, worst relative difference %.1e\n", worst);
}

TEST(Jain2012EmbeddingClosed, InnovationsFactorizationInverseAndDeterminant) {  // Eq. 52, 53
  on_closed_mechanisms([](const Closed& c, const oracle::ClosedOracle& truth) {
    const MatrixXd X = map_in_model(c.model, c.body);
    expect_factorized(c.body.embedded.model, X.transpose() * truth.mass_matrix() * X);
  });
}

TEST(Jain2012EmbeddingClosed, FactorizationHoldsToTheDigitsOfTheReference) {  // Eq. 32, 52, 53
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const oracle::ClosedMechanism m = oracle::random_closed_mechanism(seed);
    const auto& s = m.state;
    const std::vector<Reference> q(s.q.data(), s.q.data() + s.q.size()), v(s.v.data(), s.v.data() + s.v.size());
    const auto body = constrained_body<Reference>(m.model, q.data(), v.data());
    const SkoModel<Reference>& model = body.embedded.model;
    const Riccati<Reference> r = riccati(model);
    const Matrix<Reference> X = spanning_map(body.embedded), tree = newton_euler_product(body.tree.model).matrix;
    const Matrix<Reference> mass = X.transpose() * tree * X;
    const auto off = [&](const Matrix<Reference>& A, const Matrix<Reference>& B) {
      double difference = 0, size = 0;
      for (Eigen::Index k = 0; k < A.size(); ++k) {
        keep_worst(difference, to_double(abs(Reference(A.data()[k] - B.data()[k]))));
        keep_worst(size, to_double(abs(B.data()[k])));
      }
      keep_worst(worst, difference / size);
      return difference / size;
    };
    EXPECT_LE(off(newton_euler_product(model).matrix, mass), 1e-58);
    const Eigen::Index n = mass.rows();
    Matrix<Reference> inverse(n, n), LDL(n, n);
    auto unit = Stacked<Reference>::zero(model.space, Kind::joint);
    for (Eigen::Index c = 0; c < n; ++c) {
      unit.value.setZero();
      unit.value(c) = 1;
      inverse.col(c) = inverse_mass_matrix_times(model, r, unit).value;
      LDL.col(c) = innovations_times(model, r, r.D * innovations_transpose_times(model, r, unit)).value;
    }
    EXPECT_LE(off(LDL, mass), 1e-59);
    EXPECT_LE(off(mass * inverse, Matrix<Reference>::Identity(n, n)), 5e-57);
    Reference dense(1);
    const SymmetricFactor<Reference> factor(mass);
    for (int k = 0; k < factor.size(); ++k) dense = dense / factor.inverse_pivot(k);
    EXPECT_LE(to_double(abs(Reference(determinant(r) / dense - 1))), 1e-57);
  }
  std::printf("factorization, inverse and determinant in 60 digits: worst relative difference %.1e\n", worst);
}

TEST(Jain2012EmbeddingClosed, OperationalSpaceComplianceOfConstrainedBodies) {
  on_closed_mechanisms([](const Closed& c, const oracle::ClosedOracle& truth) {
    const SkoModel<double>& model = c.body.embedded.model;
    const MatrixXd X = map_in_model(c.model, c.body);
    const MatrixXd mass = X.transpose() * truth.mass_matrix() * X, J = partial_velocities(model).matrix;
    const Riccati<double> r = riccati(model);
    EXPECT_TRUE(same_within(1e-11, placed(compliance_diagonal(model, r)),
                            diagonal_of(J * mass.ldlt().solve(J.transpose()), *model.space)));
  });
}

TEST(Jain2012EmbeddingClosed, TheModelsOwnCoordinatesGiveTheSameAccelerations) {
  int other = 0;
  on_closed_mechanisms([&](const Closed& c, const oracle::ClosedOracle& truth) {
    const auto& s = c.mechanism.state;
    const double* f_ext = c.f_ext.size() > 0 ? c.f_ext.data() : nullptr;
    try {
      const auto body = constrained_body(c.model, s.q.data(), s.v.data(), f_ext, IndependentCoordinates::models);
      const auto& e = body.embedded;
      other += body.velocities != c.body.velocities;
      const MatrixXd X = map_in_model(c.model, body);
      if (largest_of(X) > 1e3) return;  // a bad choice here
      const Stacked<double> J_R = independent_forces(e, joint_rows(body.tree, c.model, s.tau.data()));
      const VectorXd a =
          in_model(c.model, spanning_accelerations(e, forward_dynamics(e.model, riccati(e.model), J_R, e.a, e.b)));
      const VectorXd accelerations = truth.accelerations(s.tau);
      EXPECT_LE(largest_of(a - accelerations), 1e-11 * std::max(1.0, largest_of(accelerations)));
    } catch (const std::invalid_argument& e) {  // they may lose rank where others do not
      EXPECT_NE(std::string(e.what()).find("singular in this state"), std::string::npos) << e.what();
    }
  });
  std::printf("%d mechanisms with other coordinates\n", other);
  EXPECT_GT(other, 10);
}

// ---- X_S-dot
// ---------------------------------------------------------------------------------------------------------

using Digits = std::vector<Reference>;

/// q + time dq/dt to first order; quaternions lose their unit length, which kernels do not ask for.
Digits after(const Model& model, const Digits& q, const Digits& v, const Reference& time) {
  Digits result = q;
  for (int b = 0; b < model.body_count(); ++b) {
    const auto i = static_cast<std::size_t>(b);
    Reference* x = result.data() + model.data().q_index[i];
    const Reference* rate = v.data() + model.data().v_index[i];
    const JointType type = model.data().joint_type[i];
    const auto turn = [&](Reference* p, const Reference* w) {
      const Vector3<Reference> u{p[0], p[1], p[2]}, half{w[0] / 2, w[1] / 2, w[2] / 2};
      const Vector3<Reference> rates = p[3] * half + cross(u, half);
      p[3] -= time * dot(u, half);
      p[0] += time * rates.x, p[1] += time * rates.y, p[2] += time * rates.z;
    };
    if (type == JointType::spherical) {
      turn(x, rate);
    } else if (type == JointType::floating) {
      const Vector3<Reference> u{x[3], x[4], x[5]}, linear{rate[0], rate[1], rate[2]};
      const Reference n = dot(u, u) + x[6] * x[6];
      const Vector3<Reference> turned = (x[6] / n) * linear + (1 / n) * cross(u, linear);
      const Vector3<Reference> rates = linear + Reference(2) * cross(u, turned);
      x[0] += time * rates.x, x[1] += time * rates.y, x[2] += time * rates.z;
      turn(x + 3, rate + 3);
    } else {
      for (int k = 0; k < velocity_count(type); ++k) x[k] += time * rate[k];
    }
  }
  return result;
}

Digits digits(const VectorXd& x) { return Digits(x.data(), x.data() + x.size()); }

/// The largest difference of X_S-dot v_R, by Cor. 8.1 and by central differences, relative; negative where the state is
/// so near to where the choice of coordinates changes that they differ.
double drift_error(const Model& model, const oracle::TestState& state) {
  const Digits q = digits(state.q);
  Digits v = digits(state.v);
  const auto at_q = constrained_body<Reference>(model, q.data(), v.data());
  const auto v_R = independent_velocities(at_q, v.data());
  v = model_order(model, spanning_velocities(at_q.embedded, v_R));  // allowed to the last digit
  const auto body = constrained_body<Reference>(model, q.data(), v.data());
  const Reference step("1e-20");
  const Digits earlier = after(model, q, v, -step), later = after(model, q, v, step);
  const auto before = constrained_body<Reference>(model, earlier.data(), v.data());
  const auto behind = constrained_body<Reference>(model, later.data(), v.data());
  if (before.velocities != body.velocities || behind.velocities != body.velocities) return -1;
  const auto rates = [&](const ConstrainedBody<Reference>& b) {
    return spanning_velocities(b.embedded, moved(b.embedded.model.space, v_R)).value;
  };
  const Vector<Reference> differences = (rates(behind) - rates(before)) / (2 * step);
  const Vector<Reference> g = in_original_order(body.embedded.aggregated, body.embedded.g).value;
  double worst = 0, size = 1;
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    keep_worst(worst, to_double(abs(Reference(g(k) - differences(k)))));
    keep_worst(size, to_double(abs(g(k))));
  }
  return worst / size;
}

TEST(Jain2012EmbeddingClosed, Corollary81IsTheDerivativeOfX_S) {  // Eq. 61
  double worst = 0;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < closed_count; ++seed) {
    const oracle::ClosedMechanism m = oracle::random_closed_mechanism(seed);
    const double error = drift_error(m.model, m.state);
    if (error < 0) continue;
    EXPECT_LE(error, 1e-13) << seed;  // a Model's constants are doubles: its rotations turn by a bit more or less
    keep_worst(worst, error);
    ++compared;
  }
  std::printf("X_S-dot against differences: %d mechanisms, worst relative difference %.1e\n", compared, worst);
  EXPECT_GT(compared, 50);
}

TEST(Jain2012EmbeddingClosed, CouplingsHaveAConstantX_S) {
  int gears = 0;
  for (std::uint64_t seed = 0; seed < closed_count; ++seed) {
    const Closed c = closed_mechanism(seed);
    VectorXd q = c.mechanism.state.q;
    for (int b = 0; b < c.model.body_count(); ++b)
      if (velocity_count(c.model.data().joint_type[static_cast<std::size_t>(b)]) == 1)
        q[c.model.data().q_index[static_cast<std::size_t>(b)]] += 0.1 * b;
    for (const Aggregate& a : c.model.data().aggregates) {
      if (!a.constant()) continue;
      const int node =
          c.body.embedded.aggregated.nodes.image[static_cast<std::size_t>(node_of_body(c.model, a.bodies.front()))];
      EXPECT_TRUE((c.body.embedded.g(node).array() == 0).all()) << seed;
      try {
        const auto there = constrained_body(c.model, q.data(), c.mechanism.state.v.data());
        const auto n = static_cast<std::size_t>(node);
        EXPECT_EQ(there.embedded.X[n], c.body.embedded.X[n]) << seed;
      } catch (const std::invalid_argument&) {  // another aggregate, which has loops, is singular there
      }
      ++gears;
    }
  }
  std::printf("%d aggregates of couplings\n", gears);
  EXPECT_GT(gears, 10);
}

}  // namespace
}  // namespace kinetree::sko
