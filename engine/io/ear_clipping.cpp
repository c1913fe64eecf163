#include "engine/io/ear_clipping.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace kinetree::inline inner {
namespace {

using Point = std::array<float, 2>;

float cross(const Point& a, const Point& b) { return a[0] * b[1] - a[1] * b[0]; }
Point between(const Point& a, const Point& b) { return {b[0] - a[0], b[1] - a[1]}; }

/// Seen along the axis to which the first real corner is most upright.
std::vector<Point> flat(const std::vector<std::array<float, 3>>& corners) {
  std::size_t across = 1, up = 2;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const auto &a = corners[k], &b = corners[(k + 1) % corners.size()], &c = corners[(k + 2) % corners.size()];
    std::array<float, 3> area{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
      area[i] = std::abs((b[j] - a[j]) * (c[l] - b[l]) - (b[l] - a[l]) * (c[j] - b[j]));
    }
    constexpr float least = std::numeric_limits<float>::epsilon();
    if (!(area[0] > least || area[1] > least || area[2] > least)) continue;
    if (area[0] > area[1] && area[0] > area[2]) break;
    across = 0;
    if (area[2] > area[0] && area[2] > area[1]) up = 1;
    break;
  }
  std::vector<Point> points;
  points.reserve(corners.size());
  for (const auto& corner : corners) points.push_back({corner[across], corner[up]});
  return points;
}

/// Whether a ray from the point leaves the triangle through an odd number of sides.
bool inside(const std::array<Point, 3>& triangle, const Point& p) {
  bool odd = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const Point &a = triangle[k], &b = triangle[(k + 2) % 3];
    if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]) odd = !odd;
  }
  return odd;
}

}  // namespace

std::vector<std::array<std::size_t, 3>> ears_of(const std::vector<std::array<float, 3>>& corners, std::size_t& steps) {
  std::vector<std::array<std::size_t, 3>> ears;
  if (corners.size() < 3) return ears;
  const std::vector<Point> points = flat(corners);
  float area = 0;
  for (std::size_t k = 0; k < points.size(); ++k) area += cross(points[k], points[(k + 1) % points.size()]) * .5f;
  std::vector<std::size_t> left(points.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::size_t first = 0, tries = left.size();
  while (left.size() > 3 && tries-- > 0 && steps > 0) {
    const std::size_t n = left.size();
    --steps;
    if (first >= n) first -= n;
    const std::array<std::size_t, 3> ear{left[first], left[(first + 1) % n], left[(first + 2) % n]};
    const std::array<Point, 3> triangle{points[ear[0]], points[ear[1]], points[ear[2]]};
    bool cut = !(cross(between(triangle[0], triangle[1]), between(triangle[1], triangle[2])) * area < 0);
    for (std::size_t k = 3; k < n && cut && steps > 0; ++k, --steps)
      cut = !inside(triangle, points[left[(first + k) % n]]);
    if (!cut) {
      ++first;
      continue;
    }
    ears.push_back(ear);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>((first + 1) % n));
    tries = left.size();
  }
  if (left.size() == 3) ears.push_back({left[0], left[1], left[2]});
  return ears;
}

}  // namespace kinetree::inline inner
