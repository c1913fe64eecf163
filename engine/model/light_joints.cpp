#include "engine/model/light_joints.hpp"

#include <algorithm>
#include <cmath>

#include "engine/model/model_data.hpp"
#include "engine/model/placement.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// Mass, and moment of inertia about a point at most.
struct Felt {
  double mass = 0, moment = 0;

  /// The same body as felt from a point that is `distance` farther away.
  Felt from(double distance) const {
    const double root = std::sqrt(moment) + std::sqrt(mass) * distance;  // of m (r + d)²
    return {mass, root * root};
  }
  void include(const Felt& other) {
    mass = std::max(mass, other.mass);
    moment = std::max(moment, other.moment);
  }
};

double length(const Vector3<double>& r) { return std::sqrt(dot(r, r)); }

}  // namespace

std::vector<LightJoint> light_joints(const ModelData& m, std::span<const int> cut_of) {
  constexpr double share = 1e-4;
  const std::size_t n = m.parent.size();
  std::vector<Felt> carried(n);  // light bodies seen through; about the body's origin
  std::vector<LightJoint> found;
  for (std::size_t i = n; i-- > 0;) {
    const RigidInertia<double>& I = m.link[i].I;
    const std::array<double, 3> moments = eigenvalues(I.I);
    const Felt own{I.mass, std::max(0.0, moments[2])};
    Felt all = own;
    all.include(carried[i]);
    const JointType type = m.joint_type[i];
    const bool turns = is_revolute(type), slides = type == JointType::prismatic, ball = type == JointType::spherical;
    const bool pure = turns || slides || ball;
    const std::array<double, 3> principal = pure ? moments : eigenvalues(about_com(I));
    const double resists = turns ? I.I.zz : slides ? I.mass : principal[0];
    const double scale = turns || ball ? all.moment : slides ? all.mass : principal[2];
    const bool light = !(resists > share * scale) && (scale > 0 || !pure);
    if (!cut_of.empty() && cut_of[i] >= 0) continue;
    if (light) found.push_back({static_cast<int>(i), pure ? scale : 0});
    // a slide may stand anywhere; what it carries is felt at least from where its frame is
    if (m.parent[i] >= 0) carried[at(m.parent[i])].include((light ? all : own).from(length(m.link[i].X_tree.r)));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace kinetree::inline inner
