#include <algorithm>
#include <cmath>
#include <kinetree/sko/change_of_basis.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/scalar/number_text.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::sko {

namespace {

std::string text(double x) { return number_text(x, 6); }

[[noreturn]] void refuse(const char* what, const std::string& why) {
  throw std::invalid_argument(std::string(what) + ": " + why);
}

void expect_rows(const char* what, const char* name, Eigen::Index rows, Eigen::Index expected) {
  if (rows != expected)
    refuse(what, std::string(name) + " has " + std::to_string(rows) + " rows, it must have the " +
                     std::to_string(expected) + " of the space");
}

template <class S>
double size_of(const S& x) {
  return std::abs(to_double(x));
}

template <class S>
double largest(const Matrix<S>& A) {
  double bound = 0;
  for (Eigen::Index c = 0; c < A.cols(); ++c)
    for (Eigen::Index r = 0; r < A.rows(); ++r) keep_worst(bound, size_of(A(r, c)));
  return bound;
}

template <class S>
double rounding(Eigen::Index n) {
  return 64 * static_cast<double>(std::max<Eigen::Index>(n, 1)) * to_double(Eigen::NumTraits<S>::epsilon());
}

/// Gauss-Jordan with pivots from anywhere in the first `columns` columns of A: afterwards A's column pivot[r] is the
/// r-th unit vector. The same on all scalars; only which pivot is taken looks at a double.
template <class S>
std::vector<Eigen::Index> reduce(Matrix<S>& A, Eigen::Index columns) {
  const double limit = rounding<S>(std::max(A.rows(), columns)) * largest<S>(A.leftCols(columns));
  std::vector<Eigen::Index> pivot;
  for (Eigen::Index r = 0; r < A.rows(); ++r) {
    Eigen::Index row = -1, column = -1;
    double best = limit;
    for (Eigen::Index c = 0; c < columns; ++c)
      for (Eigen::Index i = r; i < A.rows(); ++i)
        if (size_of(A(i, c)) > best) best = size_of(A(i, c)), row = i, column = c;
    if (row < 0) break;
    A.row(r).swap(A.row(row));
    const S scale = S(1) / A(r, column);
    A.row(r) *= scale;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (i == r) continue;
      const S factor = A(i, column);
      for (Eigen::Index c = 0; c < A.cols(); ++c) A(i, c) -= factor * A(r, c);
      A(i, column) = S(0);
    }
    pivot.push_back(column);
  }
  return pivot;
}

/// A⁻¹ B of a square A; empty where A is singular.
template <class S>
Matrix<S> solve(const Matrix<S>& A, const Matrix<S>& B, bool& singular) {
  Matrix<S> both(A.rows(), A.cols() + B.cols());
  both << A, B;
  const std::vector<Eigen::Index> pivot = reduce(both, A.cols());
  singular = static_cast<Eigen::Index>(pivot.size()) < A.cols();
  if (singular) return {};
  Matrix<S> X(A.cols(), B.cols());
  for (std::size_t r = 0; r < pivot.size(); ++r)
    X.row(pivot[r]) = both.row(static_cast<Eigen::Index>(r)).tail(B.cols());
  return X;
}

template <class S>
void expect_positive(const char* what, const char* name, const SymmetricFactor<S>& factor, const char* advice) {
  for (int k = 0; k < factor.size(); ++k) {
    const double inverse = to_double(factor.inverse_pivot(k));
    if (!(inverse > 0) || !std::isfinite(inverse))
      refuse(what, std::string(name) + " is not positive definite: the inverse of pivot " + std::to_string(k) + " is " +
                       text(inverse) + "; " + advice);
  }
}

template <class S>
void expect_symmetric(const char* what, const Matrix<S>& M) {
  if (M.rows() != M.cols()) refuse(what, "M is " + shape(M) + ", it must be square");
  for (Eigen::Index c = 0; c < M.cols(); ++c)
    for (Eigen::Index r = 0; r < c; ++r) {
      const double difference = size_of(S(M(r, c) - M(c, r)));
      // by rows and columns, so that units do not matter
      if (!(difference <= 1e-10 * std::sqrt(size_of(M(r, r)) * size_of(M(c, c)))))
        refuse(what, "M is not symmetric: entries (" + std::to_string(r) + ", " + std::to_string(c) + ") and (" +
                         std::to_string(c) + ", " + std::to_string(r) + ") differ by " + text(difference) +
                         "; give a symmetric map from U to V");
    }
}

template <class S>
SymmetricFactor<S> factor_of(const char* what, const Matrix<S>& M) {
  expect_symmetric(what, M);
  SymmetricFactor<S> factor(M);
  expect_positive(what, "M", factor, "a massless or redundant coordinate has no inverse");
  return factor;
}

/// S_1ᵀ M S_1, factorized.
template <class S>
SymmetricFactor<S> free_factor(const char* what, const Matrix<S>& M, const Matrix<S>& S1) {
  expect_symmetric(what, M);
  expect_rows(what, "S_1", S1.rows(), M.rows());
  SymmetricFactor<S> factor(S1.transpose() * M * S1);
  expect_positive(what, "S_1ᵀ M S_1", factor, "leave out columns of S_1 that depend on others");
  return factor;
}

/// W_2 = M⁻¹ T_2 and T_2ᵀ W_2, factorized.
template <class S>
struct Held {
  Matrix<S> W2;
  SymmetricFactor<S> factor;

  Held(const char* what, const Matrix<S>& M, const Matrix<S>& T2) {
    expect_rows(what, "T_2", T2.rows(), M.rows());
    W2 = factor_of(what, M).solve(T2);
    factor = SymmetricFactor<S>(T2.transpose() * W2);
    expect_positive(what, "T_2ᵀ M⁻¹ T_2", factor, "leave out columns of T_2 that depend on others");
  }
};

template <class S>
Matrix<S> transposed(const Matrix<S>& A) {
  return A.transpose();
}

}  // namespace

template <class S>
Matrix<S> reciprocal_basis(const Matrix<S>& d) {
  if (d.rows() != d.cols())
    refuse("reciprocal basis", "d is " + shape(d) + ", a basis has as many vectors as the space has dimensions");
  bool singular = false;
  const Matrix<S> inverse = solve<S>(d, Matrix<S>::Identity(d.rows(), d.cols()), singular);
  if (singular) refuse("reciprocal basis", "the vectors of d are not independent; give a basis of the whole space");
  return transposed(inverse);
}

template <class S>
CoordinateChange<S> change_to_basis(const Matrix<S>& d) {
  return {transposed(reciprocal_basis(d)), d};
}

template <class S>
Matrix<S> new_coordinates(const CoordinateChange<S>& change, DualSpace space, const Matrix<S>& vectors) {
  expect_rows("new coordinates", "the vector", vectors.rows(), change.X_U.rows());
  return change.X(space) * vectors;
}

template <class S>
Matrix<S> new_coordinates(const CoordinateChange<S>& change, DualSpace from, DualSpace to, const Matrix<S>& map) {
  expect_rows("new coordinates", "the map", map.rows(), change.X_U.rows());
  expect_rows("new coordinates", "the map's transpose", map.cols(), change.X_U.rows());
  return change.X(to) * map * change.X_inverse(from);
}

template <class S>
Matrix<S> reciprocal_complement(const Matrix<S>& subspace) {
  const Eigen::Index n = subspace.rows(), r = subspace.cols();
  Matrix<S> A = subspace.transpose();
  const std::vector<Eigen::Index> pivot = reduce(A, n);
  if (static_cast<Eigen::Index>(pivot.size()) < r)
    refuse("reciprocal complement", "the " + std::to_string(r) + " columns of a " + shape(subspace) +
                                        " basis have rank " + std::to_string(pivot.size()) +
                                        "; leave out columns that depend on others");
  std::vector<bool> leads(static_cast<std::size_t>(n), false);
  for (const Eigen::Index c : pivot) leads[static_cast<std::size_t>(c)] = true;
  Matrix<S> complement = Matrix<S>::Zero(n, n - r);
  Eigen::Index column = 0;
  for (Eigen::Index c = 0; c < n; ++c) {
    if (leads[static_cast<std::size_t>(c)]) continue;
    complement(c, column) = S(1);
    for (std::size_t k = 0; k < pivot.size(); ++k)
      complement(pivot[k], column) = S(0) - A(static_cast<Eigen::Index>(k), c);
    ++column;
  }
  return complement;
}

template <class S>
Matrix<S> normalized_complement(const Matrix<S>& S1, const Matrix<S>& C) {
  if (C.rows() != S1.rows() || C.cols() != S1.cols())
    refuse("normalized complement", "C is " + shape(C) + ", S_1 is " + shape(S1) + ": they must have the same shape");
  bool singular = false;
  const Matrix<S> T = solve<S>(C.transpose() * S1, C.transpose(), singular);
  if (singular)
    refuse("normalized complement",
           "S_1ᵀ C is singular: Range(C) meets the constraint forces T_2; choose C so that both sum to V");
  return transposed(T);
}

template <class S>
CoordinateChange<S> Decomposition<S>::change() const {
  CoordinateChange<S> result{Matrix<S>(S1.rows(), S1.rows()), Matrix<S>(S1.rows(), S1.rows())};
  result.X_U << transposed(T1), transposed(T2);
  result.X_U_inverse << S1, S2;
  return result;
}

template <class S>
Decomposition<S> decompose(const Matrix<S>& M, const Matrix<S>& S1, const Matrix<S>& T2) {
  const char* what = "change of basis";
  const Held<S> held(what, M, T2);
  const SymmetricFactor<S> free = free_factor(what, M, S1);
  if (S1.cols() + T2.cols() != M.rows())
    refuse(what, "S_1 has " + std::to_string(S1.cols()) + " columns and T_2 has " + std::to_string(T2.cols()) +
                     ", together they must have the " + std::to_string(M.rows()) + " of the space");
  for (Eigen::Index i = 0; i < S1.cols(); ++i)
    for (Eigen::Index j = 0; j < T2.cols(); ++j) {
      double product = 0, scale = 0;
      for (Eigen::Index r = 0; r < M.rows(); ++r) {
        const double term = to_double(S(S1(r, i) * T2(r, j)));
        product += term, scale += std::abs(term);
      }
      if (!(std::abs(product) <= 1e-8 * scale))
        refuse(what, "column " + std::to_string(i) + " of S_1 and column " + std::to_string(j) +
                         " of T_2 are not reciprocal: their product is " + text(product) +
                         "; give T_2 = S_1^⊥ (reciprocal_complement)");
    }
  return {S1,
          transposed<S>(held.factor.solve(transposed(held.W2))),
          transposed<S>(free.solve(S1.transpose() * M)),
          T2,
          S1.transpose() * M * S1,
          T2.transpose() * held.W2};
}

template <class S>
Decomposition<S> decompose(const Matrix<S>& M, Subspace which, const Matrix<S>& basis) {
  const char* what = "change of basis";
  expect_rows(what, "the given basis", basis.rows(), M.rows());
  switch (which) {
    case Subspace::S2: {
      const Matrix<S> T2 = M * basis;
      return decompose<S>(M, reciprocal_complement(T2), T2);
    }
    case Subspace::T1: {
      const Matrix<S> S1 = factor_of(what, M).solve(basis);
      return decompose<S>(M, S1, reciprocal_complement(S1));
    }
    case Subspace::T2:
      return decompose<S>(M, reciprocal_complement(basis), basis);
    default:
      return decompose<S>(M, basis, reciprocal_complement(basis));
  }
}

template <class S>
Matrix<S> free_part(const Matrix<S>& M, const Matrix<S>& S1) {
  const Matrix<S> T = M * S1;
  return T * free_factor("free part", M, S1).solve(transposed(T));
}

template <class S>
Matrix<S> held_part(const Matrix<S>& M, const Matrix<S>& T2) {
  return T2 * Held<S>("held part", M, T2).factor.solve(transposed(T2));
}

template <class S>
Matrix<S> constrained_inverse(const Matrix<S>& M, const Matrix<S>& S1) {
  return S1 * free_factor("constrained inverse", M, S1).solve(transposed(S1));
}

template <class S>
Matrix<S> immobilized_inverse(const Matrix<S>& M, const Matrix<S>& T2) {
  const Held<S> held("immobilized inverse", M, T2);
  return held.W2 * held.factor.solve(transposed(held.W2));
}

template <class S>
Matrix<S> unconstrained_less_immobilized(const Matrix<S>& M, const Matrix<S>& T2) {
  return factor_of("unconstrained inverse", M).solve(Matrix<S>::Identity(M.rows(), M.cols())) -
         immobilized_inverse(M, T2);
}

template <class S>
Matrix<S> constraint_input(const Matrix<S>& M, const Matrix<S>& T2, const Matrix<S>& v) {
  const Held<S> held("constraint input", M, T2);
  expect_rows("constraint input", "v", v.rows(), M.rows());
  return T2 * held.factor.solve(-(held.W2.transpose() * v));
}

template <class S>
Matrix<S> reduced_inverse(const Matrix<S>& M, const Matrix<S>& S1) {
  return free_factor("reduced inverse", M, S1).solve(Matrix<S>::Identity(S1.cols(), S1.cols()));
}

template <class S>
Matrix<S> reduced_inverse(const Matrix<S>& T_prime, const Matrix<S>& W_prime, const Matrix<S>& T2,
                          const Matrix<S>& W2) {
  if (W_prime.cols() != T_prime.cols() || W2.cols() != T2.cols())
    refuse("reduced inverse", "T' is " + shape(T_prime) + " and W' is " + shape(W_prime) + ", T_2 is " + shape(T2) +
                                  " and W_2 is " + shape(W2) + ": each pair must have the same shape");
  expect_rows("reduced inverse", "W'", W_prime.rows(), T_prime.rows());
  expect_rows("reduced inverse", "T_2", T2.rows(), T_prime.rows());
  expect_rows("reduced inverse", "W_2", W2.rows(), T_prime.rows());
  const SymmetricFactor<S> held(T2.transpose() * W2);
  expect_positive("reduced inverse", "T_2ᵀ M⁻¹ T_2", held, "leave out columns of T_2 that depend on others");
  const Matrix<S> across = W2.transpose() * T_prime;
  return T_prime.transpose() * W_prime - across.transpose() * held.solve(across);
}

template <class S>
Matrix<S> reduced_inverse(const Matrix<S>& M, const Matrix<S>& T_prime, const Matrix<S>& T2) {
  expect_rows("reduced inverse", "T'", T_prime.rows(), M.rows());
  expect_rows("reduced inverse", "T_2", T2.rows(), M.rows());
  const SymmetricFactor<S> factor = factor_of("reduced inverse", M);
  return reduced_inverse<S>(T_prime, factor.solve(T_prime), T2, factor.solve(T2));
}

#define INSTANTIATE(S)                                                                                    \
  template Matrix<S> reciprocal_basis(const Matrix<S>&);                                                  \
  template CoordinateChange<S> change_to_basis(const Matrix<S>&);                                         \
  template Matrix<S> new_coordinates(const CoordinateChange<S>&, DualSpace, const Matrix<S>&);            \
  template Matrix<S> new_coordinates(const CoordinateChange<S>&, DualSpace, DualSpace, const Matrix<S>&); \
  template Matrix<S> reciprocal_complement(const Matrix<S>&);                                             \
  template Matrix<S> normalized_complement(const Matrix<S>&, const Matrix<S>&);                           \
  template struct Decomposition<S>;                                                                       \
  template Decomposition<S> decompose(const Matrix<S>&, Subspace, const Matrix<S>&);                      \
  template Decomposition<S> decompose(const Matrix<S>&, const Matrix<S>&, const Matrix<S>&);              \
  template Matrix<S> free_part(const Matrix<S>&, const Matrix<S>&);                                       \
  template Matrix<S> held_part(const Matrix<S>&, const Matrix<S>&);                                       \
  template Matrix<S> constrained_inverse(const Matrix<S>&, const Matrix<S>&);                             \
  template Matrix<S> immobilized_inverse(const Matrix<S>&, const Matrix<S>&);                             \
  template Matrix<S> unconstrained_less_immobilized(const Matrix<S>&, const Matrix<S>&);                  \
  template Matrix<S> constraint_input(const Matrix<S>&, const Matrix<S>&, const Matrix<S>&);              \
  template Matrix<S> reduced_inverse(const Matrix<S>&, const Matrix<S>&);                                 \
  template Matrix<S> reduced_inverse(const Matrix<S>&, const Matrix<S>&, const Matrix<S>&);               \
  template Matrix<S> reduced_inverse(const Matrix<S>&, const Matrix<S>&, const Matrix<S>&, const Matrix<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
