#include <Eigen/Eigenvalues>
#include <kinetree/sko/operational_space.hpp>
#include <stdexcept>
#include <string>

namespace kinetree::sko {

template <class S>
BlockDiagonal<S> compliance_diagonal(const SkoModel<S>& model, const Riccati<S>& r) {
  expect_same(model.space, r.P.space, "operational space compliance");
  BlockDiagonal<S> X{model.space, Kind::node, Kind::node, {}};
  for (int k = 0; k < model.space->nodes(); ++k)
    X.block.push_back(model.H(k).transpose() * r.D_factor[static_cast<std::size_t>(k)].solve(model.H(k)));
  return backward_lyapunov(r.psi, X, r.psi);
}

template <class S>
Matrix<S> compliance_of(const Riccati<S>& r, const BlockDiagonal<S>& diagonal, const std::vector<int>& nodes) {
  const SpaceRef& space = diagonal.space;
  Eigen::Index total = 0;
  for (const int k : nodes) total += space->size(Kind::node, k);
  Matrix<S> result(total, total);
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Eigen::Index column = 0;
    for (std::size_t j = 0; j <= i; ++j) {
      const Matrix<S> block = compliance_block(r, diagonal, nodes[i], nodes[j]);
      result.block(row, column, block.rows(), block.cols()) = block;
      result.block(column, row, block.cols(), block.rows()) = block.transpose();
      column += block.cols();
    }
    row += space->size(Kind::node, nodes[i]);
  }
  return result;
}

namespace {

/// The rank of a compliance, its rows scaled alike: what units its directions have is no matter.
template <class S>
int directions(const Matrix<S>& Omega) {
  Matrix<double> X = Omega.unaryExpr([](const S& x) { return to_double(x); });
  if (X.size() == 0) return 0;
  const Vector<double> scale =
      X.diagonal().cwiseAbs().cwiseSqrt().unaryExpr([](double x) { return x > 0 ? 1 / x : 0; });
  X = (scale.asDiagonal() * X * scale.asDiagonal()).eval();
  const auto values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(X, Eigen::EigenvaluesOnly).eigenvalues();
  return static_cast<int>((values.array() > 1e-12).count());
}

}  // namespace

template <class S>
Matrix<S> operational_space_inertia(const Riccati<S>& r, const BlockDiagonal<S>& diagonal,
                                    const std::vector<int>& nodes) {
  const Matrix<S> Omega = compliance_of(r, diagonal, nodes);
  const int rank = directions(Omega);
  if (rank < Omega.rows())
    throw std::invalid_argument("operational space inertia: of the " + std::to_string(Omega.rows()) +
                                " directions of these nodes only " + std::to_string(rank) +
                                " can be accelerated independently, J M⁻¹ J* is singular; give fewer nodes, or work "
                                "with the compliance");
  const SymmetricFactor<S> factor(Omega);
  return factor.solve(Matrix<S>::Identity(factor.size(), factor.size()));
}

#define INSTANTIATE(S)                                                                                   \
  template BlockDiagonal<S> compliance_diagonal(const SkoModel<S>&, const Riccati<S>&);                  \
  template Matrix<S> compliance_of(const Riccati<S>&, const BlockDiagonal<S>&, const std::vector<int>&); \
  template Matrix<S> operational_space_inertia(const Riccati<S>&, const BlockDiagonal<S>&, const std::vector<int>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
