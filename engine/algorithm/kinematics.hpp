#pragma once
// Scatter of positions and velocities (Jain 2011, Alg. 3.1, first recursion; Featherstone 2008, Eq. 7.42-7.44).

#include <algorithm>
#include <functional>
#include <memory>

#include "engine/algorithm/context.hpp"
#include "engine/joint/sweep_joint.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/whole_register.hpp"

namespace kinetree::inline inner {

template <class S>
struct Kinematics {
  std::vector<JointTransform<S>> X_up;      ///< parent to body
  std::unique_ptr<Transform<S>[]> general;  ///< of the joints that are not placed by screws
  std::size_t general_count = 0;
  std::vector<Motion<S>> columns;  ///< over velocities: S of helical, cylindrical, universal and planar joints
  std::vector<Motion<S>> v;        ///< velocities, body coordinates
  std::vector<Motion<S>> c;        ///< velocity-product accelerations cJ + v x vJ
  // only where external forces act
  std::vector<Matrix3<S>> R;  ///< world to body coordinates
  std::vector<Force<S>> f;    ///< the external force, body coordinates

  /// One column more, where a weld's would begin that comes last.
  explicit Kinematics(const ModelData& m)
      : X_up(m.parent.size()), columns(at(m.v_index.back()) + 1), v(m.parent.size()), c(m.parent.size()) {
    const auto by_screws = [](const Link<double>& link) { return link.axial; };
    general_count = static_cast<std::size_t>(std::count_if(m.link.begin(), m.link.end(), std::not_fn(by_screws)));
    general = std::make_unique<Transform<S>[]>(general_count);
    Transform<S>* next = general.get();
    for (std::size_t i = 0; i < X_up.size(); ++i)
      if (!m.link[i].axial) X_up[i].general = next++;
  }
  void expect_external_forces() { R.resize(v.size()), f.resize(v.size()); }
  std::size_t bytes() const { return bytes_of(X_up, columns, v, c, R, f) + general_count * sizeof(Transform<S>); }
};

/// X_up, S and cJ of one body: no neighbour is read.
template <class S, class Subspace>
KINETREE_INLINE void joint_kernel(const Context<S>& x, Kinematics<S>& k, int i, const Subspace& subspace) {
  joint_at(subspace, x.type(i), x.link[at(i)], x.q(i), x.v(i), k.X_up[at(i)], &k.columns[at(x.v_index(i))], k.c[at(i)]);
}

/// X_up of `count` bodies in a row, all on revolute joints placed by screws: their sines and cosines side by side, to
/// the same bits. One by one they took 15 % of a small arm's forward dynamics, and 22 % of its mass matrix.
/// A function of its own, since registers in memory ask for an aligned stack, which callers would pay for.
template <class S>
[[gnu::noinline]] void turns_side_by_side(const Context<S>& x, Kinematics<S>& k, int first, int count) {
  using Pack = typename WholeRegister<S>::Type;
  typename Pack::Number angle[Pack::width]{}, sine[Pack::width], cosine[Pack::width];
  const S* q = x.q(first);
  for (int j = 0; j < count; ++j) angle[j] = (q[j] + x.link[at(first + j)].placement.angle).lanes;
  Pack s, c;
  sin_cos(Pack::load(angle), s, c);
  s.store(sine), c.store(cosine);
  for (int j = 0; j < count; ++j) {
    const AxialPlacement<S>& placement = x.link[at(first + j)].placement;
    k.X_up[at(first + j)].placed = &placement;
    k.X_up[at(first + j)].outboard = {S::of(cosine[j]), S::of(sine[j]), placement.outboard.d};
  }
}

/// v and c of one body; `v`: on entry its parent's velocity in the body's coordinates.
template <class S, class Subspace>
KINETREE_INLINE void velocity_kernel(const Context<S>& x, Kinematics<S>& k, int i, const Subspace& subspace,
                                     Motion<S>& v) {
  const S* rate = x.v(i);
  add_cross_product(subspace, v, rate, k.c[at(i)]);  // (v_p + vJ) x vJ = v_p x vJ
  subspace.add(rate, v);
  k.v[at(i)] = v;
}

/// The bias v x* I v - f_ext of one body, body coordinates. Who asks for it works it out, since stores, not operations,
/// are what sweeps wait for.
template <class S>
KINETREE_INLINE Force<S> bias_of_body(const Context<S>& x, const Kinematics<S>& k, int i) {
  Force<S> p = gyroscopic_force(x.link[at(i)].I, k.v[at(i)]);
  if (x.state.f_ext != nullptr) [[unlikely]]
    p -= k.f[at(i)];
  return p;
}

/// Calls use(subspace of the joint that carries body i).
template <class S, class Use>
KINETREE_INLINE void with_subspace(const Context<S>& x, const Kinematics<S>& k, int i, Use&& use) {
  with_subspace(x.type(i), &k.columns[at(x.v_index(i))], use);
}

/// Calls use(the joint that carries body i).
template <class S, class Use>
KINETREE_INLINE void with_joint(const Context<S>& x, const Kinematics<S>& k, int i, Use&& use) {
  with_joint(x.type(i), &k.columns[at(x.v_index(i))], x.rotor(i), use);
}

/// The joints of a segment: called with a body, the joint that carries it.
template <class Joint>
struct OneJoint {
  static constexpr bool in_a_row = false;
  Joint joint;
  KINETREE_INLINE Joint operator()(int) const { return joint; }
};
template <class S, Rotors rotors>
struct RevoluteJoints {
  static constexpr bool in_a_row = true;
  const Context<S>& x;
  KINETREE_INLINE SweepJoint<S, Revolute, rotors, true> operator()(int i) const {
    return {{}, {}, rotors == Rotors::none ? nullptr : x.rotors.data() + x.v_index(i)};
  }
};

/// Calls use(the joints of a segment). `inertias`: whether use asks what they show of inertias; a scatter does not, and
/// revolute joints with rotors and without are one kernel to it (limbs with padding have both: the fewer kernels a
/// state goes through, the sooner instructions come from the nearest cache).
template <bool inertias = true, class S, class Use>
KINETREE_INLINE void with_joints(const Context<S>& x, const Kinematics<S>& k, const Segment& segment, Use&& use) {
  if (segment.joints == Segment::Joints::one)
    with_joint(x, k, segment.begin,
               [&](const auto& joint) { use(OneJoint<std::remove_cvref_t<decltype(joint)>>{joint}); });
  else if (!inertias || segment.joints == Segment::Joints::revolute)
    use(RevoluteJoints<S, Rotors::none>{x});
  else if constexpr (inertias)
    use(RevoluteJoints<S, Rotors::some>{x});
}

/// Calls use(segment, joints) for the segments of the module that a step sweeps, parents first.
template <bool inertias = false, class S, class Use>
void segments_outwards(const Context<S>& x, const Kinematics<S>& k, int step, const Use& use) {
  for (const Segment& segment : x.nodes.segments_of(step))
    with_joints<inertias>(x, k, segment, [&](const auto& joints) { use(segment, joints); });
}
/// Calls use(segment, joints) for the segments of the module that a step sweeps, children first.
template <bool inertias = false, class S, class Use>
void segments_inwards(const Context<S>& x, const Kinematics<S>& k, int step, const Use& use) {
  const std::span<const Segment> segments = x.nodes.segments_of(step);
  for (std::size_t s = segments.size(); s-- > 0;)
    with_joints<inertias>(x, k, segments[s], [&](const auto& joints) { use(segments[s], joints); });
}

/// X_up, S and cJ of any joint.
template <class S>
KINETREE_INLINE void joint_kernel(const Context<S>& x, Kinematics<S>& k, int i) {
  with_cut_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) { joint_kernel(x, k, i, subspace); });
}

/// Places the first bodies of a segment, on revolute joints, with their sines side by side; the body after them.
/// `least`: joints of a segment from which on it pays. Beside velocities it is more: they wait for each other, and
/// sines found one by one fill that time (`ab` of three joints in a row took 1.03 times as long side by side).
template <int least, class S, class Joints>
KINETREE_INLINE int turn_segment(const Context<S>& x, Kinematics<S>& k, const Segment& segment, const Joints&) {
  constexpr int width = WholeRegister<S>::width;
  int i = segment.begin;
  if constexpr (Joints::in_a_row && width > 1)
    if (segment.end - i >= least)
      for (; segment.end - i > 1; i = std::min(i + width, segment.end))
        turns_side_by_side(x, k, i, std::min(width, segment.end - i));
  return i;
}

/// Velocities along a segment, from that of the body that it hangs from; `positions`: X_up, S and cJ too.
template <bool positions, class S, class Joints>
[[gnu::noinline]] void velocities_of_segment(const Context<S>& x, Kinematics<S>& k, Segment segment, Joints joints,
                                             const Motion<S>& parent_velocity) {
  Motion<S> v = parent_velocity;
  joints(segment.begin).to_child_inboard(x.link[at(segment.begin)].placement, v);
  int placed = segment.begin;
  if constexpr (positions) placed = turn_segment<4>(x, k, segment, joints);
  for (int i = segment.begin; i <= segment.last(); ++i) {
    const auto joint = joints(i);
    if constexpr (positions)
      if (i >= placed) joint_kernel(x, k, i, joint.subspace);
    to_child(joint.transform(k.X_up[at(i)]), v);
    velocity_kernel(x, k, i, joint.subspace, v);
  }
}

/// Velocities of the module that a step sweeps; parent_velocity(i) is that of the body from which body i hangs.
template <bool positions, class S, class ParentVelocity>
void velocities(const Context<S>& x, Kinematics<S>& k, int step, ParentVelocity&& parent_velocity) {
  for (const Segment& segment : x.nodes.segments_of(step)) {
    if (segment.joints == Segment::Joints::weld)
      k.v[at(segment.begin)] = parent_velocity(segment.begin);
    else
      with_joints<false>(x, k, segment, [&](const auto& joints) {
        velocities_of_segment<positions>(x, k, segment, joints, parent_velocity(segment.begin));
      });
  }
}

/// Velocity of the ground, or of body p.
template <class S>
Motion<S> velocity_of(const Kinematics<S>& k, int p) {
  return p < 0 ? Motion<S>{} : k.v[at(p)];
}

/// World to body i, and the external force on it.
template <class S>
void external_force_kernel(const Context<S>& x, Kinematics<S>& k, int i, const Matrix3<S>& parent_rotation) {
  k.R[at(i)] = static_cast<Transform<S>>(k.X_up[at(i)]).E * parent_rotation;
  if (x.type(i) == JointType::fixed) return;  // the other half has it
  const S* f = x.state.f_ext + 6 * x.model->whole_of(i);
  const Vector3<S> moment = k.R[at(i)] * Vector3<S>{f[0], f[1], f[2]},
                   force = k.R[at(i)] * Vector3<S>{f[3], f[4], f[5]};
  const S& z = x.link[at(i)].origin;
  k.f[at(i)] = {{moment.x - z * force.y, moment.y + z * force.x, moment.z}, force};
}

template <class S>
Matrix3<S> rotation_of(const Kinematics<S>& k, int p) {
  return p < 0 ? Matrix3<S>::identity() : k.R[at(p)];
}

/// Scatter: a module's positions and velocities, all joints uncut.
template <class S>
void kinematics(const Context<S>& x, Kinematics<S>& k, int step) {
  const Motion<S> still{};
  velocities<true>(x, k, step,
                   [&](int i) -> const Motion<S>& { return x.parent(i) < 0 ? still : k.v[at(x.parent(i))]; });
  if (x.state.f_ext != nullptr)
    for (const Segment& segment : x.nodes.segments_of(step))
      for (int i = segment.begin; i < segment.end; ++i) external_force_kernel(x, k, i, rotation_of(k, x.parent(i)));
}

/// Scatter: X_up, S and cJ of a module's joints. Reads q, and v for cJ alone (zeros where the caller gave no v).
/// part_of(segment) gives the bodies of a segment that are asked for: its first ones, or none.
template <class S, class Part>
void positions(const Context<S>& x, Kinematics<S>& k, int step, Part&& part_of) {
  for (const Segment& whole : x.nodes.segments_of(step))
    if (const Segment segment = part_of(whole); segment.end > segment.begin && segment.joints != Segment::Joints::weld)
      with_joints<false>(x, k, segment, [&](const auto& joints) {
        for (int i = turn_segment<2>(x, k, segment, joints); i < segment.end; ++i)
          joint_kernel(x, k, i, joints(i).subspace);
      });
}
template <class S>
void positions(const Context<S>& x, Kinematics<S>& k, int step) {
  positions(x, k, step, [](const Segment& segment) { return segment; });
}

}  // namespace kinetree::inline inner
