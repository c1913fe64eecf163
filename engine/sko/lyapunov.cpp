#include <kinetree/sko/lyapunov.hpp>

namespace kinetree::sko {

namespace {

template <class S>
void expect_compatible(const Spo<S>& A, const BlockDiagonal<S>& X, const Spo<S>& B) {
  expect_same(A.space, X.space, "Lyapunov equation");
  expect_same(X.space, B.space, "Lyapunov equation");
  expect_same(X.rows, Kind::node, "Lyapunov equation");
  expect_same(X.columns, Kind::node, "Lyapunov equation");
}

/// X := A(i, j) X, A(i, j) being the product of the weights on the way from j up to i; edge by edge.
template <class S>
Matrix<S> carry_up(const Spo<S>& A, int j, int i, Matrix<S> X) {
  for (const int above : A.space->tree().path_up(j, i)) {
    X = (A(j) * X).eval();
    j = above;
  }
  return X;
}

/// X := A*(i, j) X, from i down to j.
template <class S>
Matrix<S> carry_down(const Spo<S>& A, int i, int j, Matrix<S> X) {
  std::vector<int> down = A.space->tree().path_up(j, i);
  if (down.empty()) return X;
  down.back() = j;  // the edges of the path, named by their lower ends: ..., ℘(j), j
  for (std::size_t k = down.size() - 1; k-- > 0;) X = (A(down[k]).transpose() * X).eval();
  return (A(j).transpose() * X).eval();
}

}  // namespace

template <class S>
BlockDiagonal<S> forward_lyapunov(const Spo<S>& A, const BlockDiagonal<S>& X, const Spo<S>& B) {
  expect_compatible(A, X, B);
  BlockDiagonal<S> Y = X;
  gather(A.space->tree(), [&](int k) {
    for (const int j : A.space->tree().children(k)) Y(k) += (A(j) * Y(j)).eval() * B(j).transpose();
  });
  return Y;
}

template <class S>
Matrix<S> forward_block(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B, int i, int j) {
  expect_compatible(A, Y, B);
  const Tree& tree = A.space->tree();
  if (tree.at_or_above(i, j)) return carry_up(A, j, i, Matrix<S>(Y(j)));
  if (tree.at_or_above(j, i)) return carry_up(B, i, j, Matrix<S>(Y(i).transpose())).transpose();
  return Matrix<S>::Zero(A.space->size(Kind::node, i), A.space->size(Kind::node, j));
}

template <class S>
Explicit<S> forward_decomposition(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B) {
  expect_compatible(A, Y, B);
  const Explicit<S> diagonal = explicit_form(Y);
  return diagonal + strict_resolvent(A) * diagonal + diagonal * transpose(strict_resolvent(B));
}

template <class S>
BlockDiagonal<S> backward_lyapunov(const Spo<S>& A, const BlockDiagonal<S>& X, const Spo<S>& B) {
  expect_compatible(A, X, B);
  BlockDiagonal<S> Y = X;
  scatter(A.space->tree(), [&](int k) {
    const int p = A.space->tree().parent(k);
    if (p >= 0) Y(k) += (A(k).transpose() * Y(p)).eval() * B(k);
  });
  return Y;
}

template <class S>
Matrix<S> backward_block(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B, int i, int j) {
  expect_compatible(A, Y, B);
  const int k = A.space->tree().common_ancestor(i, j);
  if (k < 0) return Matrix<S>::Zero(A.space->size(Kind::node, i), A.space->size(Kind::node, j));
  const Matrix<S> left = carry_down(A, k, i, Matrix<S>(Y(k)));
  return carry_down(B, k, j, Matrix<S>(left.transpose())).transpose();
}

template <class S>
Explicit<S> backward_decomposition(const Spo<S>& A, const BlockDiagonal<S>& Y, const Spo<S>& B) {
  expect_compatible(A, Y, B);
  const Explicit<S> diagonal = explicit_form(Y);
  const Explicit<S> A_tilde = strict_resolvent(A), B_tilde = strict_resolvent(B);
  Explicit<S> Z = diagonal + transpose(A_tilde) * diagonal + diagonal * B_tilde;
  const Tree& tree = A.space->tree();
  for (int i = 0; i < tree.size(); ++i)  // R: unrelated pairs
    for (int j = 0; j < tree.size(); ++j)
      if (const int k = tree.related(i, j) ? -1 : tree.common_ancestor(i, j); k >= 0)
        Z(i, j) += A_tilde(k, i).transpose() * Y(k) * B_tilde(k, j);
  return Z;
}

#define INSTANTIATE(S)                                                                                \
  template BlockDiagonal<S> forward_lyapunov(const Spo<S>&, const BlockDiagonal<S>&, const Spo<S>&);  \
  template Matrix<S> forward_block(const Spo<S>&, const BlockDiagonal<S>&, const Spo<S>&, int, int);  \
  template Explicit<S> forward_decomposition(const Spo<S>&, const BlockDiagonal<S>&, const Spo<S>&);  \
  template BlockDiagonal<S> backward_lyapunov(const Spo<S>&, const BlockDiagonal<S>&, const Spo<S>&); \
  template Matrix<S> backward_block(const Spo<S>&, const BlockDiagonal<S>&, const Spo<S>&, int, int); \
  template Explicit<S> backward_decomposition(const Spo<S>&, const BlockDiagonal<S>&, const Spo<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
