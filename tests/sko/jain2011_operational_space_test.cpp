// Jain 2011, Sec. 6.2: the extended operational space compliance, any block of it, and the inertia that tasks on
// several branches feel together; against dense matrices.
#include <kinetree/sko/operational_space.hpp>

#include "engine/scalar/worst.hpp"
#include "sko/dense.hpp"

namespace kinetree::sko {
namespace {

TEST(Jain2011, Sec62OperationalSpaceCompliance) {
  on_all_models([](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    const Space& space = *model.space;
    const MatrixXd J = o.A.transpose() * o.H.transpose();        // all nodes
    const MatrixXd Omega = J * inverse(o.mass) * J.transpose();  // Eq. 59
    EXPECT_TRUE(same_within(1e-11, o.psi.transpose() * o.H.transpose() * o.D_inverse * o.H * o.psi, Omega));  // Eq. 60
    const BlockDiagonal<double> diagonal = compliance_diagonal(model, r);
    EXPECT_TRUE(same_within(1e-11, placed(diagonal), diagonal_of(Omega, space)));
    const double scale = largest_of(Omega);
    for_pairs(space, [&](int i, int j) {
      const MatrixXd block = compliance_block(r, diagonal, i, j);
      EXPECT_TRUE(same_within(1e-11, block, node_block(Omega, space, i, j), scale)) << i << ", " << j;
      if (model.tree().common_ancestor(i, j) < 0) {
        EXPECT_TRUE(is_exactly_zero(block));
      }
    });
    // several task nodes, one of them twice
    const int n = space.nodes();
    const std::vector<int> tasks{n - 1, 0, n / 2, 0};
    std::vector<Eigen::Index> rows;
    for (const int k : tasks)
      for (int c = 0; c < space.size(Kind::node, k); ++c) rows.push_back(space.offset(Kind::node, k) + c);
    EXPECT_TRUE(same_within(1e-11, compliance_of(r, diagonal, tasks), MatrixXd(Omega(rows, rows)), scale));
  });
}

/// Nodes without children: one on each branch.
std::vector<int> tips_of(const Tree& tree) {
  std::vector<int> tips;
  for (int k = 0; k < tree.size(); ++k)
    if (tree.children(k).empty()) tips.push_back(k);
  return tips;
}

/// J M⁻¹ Jᵀ of some nodes, dense.
MatrixXd dense_compliance(const SkoModel<double>& model, const std::vector<int>& nodes) {
  const Dense o(model);
  const MatrixXd whole = o.A.transpose() * o.H.transpose();
  std::vector<Eigen::Index> rows;
  for (const int k : nodes)
    for (int c = 0; c < model.space->size(Kind::node, k); ++c) rows.push_back(model.space->offset(Kind::node, k) + c);
  const MatrixXd J = whole(rows, Eigen::all);
  return J * o.mass.ldlt().solve(J.transpose());
}

/// A floating trunk with legs of six revolute joints, which leave each foot all its directions.
SkoModel<double> legged(int legs, std::uint64_t seed) {
  const Model model = make_model("star:" + std::to_string(legs) + "x6", {.floating_base = true});
  const oracle::TestState s = oracle::random_state(model, seed);
  return rigid_body(model, s.q.data(), s.v.data()).model;
}

TEST(Jain2011, Sec62OperationalSpaceInertiaOfTasksOnSeveralBranches) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const int legs = 2 + static_cast<int>(seed % 3);
    const SkoModel<double> model = legged(legs, seed);
    const Riccati<double> r = riccati(model);
    const BlockDiagonal<double> diagonal = compliance_diagonal(model, r);
    std::vector<int> feet = tips_of(model.tree());
    ASSERT_EQ(static_cast<int>(feet.size()), legs);
    const MatrixXd compliance = dense_compliance(model, feet);
    const MatrixXd inertia = operational_space_inertia(r, diagonal, feet);
    const MatrixXd product = inertia * compliance;
    keep_worst(worst, largest_of(product - one(product.rows())));
    EXPECT_TRUE(same(inertia, inverse(compliance))) << seed;
    // feet feel each other through the trunk: the inertia of one alone is no block of it
    const MatrixXd alone = operational_space_inertia(r, diagonal, {feet[0]});
    EXPECT_TRUE(same(alone, inverse(dense_compliance(model, {feet[0]}))));
    EXPECT_GT(largest_of(inertia.topLeftCorner(6, 6) - alone), 1e-3 * largest_of(alone));
    EXPECT_GT(largest_of(inertia.topRightCorner(6, 6)), 1e-3 * largest_of(alone));
  }
  std::printf("operational space inertia of 2 to 4 feet: inertia * compliance is 1 up to %.1e\n", worst);
  // node velocities of any size: what is regular is inverted, what is not is refused
  int regular = 0, singular = 0;
  for (const SkoModel<double>& model : unusual_models())
    for (int k = 0; k < model.space->nodes(); ++k) {
      const Riccati<double> r = riccati(model);
      const BlockDiagonal<double> diagonal = compliance_diagonal(model, r);
      const MatrixXd compliance = dense_compliance(model, {k});
      if (compliance.size() == 0) continue;
      const Eigen::VectorXd values = Eigen::MatrixXd(compliance).selfadjointView<Eigen::Lower>().eigenvalues();
      if (values.minCoeff() > 1e-4 * values.maxCoeff()) {
        EXPECT_TRUE(same_within(1e-11, operational_space_inertia(r, diagonal, {k}), inverse(compliance)));
        ++regular;
      } else if (values.minCoeff() < 1e-15 * values.maxCoeff()) {
        EXPECT_THROW(operational_space_inertia(r, diagonal, {k}), std::invalid_argument);
        ++singular;
      }
    }
  EXPECT_GT(regular, 20);
  EXPECT_GT(singular, 20);
}

TEST(Jain2011, Sec62SingularTasksAreRefusedInWords) {
  const auto said = [](const SkoModel<double>& model, const std::vector<int>& nodes) {
    const Riccati<double> r = riccati(model);
    try {
      operational_space_inertia(r, compliance_diagonal(model, r), nodes);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  const SkoModel<double> robot = legged(2, 1);
  const int foot = tips_of(robot.tree())[0];
  EXPECT_EQ(said(robot, {foot}), "nothing");
  EXPECT_NE(said(robot, {foot, foot}).find("of the 12 directions of these nodes only 6 can be"), std::string::npos)
      << said(robot, {foot, foot});
  const SkoModel<double> arm = resting_family<double>("chain:3").model;  // three freedoms, six directions
  EXPECT_NE(said(arm, {0}).find("of the 6 directions of these nodes only 3 can be"), std::string::npos)
      << said(arm, {0});
}

}  // namespace
}  // namespace kinetree::sko
