// The joint-torque regressor times parameters against inverse dynamics; its columns against models rebuilt with one
// number changed; its products against the matrix; ranks against those that are known of arms.
#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/forces.hpp>
#include <kinetree/identification.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/model_facts.hpp>
#include <numeric>

#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd regressor_at(const Model& model, Workspace& workspace, const TestState& s, const VectorXd& a) {
  MatrixXd Y(model.nv(), dynamic_parameter_count(model));
  EXPECT_TRUE(joint_torque_regressor(model, workspace, s.q, s.v, a, Y).ok()) << model.name();
  return Y;
}

VectorXd forces_at(const Model& model, const TestState& s, const VectorXd& a) {
  Workspace workspace(model);
  VectorXd tau(model.nv());
  EXPECT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, a, tau).ok()) << model.name();
  return tau;
}

/// By how much Y p is off inverse dynamics with damping and friction, beside the sum of its terms' magnitudes.
double off_inverse_dynamics(const Model& model, std::uint64_t seed) {
  const TestState s = random_state(model, seed);
  Workspace workspace(model);
  const MatrixXd Y = regressor_at(model, workspace, s, s.tau);
  const VectorXd p = dynamic_parameters(model), terms = Y.cwiseAbs() * p.cwiseAbs();
  VectorXd tau = forces_at(model, s, s.tau), passive = VectorXd::Zero(model.nv());
  EXPECT_TRUE(add_passive_forces(model, s.q, s.v, passive).ok());
  tau = Y * p - (tau - passive);
  double worst = 0;
  for (Eigen::Index k = 0; k < tau.size(); ++k) worst = std::max(worst, std::abs(tau[k]) / terms[k]);
  return std::isfinite(tau.sum()) ? worst : std::numeric_limits<double>::infinity();
}

/// A description with rotors, damping and friction everywhere.
Description with_losses(Description d) {
  Random random(5);
  for (BodyDescription& b : d.bodies)
    if (b.joint.type != "fixed") {
      b.joint.armature = random.uniform(0.01, 0.2);
      b.joint.passive.damping = {random.uniform(0.1, 1)};
      b.joint.passive.friction = {random.uniform(0.1, 1)};
    }
  return d;
}

TEST(JointTorqueRegressor, TimesParametersIsInverseDynamics) {
  for (std::size_t t = 0; t < joint_type_names.size(); ++t)
    for (const bool alone : {true, false}) {
      const auto type = static_cast<JointType>(t);
      if (type == JointType::fixed && alone) continue;
      EXPECT_LE(off_inverse_dynamics(make_model(with_losses(around(type, alone, 7))), 3), 1e-13)
          << name_of(type) << alone;
    }
  for (const char* family : {"chain:40", "chain:12:armature=0.1", "geared:5", "fourbars:2", "tree:2x4", "star:9x2",
                             "random:30:seed=6:floating=1"})
    EXPECT_LE(off_inverse_dynamics(make_model(family), 4), 1e-13) << family;
  for (const char* file : {"arm7", "humanoid", "geared_humanoid"}) {
    const Model model =
        load_model(std::string(KINETREE_MODELS) + "/" + file + ".yaml", {.floating_base = file[0] != 'a'});
    EXPECT_LE(off_inverse_dynamics(model, 5), 1e-13) << file;
  }
}

TEST(JointTorqueRegressor, TimesParametersIsInverseDynamicsInRandomTrees) {
  for (int seed = 1; seed <= 1000; ++seed) {
    const std::string family = "random:" + std::to_string(1 + seed % 14) + ":seed=" + std::to_string(seed) +
                               (seed % 3 == 0 ? ":floating=1" : "");
    EXPECT_LE(off_inverse_dynamics(make_model(family), static_cast<std::uint64_t>(seed)), 1e-13) << family;
  }
}

/// Ten numbers of a link about its origin, in a description's words.
InertialDescription from_ten(const VectorXd& p) {
  const Eigen::Vector3d c = p.segment<3>(1) / p[0];
  InertialDescription d;
  d.mass = p[0], d.frame.xyz = {c.x(), c.y(), c.z()};
  const double m = p[0];
  d.inertia = {p[4] - m * (c.y() * c.y() + c.z() * c.z()),
               p[5] - m * (c.x() * c.x() + c.z() * c.z()),
               p[6] - m * (c.x() * c.x() + c.y() * c.y()),
               p[7] + m * c.x() * c.y(),
               p[8] + m * c.x() * c.z(),
               p[9] + m * c.y() * c.z()};
  return d;
}

/// Inverse dynamics is linear in these numbers: a finite change of one, in a model rebuilt, is its column exactly.
TEST(JointTorqueRegressor, ColumnsAreWhatAChangedLinkChanges) {
  for (std::size_t t = 0; t < joint_type_names.size(); ++t) {
    Description d = with_losses(around(static_cast<JointType>(t), false, 11));
    for (BodyDescription& b : d.bodies) {  // of the ten numbers, so that a change is of one alone
      const double m = b.inertial->mass;
      VectorXd ten(10);
      ten << m, 0.1 * m, -0.05 * m, 0.2 * m, 0.3, 0.28, 0.25, 0.01, -0.02, 0.03;
      b.inertial = from_ten(ten);
    }
    const Model model = make_model(d);
    const TestState s = random_state(model, 8);
    Workspace workspace(model);
    const MatrixXd Y = regressor_at(model, workspace, s, s.tau);
    const VectorXd p = dynamic_parameters(model), before = forces_at(model, s, s.tau);
    const VectorXd terms = Y.cwiseAbs() * p.cwiseAbs();
    const std::vector<std::string> names = dynamic_parameter_names(model);
    for (int body = 0; body < model.body_count(); ++body) {
      const auto own = std::ranges::find(d.bodies, model.body_name(body), &BodyDescription::name);
      const bool alone = std::ranges::none_of(
          d.bodies, [&](const BodyDescription& b) { return b.parent == own->name && b.joint.type == "fixed"; });
      for (int k = 0; k < 10; ++k) {
        if (!alone) continue;
        const double change = k == 0 ? 0.5 : 0.02;
        VectorXd ten = p.segment(10 * body, 10);
        ten[k] += change;
        Description changed = d;
        changed.bodies[static_cast<std::size_t>(own - d.bodies.begin())].inertial = from_ten(ten);
        const Model rebuilt = make_model(changed);
        const VectorXd off = forces_at(rebuilt, s, s.tau) - before - change * Y.col(10 * body + k);
        EXPECT_LE((off.cwiseAbs() - 1e-13 * (terms + change * Y.col(10 * body + k).cwiseAbs())).maxCoeff(), 0)
            << model.name() << " " << names[static_cast<std::size_t>(10 * body + k)];
        EXPECT_NEAR(dynamic_parameters(rebuilt)[10 * body + k], ten[k], 1e-14);
      }
      Description changed = d;
      changed.bodies[static_cast<std::size_t>(own - d.bodies.begin())].joint.armature += 0.25;
      VectorXd expected = VectorXd::Zero(model.nv());
      for (int v = model.v_index(body); v < model.v_index(body) + velocity_count(model.joint_type(body)); ++v)
        expected += 0.25 * Y.col(10 * model.body_count() + v);
      EXPECT_LE((forces_at(make_model(changed), s, s.tau) - before - expected).cwiseAbs().maxCoeff(),
                1e-13 * terms.maxCoeff());
    }
  }
}

/// A body with links on fixed joints has the sum of their ten numbers, turned and moved into its own link's frame.
TEST(DynamicParameters, OfLinksOnFixedJointsAreTheirBodys) {
  const Model model = make_model(around(JointType::helical, false, 4));
  const VectorXd p = dynamic_parameters(model);
  const std::vector<std::string> names = dynamic_parameter_names(model);
  ASSERT_EQ(static_cast<Eigen::Index>(names.size()), p.size());
  const int body = model.body_of_link("plate");
  EXPECT_EQ(names[static_cast<std::size_t>(10 * body)], "it.mass");
  EXPECT_EQ(names[static_cast<std::size_t>(10 * model.body_count() + model.v_index(body))], "to_it.armature");
  const InertiaFacts facts = inertia_facts(model, "plate");
  const InertialDescription own = from_ten(p.segment(10 * body, 10));
  EXPECT_NEAR(own.mass, facts.mass, 1e-14);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(own.frame.xyz[k], facts.centre_of_mass[k], 1e-14);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(own.inertia[k], facts.inertia[k], 1e-14);
}

/// Both products, several states and several directions, alone and in lanes, in double and float.
TEST(JointTorqueRegressor, ProductsAreThoseOfTheMatrix) {
  for (const char* family : {"random:9:seed=6:floating=1", "chain:7:joints=helical", "geared:3", "tree:2x4"}) {
    const Model model = make_model(family);
    const Eigen::Index nv = model.nv(), P = dynamic_parameter_count(model);
    for (const Eigen::Index states : {1, 5})
      for (const Eigen::Index each : {1, 3}) {
        Random random(9);
        MatrixXd q(model.nq(), states), v(nv, states), a(nv, states), p(P, states * each), f(nv, states * each);
        for (Eigen::Index c = 0; c < states; ++c) {
          const TestState s = random_state(model, static_cast<std::uint64_t>(c + 1));
          q.col(c) = s.q, v.col(c) = s.v, a.col(c) = s.tau;
        }
        for (Eigen::Index c = 0; c < states * each; ++c)
          p.col(c) = uniform_vector(random, P, 1), f.col(c) = uniform_vector(random, nv, 1);
        Workspace workspace(model);
        MatrixXd Y(nv, P * states), tau(nv, states * each), back(P, states * each);
        ASSERT_TRUE(joint_torque_regressor(model, workspace, q, v, a, Y).ok());
        ASSERT_TRUE(joint_torque_regressor_product(model, workspace, q, v, a, p, tau).ok());
        ASSERT_TRUE(joint_torque_regressor_transpose_product(model, workspace, q, v, a, f, back).ok());
        Eigen::MatrixXf in_float(nv, P * states);
        ASSERT_TRUE(
            joint_torque_regressor(model, workspace, q.cast<float>(), v.cast<float>(), a.cast<float>(), in_float).ok());
        EXPECT_LE((in_float.cast<double>() - Y).cwiseAbs().maxCoeff(), 1e-4 * Y.cwiseAbs().maxCoeff()) << family;
        for (Eigen::Index c = 0; c < states; ++c) {
          const MatrixXd own = Y.middleCols(c * P, P);
          for (Eigen::Index k = c * each; k < (c + 1) * each; ++k) {
            const VectorXd off = tau.col(k) - own * p.col(k), terms = own.cwiseAbs() * p.col(k).cwiseAbs();
            EXPECT_LE((off.cwiseAbs() - 1e-13 * terms).maxCoeff(), 0) << family;
            const VectorXd off_back = back.col(k) - own.transpose() * f.col(k);
            const VectorXd terms_back = own.transpose().cwiseAbs() * f.col(k).cwiseAbs();
            const double largest = own.cwiseAbs().maxCoeff();  // entries that cancel in Y have lost what is relative
            EXPECT_LE((off_back.cwiseAbs() - 1e-13 * terms_back).maxCoeff(), 1e-13 * largest) << family;
          }
          VectorXd alone(nv);
          ASSERT_TRUE(
              joint_torque_regressor_product(model, workspace, q.col(c), v.col(c), a.col(c), p.col(c * each), alone)
                  .ok());
          EXPECT_LE((alone - tau.col(c * each)).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff()) << family;
        }
      }
  }
}

/// External forces are no parameters: what they do is added, whatever the parameters are.
TEST(JointTorqueRegressor, ExternalForcesAreAddedByThemselves) {
  const Model model = make_model("random:9:seed=3:floating=1");
  const TestState s = random_state(model, 2);
  Workspace workspace(model);
  VectorXd tau(model.nv()), held(model.nv()), at_rest(model.nv());
  const VectorXd still = VectorXd::Zero(model.nv());
  ASSERT_TRUE(inverse_dynamics(model, workspace, s.q, s.v, s.tau, s.f_ext, tau).ok());
  ASSERT_TRUE(inverse_dynamics(model, workspace, s.q, still, still, s.f_ext, held).ok());
  ASSERT_TRUE(inverse_dynamics(model, workspace, s.q, still, still, at_rest).ok());
  const VectorXd expected = regressor_at(model, workspace, s, s.tau) * dynamic_parameters(model) + held - at_rest;
  EXPECT_LE((tau - expected).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff());
}

/// With gears and loops rows of independent coordinates are X_Sᵀ Y.
TEST(JointTorqueRegressor, IndependentCoordinatesFeelItByTheirMap) {
  for (const char* family : {"geared:5", "fourbars:2", "geared:5:rotors=armature", "geared:4:rotors=bodies"}) {
    const Model model = make_model(family);
    TestState s = random_state(model, 2);
    ASSERT_TRUE(random_state(model, 3, s.q, s.v).ok()) << family;
    Workspace workspace(model);
    const auto count = static_cast<Eigen::Index>(independent_velocities(model).size());
    MatrixXd X(model.nv(), count);
    Random random(4);
    VectorXd a(model.nv()), expected(count);
    ASSERT_TRUE(spanning_matrix(model, workspace, s.q, X).ok());
    ASSERT_TRUE(spanning_accelerations(model, workspace, s.q, s.v, uniform_vector(random, count, 3), a).ok());
    ASSERT_TRUE(independent_inverse_dynamics(model, workspace, s.q, s.v, a, expected).ok());
    const MatrixXd Y = regressor_at(model, workspace, s, a);
    VectorXd p = dynamic_parameters(model);
    p.tail(2 * model.nv()).setZero();
    const VectorXd found = X.transpose() * (Y * p), terms = X.transpose().cwiseAbs() * (Y.cwiseAbs() * p.cwiseAbs());
    EXPECT_LE(((found - expected).cwiseAbs() - 1e-13 * terms).maxCoeff(), 0) << family;
  }
}

TEST(JointTorqueRegressor, SaysWhatIsWrongAndAllocatesOnce) {
  const Model model = make_model("chain:5");
  const TestState s = random_state(model, 1);
  Workspace workspace(model);
  const Eigen::Index P = dynamic_parameter_count(model);
  MatrixXd Y(model.nv(), P);
  VectorXd p = dynamic_parameters(model), tau(model.nv()), back(P);
  EXPECT_EQ(joint_torque_regressor(model, workspace, s.q, s.v, s.tau, Y.leftCols(P - 1)).code, StatusCode::wrong_size);
  EXPECT_EQ(joint_torque_regressor(model, workspace, s.q, s.v.head(4), s.tau, Y).code, StatusCode::wrong_size);
  EXPECT_EQ(joint_torque_regressor(make_model("chain:5"), workspace, s.q, s.v, s.tau, Y).code, StatusCode::other_model);
  EXPECT_EQ(joint_torque_regressor_product(model, workspace, s.q, s.v, s.tau, p.head(P - 1), tau).code,
            StatusCode::wrong_size);
  EXPECT_EQ(joint_torque_regressor_product(model, workspace, s.q, s.v, s.tau, p, p.head(model.nv())).code,
            StatusCode::shared_memory);
  VectorXd bad = p;
  bad[23] = std::numeric_limits<double>::quiet_NaN();
  Status status = joint_torque_regressor_product(model, workspace, s.q, s.v, s.tau, bad, tau);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_EQ(status.body, 2);
  EXPECT_TRUE(std::isnan(tau[0]));
  EXPECT_NE(status.message(model).find("parameters"), std::string::npos) << status.message(model);
  bad = p, bad[P - 1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(joint_torque_regressor_product(model, workspace, s.q, s.v, s.tau, bad, tau).body, 4);
  status = joint_torque_regressor(model, workspace, s.q, bad.tail(model.nv()), s.tau, Y);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_TRUE(Y.array().isNaN().all());
  EXPECT_THROW(base_parameters(model, std::vector<int>{3, 3}), std::invalid_argument);

  const MatrixXd nothing(0, 0);  // no motion: weights alone
  ASSERT_TRUE(joint_torque_regressor(model, workspace, s.q, nothing, nothing, Y).ok());
  VectorXd weights(model.nv());
  ASSERT_TRUE(gravity_forces(model, workspace, s.q, weights).ok());
  EXPECT_LE((Y * p - weights).cwiseAbs().maxCoeff(), 1e-12);

  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == 1) start_counting();
    bool ok = joint_torque_regressor(model, workspace, s.q, s.v, s.tau, Y).ok();
    ok = ok && joint_torque_regressor_product(model, workspace, s.q, s.v, s.tau, p, tau).ok();
    ok = ok && joint_torque_regressor_transpose_product(model, workspace, s.q, s.v, s.tau, tau, back).ok();
    EXPECT_TRUE(ok);
  }
  EXPECT_EQ(stop_counting().ours, 0u);
}

std::vector<int> first_entries(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Numbers of base parameters that are known, of inertias alone: one of a pendulum's first link on a vertical axis; of
/// an arm with n turning joints, the first vertical, 7 n - 6 (Gautier & Khalil 1990; Mayeda, Yoshida & Osuka 1990).
TEST(BaseParameters, AreAsManyAsIsKnown) {
  const auto rank = [](const Model& model) {
    const BaseParameters base = base_parameters(model, first_entries(10 * model.body_count()));
    EXPECT_GT(base.kept, 1e4 * base.dropped) << model.name();
    return base.rank();
  };
  const std::string folder = std::string(KINETREE_MODELS) + "/";
  EXPECT_EQ(rank(load_model(folder + "arm7.yaml")), 43);
  EXPECT_EQ(rank(load_model(folder + "arm6.yaml")), 36);
  Description one;
  BodyDescription& link = one.bodies.emplace_back();
  link.name = "rod", link.parent = "world", link.joint.name = "pivot", link.joint.type = "revolute";
  link.inertial = InertialDescription{.mass = 1, .frame = {}, .inertia = {1, 1, 1, 0, 0, 0}};
  EXPECT_EQ(rank(make_model(one)), 1);  // the inertia about the vertical axis
  link.joint.axis = {1, 0, 0};
  EXPECT_EQ(rank(make_model(one)), 3);  // and the first moment beside it
  link.joint.type = "prismatic";
  EXPECT_EQ(rank(make_model(one)), 1);  // the mass
  link.joint.type = "floating";
  EXPECT_EQ(rank(make_model(one)), 10);
}

/// Y p is the base columns times what `regrouping` makes of p, at states that were not among the samples.
TEST(BaseParameters, GiveJointForces) {
  for (const char* family :
       {"random:6:seed=5", "random:5:seed=8:floating=1", "tree:2x3", "chain:6:joints=cylindrical"}) {
    const Model model = make_model(family);
    const BaseParameters base = base_parameters(model);
    EXPECT_GT(base.kept, 1e3 * base.dropped) << family;
    Random random(3);
    const VectorXd p = uniform_vector(random, dynamic_parameter_count(model), 1), regrouped = base.regrouping * p;
    const TestState s = random_state(model, 77);
    Workspace workspace(model);
    const MatrixXd Y = regressor_at(model, workspace, s, s.tau);
    VectorXd found = VectorXd::Zero(model.nv());
    for (int k = 0; k < base.rank(); ++k) found += regrouped[k] * Y.col(base.columns[static_cast<std::size_t>(k)]);
    EXPECT_LE((found - Y * p).cwiseAbs().maxCoeff(), 1e-10 * (Y.cwiseAbs() * p.cwiseAbs()).maxCoeff()) << family;
    EXPECT_EQ(texts_of(base, dynamic_parameter_names(model)).size(), base.columns.size());
  }
  const Model linkage = make_model("fourbars:2");
  const BaseParameters base = base_parameters(linkage);
  EXPECT_GT(base.rank(), 0);
  EXPECT_GT(base.kept, 1e3 * base.dropped);
}

}  // namespace
}  // namespace kinetree::oracle
