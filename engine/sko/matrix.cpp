#include <kinetree/sko/matrix.hpp>

#include "engine/spatial/small_matrix.hpp"

namespace kinetree::sko {

template <class S>
SymmetricFactor<S>::SymmetricFactor(Matrix<S> A) : factor_(std::move(A)) {
  factor_.transposeInPlace();  // ldl_factor reads rows; Eigen stores columns
  ldl_factor(factor_.data(), size());
}

template <class S>
Matrix<S> SymmetricFactor<S>::solve(Matrix<S> B) const {
  for (Eigen::Index c = 0; c < B.cols(); ++c) ldl_solve(factor_.data(), size(), B.col(c).data());
  return B;
}

#define KINETREE_INSTANTIATE(S) template class SymmetricFactor<S>;
KINETREE_SKO_FOR_EACH_SCALAR(KINETREE_INSTANTIATE)
#undef KINETREE_INSTANTIATE

}  // namespace kinetree::sko
