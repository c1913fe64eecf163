// Jain 2011, Sec. 5.2: the operator identities of Lemmas 9 and 10, with plain matrices, in the order of the paper.
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/operational_space.hpp>
#include <kinetree/sko/products.hpp>

#include "engine/scalar/worst.hpp"
#include "sko/dense.hpp"

namespace kinetree::sko {
namespace {

/// check(dense) on all models.
template <class Check>
void on_all(Check&& check) {
  on_all_models([&](const SkoModel<double>& model) { check(Dense(model, riccati(model))); });
}

TEST(Jain2011Lemma9, Eq38HingesAndGains) {
  on_all([](const Dense& o) {
    EXPECT_TRUE(same_within(1e-12, o.H * o.G, o.I_joint));
    EXPECT_TRUE(same_within(1e-12, o.H * o.tau, o.H));
    const double scale = largest_of(o.H) * largest_of(o.tau);
    EXPECT_TRUE(same_within(1e-12, o.H * o.tau_bar, 0 * o.H, scale));
    EXPECT_TRUE(same_within(1e-12, o.I_joint + o.H * o.A * o.K, o.H * o.A * o.G));
  });
}

TEST(Jain2011Lemma9, Eq37IsMisprinted) {
  // as printed, E_psi G, it vanishes: tau_bar G = G - G (H G) = 0
  on_all([](const Dense& o) { EXPECT_TRUE(same(o.E_psi * o.G, 0 * o.K, largest_of(o.E) * largest_of(o.G))); });
}

TEST(Jain2011Lemma9, Eq39And40) {
  on_all([](const Dense& o) {
    EXPECT_TRUE(same_within(1e-12, o.H * o.A * o.tau_bar, o.H * o.A * o.E_psi, largest_of(o.H)));
    EXPECT_TRUE(same_within(1e-12, o.H * o.A * o.tau, o.H * o.A * (o.I - o.E_psi)));
    EXPECT_TRUE(same_within(1e-12, o.H * o.A * o.tau, o.H * o.A * inverse(o.psi)));
  });
}

TEST(Jain2011Lemma9, Eq41DisjointDecomposition) {
  on_all([](const Dense& o) {
    EXPECT_TRUE(same(o.A * o.M * o.psi.transpose(), o.P + o.A_tilde * o.P + o.P * o.psi_tilde.transpose()));
    // Eq. 56 uses its transpose
    EXPECT_TRUE(same(o.psi * o.M * o.A.transpose(), o.psi * o.P + o.P * o.A_tilde.transpose()));
  });
}

TEST(Jain2011Lemma9, Eq41TermsAreDisjoint) {
  // no entry is nonzero in two of the three terms
  on_all([](const Dense& o) {
    const MatrixXd below = o.A_tilde * o.P, above = o.P * o.psi_tilde.transpose();
    const auto nonzero = [](const MatrixXd& X) { return (X.array().abs() > 1e-12 * largest_of(X)).eval(); };
    EXPECT_FALSE((nonzero(o.P) && nonzero(below)).any());
    EXPECT_FALSE((nonzero(o.P) && nonzero(above)).any());
    EXPECT_FALSE((nonzero(below) && nonzero(above)).any());
  });
}

TEST(Jain2011Lemma10, Eq42) {
  on_all([](const Dense& o) {
    EXPECT_TRUE(same(o.psi * o.M * o.psi.transpose(), o.P + o.psi_tilde * o.P + o.P * o.psi_tilde.transpose()));
  });
}

TEST(Jain2011Lemma10, Eq43DifferenceOfTheInverses) {
  on_all([](const Dense& o) {
    EXPECT_TRUE(same(inverse(o.psi) - inverse(o.A), o.K * o.H, 1));
    EXPECT_TRUE(same((o.I - o.E_psi) - (o.I - o.E), o.K * o.H, 1));
  });
}

TEST(Jain2011Lemma10, Eq44FourProducts) {
  on_all([](const Dense& o) {
    const MatrixXd A_inverse = o.I - o.E, psi_inverse = o.I - o.E_psi;
    EXPECT_TRUE(same(psi_inverse * o.A, o.I + o.K * o.H * o.A));
    EXPECT_TRUE(same(o.A * psi_inverse, o.I + o.A * o.K * o.H));
    EXPECT_TRUE(same(A_inverse * o.psi, o.I - o.K * o.H * o.psi));
    EXPECT_TRUE(same(o.psi * A_inverse, o.I - o.psi * o.K * o.H));
  });
}

TEST(Jain2011Lemma10, Eq45FourProducts) {
  on_all([](const Dense& o) {
    const MatrixXd forth = o.I_joint + o.H * o.A * o.K, back = o.I_joint - o.H * o.psi * o.K;
    EXPECT_TRUE(same(back * o.H * o.A, o.H * o.psi));
    EXPECT_TRUE(same(o.A * o.K * back, o.psi * o.K));
    EXPECT_TRUE(same(forth * o.H * o.psi, o.H * o.A));
    EXPECT_TRUE(same(o.psi * o.K * forth, o.A * o.K));
  });
}

TEST(Jain2011Lemma10, Eq46IsBlockDiagonal) {
  on_all_models([](const SkoModel<double>& model) {
    const Riccati<double> r = riccati(model);
    const Dense o(model, r);
    const MatrixXd product = o.H * o.psi * o.M * o.psi.transpose() * o.H.transpose();
    EXPECT_TRUE(same(product, o.D));
    EXPECT_TRUE(same(product, placed(r.D)));
  });
}

TEST(Jain2011Lemma10, Eq47) {
  on_all([](const Dense& o) {
    const MatrixXd AK = o.A * o.K;
    EXPECT_TRUE(same(o.A * o.M * o.A.transpose(),
                     o.P + o.A_tilde * o.P + o.P * o.A_tilde.transpose() + AK * o.D * AK.transpose()));
  });
}

TEST(Jain2011Lemma10, Eq48) {
  on_all([](const Dense& o) {
    EXPECT_TRUE(same(o.A * o.M * o.A.transpose() * o.H.transpose(),
                     (o.I + o.A * o.K * o.H) * o.P * o.A.transpose() * o.H.transpose()));
  });
}

TEST(Jain2011Sec23, OperatorsOfTwoModelsDoNotCombine) {
  // the identities hold within one model; with another model's operators they are refused, even where sizes agree
  const SkoModel<double> one = random_tree(3).body.model, other = random_tree(3).body.model;
  const auto refused = [](auto&& use) {
    try {
      use();
    } catch (const IncompatibleOperators& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("two SKO models"), std::string::npos) << text;
      EXPECT_NE(text.find("random"), std::string::npos) << text;  // by their names
      return true;
    }
    return false;
  };
  const Riccati<double> r = riccati(one);
  const Stacked<double> x = random_stacked(other.space, Kind::node, 1), t = random_stacked(other.space, Kind::joint, 2);
  EXPECT_TRUE(refused([&] { explicit_form(one.H) * resolvent(other.A); }));
  EXPECT_TRUE(refused([&] { resolvent(one.A) + resolvent(other.A); }));
  EXPECT_TRUE(refused([&] { resolvent(one.A) - resolvent(other.A); }));
  EXPECT_TRUE(refused([&] { one.M* other.M; }));
  EXPECT_TRUE(refused([&] { one.M + other.M; }));
  EXPECT_TRUE(refused([&] { one.A* x; }));
  EXPECT_TRUE(refused([&] { transpose_times(one.A, x); }));
  EXPECT_TRUE(refused([&] { transpose_times(one.H, t); }));
  EXPECT_TRUE(refused([&] { strict_times(one.A, x); }));
  EXPECT_TRUE(refused([&] { forward_lyapunov(one.A, one.M, other.A); }));
  EXPECT_TRUE(refused([&] { backward_lyapunov(one.A, other.M, one.A); }));
  EXPECT_TRUE(refused([&] { mass_matrix_times(one, t); }));
  EXPECT_TRUE(refused([&] { inverse_mass_matrix_times(one, r, t); }));
  EXPECT_TRUE(refused([&] { forward_dynamics(one, r, t, x, x); }));
  EXPECT_TRUE(refused([&] { compliance_diagonal(other, r); }));
}

TEST(Jain2011Sec23, NodeRowsDoNotMeetJointRows) {
  const SkoModel<double> model = random_tree(4).body.model;
  const Stacked<double> node = random_stacked(model.space, Kind::node, 1),
                        joint = random_stacked(model.space, Kind::joint, 2);
  EXPECT_THROW(model.A * joint, IncompatibleOperators);
  EXPECT_THROW(transpose_times(model.H, node), IncompatibleOperators);
  EXPECT_THROW(node + joint, IncompatibleOperators);
  EXPECT_THROW(explicit_form(model.M) * explicit_form(model.H), IncompatibleOperators);
}

}  // namespace
}  // namespace kinetree::sko
