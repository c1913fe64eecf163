#pragma once
// Operators and stacked vectors over one Space: SPO by its weights, block diagonals, and explicit matrices for study.
// A missing star is a transpose: transpose_times(X, y) is X* y.

#include <kinetree/export.hpp>
#include <kinetree/sko/matrix.hpp>
#include <kinetree/sko/space.hpp>

namespace kinetree::sko {

/// One entry of m_k (or n_k) rows per node.
template <class S>
struct Stacked {
  SpaceRef space;
  Kind kind = Kind::node;
  Vector<S> value;

  static Stacked zero(const SpaceRef& space, Kind kind) { return {space, kind, Vector<S>::Zero(space->total(kind))}; }
  auto operator()(int k) { return value.segment(space->offset(kind, k), space->size(kind, k)); }
  auto operator()(int k) const { return value.segment(space->offset(kind, k), space->size(kind, k)); }
};

/// One matrix per node: H (joint x node), M, P, R (node x node), D (joint x joint), G (node x joint) ...
template <class S>
struct BlockDiagonal {
  SpaceRef space;
  Kind rows = Kind::node, columns = Kind::node;
  std::vector<Matrix<S>> block;

  KINETREE_EXPORT static BlockDiagonal zero(const SpaceRef& space, Kind rows, Kind columns);
  Matrix<S>& operator()(int k) { return block[static_cast<std::size_t>(k)]; }
  const Matrix<S>& operator()(int k) const { return block[static_cast<std::size_t>(k)]; }
};

/// An SKO operator E_A and its SPO operator A = (1 - E_A)⁻¹, by the weights A(℘(k), k), m_℘(k) x m_k, of the edges.
/// Base nodes have an empty weight.
template <class S>
struct Spo {
  SpaceRef space;
  std::vector<Matrix<S>> weight;

  const Matrix<S>& operator()(int k) const { return weight[static_cast<std::size_t>(k)]; }
  Matrix<S>& operator()(int k) { return weight[static_cast<std::size_t>(k)]; }
};

/// A whole operator written out, for checking identities on small models.
template <class S>
struct Explicit {
  SpaceRef space;
  Kind rows = Kind::node, columns = Kind::node;
  Matrix<S> matrix;

  auto operator()(int i, int j) {
    return matrix.block(space->offset(rows, i), space->offset(columns, j), space->size(rows, i),
                        space->size(columns, j));
  }
  auto operator()(int i, int j) const {
    return matrix.block(space->offset(rows, i), space->offset(columns, j), space->size(rows, i),
                        space->size(columns, j));
  }
};

// Every function below throws IncompatibleOperators where the operands belong to two models.

template <class S>
KINETREE_EXPORT Explicit<S> identity(const SpaceRef& space, Kind kind);
template <class S>
KINETREE_EXPORT Explicit<S> explicit_form(const BlockDiagonal<S>& X);
/// E_A: the block-weighted adjacency matrix.
template <class S>
KINETREE_EXPORT Explicit<S> adjacency(const Spo<S>& A);
/// A = (1 - E_A)⁻¹, block (j, k) the product of the weights on the way from k up to j.
template <class S>
KINETREE_EXPORT Explicit<S> resolvent(const Spo<S>& A);
/// A - 1, the strict SPO operator.
template <class S>
KINETREE_EXPORT Explicit<S> strict_resolvent(const Spo<S>& A);
/// The diagonal blocks.
template <class S>
KINETREE_EXPORT BlockDiagonal<S> diagonal(const Explicit<S>& X);

template <class S>
KINETREE_EXPORT Explicit<S> transpose(const Explicit<S>& X);
template <class S>
KINETREE_EXPORT BlockDiagonal<S> transpose(const BlockDiagonal<S>& X);
template <class S>
KINETREE_EXPORT Explicit<S> operator*(const Explicit<S>& X, const Explicit<S>& Y);
template <class S>
KINETREE_EXPORT Explicit<S> operator+(const Explicit<S>& X, const Explicit<S>& Y);
template <class S>
KINETREE_EXPORT Explicit<S> operator-(const Explicit<S>& X, const Explicit<S>& Y);
template <class S>
KINETREE_EXPORT Stacked<S> operator*(const Explicit<S>& X, const Stacked<S>& y);

template <class S>
KINETREE_EXPORT BlockDiagonal<S> operator*(const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y);
template <class S>
KINETREE_EXPORT BlockDiagonal<S> operator+(const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y);
template <class S>
KINETREE_EXPORT BlockDiagonal<S> operator-(const BlockDiagonal<S>& X, const BlockDiagonal<S>& Y);
template <class S>
KINETREE_EXPORT Stacked<S> operator*(const BlockDiagonal<S>& X, const Stacked<S>& y);
template <class S>
KINETREE_EXPORT Stacked<S> transpose_times(const BlockDiagonal<S>& X, const Stacked<S>& y);
template <class S>
KINETREE_EXPORT Stacked<S> operator+(const Stacked<S>& x, const Stacked<S>& y);
template <class S>
KINETREE_EXPORT Stacked<S> operator-(const Stacked<S>& x, const Stacked<S>& y);

}  // namespace kinetree::sko
