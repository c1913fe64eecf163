#include <kinetree/sko/operators.hpp>

namespace kinetree::sko {

template <class S>
BlockDiagonal<S> BlockDiagonal<S>::zero(const SpaceRef& space, Kind rows, Kind columns) {
  BlockDiagonal X{space, rows, columns, {}};
  for (int k = 0; k < space->nodes(); ++k)
    X.block.push_back(Matrix<S>::Zero(space->size(rows, k), space->size(columns, k)));
  return X;
}

namespace {

template <class S>
Explicit<S> zero_explicit(const SpaceRef& space, Kind rows, Kind columns) {
  return {space, rows, columns, Matrix<S>::Zero(space->total(rows), space->total(columns))};
}

}  // namespace

template <class S>
Explicit<S> identity(const SpaceRef& space, Kind kind) {
  return {space, kind, kind, Matrix<S>::Identity(space->total(kind), space->total(kind))};
}

template <class S>
Explicit<S> explicit_form(const BlockDiagonal<S>& X) {
  auto result = zero_explicit<S>(X.space, X.rows, X.columns);
  for (int k = 0; k < X.space->nodes(); ++k) result(k, k) = X(k);
  return result;
}

template <class S>
Explicit<S> adjacency(const Spo<S>& A) {
  auto result = zero_explicit<S>(A.space, Kind::node, Kind::node);
  const Tree& tree = A.space->tree();
  for (int k = 0; k < tree.size(); ++k)
    if (tree.parent(k) >= 0) result(tree.parent(k), k) = A(k);
  return result;
}

template <class S>
Explicit<S> strict_resolvent(const Spo<S>& A) {
  auto result = zero_explicit<S>(A.space, Kind::node, Kind::node);
  const Tree& tree = A.space->tree();
  for (int k = 0; k < tree.size(); ++k) {
    Matrix<S> product = Matrix<S>::Identity(A.space->size(Kind::node, k), A.space->size(Kind::node, k));
    int below = k;
    for (const int j : tree.path_up(k, -1)) {
      product = (A(below) * product).eval();
      result(j, k) = product;
      below = j;
    }
  }
  return result;
}

template <class S>
Explicit<S> resolvent(const Spo<S>& A) {
  return strict_resolvent(A) + identity<S>(A.space, Kind::node);
}

template <class S>
BlockDiagonal<S> diagonal(const Explicit<S>& X) {
  BlockDiagonal<S> result{X.space, X.rows, X.columns, {}};
  for (int k = 0; k < X.space->nodes(); ++k) result.block.push_back(X(k, k));
  return result;
}

template <class S>
Explicit<S> transpose(const Explicit<S>& X) {
  return {X.space, X.columns, X.rows, X.matrix.transpose()};
}

template <class S>
BlockDiagonal<S> transpose(const BlockDiagonal<S>& X) {
  BlockDiagonal<S> result{X.space, X.columns, X.rows, {}};
  for (const Matrix<S>& block : X.block) result.block.push_back(block.transpose());
  return result;
}

template <class S>
Explicit<S> operator*(const Explicit<S>& X, const Explicit<S>& Y) {
  expect_same(X.space, Y.space, "product");
  expect_same(X.columns, Y.rows, "product");
  return {X.space, X.rows, Y.columns, X.matrix * Y.matrix};
}

template <class S>
Explicit<S> operator+(const Explicit<S>& X, const Explicit<S>& Y) {
  expect_same(X.space, Y.space, "sum");
  expect_same(X.rows, Y.rows, "sum");
  expect_same(X.columns, Y.columns, "sum");
  return {X.space, X.rows, X.columns, X.matrix + Y.matrix};
}

template <class S>
Explicit<S> operator-(const Explicit<S>& X, const Explicit<S>& Y) {
  expect_same(X.space, Y.space, "difference");
  expect_same(X.rows, Y.rows, "difference");
  expect_same(X.columns, Y.columns, "difference");
  return {X.space, X.rows, X.columns, X.matrix - Y.matrix};
}

template <class S>
Stacked<S> operator*(const Explicit<S>& X, const Stacked<S>& y) {
  expect_same(X.space, y.space, "product");
  expect_same(X.columns, y.kind, "product");
  return {X.space, X.rows, X.matrix * y.value};
}

namespace {

template <class S, class Combine>
BlockDiagonal<S> node_by_node(const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y, Kind columns, Combine&& combine) {
  BlockDiagonal<S> result{X.space, X.rows, columns, {}};
  for (int k = 0; k < X.space->nodes(); ++k) result.block.push_back(combine(X(k), Y(k)));
  return result;
}

}  // namespace

template <class S>
BlockDiagonal<S> operator*(const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y) {
  expect_same(X.space, Y.space, "product");
  expect_same(X.columns, Y.rows, "product");
  return node_by_node(X, Y, Y.columns, [](const auto& x, const auto& y) { return (x * y).eval(); });
}

template <class S>
BlockDiagonal<S> operator+(const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y) {
  expect_same(X.space, Y.space, "sum");
  expect_same(X.rows, Y.rows, "sum");
  expect_same(X.columns, Y.columns, "sum");
  return node_by_node(X, Y, X.columns, [](const auto& x, const auto& y) { return (x + y).eval(); });
}

template <class S>
BlockDiagonal<S> operator-(const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y) {
  expect_same(X.space, Y.space, "difference");
  expect_same(X.rows, Y.rows, "difference");
  expect_same(X.columns, Y.columns, "difference");
  return node_by_node(X, Y, X.columns, [](const auto& x, const auto& y) { return (x - y).eval(); });
}

template <class S>
Stacked<S> operator*(const BlockDiagonal<S>& X, const Stacked<S>& y) {
  expect_same(X.space, y.space, "product");
  expect_same(X.columns, y.kind, "product");
  auto result = Stacked<S>::zero(X.space, X.rows);
  for (int k = 0; k < X.space->nodes(); ++k) result(k) = X(k) * y(k);
  return result;
}

template <class S>
Stacked<S> transpose_times(const BlockDiagonal<S>& X, const Stacked<S>& y) {
  expect_same(X.space, y.space, "product");
  expect_same(X.rows, y.kind, "product");
  auto result = Stacked<S>::zero(X.space, X.columns);
  for (int k = 0; k < X.space->nodes(); ++k) result(k) = X(k).transpose() * y(k);
  return result;
}

template <class S>
Stacked<S> operator+(const Stacked<S>& x, const Stacked<S>& y) {
  expect_same(x.space, y.space, "sum");
  expect_same(x.kind, y.kind, "sum");
  return {x.space, x.kind, x.value + y.value};
}

template <class S>
Stacked<S> operator-(const Stacked<S>& x, const Stacked<S>& y) {
  expect_same(x.space, y.space, "difference");
  expect_same(x.kind, y.kind, "difference");
  return {x.space, x.kind, x.value - y.value};
}

#define INSTANTIATE(S)                                                                   \
  template struct BlockDiagonal<S>;                                                      \
  template Explicit<S> identity(const SpaceRef&, Kind);                                  \
  template Explicit<S> explicit_form(const BlockDiagonal<S>&);                           \
  template Explicit<S> adjacency(const Spo<S>&);                                         \
  template Explicit<S> resolvent(const Spo<S>&);                                         \
  template Explicit<S> strict_resolvent(const Spo<S>&);                                  \
  template BlockDiagonal<S> diagonal(const Explicit<S>&);                                \
  template Explicit<S> transpose(const Explicit<S>&);                                    \
  template BlockDiagonal<S> transpose(const BlockDiagonal<S>&);                          \
  template Explicit<S> operator*(const Explicit<S>&, const Explicit<S>&);                \
  template Explicit<S> operator+(const Explicit<S>&, const Explicit<S>&);                \
  template Explicit<S> operator-(const Explicit<S>&, const Explicit<S>&);                \
  template Stacked<S> operator*(const Explicit<S>&, const Stacked<S>&);                  \
  template BlockDiagonal<S> operator*(const BlockDiagonal<S>&, const BlockDiagonal<S>&); \
  template BlockDiagonal<S> operator+(const BlockDiagonal<S>&, const BlockDiagonal<S>&); \
  template BlockDiagonal<S> operator-(const BlockDiagonal<S>&, const BlockDiagonal<S>&); \
  template Stacked<S> operator*(const BlockDiagonal<S>&, const Stacked<S>&);             \
  template Stacked<S> transpose_times(const BlockDiagonal<S>&, const Stacked<S>&);       \
  template Stacked<S> operator+(const Stacked<S>&, const Stacked<S>&);                   \
  template Stacked<S> operator-(const Stacked<S>&, const Stacked<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
