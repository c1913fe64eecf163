// Which joints float or carry, and steps of them on every processor.
#include "engine/algorithm/lanes/floating_steps.hpp"

#include "engine/algorithm/lanes/floating_lanes.hpp"

namespace kinetree::inline inner {

std::vector<FloatingJoint> floating_joints(const ModelData& m) {
  const std::size_t bodies = m.parent.size();
  std::vector<bool> carries(bodies, false);
  for (std::size_t i = 0; i < bodies; ++i)
    if (m.joint_type[i] == JointType::floating)
      for (int p = m.parent[i]; p >= 0 && !carries[at(p)]; p = m.parent[at(p)]) carries[at(p)] = true;
  std::vector<FloatingJoint> joints;
  std::vector<int> place(bodies, -1);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (m.joint_type[i] != JointType::floating && !carries[i]) continue;
    const RigidInertia<double>& I = m.link[i].I;
    // without mass of its own it has no centre: any of its points will do, to the order of the method
    const Vector3<double> centre = I.mass > 0 ? (1 / I.mass) * I.h : Vector3<double>{};
    place[i] = static_cast<int>(joints.size());
    joints.push_back({static_cast<int>(i), m.q_index[i], m.v_index[i], m.parent[i] < 0 ? -1 : place[at(m.parent[i])],
                      carries[i], centre});
  }
  return joints;
}

std::unique_ptr<FloatingSteps> make_floating_steps(InstructionSet set, bool many, const ModelData& model) {
  const std::vector<FloatingJoint> joints = floating_joints(model);
  const lanes::FloatingOrder order{&model, &joints, many};
#if KINETREE_AVX512
  if (set == InstructionSet::avx512) return std::unique_ptr<FloatingSteps>(lanes::make_avx512_floating(order));
#endif
#if KINETREE_AVX
  if (set == InstructionSet::avx2) return std::unique_ptr<FloatingSteps>(lanes::make_avx2_floating(order));
#endif
  static_cast<void>(set);
#if KINETREE_PACKS
  using One = Pack<double, 1, Baseline>;
  using Many = Pack<double, native_width<double, Baseline>, Baseline>;
#else
  using One = double;
  using Many = double;
#endif
  return std::unique_ptr<FloatingSteps>(make_floating_lanes<One, Many>(order));
}

}  // namespace kinetree::inline inner
