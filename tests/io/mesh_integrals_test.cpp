// Volume, centre and moments of triangles against closed forms.
#include "engine/io/mesh_integrals.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/io/mesh_closed.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;
constexpr double pi = std::numbers::pi;

/// A prism over an outline in the plane, counter-clockwise; `inner` are triangles of its corners that fill it.
TriangleMesh prism(const std::vector<std::array<double, 2>>& outline, const std::vector<std::array<int, 3>>& inner,
                   double height) {
  TriangleMesh mesh;
  const int n = static_cast<int>(outline.size());
  for (const double z : {0., height})
    for (const auto& p : outline) mesh.points.emplace_back(p[0], p[1], z);
  for (const auto& t : inner) {
    mesh.faces.push_back({t[0], t[2], t[1]});
    mesh.faces.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  for (int a = 0; a < n; ++a) {
    const int b = (a + 1) % n;
    mesh.faces.push_back({a, b, b + n});
    mesh.faces.push_back({a, b + n, a + n});
  }
  return mesh;
}

/// Boxes side by side, of unit density: what a prism of right angles is made of.
struct Box {
  Vector3d low, high;
};
SolidInertia sum_of(const std::vector<Box>& boxes) {
  SolidInertia out;
  for (const Box& b : boxes) {
    const double m = (b.high - b.low).prod();
    out.mass += m;
    out.centre += m * (b.high + b.low) / 2;
  }
  out.centre /= out.mass;
  for (const Box& b : boxes) {
    const Vector3d size = b.high - b.low, d = (b.high + b.low) / 2 - out.centre;
    const double m = size.prod();
    const Vector3d square = size.cwiseProduct(size);
    out.moments += m / 12 * (square.sum() * Matrix3d::Identity() - Matrix3d(square.asDiagonal()));
    out.moments += m * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
  }
  return out;
}

void expect_same(const SolidInertia& ours, const SolidInertia& known, double tolerance, const std::string& what) {
  EXPECT_NEAR(ours.mass / known.mass, 1, tolerance) << what;
  EXPECT_LE((ours.centre - known.centre).norm(), tolerance * (1 + known.centre.norm())) << what;
  EXPECT_LE((ours.moments - known.moments).norm() / known.moments.norm(), tolerance) << what;
}

const TriangleMesh l_prism = prism({{0, 0}, {.2, 0}, {.2, .02}, {.02, .02}, {.02, .2}, {0, .2}},
                                   {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, .03);
const std::vector<Box> l_boxes{{{0, 0, 0}, {.2, .02, .03}}, {{0, .02, 0}, {.02, .2, .03}}};
const TriangleMesh u_prism = prism({{0, 0}, {3, 0}, {3, 2}, {2.5, 2}, {2.5, .5}, {.5, .5}, {.5, 2}, {0, 2}},
                                   {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 7}, {5, 6, 7}}, 1);
const std::vector<Box> u_boxes{{{0, 0, 0}, {3, .5, 1}}, {{0, .5, 0}, {.5, 2, 1}}, {{2.5, .5, 0}, {3, 2, 1}}};

TEST(MeshIntegrals, OfATetrahedron) {
  // corners a, b, c on the axes: V = abc/6, centre a quarter of each; ∫ x² = V a²/10, ∫ x y = V a b/20 about the corner
  const double a = 1.5, b = .7, c = 2;
  const TriangleMesh mesh{{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  SolidInertia known;
  known.mass = a * b * c / 6;
  const Vector3d edges(a, b, c);
  known.centre = edges / 4;
  Matrix3d second = known.mass / 20 * edges * edges.transpose();
  second.diagonal() *= 2;
  second -= known.mass * known.centre * known.centre.transpose();
  known.moments = second.trace() * Matrix3d::Identity() - second;
  expect_same(solid_between(mesh), known, 1e-15 * 20, "exact");
  expect_same(solid_of_absolutes(mesh), known, 1e-15 * 20, "absolute: it is convex");
}

TEST(MeshIntegrals, OfConcavePrismsWhereverTheyStand) {
  for (const auto& [mesh, boxes, name] : {std::tuple(l_prism, l_boxes, "L"), std::tuple(u_prism, u_boxes, "U")}) {
    ASSERT_TRUE(faults_of(mesh).none()) << name;
    const SolidInertia known = sum_of(boxes);
    expect_same(solid_between(mesh), known, 1e-13, name);
    EXPECT_GT(solid_of_absolutes(mesh).mass, 1.01 * known.mass) << name << ": not every face is seen from its centre";

    const Eigen::Quaterniond turn = Eigen::Quaterniond(.8, .3, -.4, .2).normalized();
    const Vector3d shift(10, -20, 5);
    TriangleMesh moved = mesh;
    for (Vector3d& p : moved.points) p = turn * p + shift;
    const Matrix3d R = turn.toRotationMatrix();
    expect_same(solid_between(moved), {known.mass, turn * known.centre + shift, R * known.moments * R.transpose()},
                1e-12, name + std::string(" moved"));
  }
}

TEST(MeshIntegrals, OfMirroredScales) {
  for (const Vector3d& factors : {Vector3d(-1, 1, 1), Vector3d(2, -3, .5), Vector3d(-1, -2, 3), Vector3d(-1, -1, -1)}) {
    TriangleMesh mesh = u_prism;
    scale_points(mesh, factors);
    EXPECT_TRUE(faults_of(mesh).none());
    std::vector<Box> boxes = u_boxes;
    for (Box& b : boxes) {
      const Vector3d one = b.low.cwiseProduct(factors), other = b.high.cwiseProduct(factors);
      b = {one.cwiseMin(other), one.cwiseMax(other)};
    }
    expect_same(solid_between(mesh), sum_of(boxes), 1e-13, "scaled");
  }
}

/// Rings of n corners, n of them. In polygons instead of circles all integrals are known too: each ring of the torus of
/// radii R and r is cut at corners at angles 2πk/n.
TriangleMesh torus(double R, double r, int n) {
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double u = 2 * pi * i / n, v = 2 * pi * j / n, far = R + r * std::cos(v);
      mesh.points.emplace_back(far * std::cos(u), far * std::sin(u), r * std::sin(v));
    }
  const auto corner = [n](int i, int j) { return (i % n) * n + j % n; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      mesh.faces.push_back({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
      mesh.faces.push_back({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
  return mesh;
}

/// The errors fall with the square of the corners' distance: a polynomial in its square is taken to distance zero.
TEST(MeshIntegrals, OfATorusByRefinement) {
  const double R = 1, r = .3;
  SolidInertia known;
  known.mass = 2 * pi * pi * R * r * r;
  const double across = known.mass * (4 * R * R + 5 * r * r) / 8;
  known.moments = Vector3d(across, across, known.mass * (R * R + 3 * r * r / 4)).asDiagonal();
  std::vector<std::array<double, 3>> rows;  // Neville's scheme
  std::vector<double> squares;
  for (int n = 8; n <= 512; n *= 2) {
    const TriangleMesh mesh = torus(R, r, n);
    if (n == 8) {
      EXPECT_TRUE(faults_of(mesh).none());
    }
    const SolidInertia found = solid_between(mesh);
    EXPECT_LE(found.centre.norm(), 1e-13);
    squares.push_back(1. / (static_cast<double>(n) * n));
    rows.push_back({found.mass, found.moments(0, 0), found.moments(2, 2)});
    for (std::size_t k = rows.size() - 1; k-- > 0;)
      for (std::size_t part = 0; part < 3; ++part)
        rows[k][part] =
            rows[k + 1][part] + (rows[k + 1][part] - rows[k][part]) * squares.back() / (squares[k] - squares.back());
  }
  EXPECT_NEAR(rows[0][0] / known.mass, 1, 1e-12);
  EXPECT_NEAR(rows[0][1] / known.moments(0, 0), 1, 1e-12);
  EXPECT_NEAR(rows[0][2] / known.moments(2, 2), 1, 1e-12);
}

TEST(MeshIntegrals, OfShells) {
  TriangleMesh cube = prism({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {{0, 1, 2}, {0, 2, 3}}, 2);
  for (Vector3d& p : cube.points) p.z() -= 1;
  // six plates of mass 4: two with their normal along an axis, four at distance 1 from it
  const double moment = 2 * 4 * (4. / 6) + 4 * 4 * (4. / 12 + 1);
  expect_same(shell_of(cube), {24, Vector3d::Zero(), moment * Matrix3d::Identity()}, 1e-14, "cube");
  turn_faces(cube);
  expect_same(shell_of(cube), {24, Vector3d::Zero(), moment * Matrix3d::Identity()}, 1e-14, "either side");
  EXPECT_NEAR(solid_between(cube).mass, -8, 1e-13) << "inside out";
}

TEST(MeshIntegrals, FaultsOfSurfacesAreFound) {
  TriangleMesh turned = u_prism, open = u_prism;
  std::swap(turned.faces[3][0], turned.faces[3][1]);
  EXPECT_EQ(faults_of(turned).turned, 3u);
  EXPECT_EQ(faults_of(turned).open, 0u);
  open.faces.erase(open.faces.begin());
  EXPECT_EQ(faults_of(open).open, 3u);
  EXPECT_EQ(faults_of(open).turned, 0u);
  TriangleMesh anew;  // every corner anew, as STL has it
  for (const auto& face : u_prism.faces) {
    const int k = static_cast<int>(anew.points.size());
    for (const int corner : face) anew.points.push_back(u_prism.points[static_cast<std::size_t>(corner)]);
    anew.faces.push_back({k, k + 1, k + 2});
  }
  EXPECT_EQ(faults_of(anew).open, 3 * anew.faces.size());
  merge_points(anew);
  EXPECT_EQ(anew.points.size(), u_prism.points.size());
  EXPECT_EQ(anew.faces.size(), u_prism.faces.size());
  EXPECT_TRUE(faults_of(anew).none());
}

}  // namespace
}  // namespace kinetree::test

#endif
