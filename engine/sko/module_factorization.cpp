#include <kinetree/sko/module_factorization.hpp>

namespace kinetree::sko {

namespace {

/// Column i of Ū or of Ū⁻¹: block (j, i) is N̄_jᵀ y for the modules j above i, with y = weight(k) y on every step from
/// module k to its parent, starting at y = Ψ̄_i Î̄_i⁻¹.
template <class S>
void fill_column(Explicit<S>& U, const ModuleModel<S>& m, const Riccati<S>& r, int i, const Spo<S>& inner, S sign) {
  Matrix<S> y = r.G(i);
  int below = i;
  for (const int j : m.model.tree().path_up(i, -1)) {
    const Matrix<S>& weight = below == i ? m.model.A(i) : inner(below);
    y = (weight * y).eval();
    U(j, i) = sign * (m.model.H(j) * y);
    below = j;
  }
}

template <class S>
Explicit<S> unit_triangular(const ModuleModel<S>& m, const Riccati<S>& r, const Spo<S>& inner, S sign) {
  expect_same(m.model.space, r.P.space, "factorization over modules");
  Explicit<S> U = identity<S>(m.model.space, Kind::joint);
  for (int i = 0; i < m.model.space->nodes(); ++i) fill_column(U, m, r, i, inner, sign);
  return U;
}

}  // namespace

template <class S>
Explicit<S> block_U(const ModuleModel<S>& m, const Riccati<S>& r) {
  return unit_triangular(m, r, m.model.A, S(1));
}

template <class S>
Explicit<S> elementary_U(const ModuleModel<S>& m, const Riccati<S>& r, int i) {
  expect_same(m.model.space, r.P.space, "factorization over modules");
  Explicit<S> U = identity<S>(m.model.space, Kind::joint);
  fill_column(U, m, r, i, m.model.A, S(-1));
  return U;
}

template <class S>
Explicit<S> block_U_inverse_by_product(const ModuleModel<S>& m, const Riccati<S>& r) {
  Explicit<S> product = identity<S>(m.model.space, Kind::joint);
  for (int i = m.model.space->nodes(); i-- > 0;) product = product * elementary_U(m, r, i);
  return product;
}

template <class S>
Matrix<S> articulated_propagation(const ModuleModel<S>& m, const Riccati<S>& r, int i, int j) {
  expect_same(m.model.space, r.P.space, "factorization over modules");
  const SpaceRef& space = m.model.space;
  const int m_i = space->size(Kind::node, i);
  if (!m.model.tree().at_or_above(j, i)) return Matrix<S>::Zero(m_i, space->size(Kind::node, j));
  Matrix<S> product = Matrix<S>::Identity(m_i, m_i);
  int below = i;
  for (const int above : m.model.tree().path_up(i, j)) {
    if (below != i) product = (product * r.tau_bar(below).transpose()).eval();
    product = (product * m.model.A(below).transpose()).eval();
    below = above;
  }
  return product;
}

template <class S>
Explicit<S> block_U_inverse(const ModuleModel<S>& m, const Riccati<S>& r) {
  return unit_triangular(m, r, r.psi, S(-1));  // psi's weights are A Φ̄
}

template <class S>
Explicit<S> block_inverse(const ModuleModel<S>& m, const Riccati<S>& r) {
  const Explicit<S> U_inverse = block_U_inverse(m, r);
  return transpose(U_inverse) * explicit_form(inverse_D(r)) * U_inverse;
}

#define INSTANTIATE(S)                                                                            \
  template Explicit<S> block_U(const ModuleModel<S>&, const Riccati<S>&);                         \
  template Explicit<S> elementary_U(const ModuleModel<S>&, const Riccati<S>&, int);               \
  template Explicit<S> block_U_inverse_by_product(const ModuleModel<S>&, const Riccati<S>&);      \
  template Matrix<S> articulated_propagation(const ModuleModel<S>&, const Riccati<S>&, int, int); \
  template Explicit<S> block_U_inverse(const ModuleModel<S>&, const Riccati<S>&);                 \
  template Explicit<S> block_inverse(const ModuleModel<S>&, const Riccati<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
