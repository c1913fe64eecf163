#pragma once
// Products of the derivatives of forward dynamics through the dial: O(N) work, and O(log N) depth at grain 1 (the
// theory of sensitivities through constraint forces: Mukherjee, Bhalerao & Anderson 2007). Inverse dynamics and its
// tangents and cotangents are scans over modules; M⁻¹ is the dial's refinement, which takes any right-hand side through
// the factors that are kept. A right-hand side is what joint forces lack, so that it is solved again with what is left
// of it: rounding of joint forces, which M⁻¹ multiplies, is mended. All are passes over the tree of steps: those of the
// state once, then those of a direction in rounds, one for each (dial_product_solver.hpp).

#include <algorithm>

#include "engine/algorithm/derivative_products.hpp"
#include "engine/algorithm/dial/product_scans.hpp"
#include "engine/algorithm/dial/refinement.hpp"
#include "engine/algorithm/dial/velocity_scan.hpp"
#include "engine/algorithm/solver/articulated_solver.hpp"

namespace kinetree::inline inner {

/// What tangents and cotangents share: the state, its factors, and right-hand sides. For modules that are cut, without
/// loops and couplings that depend on the state. `results`: of a direction; `given`: arguments of one; times nv.
template <class S>
class DialProductSpace : public ArticulatedSpace<S> {
 public:
  using Base = ArticulatedSpace<S>;
  using Base::articulated;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  DialProductSpace(Model m, std::shared_ptr<const Modules> parts, int given, int results, Packs<S> packs = {})
      : Base(std::move(m), std::move(parts), packs),
        maps(this->modules()),
        motions(this->modules()),
        forces(this->modules(), at(x.bodies())),
        forces_(*x.model, this->modules(), true),
        system_(this->modules()),
        given_(given),
        results_(results) {
    const std::size_t bodies = at(x.bodies()), velocities = at(model.nv());
    for (auto* all : {&v, &v_in, &a, &a_in, &own_motion, &v_dot}) all->resize(bodies);
    for (auto* all : {&f, &own_force, &external}) all->resize(bodies);
    spin.resize(bodies), rest.resize(velocities), answer_.resize(velocities);
    this->template add<&DialProductSpace::compose>(Direction::gather);
    this->template add<&DialProductSpace::hand_down>(Direction::scatter);
    this->add_constraints();
    this->template add<&DialProductSpace::articulate>(Direction::gather);
    this->template add<&DialProductSpace::accelerate_state>(Direction::scatter);
    this->template add<&DialProductSpace::gather>(Direction::gather);
    this->template add<&DialProductSpace::finish_state>(Direction::scatter);
    this->rounds_.first = this->passes_.size();
  }

  void ask(const Asked& asked) override { this->rounds_.count = asked.directions; }
  void set(const State<S>& state) override {
    Base::set(state);
    forced = state.f_ext != nullptr;
    in = state.tau, out = state.result;
    x.state.tau = rest.data(), x.state.result = answer_.data();
  }
  void expect_external_forces() override {
    Base::expect_external_forces();
    maps.R.resize(this->modules().steps.size());
  }
  int idle_body(int lane) const override {
    for (const Node& node : x.nodes.nodes)
      if (const int i = inner::singular_body(x, articulated, node, lane); i >= 0) return x.model->whole_of(i);
    return Base::idle_body(lane);
  }
  std::size_t result_count() const override { return at(model.nv()) * at(this->rounds_.count) * at(results_); }
  Borders* borders() override { return nullptr; }  // no processes share out these passes
  std::size_t memory() const override {
    return Base::memory() + bytes_of(maps, forces_, system_, motions, forces, v, v_in, a, a_in, own_motion, v_dot, f,
                                     own_force, external, spin, rest, answer_);
  }

 protected:
  /// The passes that add M⁻¹ `rest` to accelerations, once `rest` is known and begin_answer has run at every step: a
  /// refinement of zero.
  void add_solution() {
    this->template add<&DialProductSpace::correct>(Direction::gather);
    this->template add<&DialProductSpace::accelerate>(Direction::scatter);
    this->template add<&DialProductSpace::close>(Direction::each);
  }
  /// The last pass of a round.
  void add_end() { this->template add<&DialProductSpace::turn_to_next>(Direction::once); }

  /// Each: what a refinement adds to is zero.
  void begin_answer(int step) {
    const Module& module = x.module_of_step(step);
    outwards(this->modules(), module, [&](int i) { articulated.a[at(i)] = {}; });
    for_joints(step, [&](int, const auto& subspace, int j) {
      std::fill_n(&answer_[at(j)], std::remove_cvref_t<decltype(subspace)>::freedoms, S(0));
    });
    if (module.cut < 0) return;
    const CutJoint& cut = this->modules().cuts[at(module.cut)];
    for (int r = 0; r < cut.rows; ++r) forces_.lambda[at(cut.lambda + r)] = S(0);
    forces_.kappa[at(module.cut)] = {};
  }
  /// Where a direction's solution is summed up: the accelerations of a tangent, M⁻¹ a_bar of a cotangent.
  S* sum() const { return out + (results_ - 1) * model.nv(); }
  /// rest: what is `asked` of joint i less what the force f through it gives, and the rotors at accelerations `sum`.
  template <class Subspace>
  void find_rest(int i, const Subspace& subspace, const S* asked, const Force<S>& force) {
    const int j = x.v_index(i);
    S felt[Subspace::freedoms];
    subspace.transpose_times(force, felt);
    for (int n = 0; n < Subspace::freedoms; ++n) {
      rest[at(j + n)] = asked[n] - felt[n];
      if (!x.rotors.empty()) rest[at(j + n)] -= x.rotors[at(j + n)] * sum()[j + n];
    }
  }

  /// Calls use(i, subspace, first velocity) for the joints of a step's module that move; with_joint for one.
  template <class Use>
  void for_joints(int step, Use&& use) {
    if (x.sweeps(step)) outwards(this->modules(), x.module_of_step(step), [&](int i) { with_joint(i, use); });
  }
  template <class Use>
  void with_joint(int i, Use&& use) {
    const int j = x.v_index(i);
    with_cut_subspace(x.type(i), &kinematics.columns[at(j)], [&](const auto& subspace) {
      if constexpr (std::remove_cvref_t<decltype(subspace)>::freedoms > 0) use(i, subspace, j);
    });
  }

  void gather(int step) { gather_forces(x, kinematics, maps, forces, own_force, step); }
  void hand(int step) { hand_forces(x, maps, forces, step); }

  VelocityScan<S> maps;
  MotionTrack<S> motions;
  ForceTrack<S> forces;
  bool forced = false;
  const S* in = nullptr;  ///< of the direction: arguments
  S* out = nullptr;       ///< results
  // of the state, over bodies
  std::vector<Motion<S>> v, v_in, a, a_in;  ///< `in`: before the joint adds its own
  std::vector<Force<S>> f, external;        ///< through the joint; external, where any acts
  std::vector<Spin<S>> spin;
  // of a direction, over bodies: what each adds to a scan; tangents of velocities, or F of cotangents
  std::vector<Motion<S>> own_motion, v_dot;
  std::vector<Force<S>> own_force;
  std::vector<S> rest;  ///< over velocities: a right-hand side

 private:
  void to_parent(int, int, Pieces&) override {}
  void to_child(int, int, Pieces&) override {}

  Dial<S> dial() { return {x, kinematics, articulated, forces_, system_}; }
  const Step& step_of(int step) const { return this->modules().steps[at(step)]; }

  void compose(int step) {
    inner::compose(x, kinematics, maps, step);
    constraint_bases(dial(), step);
  }
  void hand_down(int step) { inner::hand_down(x, kinematics, maps, step); }
  void articulate(int step) {
    articulate_modules(dial(), step);
    rake(dial(), step_of(step));
    if (x.sweeps(step)) take_state(step);
    compose_motions(x, kinematics, maps, motions, own_motion, step);
  }
  /// From now on the state stands still and nothing acts on it, as right-hand sides are solved.
  void take_state(int step) {
    outwards(this->modules(), x.module_of_step(step), [&](int i) {
      v[at(i)] = v_in[at(i)] = kinematics.v[at(i)], own_motion[at(i)] = kinematics.c[at(i)];
      kinematics.v[at(i)] = {};
      if (forced) external[at(i)] = kinematics.f[at(i)], kinematics.f[at(i)] = {};
    });
    for_joints(step, [&](int i, const auto& subspace, int j) {
      v_in[at(i)] = products_detail::less(v[at(i)], subspace, x.state.v + j);
      subspace.add(x.state.a + j, own_motion[at(i)]);
    });
  }
  void accelerate_state(int step) {
    hand_motions(x, kinematics, maps, motions, x.ground_acceleration, own_motion, a, step,
                 [&](int i, const Motion<S>& inboard) {
                   a_in[at(i)] = inboard;
                   own_force[at(i)] = own_force_with_spin(x.link[at(i)].I, v[at(i)], a[at(i)], spin[at(i)]);
                   if (forced) own_force[at(i)] -= external[at(i)];
                 });
  }
  void finish_state(int step) {
    hand(step);
    finish_forces(x, kinematics, forces, own_force, step, [&](int i, const Force<S>& through) { f[at(i)] = through; });
  }

  void correct(int step) {
    correct_modules(dial(), step);
    rake_residual(dial(), step_of(step));
  }
  void accelerate(int step) {
    close_group(dial(), RightSide::residual, step_of(step));
    accelerate_modules(dial(), RightSide::residual, step);
  }
  void close(int step) {
    close_joints(dial(), RightSide::residual, step);
    for_joints(step, [&](int, const auto& subspace, int j) {
      for (int n = 0; n < std::remove_cvref_t<decltype(subspace)>::freedoms; ++n) sum()[j + n] += answer_[at(j + n)];
    });
  }
  void turn_to_next(int) { in += given_ * model.nv(), out += results_ * model.nv(); }

  ModuleEquations<S> forces_;
  CutSystem<S> system_;
  int given_, results_;
  std::vector<S> answer_;  ///< over velocities
};

}  // namespace kinetree::inline inner
