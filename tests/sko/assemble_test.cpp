// Jain 2011, Sec. 8.1: models put together from node equations, their kinetic energy against points that move, partial
// velocities (Sec. 2.2), several nodes per body, and what is refused (Sec. 8.2).
#include <gtest/gtest.h>

#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <limits>

#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "sko/dense.hpp"

namespace kinetree::sko {
namespace {

using Nodes = PointMechanism::Nodes;

double energy_error(const PointMechanism& mechanism, const SkoModel<double>& model) {
  return kinetic_energy_error<double>(model,
                                      [&](const Stacked<double>& rate) { return mechanism.kinetic_energy(rate); });
}

TEST(Assemble, EnergyOfBodiesWithModesIsThatOfTheirPoints) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const PointMechanism mechanism(5, 3, seed);
    const SkoModel<double> model = mechanism.model(Nodes::one);
    bool uneven = false;
    for (int k = 1; k < model.space->nodes(); ++k)
      uneven = uneven || model.space->size(Kind::node, k) != model.space->size(Kind::node, 0);
    EXPECT_TRUE(uneven) << "node velocities are meant to have different sizes";
    EXPECT_LE(energy_error(mechanism, model), 1e-14) << seed;
  }
}

TEST(Assemble, EnergyOfSeveralNodesPerBody) {
  for (const Nodes nodes : {Nodes::halves, Nodes::particles})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const PointMechanism mechanism(4, seed == 1 ? 0 : 2, seed);
      EXPECT_LE(energy_error(mechanism, mechanism.model(nodes)), 1e-14) << seed;
    }
}

TEST(Assemble, EnergyOfRigidBodiesIsTheOracles) {
  for (int number = 0; number < 12; ++number) {
    const RandomTree tree = random_tree(number);
    oracle::DenseOracle<long double> oracle(tree.description, tree.model);
    const double error = kinetic_energy_error<double>(tree.body.model, [&](const Stacked<double>& rate) {
      const std::vector<double> v = model_order(tree.model, rate);
      oracle.set(tree.state.q, Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())));
      return static_cast<double>(oracle.kinetic_energy());
    });
    EXPECT_LE(error, 1e-13) << number;
  }
}

TEST(Assemble, WrongModelsAreFoundByTheirEnergy) {
  const PointMechanism mechanism(5, 2, 7);
  const auto error_when = [&](auto&& spoil) {
    std::vector<NodeEquations<double>> nodes = mechanism.equations(Nodes::one);
    for (NodeEquations<double>& node : nodes)
      if (node.name == "body3") spoil(node);
    return energy_error(mechanism, assemble("spoilt", nodes));
  };
  EXPECT_LE(error_when([](auto&) {}), 1e-14);
  EXPECT_GT(error_when([](auto& node) { node.M *= 1.001; }), 1e-5);
  EXPECT_GT(error_when([](auto& node) { node.A *= -1; }), 1e-3);
  EXPECT_GT(error_when([](auto& node) { node.A = 0 * node.A; }), 1e-3);
  EXPECT_GT(error_when([](auto& node) { node.H *= 1.001; }), 1e-5);
  EXPECT_GT(error_when([](auto& node) { node.M.diagonal()(0) += 1e-3; }), 1e-7);
  // a term that single velocities do not show, only two together
  EXPECT_GT(error_when([](auto& node) { node.M(0, 1) += 1e-3, node.M(1, 0) += 1e-3; }), 1e-7);
}

TEST(Assemble, ABuilderThatKnowsTheEnergyRefusesAnotherOne) {
  const PointMechanism mechanism(5, 2, 7);
  const std::function<double(const Stacked<double>&)> energy = [&](const Stacked<double>& rate) {
    return mechanism.kinetic_energy(rate);
  };
  std::vector<NodeEquations<double>> nodes = mechanism.equations(Nodes::one);
  EXPECT_EQ(assemble("flexible", nodes, energy).freedoms(), mechanism.model(Nodes::one).freedoms());
  for (NodeEquations<double>& node : nodes)
    if (node.name == "body5") node.H *= 1.01;  // a leaf: nothing but its own velocities shows it
  std::string said;
  try {
    assemble("flexible", nodes, energy);
  } catch (const InvalidSkoModel& e) {
    said = e.what();
  }
  for (const char* word : {"'flexible'", "not the stated kinetic energy", "of 'body5'", "Sec. 8.1"})
    EXPECT_NE(said.find(word), std::string::npos) << "'" << word << "' not in: " << said;
  const std::function<double(const Stacked<double>&)> none = [](const Stacked<double>&) { return std::nan(""); };
  EXPECT_THROW(assemble("flexible", mechanism.equations(Nodes::one), none), InvalidSkoModel);
}

TEST(Assemble, PartialVelocitiesAreThoseOfThePoints) {
  // Kane: column r of A* H* holds the derivatives of the velocities by rate r (Jain 2011, Sec. 2.2)
  const PointMechanism mechanism(5, 2, 3);
  const SkoModel<double> model = mechanism.model(Nodes::particles);
  const Explicit<double> partial = partial_velocities(model);
  auto rate = Stacked<double>::zero(model.space, Kind::joint);
  for (Eigen::Index r = 0; r < rate.value.size(); ++r) {
    rate.value.setZero();
    rate.value(r) = 1;
    for (int k = 0; k < model.space->nodes(); ++k)
      for (int b = 0; b < mechanism.bodies(); ++b)
        for (int i = 0; i < PointMechanism::points; ++i)
          if (model.tree().name(k) == PointMechanism::name(b, i)) {
            const MatrixXd column = partial.matrix.block(model.space->offset(Kind::node, k), r, 3, 1);
            EXPECT_LE(largest_of(column - mechanism.point_velocity(rate, b, i)), 1e-14)
                << "rate " << r << ", " << model.tree().name(k);
          }
  }
}

TEST(Assemble, NodesOfABodyMayBeSplitAtWill) {
  // three models of one mechanism: the same mass matrix, the same bias of the same true accelerations and forces
  const PointMechanism mechanism(6, 2, 5);
  const SkoModel<double> one = mechanism.model(Nodes::one);
  const auto by_name = [](const SkoModel<double>& model) {
    std::vector<int> rows;
    for (int b = 0; b < 6; ++b)
      for (int k = 0; k < model.space->nodes(); ++k)
        if (model.tree().name(k) == PointMechanism::name(b))
          for (int r = 0; r < model.space->size(Kind::joint, k); ++r)
            rows.push_back(model.space->offset(Kind::joint, k) + r);
    return rows;
  };
  const MatrixXd mass = MatrixXd(mass_matrix(one).matrix)(by_name(one), by_name(one));
  const Riccati<double> r = riccati(one);
  for (const Nodes nodes : {Nodes::halves, Nodes::particles}) {
    const SkoModel<double> other = mechanism.model(nodes);
    EXPECT_GT(other.space->nodes(), one.space->nodes());
    EXPECT_TRUE(same(MatrixXd(mass_matrix(other).matrix)(by_name(other), by_name(other)), mass));
    const Riccati<double> s = riccati(other);
    EXPECT_NEAR(log_determinant(s), log_determinant(r), 1e-14);
    // the articulated inertia of the node that carries the joint is the body's
    for (int k = 0; k < one.space->nodes(); ++k)
      for (int j = 0; j < other.space->nodes(); ++j)
        if (other.tree().name(j) == one.tree().name(k)) {
          EXPECT_TRUE(same(s.P(j), r.P(k)));
        }
  }
}

TEST(Assemble, OrderOfTheNodesDoesNotMatter) {
  const PointMechanism mechanism(6, 2, 9);
  std::vector<NodeEquations<double>> nodes = mechanism.equations(Nodes::one);
  const SkoModel<double> one = assemble("forth", nodes);
  std::reverse(nodes.begin(), nodes.end());
  const SkoModel<double> other = assemble("back", nodes);
  for (const SkoModel<double>* model : {&one, &other})
    for (int k = 0; k < 6; ++k) EXPECT_TRUE(model->tree().parent(k) < 0 || model->tree().parent(k) > k);
  EXPECT_NEAR(log_determinant(riccati(one)), log_determinant(riccati(other)), 1e-14);
  EXPECT_LE(energy_error(mechanism, other), 1e-14);
}

// ---- what is refused -----------------------------------------------------------------------------------------------

NodeEquations<double> plain(const std::string& name, const std::string& parent) {
  return {name, parent, one(3), one(3), MatrixXd(one(3).topRows(1))};
}

/// What assemble says of nodes, "" where it takes them.
std::string said(const std::vector<NodeEquations<double>>& nodes) {
  try {
    assemble("sample", nodes);
  } catch (const InvalidSkoModel& e) {
    return e.what();
  }
  return "";
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' not in: " << text;
}

/// The same of two nodes, the second spoilt.
template <class Spoil>
std::string said_of(Spoil&& spoil) {
  std::vector<NodeEquations<double>> nodes{plain("base", ""), plain("tip", "base")};
  EXPECT_EQ(said(nodes), "");
  spoil(nodes[1]);
  return said(nodes);
}

TEST(Assemble, RefusesDigraphsThatAreNoTree) {
  expect_words(said({plain("a", "b"), plain("b", "c"), plain("c", "a"), plain("d", "")}),
               {"'sample'", "directed cycle a -> c -> b -> a", "nilpotent", "loop constraint", "Sec. 8.2"});
  expect_words(said({plain("a", "a")}), {"directed cycle a -> a"});
  // a cycle does not hide what else is wrong
  NodeEquations<double> heavy = plain("d", "a");
  heavy.M(0, 0) = -1;
  expect_words(said({plain("a", "b"), plain("b", "a"), heavy}), {"a -> b -> a", "node 'd': M has the negative"});
  expect_words(said({plain("a", ""), plain("b", "nobody")}), {"node 'b'", "'nobody'"});
  expect_words(said({plain("a", ""), plain("a", "")}), {"node 'a'", "two nodes"});
  expect_words(said({plain("", "")}), {"no name"});
}

TEST(Assemble, RefusesSizesThatDoNotFit) {
  expect_words(said_of([](auto& node) { node.M = MatrixXd::Identity(3, 2); }), {"'tip'", "M is 3x2", "square"});
  expect_words(said_of([](auto& node) { node.H = MatrixXd::Identity(1, 2); }), {"'tip'", "H is 1x2", "3"});
  expect_words(said_of([](auto& node) { node.A = MatrixXd::Identity(2, 3); }), {"'tip'", "A is 2x3", "3x3"});
  expect_words(said_of([](auto& node) { node.A = MatrixXd::Identity(3, 2); }), {"'tip'", "A is 3x2", "3x3"});
}

TEST(Assemble, RefusesWhatIsNoInertiaAndNoJoint) {
  expect_words(said_of([](auto& node) { node.M(0, 1) = 0.5; }), {"'tip'", "M is not symmetric"});
  expect_words(said_of([](auto& node) { node.M(0, 0) = -0.5; }), {"'tip'", "negative eigenvalue", "-0.5"});
  expect_words(said_of([](auto& node) { node.H = MatrixXd::Ones(2, 3); }), {"'tip'", "row rank", "independent"});
  expect_words(said_of([](auto& node) { node.H = MatrixXd::Zero(1, 3); }), {"'tip'", "row rank"});
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  expect_words(said_of([&](auto& node) { node.M(1, 1) = nan; }), {"'tip'", "M has", "not finite"});
  expect_words(said_of([&](auto& node) { node.H(0, 0) = infinite; }), {"'tip'", "H has", "not finite"});
  expect_words(said_of([&](auto& node) { node.A(2, 0) = nan; }), {"'tip'", "A has", "not finite"});
}

TEST(Assemble, RigidBodyRefusesAModelThatIsMoreThanATree) {
  // silence would give the numbers of another mechanism
  Description description = make_description("chain:3");
  const auto said_of_model = [&] {
    const Model model = make_model(description);
    const std::vector<double> q(static_cast<std::size_t>(model.nq()), 0.1), v(q.size(), 0.1);
    try {
      rigid_body(model, q.data(), v.data());
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(said_of_model(), "");
  description.bodies[1].joint.armature = 0.01;  // a tree still
  EXPECT_EQ(said_of_model(), "");
  CouplingDescription gear;
  gear.name = "gear";
  gear.terms = {{description.bodies[0].joint.name, 1.}, {description.bodies[2].joint.name, -2.}};
  description.couplings.push_back(gear);
  expect_words(said_of_model(), {"rigid_body", "'chain:3'", "0 loop joint(s)", "1 coupling(s)", "constrained_body",
                                 "spanning_tree_body"});
}

TEST(Assemble, TellsAllFindingsAtOnce) {
  NodeEquations<double> a = plain("a", ""), b = plain("b", "a"), c = plain("c", "missing");
  a.M(0, 0) = -1, b.H.setZero();
  expect_words(said({a, b, c}), {"node 'a'", "negative", "node 'b'", "row rank", "node 'c'", "'missing'"});
}

TEST(Assemble, TakesWhatIsUnusualButSound) {
  // no mass, no freedom, a weight of zero, a base whose A is of any size
  NodeEquations<double> base = plain("base", ""), weld = plain("weld", "base"), loose = plain("loose", "weld");
  base.A = MatrixXd::Zero(7, 2);
  weld.M.setZero(), weld.H = MatrixXd(0, 3);
  loose.A.setZero();
  EXPECT_EQ(said({loose, weld, base}), "");
}

}  // namespace
}  // namespace kinetree::sko
