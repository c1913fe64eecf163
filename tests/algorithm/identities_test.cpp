// What must hold whatever the algorithm: the mass matrix, the equation of motion, energies, power.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

const char* const families[] = {"chain:12", "tree:2x4",         "star:3x4",
                                "comb:5",   "random:20:seed=3", "random:25:seed=4:floating=1:special=1"};

TEST(Identities, MassMatrixIsSymmetricAndItsColumnsAreInverseDynamics) {
  for (const char* family : families) {
    const Model model = make_model(family);
    const int n = model.nv();
    TestState s = random_state(model, 1);
    Workspace workspace(model);
    Eigen::MatrixXd H(n, n);
    ASSERT_TRUE(mass_matrix(model, workspace, s.q, H).ok());
    EXPECT_EQ(largest_of(H - H.transpose()), 0) << family;
    EXPECT_GT(H.diagonal().minCoeff(), 0) << family;
    Eigen::VectorXd at_rest(n), column(n);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(n);
    EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, none, none, at_rest).ok());
    for (int k = 0; k < n; ++k) {
      EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, none, Eigen::VectorXd::Unit(n, k), column).ok());
      EXPECT_LE(largest_of(column - at_rest - H.col(k)), 1e-12 * largest_of(H) + 1e-12 * largest_of(at_rest))
          << family << ", column " << k;
    }
  }
}

TEST(Identities, MassMatrixAndBiasAreTheOracles) {
  for (const char* family : families) {
    const Description description = make_description(family);
    const Model model = make_model(description);
    const int n = model.nv();
    const TestState s = random_state(model, 2);
    DenseOracle<long double> oracle(description, model);
    oracle.set(s.q, s.v, s.f_ext);
    Workspace workspace(model);
    Eigen::MatrixXd H(n, n);
    EXPECT_TRUE(mass_matrix(model, workspace, s.q, H).ok());
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd bias(n);
    EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, none, s.f_ext, bias).ok());
    EXPECT_LE(relative_difference(bias, oracle.bias()), 1e-12) << family;
    double worst = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) keep_worst(worst, std::abs(H(i, j) - static_cast<double>(oracle.mass(i, j))));
    EXPECT_LE(worst, 1e-13 * largest_of(H)) << family;
    // kinetic energy is the oracle's sum over links
    const double energy = 0.5 * s.v.dot(H * s.v);
    EXPECT_NEAR(energy, static_cast<double>(oracle.kinetic_energy()), 1e-12 * energy) << family;
  }
}

TEST(Identities, MassTimesAccelerationPlusBiasIsTau) {
  for (const char* family : families) {
    const Model model = make_model(family);
    const int n = model.nv();
    const TestState s = random_state(model, 3);
    Workspace workspace(model);
    Eigen::MatrixXd H(n, n);
    Eigen::VectorXd bias(n);
    EXPECT_TRUE(mass_matrix(model, workspace, s.q, H).ok());
    EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, Eigen::VectorXd::Zero(n), bias).ok());
    for (const Options& options : all_plans(-1)) {
      if (options.cuts == Cuts::all) continue;
      ForwardDynamics dynamics(model, options);
      const Eigen::VectorXd a = accelerations(dynamics, s);
      EXPECT_LE((H * a + bias - s.tau).norm(), 1e-12 * (s.tau.norm() + bias.norm() + (H * a).norm()))
          << family << ", " << describe(options);
    }
  }
}

/// q moved along v for a time h: x, y, z and quaternions by their own rules, all else straight on.
Eigen::VectorXd moved(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h) {
  Eigen::VectorXd to = q;
  const auto turn = [&](int at, const Eigen::Vector3d& w) {
    const Eigen::Quaterniond before(q[at + 3], q[at], q[at + 1], q[at + 2]);
    const double angle = w.norm() * h;
    const Eigen::Vector3d axis = w.norm() > 0 ? Eigen::Vector3d(w.normalized()) : Eigen::Vector3d::UnitX();
    const Eigen::Quaterniond by(std::cos(angle / 2), std::sin(angle / 2) * axis[0], std::sin(angle / 2) * axis[1],
                                std::sin(angle / 2) * axis[2]);
    to.segment<4>(at) = (before * by).coeffs();
  };
  for (int b = 0; b < model.body_count(); ++b) {
    const auto k = static_cast<std::size_t>(b);
    const int qi = model.data().q_index[k], vi = model.data().v_index[k];
    if (model.data().joint_type[k] == JointType::spherical) {
      turn(qi, v.segment<3>(vi));
    } else if (model.data().joint_type[k] == JointType::floating) {
      const Eigen::Quaterniond R(q[qi + 6], q[qi + 3], q[qi + 4], q[qi + 5]);
      to.segment<3>(qi) += h * (R * v.segment<3>(vi));
      turn(qi + 3, v.segment<3>(vi + 3));
    } else {
      to.segment(qi, velocity_count(model.data().joint_type[k])) +=
          h * v.segment(vi, velocity_count(model.data().joint_type[k]));
    }
  }
  return to;
}

/// d/dt (kinetic + potential) = tau·v: the energies by the oracle at two moments, the accelerations by each algorithm.
TEST(Identities, PowerBalance) {
  for (const char* family : families) {
    const Description description = make_description(family);
    const Model model = make_model(description);
    const TestState s = random_state(model, 4);
    DenseOracle<long double> oracle(description, model);
    const double h = 1e-5;
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb, Algorithm::cfa}) {
      ForwardDynamics dynamics(model, serial(algorithm));
      const Eigen::VectorXd a = accelerations(dynamics, s);
      const auto energy = [&](double t) {
        oracle.set(moved(model, s.q, s.v, t), s.v + t * a);
        return oracle.kinetic_energy() + oracle.potential_energy();
      };
      const double power = static_cast<double>((energy(h) - energy(-h)) / (2 * h));
      // central differences: error h² times the third derivative, and rounding of the double states over h
      EXPECT_NEAR(power, s.tau.dot(s.v), 1e-5 * (1 + s.tau.cwiseAbs().dot(s.v.cwiseAbs())))
          << family << ", " << name_of(algorithm);
    }
  }
}

TEST(Identities, ExternalForceThatCarriesTheWeightLeavesNoGravity) {
  // a force of minus the weight in every centre of mass does what switching gravity off does
  Description description = make_description("random:15:seed=8:joints=revolute");
  const Model model = make_model(description);
  const TestState s = random_state(model, 5);
  Description weightless = description;
  weightless.gravity = {0, 0, 0};
  const Model floats = make_model(weightless);
  DenseOracle<double> oracle(description, model);
  oracle.set(s.q, s.v);
  TestState held = s;
  for (int b = 0; b < model.body_count(); ++b) {
    const InertialDescription& inertial = *description.bodies[static_cast<std::size_t>(b)].inertial;
    ASSERT_EQ(description.bodies[static_cast<std::size_t>(b)].name, model.body_name(oracle.body_of(b)));
    const Vec<double> c = oracle.to_world(b, vec<double>(inertial.frame.xyz)) - oracle.origin(b);
    const Vec<double> force = -inertial.mass * vec<double>(description.gravity), moment = cross(c, force);
    held.f_ext.segment<6>(6 * oracle.body_of(b)) << moment.x, moment.y, moment.z, force.x, force.y, force.z;
  }
  ForwardDynamics with(model, serial(Algorithm::ab)), without(floats, serial(Algorithm::ab));
  const Eigen::VectorXd a = accelerations(with, held, true), b = accelerations(without, s);
  EXPECT_LE(largest_of(a - b), 1e-10 * largest_of(b));
}

}  // namespace
}  // namespace kinetree::oracle
