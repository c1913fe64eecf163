#include <kinetree/sko/lyapunov.hpp>
#include <kinetree/sko/mass_matrix.hpp>

namespace kinetree::sko {

template <class S>
BlockDiagonal<S> composite_inertias(const SkoModel<S>& model) {
  return forward_lyapunov(model.A, model.M, model.A);
}

template <class S>
Explicit<S> mass_matrix(const SkoModel<S>& model) {
  const BlockDiagonal<S> R = composite_inertias(model);
  const int n = model.freedoms();
  Explicit<S> result{model.space, Kind::joint, Kind::joint, Matrix<S>::Zero(n, n)};
  for (int k = 0; k < model.space->nodes(); ++k) {
    Matrix<S> X = R(k) * model.H(k).transpose();
    result(k, k) = model.H(k) * X;
    int below = k;
    for (const int l : model.tree().path_up(k, -1)) {
      X = (model.A(below) * X).eval();
      const Matrix<S> block = model.H(l) * X;
      result(l, k) = block;
      result(k, l) = block.transpose();
      below = l;
    }
  }
  return result;
}

#define INSTANTIATE(S)                                              \
  template BlockDiagonal<S> composite_inertias(const SkoModel<S>&); \
  template Explicit<S> mass_matrix(const SkoModel<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
