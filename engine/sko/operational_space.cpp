#include <kinetree/sko/operational_space.hpp>

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

#define INSTANTIATE(S)                                                                  \
  template BlockDiagonal<S> compliance_diagonal(const SkoModel<S>&, const Riccati<S>&); \
  template Matrix<S> compliance_of(const Riccati<S>&, const BlockDiagonal<S>&, const std::vector<int>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
