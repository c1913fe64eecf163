// Shah, Saha & Dutt 2018, "A new perspective towards decomposition of the generalized inertia matrix of multibody
// systems", Appendix A.1 to A.4: modules, module-level DeNOC matrices, block U D Uᵀ, its inverse, the gripper.
// A.5 (dynamics) is in shah2018_dynamics_test.cpp.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/module_factorization.hpp>
#include <kinetree/sko/products.hpp>

#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "sko/models.hpp"
#include "sko/module_choice.hpp"

namespace kinetree::sko {
namespace {

using MatrixXd = Matrix<double>;

template <class S>
double relative_error(const Matrix<S>& X, const Matrix<S>& Y) {
  EXPECT_EQ(X.rows(), Y.rows());
  EXPECT_EQ(X.cols(), Y.cols());
  double difference = 0, size = 0;
  for (Eigen::Index i = 0; i < X.size(); ++i) {
    keep_worst(difference, std::abs(to_double(S(X.data()[i] - Y.data()[i]))));
    keep_worst(size, std::abs(to_double(Y.data()[i])));
  }
  return size > 0 ? difference / size : difference;
}

/// The mass matrix from the Description in absolute coordinates (nothing shared with the library), links tips first.
MatrixXd oracle_mass_matrix(const RandomTree& t) {
  oracle::DenseOracle<long double> oracle(t.description, t.model);
  oracle.set(t.state.q, t.state.v);
  const SpaceRef& space = t.body.model.space;
  std::vector<int> order;  // row of the layer -> row of the model
  for (int k = 0; k < space->nodes(); ++k)
    for (int r = 0; r < space->size(Kind::joint, k); ++r)
      order.push_back(t.model.data().v_index[static_cast<std::size_t>(node_of_body(t.model, k))] + r);
  MatrixXd M(order.size(), order.size());
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = 0; j < M.cols(); ++j)
      M(i, j) =
          static_cast<double>(oracle.mass(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]));
  return M;
}

// ---- modules -------------------------------------------------------------------------------------------------------

RigidBody<double> gripper_body() {
  const Model model = load_model(std::string(KINETREE_MODELS) + "/gripper.yaml");
  const double q[]{0, 0, 0, std::acos(0.)}, v[]{0, 0, 0, 0};
  return rigid_body(model, q, v);
}

/// Names of links base first, modules base first.
std::vector<std::vector<std::string>> in_the_papers_words(const KinematicModules& modules) {
  std::vector<std::vector<std::string>> words;
  for (int i = modules.size(); i-- > 0;) {
    words.push_back({modules.tree().name(i)});
    const auto links = modules.links_of(i);
    for (std::size_t r = links.size(); r-- > 0;) words.back().push_back(modules.links().name(links[r]));
  }
  return words;
}

TEST(Shah2018, TheGrippersModulesAreThePapers) {
  const RigidBody<double> gripper = gripper_body();
  const KinematicModules modules = KinematicModules::segments(gripper.model.tree());
  const std::vector<std::vector<std::string>> expected{
      {"M1", "palm"}, {"M2", "finger_a_1", "finger_a_2"}, {"M3", "finger_b"}};
  EXPECT_EQ(in_the_papers_words(modules), expected);
  EXPECT_EQ(modules.tree().parent(0), 2);
  EXPECT_EQ(modules.tree().parent(1), 2);
  EXPECT_EQ(modules.tree().parent(2), -1);
  const KinematicModules chosen = KinematicModules::chosen(
      gripper.model.tree(), {{"M2", {"finger_a_2", "finger_a_1"}}, {"M1", {"palm"}}, {"M3", {"finger_b"}}});
  EXPECT_EQ(in_the_papers_words(chosen), expected);
}

TEST(Shah2018, ModulesAreSerialAndChildrenLeaveTheLastLink) {
  for (int number = 0; number < random_tree_count; ++number) {
    const Tree links = random_tree(number).body.model.tree();
    for (const KinematicModules& modules :
         {KinematicModules::segments(links), random_modules(links, static_cast<std::uint64_t>(number)),
          KinematicModules::single_links(links)}) {
      std::vector<int> count(static_cast<std::size_t>(links.size()), 0);
      for (int i = 0; i < modules.size(); ++i) {
        const auto own = modules.links_of(i);
        for (std::size_t r = 0; r < own.size(); ++r) {
          ++count[static_cast<std::size_t>(own[r])];
          EXPECT_EQ(modules.module_of(own[r]), i);
          if (r + 1 < own.size()) {
            EXPECT_EQ(links.parent(own[r]), own[r + 1]);
            EXPECT_EQ(links.children(own[r + 1]).size(), 1U);
          }
        }
        const int p = modules.tree().parent(i), up = links.parent(modules.first_link(i));
        EXPECT_EQ(up, p < 0 ? -1 : modules.last_link(p));
      }
      EXPECT_EQ(count, std::vector<int>(count.size(), 1));
    }
    const KinematicModules segments = KinematicModules::segments(links);
    for (int i = 0; i < segments.size(); ++i) EXPECT_NE(links.children(segments.last_link(i)).size(), 1U);
  }
}

std::string refusal(const Tree& links, const std::vector<ChosenModule>& choice) {
  try {
    KinematicModules::chosen(links, choice);
  } catch (const InvalidModules& e) {
    return e.what();
  }
  return "taken";
}

TEST(Shah2018, ABadChoiceIsRefusedByModuleLinkAndRule) {
  const Tree links = gripper_body().model.tree();
  const std::string begin = "these are no serial modules of the tree:\n  ";
  EXPECT_EQ(refusal(links, {{"hand", {"palm", "finger_a_1", "finger_a_2"}}, {"M3", {"finger_b"}}}),
            begin +
                "module 'hand': link 'finger_b' of another module leaves 'palm', which is not its last link "
                "('finger_a_1' follows); child modules leave the last link: end it at 'palm'");
  EXPECT_EQ(refusal(links, {{"all", {"palm", "finger_a_1", "finger_a_2", "finger_b"}}}),
            begin +
                "module 'all': links 'finger_b', 'finger_a_1' both hang from 'palm'; a module is a serial chain: "
                "end it at 'palm'");
  EXPECT_EQ(refusal(links, {{"M1", {"palm"}}, {"tips", {"finger_a_2", "finger_b"}}, {"M2", {"finger_a_1"}}}),
            begin +
                "module 'tips': its links are not connected: 'finger_b', 'finger_a_2' hang from links outside it; a "
                "module is one serial chain");
  const std::string many =
      refusal(links, {{"M1", {"palm", "thumb"}}, {"M1", {"finger_a_1", "palm"}}, {"empty", {}}, {"M3", {"finger_b"}}});
  for (const char* finding :
       {"\n  module 'M1': two modules have this name; rename one", "\n  module 'M1': 'thumb' is no link of this tree",
        "\n  module 'M1': link 'palm' is in module 'M1' already; every link is in one module, once",
        "\n  module 'empty': has no links; give it one or leave it out",
        "\n  link 'finger_a_2' is in no module; every link is in one: add it to one, or as its own"})
    EXPECT_NE(many.find(finding), std::string::npos) << finding << "\nin: " << many;
  EXPECT_NE(refusal(Tree({1, -1}, {"twin", "twin"}), {{"M1", {"twin"}}}).find("two links of the tree are named 'twin'"),
            std::string::npos);
  const RandomTree other = random_tree(5);
  EXPECT_THROW(module_model(other.body.model, KinematicModules::segments(links)), InvalidModules);
}

// ---- A.1, A.2: the module-level DeNOC matrices
// ------------------------------------------------------------------------

TEST(Shah2018, DeNOCMatricesGiveEveryTwist) {
  for (int number = 0; number < random_tree_count; ++number) {
    const RandomTree t = random_tree(number);
    const SkoModel<double>& links = t.body.model;
    const ModuleModel<double> m = module_model(links, random_modules(links.tree(), static_cast<std::uint64_t>(number)));
    const Stacked<double> rates = joint_rows(t.body, t.model, t.state.v.data());
    // twists link by link, each from its parent's (A.1)
    const Stacked<double> twist = transpose_times(links.A, transpose_times(links.H, rates));
    const Stacked<double> q_dot = regrouped(m, rates), stacked = regrouped(m, twist);
    EXPECT_EQ(in_original_order(m, stacked).value, twist.value);
    // A.11
    const Explicit<double> Nl = N_l(m), Nd = N_d(m);
    EXPECT_LT(relative_error<double>((Nl * (Nd * q_dot)).value, stacked.value), 1e-14);
    // A.9: t = Ā t + N̄_d q̇, and A.11, A.12: N̄_l = (1 - Ā)⁻¹ by blocks
    const Explicit<double> A_bar = transpose(adjacency(m.model.A)), one = identity<double>(m.model.space, Kind::node);
    EXPECT_LT(relative_error<double>((A_bar * stacked + Nd * q_dot).value, stacked.value), 1e-14);
    EXPECT_LT(relative_error<double>((Nl * (one - A_bar)).matrix, one.matrix), 1e-14);
    for (int i = 0; i < m.modules.size(); ++i) {
      // A.4, A.5, A.7
      const MatrixXd N = module_N(m, i), product = module_N_l(m, i) * module_N_d(m, i);
      EXPECT_LT(relative_error<double>(product, N), 1e-15);
      for (int j = 0; j < m.modules.size(); ++j)
        EXPECT_LT(relative_error<double>(module_propagation(m, i, j), MatrixXd(Nl(i, j))), 1e-14);
      const int beta = m.modules.tree().parent(i);
      if (beta < 0) continue;
      // A.6, and A.7: Ā_i,β is zero but for the parent's last link
      const MatrixXd A_i = module_propagation(m, i, beta);
      EXPECT_LT(relative_error<double>(A_i * stacked(beta) + N * q_dot(i), stacked(i)), 1e-14);
      EXPECT_TRUE((A_i.rightCols(A_i.cols() - 6).array() == 0).all());
      EXPECT_GT(largest_of(A_i.leftCols(6)), 0.5);
    }
  }
}

// ---- Ū D̄ Ūᵀ and A.3
// --------------------------------------------------------------------------------------------------

TEST(Shah2018, BlockFactorizationIsThatOfTheMassMatrix) {
  double worst = 0;
  for (int number = 0; number < random_tree_count; ++number) {
    const RandomTree t = random_tree(number);
    const ModuleModel<double> m =
        module_model(t.body.model, random_modules(t.body.model.tree(), static_cast<std::uint64_t>(number)));
    const Riccati<double> r = riccati(m.model);
    const MatrixXd inertia = oracle_mass_matrix(t);
    const Explicit<double> U = block_U(m, r), D = explicit_form(r.D);
    const auto keep = [&](const MatrixXd& X, const MatrixXd& Y) { keep_worst(worst, relative_error<double>(X, Y)); };
    keep(by_links(m, U * D * transpose(U)).matrix, inertia);
    keep(by_links(m, mass_matrix(m.model)).matrix, inertia);
    // unit upper block triangular in the paper's order, exactly
    const MatrixXd upper = base_first(m, U);
    EXPECT_EQ(largest_of(MatrixXd(upper.triangularView<Eigen::StrictlyLower>())), 0);
    EXPECT_TRUE((upper.diagonal().array() == 1).all());
    // its inverse: A.13 as a product, A.16 by elements, and by elimination
    const MatrixXd U_inverse = U.matrix.fullPivLu().inverse();
    keep(block_U_inverse_by_product(m, r).matrix, U_inverse);
    keep(block_U_inverse(m, r).matrix, U_inverse);
    keep(inertia * by_links(m, block_inverse(m, r)).matrix, MatrixXd::Identity(inertia.rows(), inertia.cols()));
  }
  std::cout << "worst relative error " << worst << "\n";
  EXPECT_LT(worst, 1e-10);
}

TEST(Shah2018, CompositeAndArticulatedModules) {
  for (int number = 0; number < random_tree_count; ++number) {
    const RandomTree t = random_tree(number);
    const ModuleModel<double> m =
        module_model(t.body.model, random_modules(t.body.model.tree(), static_cast<std::uint64_t>(number)));
    const Riccati<double> r = riccati(m.model);
    const BlockDiagonal<double> composite = composite_inertias(m.model);
    const MatrixXd inertia = oracle_mass_matrix(t);
    Explicit<double> I{m.model.space, Kind::joint, Kind::joint, MatrixXd::Zero(inertia.rows(), inertia.cols())};
    for (int i = 0; i < m.modules.size(); ++i) {
      // Ī_i,j = N̄_iᵀ M̃̄_i Ā_i,j N̄_j for every j at or above i
      for (int j = i; j < m.modules.size(); ++j) {
        I(i, j) = module_N(m, i).transpose() * composite(i) * module_propagation(m, i, j) * module_N(m, j);
        if (j > i) I(j, i) = I(i, j).transpose();
      }
      // both differ from M̄_i in the block of the last link alone, since A.7 has one column
      for (const MatrixXd& P : {composite(i), r.P(i)}) {
        MatrixXd added = P - m.model.M(i);
        added.topLeftCorner(6, 6).setZero();
        EXPECT_EQ(largest_of(added), 0);
      }
      // Î̄_i; Φ̄_i, which removes what the module's own joints move: Φ̄ Ψ̄ = 0, N̄ᵀ Φ̄ = 0, Φ̄ M̂̄ = M̂̄ Φ̄ᵀ
      const MatrixXd N = module_N(m, i), Psi = r.P(i) * N, Phi = r.tau_bar(i);
      EXPECT_LT(relative_error<double>(N.transpose() * Psi, r.D(i)), 1e-14);
      const double size = largest_of(Psi);
      EXPECT_LT(largest_of(Phi * Psi), 1e-13 * size);
      EXPECT_LT(largest_of(N.transpose() * Phi), 1e-10 * largest_of(N));
      EXPECT_LT(largest_of(Phi * r.P(i) - r.P(i) * Phi.transpose()), 1e-13 * largest_of(r.P(i)));
    }
    EXPECT_LT(relative_error<double>(by_links(m, I).matrix, inertia), 1e-13);
  }
}

TEST(Shah2018, ArticulatedPropagationOfThreeModulesInARow) {
  // A.14 to A.18: three modules of a chain of seven links, N = 2, 3, 2
  const RigidBody<double> body = resting_family<double>("chain:7");
  const Tree& links = body.model.tree();
  std::vector<ChosenModule> choice{{"M1", {}}, {"M2", {}}, {"M3", {}}};
  for (int k = 6; k >= 0; --k) choice[k > 4 ? 0 : k > 1 ? 1 : 2].links.push_back(links.name(k));
  const ModuleModel<double> m = module_model(body.model, KinematicModules::chosen(links, choice));
  const Riccati<double> r = riccati(m.model);
  const int M1 = 2, M2 = 1, M3 = 0;
  const auto N = [&](int i) { return module_N(m, i); };
  const auto A = [&](int i, int j) { return module_propagation(m, i, j); };
  // each term of A.15 and A.17 from the definitions
  const auto gain = [&](int i) -> MatrixXd {
    const MatrixXd Psi = r.P(i) * N(i);
    return Psi * MatrixXd(N(i).transpose() * Psi).inverse();
  };
  const MatrixXd Phi2 = MatrixXd::Identity(18, 18) - gain(M2) * N(M2).transpose();
  const MatrixXd A_hat = A(M3, M2) * Phi2.transpose() * A(M2, M1);
  EXPECT_LT(relative_error<double>(articulated_propagation(m, r, M3, M1), A_hat), 1e-13);
  EXPECT_EQ(articulated_propagation(m, r, M3, M2), A(M3, M2));
  EXPECT_EQ(articulated_propagation(m, r, M2, M1), A(M2, M1));
  EXPECT_EQ(largest_of(articulated_propagation(m, r, M1, M3)), 0);
  EXPECT_GT(largest_of(A_hat - A(M3, M1)), 0.1);
  const Explicit<double> U2 = elementary_U(m, r, M2), U3 = elementary_U(m, r, M3), inverse = block_U_inverse(m, r);
  EXPECT_LT(relative_error<double>(U2(M1, M2), -N(M1).transpose() * A(M2, M1).transpose() * gain(M2)), 1e-13);
  EXPECT_LT(relative_error<double>(U3(M1, M3), -N(M1).transpose() * A(M3, M1).transpose() * gain(M3)), 1e-13);
  EXPECT_LT(relative_error<double>(U3(M2, M3), -N(M2).transpose() * A(M3, M2).transpose() * gain(M3)), 1e-13);
  EXPECT_LT(relative_error<double>(inverse(M1, M3), -N(M1).transpose() * A_hat.transpose() * gain(M3)), 1e-13);
  EXPECT_LT(relative_error<double>((U2 * U3).matrix, inverse.matrix), 1e-13);
}

TEST(Shah2018, OneLinkPerModuleIsJainAndOneModuleTheMassMatrix) {
  for (int number = 0; number < random_tree_count; ++number) {
    const SkoModel<double> links = random_tree(number).body.model;
    const ModuleModel<double> m = module_model(links, KinematicModules::single_links(links.tree()));
    const Riccati<double> r = riccati(m.model), jain = riccati(links);
    // Jain 2011, Lemma 11, written out
    const Explicit<double> one = identity<double>(links.space, Kind::joint);
    const Explicit<double> innovations = one + explicit_form(links.H) * resolvent(links.A) * shifted_gain(links, jain);
    EXPECT_LT(relative_error<double>(block_U(m, r).matrix, innovations.matrix), 1e-13);
    EXPECT_EQ(explicit_form(r.D).matrix, explicit_form(jain.D).matrix);
  }
  const RigidBody<double> chain = resting_family<double>("chain:9");
  const ModuleModel<double> whole = module_model(chain.model, KinematicModules::segments(chain.model.tree()));
  ASSERT_EQ(whole.modules.size(), 1);
  const Riccati<double> r = riccati(whole.model);
  EXPECT_LT(relative_error<double>(r.D(0), newton_euler_product(chain.model).matrix), 1e-14);
  EXPECT_EQ(block_U(whole, r).matrix, MatrixXd::Identity(9, 9));
}

TEST(Shah2018, IdentitiesHoldToTheDigitsOfTheReference) {
  const RigidBody<Reference> tree = resting_family<Reference>("random:12:seed=4:floating=1");
  const ModuleModel<Reference> m = module_model(tree.model, random_modules(tree.model.tree(), 4));
  const Riccati<Reference> r = riccati(m.model);
  const Explicit<Reference> U = block_U(m, r), one = identity<Reference>(m.model.space, Kind::joint);
  const Explicit<Reference> inertia = newton_euler_product(m.model);
  EXPECT_LT(relative_error<Reference>((U * explicit_form(r.D) * transpose(U)).matrix, inertia.matrix), 1e-59);
  EXPECT_LT(relative_error<Reference>((inertia * block_inverse(m, r)).matrix, one.matrix), 1e-57);
  EXPECT_LT(relative_error<Reference>(block_U_inverse_by_product(m, r).matrix, block_U_inverse(m, r).matrix), 1e-58);
}

// ---- A.4: the gripper
// --------------------------------------------------------------------------------------------------

struct Printed {
  const char* name;
  MatrixXd value;  ///< ours, in the paper's order and units
  MatrixXd exact;  ///< fractions of the gripper's parameters
  MatrixXd print;  ///< as printed, misprints put right
  int digits;      ///< after the point
};

MatrixXd symmetric(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j) {
  MatrixXd X(4, 4);
  X << a, b, c, d, b, e, f, g, c, f, h, i, d, g, i, j;
  return X;
}

MatrixXd square(const std::vector<double>& rows) {
  return Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(rows.data());
}

/// A.20 cuts numbers off behind three digits, all others round.
double as_printed(double value, int digits) {
  const double unit = std::pow(10., -digits);
  return (digits == 3 ? std::trunc(value / unit) : std::round(value / unit)) * unit;
}

TEST(Shah2018, TheGrippersNumbersAreThePapers) {
  const RigidBody<double> gripper = gripper_body();
  const ModuleModel<double> m = module_model(gripper.model, KinematicModules::segments(gripper.model.tree()));
  const Riccati<double> r = riccati(m.model);
  const auto shown = [&](const Explicit<double>& X) { return base_first(m, X); };
  // the 1 in the corner of D̄ (A.20) and D̄⁻¹ (A.21) is a misprint for 0
  const std::vector<Printed> prints{
      {"A.19, I", 1e4 * shown(mass_matrix(m.model)),
       symmetric(340. / 3, 100. / 3, 55. / 6, 5. / 3, 40. / 3, 25. / 6, 0, 5. / 3, 0, 5. / 3),
       symmetric(113.3333, 33.3333, 9.1667, 1.6667, 13.3333, 4.1667, 0, 1.6667, 0, 1.6667), 4},
      {"A.20, U", shown(block_U(m, r)), square({1, 25. / 7, -24. / 7, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}),
       square({1, 3.571, -3.428, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}), 3},
      {"A.20, D", 1e4 * shown(explicit_form(r.D)),
       symmetric(505. / 21, 0, 0, 0, 40. / 3, 25. / 6, 0, 5. / 3, 0, 5. / 3),
       symmetric(24.047, 0, 0, 0, 13.333, 4.166, 0, 1.666, 0, 1.666), 3},
      {"A.21, U⁻¹", shown(block_U_inverse(m, r)),
       square({1, -25. / 7, 24. / 7, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}),
       square({1, -3.5714, 3.4286, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}), 4},
      {"A.21, D⁻¹", 1e-4 * shown(explicit_form(inverse_D(r))),
       symmetric(21. / 505, 0, 0, 0, 12. / 35, -6. / 7, 0, 96. / 35, 0, 3. / 5),
       symmetric(0.0416, 0, 0, 0, 0.3429, -0.8571, 0, 2.7429, 0, 0.6), 4},
      {"A.22, I⁻¹", 1e-4 * shown(block_inverse(m, r)),
       symmetric(21. / 505, -15. / 101, 72. / 505, -21. / 505, 441. / 505, -138. / 101, 15. / 101, 1632. / 505,
                 -72. / 505, 324. / 505),
       symmetric(0.0416, -0.1485, 0.1426, -0.0416, 0.8733, -1.3663, 0.1485, 3.2317, -0.1426, 0.6416), 4}};
  for (const Printed& p : prints) {
    const double error = largest_of(p.value - p.exact) / largest_of(p.exact);
    std::cout << p.name << ": " << error << " from the fractions\n";
    EXPECT_LT(error, 1e-14) << p.name << "\n" << p.value;
    for (Eigen::Index k = 0; k < 16; ++k)
      EXPECT_NEAR(as_printed(p.exact(k), p.digits), p.print(k), 1e-12) << p.name << " entry " << k;
  }
}

}  // namespace
}  // namespace kinetree::sko
