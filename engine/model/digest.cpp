#include "engine/model/digest.hpp"

namespace kinetree::inline inner {

std::uint64_t digest(const ModelData& m) {
  Digest digest;
  digest.add(m.name);
  for (const double component : m.gravity) digest.add(component);
  digest.add(m.parent), digest.add(m.joint_type), digest.add(m.link), digest.add(m.armature);
  digest.add(m.loops), digest.add(m.couplings), digest.add(m.aggregates), digest.add(m.assembled);
  for (const std::vector<double>* numbers :
       {&m.passive.damping, &m.passive.friction, &m.passive.stiffness, &m.passive.reference, &m.limits.lower,
        &m.limits.upper, &m.limits.velocity, &m.limits.effort})
    digest.add(*numbers);
  digest.add(m.joint_name), digest.add(m.frames);
  return digest.value();
}

}  // namespace kinetree::inline inner
