#pragma once
// Base velocities by a scan over modules, so that positions and velocities take O(log N) depth (design: Velocities).

#include "engine/algorithm/dial/motion_scan.hpp"

namespace kinetree::inline inner {

template <class S>
struct VelocityScan : MotionScan<S> {
  using MotionScan<S>::MotionScan;
  std::vector<Matrix3<S>> R;  ///< over steps: world to the body the step's base hangs from; only with external forces
  std::size_t bytes() const { return MotionScan<S>::bytes() + bytes_of(R); }
};

/// m + S v of any joint. Not inlined, m by value: callers then keep m in registers on the way of revolute joints.
template <class S>
[[gnu::noinline]] Motion<S> plus_joint_velocity(const Context<S>& x, const Kinematics<S>& k, int i, Motion<S> m) {
  with_cut_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) { subspace.add(x.v(i), m); });
  return m;
}

/// Gather, a module's own maps of velocities, after its joints are known.
template <class S>
void compose_velocities(const Context<S>& x, const Kinematics<S>& k, MotionScan<S>& scan, const Step& s) {
  compose_module(x, k, scan, s, [&](int i, Motion<S>& m) KINETREE_INLINE_LAMBDA {
    if (is_revolute(x.type(i)))
      Revolute::add(x.v(i), m);
    else
      m = plus_joint_velocity(x, k, i, m);
  });
}

/// Gather: composes maps.
template <class S>
void compose(const Context<S>& x, Kinematics<S>& k, VelocityScan<S>& scan, int step) {
  const Step& s = x.modules->steps[at(step)];
  if (s.module < 0) return compose_merge(*x.modules, scan, s);
  outwards(*x.modules, x.module_of_step(step), [&](int i) { joint_kernel(x, k, i); });
  compose_velocities(x, k, scan, s);
}

/// Scatter: the velocity of the body from which a step's base hangs, and its rotation.
template <class S>
void hand_velocity(const Context<S>& x, const Kinematics<S>& k, VelocityScan<S>& scan, int step) {
  const Modules& m = *x.modules;
  const Step& s = m.steps[at(step)];
  hand_to_step(x, scan, step, [&](int p) { return velocity_of(k, p); });
  if (x.state.f_ext == nullptr) return;
  if (!is_merged(m, s)) {
    scan.R[at(step)] = rotation_of(k, x.parent(m.modules[at(s.top_module)].base));
  } else {
    const Step& user = m.steps[at(s.parent)];
    scan.R[at(step)] = scan.R[at(s.parent)];
    if (user.lower == step) scan.R[at(step)] = map_to_merged(m, scan, user).X.E * scan.R[at(step)];
  }
}

/// Scatter: hands velocities to modules and finishes their bodies.
template <class S>
void hand_down(const Context<S>& x, Kinematics<S>& k, VelocityScan<S>& scan, int step) {
  const Modules& m = *x.modules;
  const Step& s = m.steps[at(step)];
  hand_velocity(x, k, scan, step);
  if (s.module < 0) return;
  const Module& module = m.modules[at(s.module)];
  // an aggregate on the ground may have several roots
  const auto base = [&](int i) { return i == module.base || x.parent(i) < 0; };
  velocities<false>(x, k, step,
                    [&](int i) -> const Motion<S>& { return base(i) ? scan.m[at(step)] : k.v[at(x.parent(i))]; });
  if (x.state.f_ext != nullptr)
    outwards(m, module,
             [&](int i) { external_force_kernel(x, k, i, base(i) ? scan.R[at(step)] : k.R[at(x.parent(i))]); });
}

}  // namespace kinetree::inline inner
