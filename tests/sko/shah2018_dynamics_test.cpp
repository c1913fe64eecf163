// Shah, Saha & Dutt 2018, A.5: inverse and forward dynamics between and within modules; against articulated bodies, the
// oracle and the reference scalar; their work and their accuracy; the gripper's and the biped's accelerations.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cstdio>
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/module_dynamics.hpp>
#include <kinetree/sko/module_factorization.hpp>

#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"
#include "sko/biped_states.hpp"
#include "sko/module_choice.hpp"
#include "sko/random_trees.hpp"

namespace kinetree::sko {
namespace {

using VectorXd = Vector<double>;

/// Accelerations by the recursion between and within modules.
VectorXd by_recursion(const Model& model, const RigidBody<double>& body, const KinematicModules& modules,
                      const VectorXd& tau) {
  const Stacked<double> T = joint_rows(body, model, tau.data());
  return in_model_order(model, modular_forward_dynamics(articulate(body.model, modules), T, body.a, body.b));
}

/// The same with modules written out as nodes: the general forward dynamics on the module-level model.
VectorXd by_blocks(const Model& model, const RigidBody<double>& body, const KinematicModules& modules,
                   const VectorXd& tau) {
  const ModuleModel<double> m = module_model(body.model, modules, body.a, body.b);
  const Stacked<double> T = regrouped(m, joint_rows(body, model, tau.data()));
  return in_model_order(model, in_original_order(m, forward_dynamics(m.model, riccati(m.model), T, m.a, m.b)));
}

/// Composite bodies: the dense mass matrix and the bias by inverse dynamics, then Cholesky.
VectorXd by_cholesky(const Model& model, const RigidBody<double>& body, const VectorXd& tau) {
  const auto zero = Stacked<double>::zero(body.model.space, Kind::joint);
  const Stacked<double> rest = joint_rows(body, model, tau.data()) - inverse_dynamics(body.model, zero, body.a, body.b);
  const Matrix<double> M = mass_matrix(body.model).matrix;
  return in_model_order(model, {body.model.space, Kind::joint, M.llt().solve(rest.value)});
}

double difference(const VectorXd& a, const VectorXd& b) { return largest_of(a - b) / largest_of(b); }

// ---- the same accelerations
// ------------------------------------------------------------------------------------------

TEST(Shah2018, ForwardDynamicsOfRandomModulesAreArticulatedBodies) {
  double recursion = 0, blocks = 0, oracle_error = 0;
  for (int number = 0; number < random_tree_count; ++number) {
    const RandomTree t = random_tree(number);
    ForwardDynamics ab(t.model, oracle::serial(Algorithm::ab));
    const VectorXd expected = oracle::accelerations(ab, t.state, true);
    oracle::DenseOracle<Reference> oracle(t.description, t.model);
    oracle.set(t.state.q, t.state.v, t.state.f_ext);
    const std::vector<Reference> truth = oracle.accelerations(t.state.tau);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const KinematicModules modules =
          random_modules(t.body.model.tree(), 3 * static_cast<std::uint64_t>(number) + seed);
      const VectorXd a = by_recursion(t.model, t.body, modules, t.state.tau);
      keep_worst(recursion, difference(a, expected));
      keep_worst(oracle_error, oracle::relative_difference(a, truth));
      keep_worst(blocks, difference(by_blocks(t.model, t.body, modules, t.state.tau), expected));
    }
  }
  std::printf("from articulated bodies: recursion %.1e, blocks %.1e; from the oracle %.1e\n", recursion, blocks,
              oracle_error);
  EXPECT_LT(recursion, 1e-10);
  EXPECT_LT(blocks, 1e-10);
  EXPECT_LT(oracle_error, 1e-10);
}

TEST(Shah2018, InverseDynamicsOfRandomModules) {
  double recursion = 0, blocks = 0;
  for (int number = 0; number < random_tree_count; ++number) {
    const RandomTree t = random_tree(number);
    const KinematicModules modules = random_modules(t.body.model.tree(), static_cast<std::uint64_t>(number));
    Random random(static_cast<std::uint64_t>(number) + 5);
    const VectorXd a = oracle::uniform_vector(random, t.model.nv(), 3);
    oracle::DenseOracle<long double> oracle(t.description, t.model);
    oracle.set(t.state.q, t.state.v, t.state.f_ext);
    const std::vector<long double> truth = oracle.forces(a);
    const Stacked<double> theta_ddot = joint_rows(t.body, t.model, a.data());
    const VectorXd T =
        in_model_order(t.model, modular_inverse_dynamics(t.body.model, modules, theta_ddot, t.body.a, t.body.b));
    keep_worst(recursion, oracle::relative_difference(T, truth));
    const ModuleModel<double> m = module_model(t.body.model, modules, t.body.a, t.body.b);
    const Stacked<double> over_modules = inverse_dynamics(m.model, regrouped(m, theta_ddot), m.a, m.b);
    blocks = std::max(blocks,
                      oracle::relative_difference(in_model_order(t.model, in_original_order(m, over_modules)), truth));
  }
  std::printf("inverse dynamics, from the oracle: recursion %.1e, blocks %.1e\n", recursion, blocks);
  EXPECT_LT(recursion, 1e-12);
  EXPECT_LT(blocks, 1e-12);
}

/// Links need not be rigid: bodies with modes, nodes without joints, weights of any size.
TEST(Shah2018, ModulesOfAnySkoModel) {
  double factorization = 0, recursion = 0, blocks = 0;
  std::uint64_t seed = 0;
  for (const SkoModel<double>& links : unusual_models()) {
    const KinematicModules modules = random_modules(links.tree(), ++seed);
    const auto T = random_stacked(links.space, Kind::joint, seed);
    const auto a = random_stacked(links.space, Kind::node, seed + 50),
               b = random_stacked(links.space, Kind::node, seed);
    const ModuleModel<double> m = module_model(links, modules, a, b);
    const Riccati<double> r = riccati(m.model);
    const Matrix<double> M = newton_euler_product(links).matrix;
    const Explicit<double> U = block_U(m, r);
    const Matrix<double> UDU = by_links(m, U * explicit_form(r.D) * transpose(U)).matrix;
    keep_worst(factorization, largest_of(UDU - M) / largest_of(M));
    const auto zero = Stacked<double>::zero(links.space, Kind::joint);
    const VectorXd expected = M.ldlt().solve((T - inverse_dynamics(links, zero, a, b)).value);
    const auto of_recursion = modular_forward_dynamics(articulate(links, modules), T, a, b);
    keep_worst(recursion, difference(of_recursion.value, expected));
    const auto of_blocks = forward_dynamics(m.model, r, regrouped(m, T), m.a, m.b);
    keep_worst(blocks, difference(in_original_order(m, of_blocks).value, expected));
    const auto back = modular_inverse_dynamics(links, modules, of_recursion, a, b);
    EXPECT_LT(difference(back.value, T.value), 1e-12) << links.space->name();
  }
  std::printf("any SKO model: U D U* %.1e, accelerations by recursion %.1e, by blocks %.1e\n", factorization, recursion,
              blocks);
  EXPECT_LT(factorization, 1e-14);
  EXPECT_LT(recursion, 1e-13);
  EXPECT_LT(blocks, 1e-13);
}

TEST(Shah2018, ModulesAreSolvedWithoutTheirMatrices) {
  for (int number = 0; number < random_tree_count; ++number) {
    const RandomTree t = random_tree(number);
    const KinematicModules modules = random_modules(t.body.model.tree(), static_cast<std::uint64_t>(number));
    const ModuleModel<double> m = module_model(t.body.model, modules);
    const Riccati<double> r = riccati(m.model);
    const ArticulatedModules<double> articulated = articulate(t.body.model, modules);
    for (int i = 0; i < modules.size(); ++i) {
      const VectorXd x = random_stacked(articulated.chain[static_cast<std::size_t>(i)].space, Kind::joint, 3).value;
      const VectorXd expected = r.D(i).fullPivLu().solve(x);
      EXPECT_LT(difference(solve_module(articulated, i, x), expected), 1e-11);
    }
    EXPECT_THROW(solve_module(articulated, 0, VectorXd(VectorXd::Zero(99))), std::invalid_argument);
  }
}

// ---- the paper's mechanisms
// --------------------------------------------------------------------------------------------

struct Case {
  std::vector<double> q, v, tau, expected;
};

void expect_accelerations(const char* name, const std::vector<Case>& cases, bool serial) {
  const Model model = load_model(std::string(KINETREE_MODELS) + "/" + name + ".yaml");
  double worst = 0;
  const auto keep = [&](double error) {
    keep_worst(worst, error);
    EXPECT_LT(error, 1e-12) << name;
  };
  for (const Case& c : cases) {
    ASSERT_EQ(static_cast<int>(c.q.size()), model.nq());
    const RigidBody<double> body = rigid_body(model, c.q.data(), c.v.data());
    const auto vector = [&](const std::vector<double>& x) { return Eigen::Map<const VectorXd>(x.data(), model.nv()); };
    const KinematicModules segments = KinematicModules::segments(body.model.tree());
    EXPECT_EQ(segments.size() == 1, serial);
    ForwardDynamics ab(model, oracle::serial(Algorithm::ab));
    VectorXd a(model.nv());
    EXPECT_TRUE(ab.solve(VectorXd(vector(c.q)), VectorXd(vector(c.v)), VectorXd(vector(c.tau)), a).ok());
    keep(difference(a, vector(c.expected)));
    for (const KinematicModules& modules :
         {segments, random_modules(body.model.tree(), 2), KinematicModules::single_links(body.model.tree())}) {
      keep(difference(by_recursion(model, body, modules, vector(c.tau)), vector(c.expected)));
      keep(difference(by_blocks(model, body, modules, vector(c.tau)), vector(c.expected)));
    }
  }
  std::printf("%s: %zu states, largest relative error %.1e\n", name, cases.size(), worst);
}

/// Expected: the mechanism's equations of motion solved in 50 digits by a program of its own, rounded to double.
TEST(Shah2018, TheGrippersAccelerations) {
  expect_accelerations("gripper",
                       {{{0, 0, 0, 1.5707963267948966},
                         {0, 0, 0, 0},
                         {0, 0, 0, 0},
                         {-145.69306930693068, 268.07524752475246, -163.17623762376235, 145.69306930693068}},
                        {{0, 0, 0, 1.5707963267948966},
                         {1, -2, 0.5, 1.5},
                         {0.1, 0.05, -0.02, 0.03},
                         {-218.7066831683168, 871.6952970297028, -1390.6514851485147, 397.2066831683168}},
                        {{0.7216, -0.289631, -0.743411, 0.342247},
                         {-0.374525, -1.601864, 2.355036, 1.591955},
                         {-0.153542, 0.044654, 0.015118, 0.225082},
                         {-449.7964657469221, 1419.4919140518136, -1534.4164571544416, 2292.8959085737574}}},
                       false);
}

/// A chain: one module unless the user cuts it. Massless bodies between the joints of hips and ankles.
TEST(Shah2018, TheBipedsAccelerations) {
  std::vector<Case> cases;
  for (const BipedState& s : biped_states()) cases.push_back({s.q, s.v, s.tau, s.acceleration});
  EXPECT_EQ(cases.size(), 26U);
  expect_accelerations("biped", cases, true);
}

// ---- work ----------------------------------------------------------------------------------------------------------

/// Operations of articulate and one solve, or of the module-level Riccati and forward dynamics.
double work(const std::string& family, const std::function<KinematicModules(const Tree&)>& choose, bool blocks) {
  const RigidBody<Counted> body = resting_family<Counted>(family);
  const KinematicModules modules = choose(body.model.tree());
  const auto T = Stacked<Counted>::zero(body.model.space, Kind::joint);
  Counted::counts() = {};
  if (blocks) {
    const ModuleModel<Counted> m = module_model(body.model, modules, body.a, body.b);
    forward_dynamics(m.model, riccati(m.model), regrouped(m, T), m.a, m.b);
  } else {
    modular_forward_dynamics(articulate(body.model, modules), T, body.a, body.b);
  }
  return static_cast<double>(Counted::counts().total());
}

/// Modules of a chain, so many links each.
KinematicModules of_length(const Tree& links, int length) {
  std::vector<ChosenModule> choice;
  for (int k = 0; k < links.size(); ++k) {
    if (k % length == 0) choice.push_back({"M" + std::to_string(choice.size()), {}});
    choice.back().links.push_back(links.name(k));
  }
  return KinematicModules::chosen(links, choice);
}

TEST(Shah2018, WorkIsLinearInTheLinks) {
  struct Row {
    const char* name;
    std::function<std::string(int)> family;
    std::function<KinematicModules(const Tree&)> choose;
    bool blocks;
  };
  const auto chain = [](int n) { return "chain:" + std::to_string(n); };
  const auto star = [](int n) { return "star:" + std::to_string(n / 4) + "x4"; };
  const auto in_fours = [](const Tree& links) { return of_length(links, 4); };
  for (const Row& row : {Row{"chain, one module", chain, &KinematicModules::segments, false},
                         Row{"chain, modules of 4", chain, in_fours, false},
                         Row{"chain, modules of 1", chain, &KinematicModules::single_links, false},
                         Row{"star, its arms", star, &KinematicModules::segments, false},
                         Row{"chain, blocks of 4", chain, in_fours, true},
                         Row{"chain, blocks of 1", chain, &KinematicModules::single_links, true}}) {
    const double n = work(row.family(32), row.choose, row.blocks), twice = work(row.family(64), row.choose, row.blocks),
                 four_times = work(row.family(128), row.choose, row.blocks);
    std::printf("%-20s %7.0f operations at 32 links, %7.0f at 64, %8.0f at 128: %6.0f per link\n", row.name, n, twice,
                four_times, (four_times - twice) / 64);
    EXPECT_EQ(four_times - twice, 2 * (twice - n)) << row.name;
  }
  // written out, one module of all links is a dense matrix: more than four times the work for twice the links
  const double n = work("chain:16", &KinematicModules::segments, true),
               twice = work("chain:32", &KinematicModules::segments, true);
  std::printf("%-20s %7.0f operations at 16 links, %7.0f at 32\n", "chain, one block", n, twice);
  EXPECT_GT(twice, 4 * n);
}

// ---- accuracy ------------------------------------------------------------------------------------------------------

TEST(Shah2018, AccuracyBesideCompositeBodiesAndCholesky) {
  std::printf("%-24s %8s | %8s %8s | %8s %8s | %8s\n", "largest of 4 states", "ab", "segments", "random", "blocks",
              "b random", "cholesky");
  for (const char* family :
       {"chain:32", "chain:64", "chain:128", "chain:64:ratio=1e3", "chain:64:ratio=1e6", "tree:2x6:ratio=1e6",
        "star:10x6:ratio=1e6", "comb:16:ratio=1e6", "random:60:seed=2:floating=1:ratio=1e6"}) {
    const Model model = make_model(family);
    double ab = 0, segments = 0, random = 0, blocks = 0, random_blocks = 0, cholesky = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const oracle::TestState s = oracle::random_state(model, seed);
      const std::vector<Reference> truth = oracle::reference_accelerations(model, s);
      const RigidBody<double> body = rigid_body(model, s.q.data(), s.v.data());
      const KinematicModules fewest = KinematicModules::segments(body.model.tree()),
                             some = random_modules(body.model.tree(), 3 * seed + 1);
      const auto take = [&](double& worst, const VectorXd& a) {
        const double error = oracle::relative_difference(a, truth);
        if (!(error <= worst)) worst = error;
      };
      ForwardDynamics dynamics(model, oracle::serial(Algorithm::ab));
      take(ab, oracle::accelerations(dynamics, s));
      take(segments, by_recursion(model, body, fewest, s.tau));
      take(random, by_recursion(model, body, some, s.tau));
      take(blocks, by_blocks(model, body, fewest, s.tau));
      take(random_blocks, by_blocks(model, body, some, s.tau));
      take(cholesky, by_cholesky(model, body, s.tau));
    }
    std::printf("%-24s %8.1e | %8.1e %8.1e | %8.1e %8.1e | %8.1e\n", family, ab, segments, random, blocks,
                random_blocks, cholesky);
    const double rounding = 3e-15;
    EXPECT_LE(segments, 5 * std::max(ab, rounding)) << family;
    EXPECT_LE(random, 5 * std::max(ab, rounding)) << family;
    EXPECT_LE(std::max(segments, random), cholesky) << family;
  }
}

}  // namespace
}  // namespace kinetree::sko
