#pragma once
// How arguments cross the library's boundary: columns of contiguous numbers in the caller's memory, never an Eigen
// type. Inputs may lie in any way. Outputs are vectors, or matrices, blocks and maps that are column-major: a row-major
// output (Eigen::RowMajor, a row of a matrix) does not compile, but for symmetric results of one state.

#include <Eigen/Core>
#include <cstddef>
#include <type_traits>

namespace kinetree {

/// Columns of numbers somewhere in the caller's memory: entry (row, column) is data[row + column * stride].
template <class T>
struct Columns {
  T* data = nullptr;
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t columns = 0;
  std::ptrdiff_t stride = 0;
};

namespace boundary {

/// An argument that is read: a view of it where its columns are contiguous, else a copy (rows of a matrix, row-major
/// matrices and expressions are copied, which allocates). A vector is one column, whichever way it lies.
template <class S, class D>
class Input {
  static_assert(std::is_same_v<typename D::Scalar, S>,
                "kinetree: inputs and outputs of one call have one scalar type, double or float; use .cast<...>()");
  using Plain = Eigen::Matrix<S, Eigen::Dynamic, D::IsVectorAtCompileTime ? 1 : Eigen::Dynamic>;
  using Stride = std::conditional_t<D::IsVectorAtCompileTime, Eigen::InnerStride<1>, Eigen::OuterStride<>>;

 public:
  explicit Input(const Eigen::DenseBase<D>& argument) : ref_(argument.derived().matrix()) {}
  Columns<const S> columns() const { return {ref_.data(), ref_.rows(), ref_.cols(), ref_.outerStride()}; }

 private:
  Eigen::Ref<const Plain, 0, Stride> ref_;
};

/// To be used within the call it is written in: `input<double>(q).columns()`.
template <class S, class D>
Input<S, D> input(const Eigen::DenseBase<D>& argument) {
  return Input<S, D>(argument);
}

/// An argument that is written, in place. Eigen's way of passing what is written: a const reference, so that blocks
/// bind.
template <class S, class D>
Columns<S> output(const Eigen::DenseBase<D>& argument) {
  constexpr bool same_scalar = std::is_same_v<typename D::Scalar, S>;
  constexpr bool in_memory = (D::Flags & Eigen::LvalueBit) && (D::Flags & Eigen::DirectAccessBit);
  constexpr bool contiguous = D::InnerStrideAtCompileTime == 1 && (D::IsVectorAtCompileTime || !D::IsRowMajor);
  static_assert(same_scalar, "kinetree: inputs and outputs of one call have one scalar type, double or float");
  static_assert(in_memory, "kinetree: an output is a vector, a matrix, a block or a map, not an expression");
  static_assert(contiguous || !in_memory,
                "kinetree: an output has contiguous columns; a row of a column-major matrix, a row-major matrix and a "
                "map with an inner stride have not: solve into a vector and assign it");
  if constexpr (same_scalar && in_memory && contiguous) {
    const D& m = argument.derived();
    constexpr bool vector = D::IsVectorAtCompileTime;
    return {const_cast<S*>(m.data()), vector ? m.size() : m.rows(), vector ? 1 : m.cols(),
            vector ? m.size() : m.outerStride()};
  } else {
    return {};  // so that the sentence above is all the compiler says
  }
}

/// An output that is a symmetric matrix for each state, side by side. It may be row-major for one state: its rows are
/// its columns.
template <class S, class D>
Columns<S> symmetric_output(const Eigen::DenseBase<D>& argument) {
  if constexpr (D::IsRowMajor && !D::IsVectorAtCompileTime)
    return output<S>(argument.const_cast_derived().transpose());
  else
    return output<S>(argument);
}

}  // namespace boundary

}  // namespace kinetree
