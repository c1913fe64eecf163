#include "engine/model/constraint_units.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/model/loop_levers.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double shortest_lever = 1e-8;  ///< m; what is shorter is rounding

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
  const auto each_force = [&](auto&& use) {  // over a loop's rows; returns the first row of couplings
    int r = 0;
    for (const int l : a.loops) {
      const LoopType type = m.loops[at(l)].type;
      use(r + moment_count(type), constraint_count(type) - moment_count(type));
      r += constraint_count(type);
    }
    return r;
  };
  each_force([&](int first, int count) {
    double longest = 0;
    for (int r = first; r < first + count; ++r)
      for (int c = 0; c < a.velocities; ++c)
        if (!slide[at(c)]) longest = std::max(longest, std::abs(K(r, c)));
    row.segment(first, count).setConstant(longest);
    lever = std::max(lever, longest);
  });
  if (!(lever > shortest_lever)) lever = 1;
  for (int c = 0; c < a.velocities; ++c)
    if (slide[at(c)]) column[c] = lever;
  const int couplings = each_force([&](int first, int count) {
    for (double& unit : row.segment(first, count)) unit = unit > shortest_lever ? std::max(unit, 1e-4 * lever) : lever;
  });
  for (int r = couplings; r < a.rows; ++r) row[r] = largest_of(K.row(r) * column.asDiagonal());
}

}  // namespace kinetree::inline inner
