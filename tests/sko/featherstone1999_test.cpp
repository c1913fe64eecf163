// Featherstone & Fijany 1999 (file 004), section by section: the change-of-basis technique, constrained dynamics as
// unconstrained less immobilized, and both faces of a mass matrix's inverse. What they do not depend on is tested in
// featherstone1999_invariance_test.cpp, the class that computes with them in constraint_force_inverse_test.cpp.
#include <kinetree/sko/products.hpp>

#include "engine/scalar/worst.hpp"
#include "oracle/mechanisms.hpp"
#include "sko/mechanism.hpp"
#include "sko/models.hpp"

namespace kinetree::sko {
namespace {

using MatrixXd = Matrix<double>;
using oracle::random_state;
using oracle::TestState;

/// Whether the columns of A and B span the same space, by Eigen's QR.
bool same_range(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd both(A.rows(), A.cols() + B.cols());
  both << A, B;
  if (A.cols() == 0) return B.cols() == 0;
  const auto rank = [](const MatrixXd& X) { return Eigen::ColPivHouseholderQR<MatrixXd>(X).setThreshold(1e-9).rank(); };
  return A.cols() == B.cols() && rank(A) == A.cols() && rank(B) == A.cols() && rank(both) == A.cols();
}

// ---- Section 2: the technique --------------------------------------------------------------------------------------

TEST(Featherstone1999, ReciprocalBasesAndTheFourTransformationRules) {
  Random random(1);
  for (Eigen::Index n = 1; n <= 8; ++n) {
    const MatrixXd d = random_regular(random, n, 20), e = reciprocal_basis(d);
    EXPECT_LE(difference(d.transpose() * e, MatrixXd::Identity(n, n)), 1e-13);
    const CoordinateChange<double> change = change_to_basis(d);
    EXPECT_LE(difference(change.X(DualSpace::U).transpose(), change.X_inverse(DualSpace::V)), 1e-15);
    EXPECT_LE(difference(change.X(DualSpace::V) * change.X_inverse(DualSpace::V), MatrixXd::Identity(n, n)), 1e-13);
    // the new coordinates of the k-th new basis vector are the k-th unit vector, in either space
    EXPECT_LE(difference(new_coordinates(change, DualSpace::U, d), MatrixXd::Identity(n, n)), 1e-13);
    EXPECT_LE(difference(new_coordinates(change, DualSpace::V, e), MatrixXd::Identity(n, n)), 1e-13);
    const MatrixXd u = random_matrix(random, n, 1), v = random_matrix(random, n, 1);
    const MatrixXd u2 = new_coordinates(change, DualSpace::U, u), v2 = new_coordinates(change, DualSpace::V, v);
    EXPECT_NEAR(u.col(0).dot(v.col(0)), u2.col(0).dot(v2.col(0)), 1e-13);
    // a map's new matrix takes the new coordinates of a vector to those of its image
    for (const DualSpace from : {DualSpace::U, DualSpace::V})
      for (const DualSpace to : {DualSpace::U, DualSpace::V}) {
        const MatrixXd A = random_matrix(random, n, n), &x = from == DualSpace::U ? u : v;
        const MatrixXd image = new_coordinates(change, to, MatrixXd(A * x));
        EXPECT_LE(difference(new_coordinates(change, from, to, A) * (from == DualSpace::U ? u2 : v2), image), 1e-12);
        const DualSpace wrong = to == DualSpace::U ? DualSpace::V : DualSpace::U;
        EXPECT_GE(difference(new_coordinates(change, from, wrong, A) * (from == DualSpace::U ? u2 : v2), image), 1e-3)
            << "each kind of map needs its own rule";
      }
  }
}

TEST(Featherstone1999, ReciprocalComplementIsTheLargestReciprocalSubspace) {
  Random random(2);
  for (Eigen::Index n = 1; n <= 8; ++n)
    for (Eigen::Index r = 0; r <= n; ++r) {
      const MatrixXd S1 = random_matrix(random, n, r), T2 = reciprocal_complement(S1);
      ASSERT_EQ(T2.cols(), n - r);
      EXPECT_LE(largest_of(S1.transpose() * T2), 1e-13);
      if (r > 0 && r < n) {
        EXPECT_TRUE(same_range(T2, Eigen::FullPivLU<MatrixXd>(S1.transpose()).kernel()));
      }
      EXPECT_TRUE(same_range(reciprocal_complement(T2), S1)) << "the complement of the complement";
    }
}

TEST(Featherstone1999, Equations1And2AndTheTwoPropertiesOfTheSpecialBases) {
  Random random(3);
  for (Eigen::Index n = 1; n <= 9; ++n)
    for (Eigen::Index r = 0; r <= n; ++r) {
      const MatrixXd M = random_positive(random, n), S1 = random_matrix(random, n, r);
      const Decomposition<double> d = decompose(M, Subspace::S1, S1);
      MatrixXd in_U(n, n), in_V(n, n);
      in_U << d.S1, d.S2;
      in_V << d.T1, d.T2;
      EXPECT_LE(difference(in_U.transpose() * in_V, MatrixXd::Identity(n, n)), 1e-10);  // also both direct sums
      EXPECT_TRUE(same_range(d.T1, M * d.S1));
      EXPECT_TRUE(same_range(d.T2, M * d.S2));
      EXPECT_EQ(d.S1, S1);                     // first property: S_1 is spanned by the first r vectors
      MatrixXd blocks = MatrixXd::Zero(n, n);  // second property: M is block-diagonal
      blocks.topLeftCorner(r, r) = d.free;
      blocks.bottomRightCorner(n - r, n - r) = d.held.inverse();
      EXPECT_LE(difference(new_coordinates(d.change(), DualSpace::U, DualSpace::V, M), blocks), 1e-13);
      // any of the four subspaces determines the other three
      for (const auto& [which, basis] : {std::pair{Subspace::S2, d.S2}, {Subspace::T1, d.T1}, {Subspace::T2, d.T2}}) {
        const Decomposition<double> again = decompose(M, which, basis);
        EXPECT_TRUE(same_range(again.S1, d.S1) && same_range(again.S2, d.S2));
        EXPECT_TRUE(same_range(again.T1, d.T1) && same_range(again.T2, d.T2));
      }
    }
}

TEST(Featherstone1999, Equation3SplitsAMapAndItsInverse) {
  Random random(4);
  for (Eigen::Index n = 1; n <= 9; ++n)
    for (Eigen::Index r = 0; r <= n; ++r) {
      const MatrixXd M = random_positive(random, n), S1 = random_matrix(random, n, r), T2 = reciprocal_complement(S1);
      EXPECT_LE(difference(free_part(M, S1) + held_part(M, T2), M), 1e-11);
      EXPECT_LE(difference(constrained_inverse(M, S1) + immobilized_inverse(M, T2), M.inverse()), 1e-10);
      const Decomposition<double> d = decompose(M, S1, T2);
      EXPECT_LE(largest_of(free_part(M, S1) * d.S2) + largest_of(held_part(M, T2) * d.S1), 1e-14 * largest_of(M));
    }
}

// ---- Section 3: constrained dynamics -------------------------------------------------------------------------------

TEST(Featherstone1999, Equations4To10AgainstALagrangianSystem) {
  Random random(5);
  for (Eigen::Index n = 1; n <= 9; ++n)
    for (Eigen::Index r = 0; r <= n; ++r) {
      const MatrixXd M = random_positive(random, n), S1 = random_matrix(random, n, r), T2 = reciprocal_complement(S1);
      const MatrixXd v = random_matrix(random, n, 1);
      // M u - T_2 lambda = v, T_2ᵀ u = 0, solved as one system with pivots
      MatrixXd K = MatrixXd::Zero(2 * n - r, 2 * n - r), right = MatrixXd::Zero(2 * n - r, 1);
      K.topLeftCorner(n, n) = M;
      K.topRightCorner(n, n - r) = -T2;
      K.bottomLeftCorner(n - r, n) = T2.transpose();
      right.topRows(n) = v;
      const MatrixXd solution = K.fullPivLu().solve(right), u = solution.topRows(n);
      const double scale = largest_of(v);                                                   // M >= 1: u is no larger
      EXPECT_LE(largest_of(constrained_inverse(M, S1) * v - u), 1e-11 * scale);             // Eq. 7
      EXPECT_LE(largest_of(unconstrained_less_immobilized(M, T2) * v - u), 1e-13 * scale);  // Eq. 8, 9
      const MatrixXd v_c = constraint_input(M, T2, v);
      EXPECT_LE(largest_of(M.inverse() * (v + v_c) - u), 1e-13 * scale);
      EXPECT_LE(largest_of(S1.transpose() * v_c), 1e-15 * scale * static_cast<double>(n));  // virtual work
      const Decomposition<double> d = decompose(M, S1, T2);
      const MatrixXd alpha = new_coordinates(d.change(), DualSpace::U, u),
                     beta = new_coordinates(d.change(), DualSpace::V, v);
      const MatrixXd gamma = new_coordinates(d.change(), DualSpace::V, v_c);
      const double large = 1 + largest_of(beta) + largest_of(alpha);
      EXPECT_LE(largest_of(d.free * alpha.topRows(r) - beta.topRows(r) - gamma.topRows(r)), 1e-12 * large);  // Eq. 4
      EXPECT_LE(largest_of(d.held * (beta + gamma).bottomRows(n - r)), 1e-14 * large);                       // Eq. 5
      EXPECT_LE(largest_of(alpha.bottomRows(n - r)) + largest_of(gamma.topRows(r)), 1e-14 * large);
      EXPECT_LE(largest_of(reduced_inverse(M, S1) * beta.topRows(r) - alpha.topRows(r)), 1e-12 * large);  // Eq. 6
      // Eq. 10: T'_1 may be any complement of T_2, M S_1 among them
      for (const MatrixXd& C : {random_matrix(random, n, r), MatrixXd(S1), MatrixXd(M * S1)}) {
        const MatrixXd T_prime = normalized_complement(S1, C);
        EXPECT_LE(difference(S1.transpose() * T_prime, MatrixXd::Identity(r, r)), 1e-11);
        EXPECT_TRUE(same_range(T_prime, C));
        EXPECT_LE(largest_of(reduced_inverse(M, T_prime, T2) - reduced_inverse(M, S1)),
                  1e-11 * (1 + largest_of(T_prime) * largest_of(T_prime)));
      }
      EXPECT_LE(difference(normalized_complement<double>(S1, M * S1), d.T1), 1e-11);
    }
}

/// Twelve resistors on the edges of a cube. U: voltages over the branches, V: currents through them, M: conductances.
/// Kirchhoff's voltage law is the constraint: voltages come from node potentials. Loop currents do the constraining,
/// and currents at the nodes balance because they do no work.
TEST(Featherstone1999, Equation8OnACubeOfResistors) {
  MatrixXd incidence = MatrixXd::Zero(12, 7);  // potential of node 7 is zero
  std::vector<std::pair<int, int>> edge;
  for (int a = 0; a < 8; ++a)
    for (const int bit : {1, 2, 4})
      if ((a & bit) == 0) edge.push_back({a, a | bit});
  for (int k = 0; k < 12; ++k) {
    if (edge[static_cast<std::size_t>(k)].first < 7) incidence(k, edge[static_cast<std::size_t>(k)].first) = 1;
    if (edge[static_cast<std::size_t>(k)].second < 7) incidence(k, edge[static_cast<std::size_t>(k)].second) = -1;
  }
  const MatrixXd M = MatrixXd::Identity(12, 12), loops = reciprocal_complement(incidence);
  EXPECT_EQ(loops.cols(), 5);  // edges - nodes + 1
  const auto branch = [&](int a, int b) {
    for (int k = 0; k < 12; ++k)
      if (edge[static_cast<std::size_t>(k)] == std::pair{a, b}) return k;
    throw std::logic_error("no such edge");
  };
  // one ampere driven along a path from node 0: the voltage that comes of it is the resistance between its ends
  const auto resistance = [&](const MatrixXd& map, const std::vector<int>& branches) {
    MatrixXd v = MatrixXd::Zero(12, 1);
    for (const int k : branches) v(k) = 1;
    return (v.transpose() * map * v).value();
  };
  for (const MatrixXd& map : {constrained_inverse(M, incidence), unconstrained_less_immobilized(M, loops)}) {
    EXPECT_NEAR(resistance(map, {branch(0, 1)}), 7. / 12, 1e-14);
    EXPECT_NEAR(resistance(map, {branch(0, 1), branch(1, 3)}), 3. / 4, 1e-14);
    EXPECT_NEAR(resistance(map, {branch(0, 1), branch(1, 3), branch(3, 7)}), 5. / 6, 1e-14);
  }
}

/// Three masses in a row on springs, wall - 1 - 2 - 3, at rest under forces; U: displacements. A rod holds masses 1 and
/// 3 together: 2 then hangs between k2 and k3, and the pair on k1.
TEST(Featherstone1999, Equation8OnMassesAndSprings) {
  const double k1 = 3, k2 = 5, k3 = 7;
  MatrixXd K(3, 3), rod(3, 2), force(3, 1);
  K << k1 + k2, -k2, 0, -k2, k2 + k3, -k3, 0, -k3, k3;
  rod << 1, 0, 0, 1, 1, 0;
  force << 0.5, 2, -1;
  const double pair = (force(0) + force(1) + force(2)) / k1;  // all load goes through k1
  const double middle = pair + force(1) / (k2 + k3);
  const MatrixXd tension = reciprocal_complement(rod);
  for (const MatrixXd& map : {constrained_inverse(K, rod), unconstrained_less_immobilized(K, tension)}) {
    const MatrixXd u = map * force;
    EXPECT_NEAR(u(0), pair, 1e-14);
    EXPECT_NEAR(u(1), middle, 1e-14);
    EXPECT_NEAR(u(2), pair, 1e-14);
  }
  // the rod pulls on 1 what it takes from 3: what k3 and the load on 3 ask for
  const MatrixXd v_c = constraint_input(K, tension, force);
  EXPECT_NEAR(v_c(2), k3 * (pair - middle) - force(2), 1e-14);
  EXPECT_NEAR(v_c(0), -v_c(2), 1e-15);
  EXPECT_NEAR(v_c(1), 0, 1e-15);
}

// ---- Section 4: the constraint force algorithm ---------------------------------------------------------------------

TEST(Featherstone1999, Equations11To14AndTheSubspacesOfAMechanism) {
  Random random(6);
  for (int number = 0; number < 20; ++number) {
    const Mechanism m = random_mechanism(number);
    const SkoModel<double>& model = m.body.model;
    auto q_ddot = Stacked<double>::zero(model.space, Kind::joint), f = Stacked<double>::zero(model.space, Kind::node);
    q_ddot.value = random_matrix(random, q_ddot.value.size(), 1);
    f.value = random_matrix(random, f.value.size(), 1);
    // Eq. 13: body accelerations whose differences over the joints are what the joints do
    const Stacked<double> a = transpose_times(model.A, transpose_times(model.H, q_ddot));
    EXPECT_LE(largest_of((propagation(model) * a).value - transpose_times(model.H, q_ddot).value),
              1e-14 * largest_of(a.value));
    // Eq. 14: what a joint transmits is the force on its body and what the body hands on
    const Stacked<double> f_J = model.A * f, tau = model.H * f_J;
    EXPECT_LE(largest_of((transpose(propagation(model)) * f_J).value - f.value), 1e-14 * largest_of(f_J.value));
    EXPECT_NEAR(tau.value.dot(q_ddot.value), f.value.dot(a.value), 1e-14 * tau.value.norm() * q_ddot.value.norm());
    const MatrixXd S1 = partial_velocities(model).matrix, T2 = constraint_force_space(model, m.bases);
    EXPECT_LE(largest_of(S1.transpose() * T2), 1e-14 * largest_of(S1));
    ASSERT_EQ(S1.cols() + T2.cols(), 6 * m.model.body_count());
    EXPECT_TRUE(same_range(T2, constraint_force_space(model, constraint_bases(model))));
    // and Eq. 8 on the bodies: the accelerations of the constrained system either way
    const MatrixXd I = explicit_form(model.M).matrix;
    EXPECT_LE(difference(unconstrained_less_immobilized(I, T2), constrained_inverse(I, S1)), 1e-12);
    // constraint forces join no two joints that have no body in common
    const MatrixXd C = constraint_force_matrix(model, m.bases);
    EXPECT_TRUE(C.cols() == 0 || (C.allFinite() && Eigen::LLT<MatrixXd>(C).info() == Eigen::Success));
    EXPECT_LE(difference(C, T2.transpose() * I.inverse() * T2), 1e-13);
    Eigen::Index row = 0;
    for (int i = 0; i < model.space->nodes(); ++i) {
      Eigen::Index column = 0;
      for (int j = 0; j < model.space->nodes(); ++j) {
        const int p = model.tree().parent(i), r = model.tree().parent(j);
        const Eigen::Index n = m.bases[static_cast<std::size_t>(i)].cols(),
                           k = m.bases[static_cast<std::size_t>(j)].cols();
        const bool share = i == j || p == j || r == i || (p == r && p >= 0);
        if (!share) {
          EXPECT_TRUE((C.block(row, column, n, k).array() == 0).all());
        }
        column += k;
      }
      row += m.bases[static_cast<std::size_t>(i)].cols();
    }
  }
}

struct Worst {
  double eq15 = 0, eq16 = 0, eq51 = 0;
};

void expect_equal_inverses(const Mechanism& m, Worst& worst) {
  const MatrixXd truth = oracle_inverse(m);
  const double eq15 = difference(inverse_by_freedoms(m.body.model).matrix, truth);
  const double eq16 = difference(by_constraint_forces(m.body.model, m.bases), truth);
  const double eq51 = difference(inverse_by_innovations(m.body.model), truth);
  for (const double error : {eq15, eq16, eq51}) EXPECT_LE(error, 1e-10) << m.model.name();
  keep_worst(worst.eq15, eq15);
  keep_worst(worst.eq16, eq16);
  keep_worst(worst.eq51, eq51);
}

void expect_equal_inverses(int first, int last) {
  Worst worst;
  for (int number = first; number < last; ++number) expect_equal_inverses(random_mechanism(number), worst);
  std::printf("largest relative error: Eq. 15 %.2g, Eq. 16 %.2g, Eq. 51 of Jain 2011 %.2g\n", worst.eq15, worst.eq16,
              worst.eq51);
}
TEST(Featherstone1999, Equations15And16AndJainsEquation51OnRandomTrees) { expect_equal_inverses(0, 60); }
TEST(Featherstone1999Long, Equations15And16AndJainsEquation51OnRandomTrees) { expect_equal_inverses(60, 1000); }

TEST(Featherstone1999, Equations15And16OnEveryJointType) {
  Worst worst;
  for (std::size_t type = 0; type + 1 < joint_type_names.size(); ++type)
    for (const bool alone : {true, false}) {
      Description description = oracle::around(static_cast<JointType>(type), alone, type + 1);
      Model model = make_model(description);
      oracle::TestState state = oracle::random_state(model, type);
      RigidBody<double> body = rigid_body(model, state.q.data(), state.v.data());
      ConstraintBases<double> bases = constraint_bases(model, state.q.data());
      expect_equal_inverses({description, model, state, body, bases}, worst);
    }
}

TEST(Featherstone1999, Equations15And16OnNodesOfAnySize) {
  Random random(7);
  const auto check = [&](const SkoModel<double>& model) {
    const MatrixXd mass = newton_euler_product(model).matrix, truth = mass.inverse();
    const ConstraintBases<double> bases = constraint_bases(model);
    EXPECT_LE(difference(inverse_by_freedoms(model).matrix, truth), 1e-13) << model.space->name();
    for (const auto& T : {joint_force_space(model), joint_force_space(model, model.M),
                          joint_force_space(model, random_positive_blocks(random, model.space))})
      EXPECT_LE(difference(inverse_by_constraint_forces(model, T, bases).matrix, truth), 1e-13) << model.space->name();
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SkoModel<double> model = abstract_model(seed);  // weights of any shape and rank, joints of no freedom
    for (MatrixXd& M : model.M.block) M += MatrixXd::Identity(M.rows(), M.cols());
    check(model);
    check(PointMechanism(6, 3, seed).model(PointMechanism::Nodes::one));  // bodies with modes
  }
  // particles hang from frames without inertia: no free motion to start from
  const SkoModel<double> particles = PointMechanism(3, 1, 1).model(PointMechanism::Nodes::particles);
  EXPECT_LE(difference(inverse_by_freedoms(particles).matrix, newton_euler_product(particles).matrix.inverse()), 1e-14);
  EXPECT_THROW(by_constraint_forces(particles, constraint_bases(particles)), std::invalid_argument);
}

TEST(Featherstone1999, Equation16IsAnIdentityInSixtyDigits) {
  const Mechanism m = random_mechanism(11);
  const std::vector<Reference> q(m.state.q.begin(), m.state.q.end()), v(m.state.v.begin(), m.state.v.end());
  const RigidBody<Reference> body = rigid_body(m.model, q.data(), v.data());
  const Matrix<Reference> difference =
      inverse_by_freedoms(body.model).matrix -
      inverse_by_constraint_forces(body.model, joint_force_space(body.model), constraint_bases(m.model, q.data()))
          .matrix;
  double worst = 0;
  for (const Reference& x : difference.reshaped()) keep_worst(worst, std::abs(to_double(x)));
  EXPECT_LE(worst, 1e-56);
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(Featherstone1999, SaysWhatIsWrongAndWhere) {
  const MatrixXd M = MatrixXd::Identity(3, 3);
  MatrixXd tilted = M, flat = M, twice = MatrixXd::Ones(3, 2), S1(3, 1);
  tilted(0, 1) = 0.5, flat(2, 2) = 0, S1 << 1, 0, 0;
  const auto expect = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
  };
  expect(message_of([&] { reciprocal_basis(twice); }), "d is 3x2");
  expect(message_of([&] { reciprocal_basis(flat); }), "not independent");
  expect(message_of([&] { reciprocal_complement(twice); }), "have rank 1");
  expect(message_of([&] { decompose(tilted, Subspace::S1, S1); }), "entries (0, 1) and (1, 0) differ by 0.5");
  expect(message_of([&] { decompose(flat, Subspace::S1, S1); }), "inverse of pivot 2 is inf");
  expect(message_of([&] { decompose<double>(M, S1, MatrixXd(M.rightCols(1))); }),
         "S_1 has 1 columns and T_2 has 1, together they must have the 3");
  expect(message_of([&] { decompose<double>(M, S1, MatrixXd(M.leftCols(2))); }), "column 0 of T_2 are not reciprocal");
  expect(message_of([&] { normalized_complement<double>(S1, MatrixXd(M.rightCols(1))); }),
         "meets the constraint forces");

  const Mechanism m = random_mechanism(4), other = random_mechanism(4);
  const SkoModel<double>& model = m.body.model;
  ConstraintBases<double> bases = m.bases;
  bases[0] = MatrixXd::Identity(6, 6);
  expect(message_of([&] { constraint_force_space(model, bases); }), "its constraint basis is 6x6, it must be 6x");
  bases[0] = m.bases[0];
  bases[0].col(0) += model.H(0).row(0).transpose();
  expect(message_of([&] { constraint_force_space(model, bases); }), "does work at freedom 0 of its joint");
  bases.pop_back();
  expect(message_of([&] { constraint_force_space(model, bases); }), "give one per node");
  SkoModel<double> massless = model;
  massless.M(2).setZero();
  expect(message_of([&] { by_constraint_forces(massless, m.bases); }), ("'" + model.tree().name(2) + "'").c_str());
  EXPECT_THROW(inverse_by_constraint_forces(model, joint_force_space(other.body.model), m.bases),
               IncompatibleOperators);
}

}  // namespace
}  // namespace kinetree::sko
