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

#include "oracle/dense_oracle.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"
#include "sko/models.hpp"
#include "sko/module_choice.hpp"

namespace kinetree::sko {
namespace {

using Eigen::VectorXd;

VectorXd in_model_order(const Model& model, const Stacked<double>& rows) {
  const std::vector<double> v = model_order(model, rows);
  return Eigen::Map<const VectorXd>(v.data(), model.nv());
}

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

double difference(const VectorXd& a, const VectorXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

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
      recursion = std::max(recursion, difference(a, expected));
      oracle_error = std::max(oracle_error, oracle::relative_difference(a, truth));
      blocks = std::max(blocks, difference(by_blocks(t.model, t.body, modules, t.state.tau), expected));
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
    recursion = std::max(recursion, oracle::relative_difference(T, truth));
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
    factorization = std::max(factorization, (UDU - M).cwiseAbs().maxCoeff() / M.cwiseAbs().maxCoeff());
    const auto zero = Stacked<double>::zero(links.space, Kind::joint);
    const VectorXd expected = M.ldlt().solve((T - inverse_dynamics(links, zero, a, b)).value);
    const auto of_recursion = modular_forward_dynamics(articulate(links, modules), T, a, b);
    recursion = std::max(recursion, difference(of_recursion.value, expected));
    const auto of_blocks = forward_dynamics(m.model, r, regrouped(m, T), m.a, m.b);
    blocks = std::max(blocks, difference(in_original_order(m, of_blocks).value, expected));
    const auto back = modular_inverse_dynamics(links, modules, of_recursion, a, b);
    EXPECT_LT(difference(back.value, T.value), 1e-9) << links.space->name();
  }
  std::printf("any SKO model: U D U* %.1e, accelerations by recursion %.1e, by blocks %.1e\n", factorization, recursion,
              blocks);
  EXPECT_LT(factorization, 1e-12);
  EXPECT_LT(recursion, 1e-9);
  EXPECT_LT(blocks, 1e-9);
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
      EXPECT_LT(difference(solve_module(articulated, i, x), expected), 1e-9);
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
  for (const Case& c : cases) {
    ASSERT_EQ(static_cast<int>(c.q.size()), model.nq());
    const RigidBody<double> body = rigid_body(model, c.q.data(), c.v.data());
    const auto vector = [&](const std::vector<double>& x) { return Eigen::Map<const VectorXd>(x.data(), model.nv()); };
    const KinematicModules segments = KinematicModules::segments(body.model.tree());
    EXPECT_EQ(segments.size() == 1, serial);
    ForwardDynamics ab(model, oracle::serial(Algorithm::ab));
    VectorXd a(model.nv());
    EXPECT_TRUE(ab.solve(VectorXd(vector(c.q)), VectorXd(vector(c.v)), VectorXd(vector(c.tau)), a).ok());
    EXPECT_LT(difference(a, vector(c.expected)), 1e-12) << name;
    for (const KinematicModules& modules :
         {segments, random_modules(body.model.tree(), 2), KinematicModules::single_links(body.model.tree())}) {
      EXPECT_LT(difference(by_recursion(model, body, modules, vector(c.tau)), vector(c.expected)), 1e-12) << name;
      EXPECT_LT(difference(by_blocks(model, body, modules, vector(c.tau)), vector(c.expected)), 1e-12) << name;
    }
  }
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
  expect_accelerations(
      "biped",
      {{{-0.2088741, 0, 0.740991, -0.5321168, -1.570796, 3.141593, 0, -1.570796, -0.2088741, 0.740991, 0, -0.5321168},
        {-1.093937, 0.1433417, 0.6468424, 0.4470945, -0.1433417, 0, 0, 0.1433417, 1.093937, -0.6468424, -0.1433417,
         -0.4470945},
        {-10.705736712509477, 9.398814234517925, -13.58413267907148, 15.026075640653058, 4.59244959094935,
         2.0655169632466412, 0.019311864408025188, 1.1636432618831989, -14.6309956908098, -0.9628585364793771,
         -0.00017358789069529947, -3.055782803375387e-06},
        {4.056761462262249, 0.6954142416613749, -5.120209573263438, 1.063430982100164, -0.695488228391494,
         -7.834137567678532e-05, -1.2674277892615858e-07, 0.695340165754347, -38.7150528286066, 51.29532757699501,
         -0.6954143654327068, -12.58029987250393}},
       {{-0.37201146560527354, 0.019856077297399643, 0.8027438552468291, -0.4306919244932124, -1.5906225945924777,
         3.1414963773600295, 6.0521284870153087e-05, -1.5507124954048452, -0.5085505974684075, 1.175141045682382,
         -0.019988465720248004, -0.6665424865545988},
        {-0.6322646019675466, 0.03419949454093163, 0.08009931327197438, 0.5520459737068059, -0.03422670483648159,
         0.00018329417355484652, -0.0008404517765873339, 0.03519135934514472, -2.2999811801097345, 1.6816942271170212,
         -0.03466036395666575, 0.6181455511771254},
        {5.833530166978001, -0.8060333980560435, -11.206282678216272, 1.6464239859384606, 4.729417329605722,
         -0.49098066191143763, 0.13735430413795446, -0.6541400114843522, -1.58452627841976, 0.6652985712247728,
         0.00021215402611856018, 2.348809248080463e-06},
        {1.1260490668465024, -0.6040035613823636, -1.665179358105921, 0.5369282557519272, 0.6023694596534002,
         0.004424047402473311, -0.009740690828486989, -0.566922500033989, 8.196337503760747, -30.331673768014703,
         0.5541488031552254, 22.132231177284638}}},
      true);
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
