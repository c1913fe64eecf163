#pragma once
// Dense algebra of the operator layer: Eigen's matrices on any of kinetree's scalars.

#include <Eigen/Core>

#pragma GCC visibility push(default)  // as in scalar/reference.hpp
#include <boost/multiprecision/eigen.hpp>
#pragma GCC visibility pop

#include <kinetree/export.hpp>
#include <kinetree/scalar/counted.hpp>
#include <kinetree/scalar/reference.hpp>
#include <limits>
#include <string>

namespace kinetree {

/// Eigen's products ask whether a factor has an imaginary part. Kernels have no such operator: they may not branch.
inline bool operator==(Counted a, Counted b) { return a.value() == b.value(); }

}  // namespace kinetree

namespace Eigen {

/// What Eigen wants to know of a Counted.
template <>
struct NumTraits<kinetree::Counted> : GenericNumTraits<kinetree::Counted> {
  using Real = kinetree::Counted;
  using NonInteger = kinetree::Counted;
  using Nested = kinetree::Counted;
  using Literal = kinetree::Counted;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 3,
    MulCost = 3
  };
  static Real epsilon() { return Real(std::numeric_limits<double>::epsilon()); }
  static Real dummy_precision() { return Real(1e-12); }
  static Real highest() { return Real(std::numeric_limits<double>::max()); }
  static Real lowest() { return Real(std::numeric_limits<double>::lowest()); }
  static int digits10() { return std::numeric_limits<double>::digits10; }
};

}  // namespace Eigen

namespace kinetree::sko {

// DontAlign: Eigen aligns its own MatrixXd by the compiler's flags (-march), which a program and the library need not
// have in common. Both convert to each other; eigenvalue solvers take Eigen's own alone.
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::DontAlign>;
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1, Eigen::DontAlign>;

/// A matrix's shape as error messages write it.
inline std::string shape(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + "x" + std::to_string(columns);
}
template <class S>
std::string shape(const Matrix<S>& A) {
  return shape(A.rows(), A.cols());
}

/// L D Lᵀ of a symmetric positive definite matrix: D(k) of a joint, an operational space compliance.
template <class S>
class SymmetricFactor {
 public:
  SymmetricFactor() = default;
  KINETREE_EXPORT explicit SymmetricFactor(Matrix<S> A);
  /// A⁻¹ B
  KINETREE_EXPORT Matrix<S> solve(Matrix<S> B) const;
  /// Entry k of D⁻¹: all are positive if and only if A is positive definite. det A is the product of their inverses.
  S inverse_pivot(int k) const { return factor_(k, k); }
  int size() const { return static_cast<int>(factor_.rows()); }

 private:
  Matrix<S> factor_;
};

}  // namespace kinetree::sko

/// Calls X(S) for every scalar that the operator layer is compiled for.
#define KINETREE_SKO_FOR_EACH_SCALAR(X) X(double) X(::kinetree::Counted) X(::kinetree::Reference)
