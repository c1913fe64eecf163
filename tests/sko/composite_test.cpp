// Composite bodies (Jain 2011, Alg. 4.1, 4.2): the pattern that the paper prints in Sec. 4.2, and constraint
// embedding's models, whose nodes have any size; and the gain K that stands beside the articulated inertias (Eq. 37).
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/segments.hpp>

#include "oracle/mechanisms.hpp"
#include "sko/jain2012_embedding.hpp"

namespace kinetree::sko {
namespace {

/// Sec. 4.2's tree: 1 hangs from 3 and 2 from 4; 3, 4 and 5 from 6, and that from 7.
Tree seven_bodies() { return Tree({2, 3, 5, 5, 5, 6, -1}); }

const char* const printed[7] = {
    "X.X..XX",  //
    ".X.X.XX",  //
    "X.X..XX",  //
    ".X.X.XX",  //
    "....XXX",  //
    "XXXXXXX",  //
    "XXXXXXX",
};

TEST(CompositeBodies, MassMatrixHasThePatternThatThePaperPrints) {  // Jain 2011, Sec. 4.2
  const Tree tree = seven_bodies();
  const auto pattern = mass_matrix_pattern(tree);
  Description d;
  Random random(3);
  for (int k = tree.size() - 1; k >= 0; --k)  // parents first
    d.bodies.push_back(oracle::random_body(random, "b" + std::to_string(k + 1),
                                           tree.parent(k) < 0 ? "world" : "b" + std::to_string(tree.parent(k) + 1),
                                           JointType::revolute));
  const Model model = make_model(d);
  const oracle::TestState s = oracle::random_state(model, 1);
  const RigidBody<double> body = rigid_body(model, s.q.data(), s.v.data());
  const Explicit<double> M = mass_matrix(body.model);
  const auto place = [&](int k) {  // of the paper's body k + 1 among the model's nodes
    for (int i = 0; i < model.body_count(); ++i)
      if (model.body_name(i) == "b" + std::to_string(k + 1)) return node_of_body(model, i);
    return -1;
  };
  for (int j = 0; j < 7; ++j)
    for (int k = 0; k < 7; ++k) {
      EXPECT_EQ(pattern[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)], printed[j][k] == 'X')
          << j + 1 << ", " << k + 1;
      EXPECT_EQ(M(place(j), place(k))(0, 0) != 0, printed[j][k] == 'X') << j + 1 << ", " << k + 1;
    }
}

TEST(CompositeBodies, OfEmbeddedMechanisms) {  // Alg. 4.1, 4.2 on the models of Jain 2012 II
  int unrelated = 0, wide = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("closed mechanism " + std::to_string(seed));
    const Closed c = closed_mechanism(seed);
    const SkoModel<double>& model = c.body.embedded.model;
    const Dense o(model);
    // by definition: R, the sum over what is at or outboard of a node, seen at that node
    MatrixXd R = MatrixXd::Zero(o.A.rows(), o.A.rows());
    const SpaceRef& space = model.space;
    for (int k = 0; k < space->nodes(); ++k) {
      const int begin = space->offset(Kind::node, k), size = space->size(Kind::node, k);
      const MatrixXd seen = o.A.middleRows(begin, size);
      R.block(begin, begin, size, size) = seen * o.M * seen.transpose();
      wide += space->size(Kind::joint, k) > 1 && size > 6;
    }
    EXPECT_TRUE(same(placed(composite_inertias(model)), R));
    const Explicit<double> M = mass_matrix(model);
    EXPECT_TRUE(same(M.matrix, o.mass));
    // and against the oracle's mass matrix of the spanning tree
    oracle::ClosedOracle truth(c.mechanism.description, c.mechanism.tree);
    truth.set(c.mechanism.state.q, c.mechanism.state.v, c.f_ext);
    const MatrixXd X = map_in_model(c.model, c.body);
    EXPECT_TRUE(same(M.matrix, X.transpose() * truth.mass_matrix() * X));
    for (int j = 0; j < space->nodes(); ++j)
      for (int k = 0; k < space->nodes(); ++k)
        if (!model.tree().related(j, k)) {
          EXPECT_TRUE(M(j, k).isZero(0)) << "exact zeros";
          unrelated += M(j, k).size() > 0;
        }
    if (HasFailure()) return;
  }
  EXPECT_GT(unrelated, 1000);
  EXPECT_GT(wide, 100);
}

TEST(ConstrainedBodies, TheirTreeHasTheSpanningTreesEquationsOfMotion) {  // Jain 2012 II, Sec. 4.2, step 1
  Random random(5);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("closed mechanism " + std::to_string(seed));
    const Closed c = closed_mechanism(seed);
    oracle::ClosedOracle truth(c.mechanism.description, c.mechanism.tree);
    truth.set(c.mechanism.state.q, c.mechanism.state.v, c.f_ext);
    const RigidBody<double>& tree = c.body.tree;
    const MatrixXd M = truth.mass_matrix();
    const VectorXd bias = Eigen::Map<const VectorXd>(truth.tree().bias().data(), c.model.nv()),
                   a = oracle::uniform_vector(random, c.model.nv(), 1);
    const VectorXd T =
        in_model(c.model, inverse_dynamics(tree.model, joint_rows(tree, c.model, a.data()), tree.a, tree.b));
    EXPECT_TRUE(same(T, M * a + bias, largest_of(bias)));
    const Explicit<double> found = mass_matrix(tree.model);
    VectorXd Ma = in_model(c.model, Stacked<double>{tree.model.space, Kind::joint,
                                                    found.matrix * joint_rows(tree, c.model, a.data()).value});
    EXPECT_TRUE(same(Ma, M * a));
    if (HasFailure()) return;
  }
}

TEST(Riccati, TheGainBesideTheInertiasIsThatOfEquation37) {  // K = E_A G, edge by edge
  int edges = 0;
  on_all_models([&](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    const SpaceRef& space = model.space;
    MatrixXd K = MatrixXd::Zero(o.K.rows(), o.K.cols());
    for (int k = 0; k < space->nodes(); ++k) {
      const MatrixXd& own = r.K[static_cast<std::size_t>(k)];
      const int p = model.tree().parent(k);
      if (p < 0) {
        EXPECT_EQ(own.size(), 0) << "a base node has no parent to shift to";
        continue;
      }
      ASSERT_EQ(own.rows(), space->size(Kind::node, p));
      ASSERT_EQ(own.cols(), space->size(Kind::joint, k));
      K.block(space->offset(Kind::node, p), space->offset(Kind::joint, k), own.rows(), own.cols()) = own;
      edges += own.size() > 0;
    }
    EXPECT_TRUE(same(K, o.K));
  });
  EXPECT_GT(edges, 1000);
}

}  // namespace
}  // namespace kinetree::sko
