#include <cmath>
#include <kinetree/sko/factorization.hpp>
#include <kinetree/sko/products.hpp>

namespace kinetree::sko {

namespace {

/// D⁻¹ x
template <class S>
Stacked<S> divide_by_D(const Riccati<S>& r, Stacked<S> x) {
  for (int k = 0; k < x.space->nodes(); ++k) x(k) = r.D_factor[static_cast<std::size_t>(k)].solve(Matrix<S>(x(k)));
  return x;
}

/// K x = E_A G x
template <class S>
Stacked<S> gain_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x) {
  return adjacency_times(model.A, r.G * x);
}

/// K* x
template <class S>
Stacked<S> gain_transpose_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x) {
  return transpose_times(r.G, adjacency_transpose_times(model.A, x));
}

}  // namespace

template <class S>
Stacked<S> innovations_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x) {
  return x + model.H * (model.A * gain_times(model, r, x));
}

template <class S>
Stacked<S> innovations_transpose_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x) {
  return x + gain_transpose_times(model, r, transpose_times(model.A, transpose_times(model.H, x)));
}

template <class S>
Stacked<S> innovations_inverse_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x) {
  return x - model.H * (r.psi * gain_times(model, r, x));
}

template <class S>
Stacked<S> innovations_inverse_transpose_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x) {
  return x - gain_transpose_times(model, r, transpose_times(r.psi, transpose_times(model.H, x)));
}

template <class S>
Stacked<S> mass_matrix_times(const SkoModel<S>& model, const Stacked<S>& x) {
  return model.H * (model.A * (model.M * transpose_times(model.A, transpose_times(model.H, x))));
}

template <class S>
Stacked<S> inverse_mass_matrix_times(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& x) {
  return innovations_inverse_transpose_times(model, r, divide_by_D(r, innovations_inverse_times(model, r, x)));
}

template <class S>
S determinant(const Riccati<S>& r) {
  S product(1);
  for (const SymmetricFactor<S>& factor : r.D_factor)
    for (int k = 0; k < factor.size(); ++k) product = product / factor.inverse_pivot(k);
  return product;
}

double log_determinant(const Riccati<double>& r) {
  double sum = 0;
  for (const SymmetricFactor<double>& factor : r.D_factor)
    for (int k = 0; k < factor.size(); ++k) sum -= std::log(factor.inverse_pivot(k));
  return sum;
}

#define INSTANTIATE(S)                                                                                               \
  template Stacked<S> innovations_times(const SkoModel<S>&, const Riccati<S>&, const Stacked<S>&);                   \
  template Stacked<S> innovations_transpose_times(const SkoModel<S>&, const Riccati<S>&, const Stacked<S>&);         \
  template Stacked<S> innovations_inverse_times(const SkoModel<S>&, const Riccati<S>&, const Stacked<S>&);           \
  template Stacked<S> innovations_inverse_transpose_times(const SkoModel<S>&, const Riccati<S>&, const Stacked<S>&); \
  template Stacked<S> mass_matrix_times(const SkoModel<S>&, const Stacked<S>&);                                      \
  template Stacked<S> inverse_mass_matrix_times(const SkoModel<S>&, const Riccati<S>&, const Stacked<S>&);           \
  template S determinant(const Riccati<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
