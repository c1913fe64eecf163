#include <kinetree/sko/products.hpp>

namespace kinetree::sko {

namespace {

template <class S>
void expect_node_rows(const Spo<S>& A, const Stacked<S>& x) {
  expect_same(A.space, x.space, "product");
  expect_same(Kind::node, x.kind, "product");
}

}  // namespace

template <class S>
Stacked<S> operator*(const Spo<S>& A, const Stacked<S>& x) {
  expect_node_rows(A, x);
  Stacked<S> y = x;
  gather(A.space->tree(), [&](int k) {
    for (const int i : A.space->tree().children(k)) y(k) += A(i) * y(i);
  });
  return y;
}

template <class S>
Stacked<S> transpose_times(const Spo<S>& A, const Stacked<S>& x) {
  expect_node_rows(A, x);
  Stacked<S> y = x;
  scatter(A.space->tree(), [&](int k) {
    const int p = A.space->tree().parent(k);
    if (p >= 0) y(k) += A(k).transpose() * y(p);
  });
  return y;
}

template <class S>
Stacked<S> strict_times(const Spo<S>& A, const Stacked<S>& x) {
  expect_node_rows(A, x);
  auto y = Stacked<S>::zero(x.space, Kind::node);
  gather(A.space->tree(), [&](int k) {
    for (const int i : A.space->tree().children(k)) y(k) += A(i) * (y(i) + x(i));
  });
  return y;
}

template <class S>
Stacked<S> strict_transpose_times(const Spo<S>& A, const Stacked<S>& x) {
  expect_node_rows(A, x);
  auto y = Stacked<S>::zero(x.space, Kind::node);
  scatter(A.space->tree(), [&](int k) {
    const int p = A.space->tree().parent(k);
    if (p >= 0) y(k) = A(k).transpose() * (y(p) + x(p));
  });
  return y;
}

template <class S>
Stacked<S> adjacency_times(const Spo<S>& A, const Stacked<S>& x) {
  expect_node_rows(A, x);
  auto y = Stacked<S>::zero(x.space, Kind::node);
  gather(A.space->tree(), [&](int k) {
    for (const int i : A.space->tree().children(k)) y(k) += A(i) * x(i);
  });
  return y;
}

template <class S>
Stacked<S> adjacency_transpose_times(const Spo<S>& A, const Stacked<S>& x) {
  expect_node_rows(A, x);
  auto y = Stacked<S>::zero(x.space, Kind::node);
  scatter(A.space->tree(), [&](int k) {
    const int p = A.space->tree().parent(k);
    if (p >= 0) y(k) = A(k).transpose() * x(p);
  });
  return y;
}

#define INSTANTIATE(S)                                                          \
  template Stacked<S> operator*(const Spo<S>&, const Stacked<S>&);              \
  template Stacked<S> transpose_times(const Spo<S>&, const Stacked<S>&);        \
  template Stacked<S> strict_times(const Spo<S>&, const Stacked<S>&);           \
  template Stacked<S> strict_transpose_times(const Spo<S>&, const Stacked<S>&); \
  template Stacked<S> adjacency_times(const Spo<S>&, const Stacked<S>&);        \
  template Stacked<S> adjacency_transpose_times(const Spo<S>&, const Stacked<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
