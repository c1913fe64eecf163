#include "engine/model/light_joints.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
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

/// What a body resists at least to whatever its joint does. Where a turn may take the centre of mass along, that is
/// the inertia about an axis through it.
Felt least_felt(JointType type, const RigidInertia<double>& I) {
  switch (facts_of(type).keeps) {
    case JointFacts::Keeps::axis:
      return {I.mass, I.I.zz};
    case JointFacts::Keeps::point:
      return {I.mass, eigenvalues(I.I)[0]};
    case JointFacts::Keeps::nothing:
      break;
  }
  return {I.mass, eigenvalues(about_com(I))[0]};
}

/// Of velocity k of body i's joint.
double along(const ModelData& m, std::size_t i, int k, const Felt& felt) {
  const JointType type = m.joint_type[i];
  if (slides(type, k)) return felt.mass;
  const double slope = facts_of(type).slope ? m.link[i].constant[0] : 0;
  return felt.moment + slope * slope * felt.mass;
}

/// The inertia that bodies feel of what hangs from them.
class Feeling {
 public:
  Feeling(const ModelData& m, const std::vector<Felt>& own) : m_(m), own_(own), carried_(own.size()) {}

  /// The most that one body, i or one that light joints let it feel, has.
  Felt at_body(std::size_t i) const {
    Felt all = own_[i];
    all.include(carried_[i]);
    return all;
  }
  bool is_light(std::size_t i) const {
    constexpr double share = 1e-4;
    const Felt least = least_felt(m_.joint_type[i], m_.link[i].I), all = at_body(i);
    for (int k = 0; k < m_.v_index[i + 1] - m_.v_index[i]; ++k)  // body 0 of a pattern has no joint
      if (const double most = along(m_, i, k, all); most > 0 && !(along(m_, i, k, least) > share * most)) return true;
    return false;
  }
  /// What the body that i hangs from feels of it.
  Felt handed_on(std::size_t i, bool light) const {
    // a slide may stand anywhere; what it carries is felt at least from where its frame is
    return (light ? at_body(i) : own_[i]).from(length(m_.link[i].X_tree.r));
  }
  void include(int body, const Felt& felt) {
    if (body >= 0) carried_[at(body)].include(felt);
  }

 private:
  const ModelData& m_;
  const std::vector<Felt>& own_;
  std::vector<Felt> carried_;  ///< about the body's origin
};

}  // namespace

FeltInertia felt_inertia(const ModelData& m, std::span<const JointCut> cuts) {
  std::vector<Felt> own;
  for (const Link<double>& link : m.link) own.push_back({link.I.mass, std::max(0.0, eigenvalues(link.I.I)[2])});
  Feeling whole(m, own), parts(m, own);  // without cuts; with them
  FeltInertia found;
  found.most.resize(at(m.v_index.back()));
  for (std::size_t i = m.parent.size(); i-- > 0;) {
    const JointCut cut = cuts.empty() ? JointCut::none : cuts[i];
    const Felt all = parts.at_body(i);
    for (int v = m.v_index[i]; v < m.v_index[i + 1]; ++v) found.most[at(v)] = along(m, i, v - m.v_index[i], all);
    const bool light = cut == JointCut::none && parts.is_light(i);
    if (light) found.light.push_back(static_cast<int>(i));
    if (cut == JointCut::none) parts.include(m.parent[i], parts.handed_on(i, light));
    if (cuts.empty()) continue;
    const Felt handed_on = whole.handed_on(i, whole.is_light(i));
    whole.include(m.parent[i], handed_on);
    if (cut == JointCut::raked) parts.include(m.parent[i], handed_on);  // it comes back with all that hangs from it
  }
  std::reverse(found.light.begin(), found.light.end());
  return found;
}

}  // namespace kinetree::inline inner
