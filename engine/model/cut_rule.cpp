#include "engine/model/cut_rule.hpp"

#include <algorithm>

#include "engine/model/model_data.hpp"
#include "engine/model/placement.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

// A body as light as this beside what hangs from it does not hide that from the body inboard.
constexpr double seen_through = 0.1;

/// Mass, and moment of inertia about the joint that is farthest from the centre of mass.
struct Size {
  double mass = 0, moment = 0;

  bool below(double share, const Size& other) const {
    return mass < share * other.mass || moment < share * other.moment;
  }
  void include(const Size& other) {
    mass = std::max(mass, other.mass);
    moment = std::max(moment, other.moment);
  }
};

}  // namespace

CutRule bodies_that_allow_cuts(const ModelData& m, const CutThresholds& least) {
  const std::size_t n = m.parent.size();
  CutRule rule{std::vector<bool>(n, false), std::vector<bool>(n, false)};
  std::vector<Size> size(n), carried(n);  // carried: the largest that hangs from the body, light bodies seen through
  for (std::size_t i = n; i-- > 0;) {
    const RigidInertia<double>& I = m.link[i].I;
    const auto principal = eigenvalues(about_com(I));
    if (I.mass > 0) {
      const Vector3<double> com = (1 / I.mass) * I.h;
      double reach = dot(com, com);  // squared; the origin is on the body's own joint
      for (const int child : m.children_of(static_cast<int>(i))) {
        const Vector3<double> r = m.link[at(child)].X_tree.r - com;
        reach = std::max(reach, dot(r, r));
      }
      size[i] = {I.mass, std::max(0.0, principal[2]) + I.mass * reach};
      const bool positive = principal[0] > 0 && principal[0] >= least.own_moment * size[i].moment;
      const auto matters = [&](double part) {
        return part * principal[0] >= least.moment * carried[i].moment && part * I.mass >= least.mass * carried[i].mass;
      };
      rule.whole[i] = positive && matters(1), rule.half[i] = positive && matters(0.5);
    }
    if (m.parent[i] < 0) continue;
    Size& below = carried[at(m.parent[i])];
    below.include(size[i]);
    if (size[i].below(seen_through, carried[i])) below.include(carried[i]);
  }
  return rule;
}

}  // namespace kinetree::inline inner
