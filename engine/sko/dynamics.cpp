#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/products.hpp>

namespace kinetree::sko {

template <class S>
Stacked<S> inverse_dynamics(const SkoModel<S>& model, const Stacked<S>& theta_ddot, const Stacked<S>& a,
                            const Stacked<S>& b) {
  const Stacked<S> alpha = transpose_times(model.A, transpose_times(model.H, theta_ddot) + a);
  return model.H * (model.A * (model.M * alpha + b));
}

template <class S>
Stacked<S> forward_dynamics(const SkoModel<S>& model, const Riccati<S>& r, const Stacked<S>& T, const Stacked<S>& a,
                            const Stacked<S>& b) {
  expect_same(model.space, r.P.space, "forward dynamics");
  expect_same(model.space, T.space, "forward dynamics");
  expect_same(model.space, a.space, "forward dynamics");
  expect_same(model.space, b.space, "forward dynamics");
  expect_same(T.kind, Kind::joint, "forward dynamics");
  const Tree& tree = model.tree();
  Stacked<S> z = r.P * a + b, z_plus = z, epsilon = T;
  gather(tree, [&](int k) {
    for (const int j : tree.children(k)) z(k) += model.A(j) * z_plus(j);
    epsilon(k) -= model.H(k) * z(k);
    z_plus(k) = z(k) + r.G(k) * epsilon(k);
  });
  Stacked<S> theta_ddot = T, alpha = a;
  scatter(tree, [&](int k) {
    theta_ddot(k) = r.D_factor[static_cast<std::size_t>(k)].solve(Matrix<S>(epsilon(k)));
    if (const int p = tree.parent(k); p >= 0) {
      const Vector<S> alpha_plus = model.A(k).transpose() * alpha(p);
      theta_ddot(k) -= r.G(k).transpose() * alpha_plus;
      alpha(k) += alpha_plus;
    }
    alpha(k) += model.H(k).transpose() * theta_ddot(k);
  });
  return theta_ddot;
}

#define INSTANTIATE(S)                                                                                               \
  template Stacked<S> inverse_dynamics(const SkoModel<S>&, const Stacked<S>&, const Stacked<S>&, const Stacked<S>&); \
  template Stacked<S> forward_dynamics(const SkoModel<S>&, const Riccati<S>&, const Stacked<S>&, const Stacked<S>&,  \
                                       const Stacked<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
