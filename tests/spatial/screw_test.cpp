// Screws do what the general transform they stand for does.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/joint/joint_transform.hpp"
#include "engine/model/random.hpp"

namespace kinetree {
namespace {

Vector3<double> random_vector(Random& r) { return {r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)}; }
Symmetric3<double> random_symmetric(Random& r) {
  return {r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
}
ArticulatedInertia<double> random_inertia(Random& r) {
  Matrix3<double> H;
  for (double* x = &H.xx; x <= &H.zz; ++x) *x = r.uniform(-1, 1);
  return {random_symmetric(r), H, random_symmetric(r)};
}
template <template <class> class Screw>
Screw<double> random_screw(Random& r) {
  const double angle = r.uniform(-4, 4);
  return {std::cos(angle), std::sin(angle), r.uniform(-2, 2)};
}

/// Both are plain doubles in a row.
template <class T>
void expect_same(const T& a, const T& b, double tolerance = 1e-14) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  const double *x = reinterpret_cast<const double*>(&a), *y = reinterpret_cast<const double*>(&b);
  for (std::size_t k = 0; k < sizeof(T) / sizeof(double); ++k) EXPECT_NEAR(x[k], y[k], tolerance) << k;
}

template <class X>
void expect_like_general(const X& screw, Random& r) {
  const auto general = static_cast<Transform<double>>(screw);
  const Motion<double> m{random_vector(r), random_vector(r)};
  const Force<double> f{random_vector(r), random_vector(r)};
  expect_same(screw * m, general * m);
  expect_same(transpose_times(screw, f), transpose_times(general, f));
  expect_same(inverse_transpose_times(screw, f), inverse_transpose_times(general, f));
}

template <class X>
void expect_moves_like_general(const X& screw, Random& r) {
  ArticulatedInertia<double> A = random_inertia(r), before = A;
  to_parent(screw, A);
  expect_same(A, congruence(static_cast<Transform<double>>(screw), before), 1e-13);
  RigidInertia<double> I{r.uniform(0, 2), random_vector(r), random_symmetric(r)}, rigid = I;
  to_parent(screw, I);
  expect_same(I, congruence(static_cast<Transform<double>>(screw), rigid), 1e-13);
}

TEST(Screws, AreTransforms) {
  Random r(1);
  for (int n = 0; n < 100; ++n) {
    const auto z = random_screw<ScrewZ>(r);
    const auto x = random_screw<ScrewX>(r);
    expect_like_general(z, r), expect_like_general(x, r);
    expect_moves_like_general(z, r), expect_moves_like_general(x, r);
  }
}

TEST(Screws, AnInertiaThatFeelsNoTurnGoesOnFeelingNone) {
  Random r(2);
  for (int n = 0; n < 100; ++n) {
    const auto z = random_screw<ScrewZ>(r);
    ArticulatedInertia<double> A = random_inertia(r);
    A.I.xz = A.I.yz = A.I.zz = A.H.zx = A.H.zy = A.H.zz = 0;
    const ArticulatedInertia<double> expected = congruence(static_cast<Transform<double>>(z), A);
    to_parent_projected(z, A);
    expect_same(A, expected, 1e-13);
  }
}

/// With or without every part that may be missing.
AxialPlacement<double> random_placement(Random& r, int n) {
  AxialPlacement<double> placement;
  placement.x = random_screw<ScrewX>(r);
  placement.inboard = random_screw<ScrewZ>(r);
  const auto know = [](Turning turning, auto& screw) {
    constexpr double c[]{0, 1, 0, 0, -1}, s[]{0, 0, 1, -1, 0};
    const auto k = static_cast<std::size_t>(turning);
    if (turning != Turning::any) screw.c = c[k], screw.s = s[k];
    return turning;
  };
  placement.x_turn = know(static_cast<Turning>(n % 5), placement.x);
  placement.inboard_turn = know(static_cast<Turning>(n / 5 % 5), placement.inboard);
  placement.inboard_slides = n / 25 % 2 == 0;
  placement.outboard_slides = n / 50 % 2 == 0;
  placement.x_slides = n / 100 % 2 == 0;
  if (!placement.inboard_slides) placement.inboard.d = 0;
  if (!placement.x_slides) placement.x.d = 0;
  return placement;
}

TEST(JointTransforms, AreTransforms) {
  Random r(3);
  Transform<double> general;
  for (int n = 0; n < 600; ++n) {
    const AxialPlacement<double> placement = random_placement(r, n);
    JointTransform<double> X;
    X.outboard = random_screw<ScrewZ>(r);
    if (!placement.outboard_slides) X.outboard.d = 0;
    X.placed = &placement;
    X.general = &general;
    if (n % 7 == 0) {
      general = static_cast<Transform<double>>(X);
      X.placed = nullptr;
    }
    expect_like_general(X, r);
    const auto whole = static_cast<Transform<double>>(X);
    const ArticulatedInertia<double> A = random_inertia(r);
    expect_same(congruence(X, A), congruence(whole, A), 1e-13);
    const RigidInertia<double> I{r.uniform(0, 2), random_vector(r), random_symmetric(r)};
    expect_same(congruence(X, I), congruence(whole, I), 1e-13);
    expect_same(whole * X, whole * whole, 1e-13);
    ArticulatedInertia<double> used = A, moved;
    to_parent(X, used, moved);
    expect_same(moved, congruence(whole, A), 1e-13);
    Force<double> across{random_vector(r), random_vector(r)};
    across.force.z = 0;
    const Force<double> expected = transpose_times(whole, across);
    to_parent_across_axis(X, across);
    expect_same(across, expected, 1e-13);
    Transform<double> led = whole;
    extend(X, led);
    expect_same(led, whole * whole, 1e-13);
    if (X.placed == nullptr) continue;
    // rows that stand for zero are not read
    ArticulatedInertia<double> free = A, zero = A;
    free.I.xz = free.I.yz = free.I.zz = free.H.zx = free.H.zy = free.H.zz = std::nan("");
    zero.I.xz = zero.I.yz = zero.I.zz = zero.H.zx = zero.H.zy = zero.H.zz = 0;
    to_parent_projected(X, free, moved);
    expect_same(moved, congruence(whole, zero), 1e-13);
  }
}

TEST(GyroscopicForce, IsTheCrossProductWithMomentum) {
  Random r(4);
  for (int n = 0; n < 100; ++n) {
    const RigidInertia<double> I{r.uniform(0, 2), random_vector(r), random_symmetric(r)};
    const Motion<double> v{random_vector(r), random_vector(r)};
    expect_same(gyroscopic_force(I, v), cross(v, I * v));
  }
}

}  // namespace
}  // namespace kinetree
