#include "engine/model/constraint_units.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/joint/advance.hpp"
#include "engine/model/open_rows.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double shortest_lever = 1e-8;  ///< m; what is shorter is rounding

/// Whether row r of a loop's constraints is of forces, hence of lengths, or of moments.
bool of_lengths(const Loop& loop, int r) {
  return loop.rounded ? loop.held[at(r)].length : is_length(row_kinds(loop.type)[at(r)]);
}

}  // namespace

std::vector<bool> slide_columns(const ModelData& m, const Aggregate& a) {
  std::vector<bool> slide(at(a.velocities));
  for (std::size_t b = 0; b < a.bodies.size(); ++b)
    for (int k = 0; k < velocity_count(m.joint_type[at(a.bodies[b])]); ++k)
      slide[at(a.column[b] + k)] = slides(m.joint_type[at(a.bodies[b])], k);
  return slide;
}

ConstraintUnits::ConstraintUnits(const ModelData& m, const Aggregate& a, const Matrix& K)
    : row(Eigen::VectorXd::Ones(a.rows)), column(Eigen::VectorXd::Ones(a.velocities)) {
  const std::vector<bool> slide = slide_columns(m, a);
  const auto each_force = [&](auto&& use) {  // the rows of forces of a loop; returns the first row of couplings
    std::vector<int> forces;
    int first = 0;
    for (const int l : a.loops) {
      const Loop& loop = m.loops[at(l)];
      forces.clear();
      for (int r = 0; r < row_count(loop); ++r)
        if (of_lengths(loop, r)) forces.push_back(first + r);
      use(forces);
      first += row_count(loop);
    }
    return first;
  };
  each_force([&](const std::vector<int>& forces) {
    double longest = 0;
    for (const int r : forces)
      for (int c = 0; c < a.velocities; ++c)
        if (!slide[at(c)]) longest = std::max(longest, std::abs(K(r, c)));
    for (const int r : forces) row[r] = longest;
    lever = std::max(lever, longest);
  });
  if (!(lever > shortest_lever)) lever = 1;
  for (int c = 0; c < a.velocities; ++c)
    if (slide[at(c)]) column[c] = lever;
  const int couplings = each_force([&](const std::vector<int>& forces) {
    for (const int r : forces) row[r] = row[r] > shortest_lever ? std::max(row[r], 1e-4 * lever) : lever;
  });
  for (int r = couplings; r < a.rows; ++r) {
    const double largest = largest_of(K.row(r) * column.asDiagonal());
    row[r] = largest > 0 ? largest : 1;  // 0: where a curved coupling is level in all of its joints
  }
}

}  // namespace kinetree::inline inner
