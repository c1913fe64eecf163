#pragma once
// Tangents and cotangents of forward dynamics through the dial, as lists of passes.

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "engine/algorithm/solver/dial_product_space.hpp"

namespace kinetree::inline inner {

/// Function::forward_dynamics_tangent, as MassProductSolver has it.
template <class S>
class DialPushSolver final : public DialProductSpace<S> {
 public:
  using Base = DialProductSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  DialPushSolver(Model m, std::shared_ptr<const Modules> parts, int refinements)
      : Base(std::move(m), std::move(parts), 3, 1) {
    const std::size_t bodies = at(x.bodies());
    a_dot_.resize(bodies), fixed_.resize(bodies), moved_.resize(bodies), felt_.resize(at(model.nv()));
    this->template add<&DialPushSolver::begin>(Direction::gather);
    this->template add<&DialPushSolver::hand_velocities>(Direction::scatter);
    for (int k = 0; k <= refinements; ++k) {
      this->template add<&DialPushSolver::compose_accelerations>(Direction::gather);
      this->template add<&DialPushSolver::hand_accelerations>(Direction::scatter);
      this->template add<&DialPushSolver::gather>(Direction::gather);
      this->template add<&DialPushSolver::hand>(Direction::scatter);
      this->template add<&DialPushSolver::find_rest_of_push>(Direction::each);
      this->add_solution();
    }
    this->add_end();
  }
  void expect_external_forces() override {
    Base::expect_external_forces();
    if (!own_turn_.empty()) return;
    turns_ = MotionTrack<S>(this->modules());
    own_turn_.resize(a_dot_.size()), turned_.resize(a_dot_.size()), turned_force_.resize(a_dot_.size());
  }
  std::size_t memory() const override {
    return Base::memory() + bytes_of(a_dot_, fixed_, moved_, felt_, turns_, own_turn_, turned_, turned_force_);
  }

 private:
  using Base::external, Base::forced, Base::in, Base::maps, Base::motions, Base::own_force, Base::own_motion, Base::out,
      Base::v, Base::v_dot;

  /// What joints add to tangents of velocities; of accelerations and joint forces all that joint accelerations have no
  /// part in.
  void begin(int step) {
    const S *dq = in, *dv = in + model.nv();
    this->for_joints(step, [&](int i, const auto& subspace, int j) {
      constexpr int freedoms = std::remove_cvref_t<decltype(subspace)>::freedoms;
      own_motion[at(i)] = fixed_[at(i)] = {};
      add_tangents_at_joint(subspace, v[at(i)], this->v_in[at(i)], this->a_in[at(i)], x.state.v + j, x.state.a + j,
                            dq + j, dv + j, own_motion[at(i)], fixed_[at(i)]);
      for (int n = 0; n < freedoms; ++n) felt_[at(j + n)] = out[j + n] = S(0);
      moved_[at(i)] = displaced_force(this->f[at(i)], subspace, dq + j, &felt_[at(j)]);
      if (forced) own_turn_[at(i)] = products_detail::times(subspace, dq + j);
    });
    compose_motions(x, kinematics, maps, motions, own_motion, step);
    if (forced) compose_motions(x, kinematics, maps, turns_, own_turn_, step);
  }
  void hand_velocities(int step) {
    hand_motions(x, kinematics, maps, motions, {}, own_motion, v_dot, step, [&](int body, const Motion<S>&) {
      this->with_joint(body, [&](int i, const auto& subspace, int j) {
        fixed_[at(i)] += subspace.cross_product(v_dot[at(i)], x.state.v + j);
      });
    });
    if (!forced) return;
    hand_motions(x, kinematics, maps, turns_, {}, own_turn_, turned_, step, [&](int i, const Motion<S>&) {
      turned_force_[at(i)] =
          products_detail::change_of_external(external[at(i)], x.link[at(i)].origin, turned_[at(i)].angular);
    });
  }
  void compose_accelerations(int step) {
    this->for_joints(step, [&](int i, const auto& subspace, int j) {
      own_motion[at(i)] = fixed_[at(i)];
      subspace.add(out + j, own_motion[at(i)]);
    });
    compose_motions(x, kinematics, maps, motions, own_motion, step);
  }
  void hand_accelerations(int step) {
    hand_motions(x, kinematics, maps, motions, {}, own_motion, a_dot_, step, [&](int i, const Motion<S>&) {
      Force<S> own =
          products_detail::own_force_tangent(x.link[at(i)].I, v[at(i)], this->spin[at(i)], v_dot[at(i)], a_dot_[at(i)]);
      if (forced) own -= turned_force_[at(i)];
      own_force[at(i)] = own + moved_[at(i)];
    });
  }
  /// dtau less what inverse dynamics changes by.
  void find_rest_of_push(int step) {
    const S* dtau = in + 2 * model.nv();
    finish_forces(x, kinematics, this->forces, own_force, step, [&](int body, const Force<S>& through) {
      this->with_joint(body, [&](int i, const auto& subspace, int j) {
        S asked[std::remove_cvref_t<decltype(subspace)>::freedoms];
        for (std::size_t n = 0; n < std::size(asked); ++n) asked[n] = dtau[at(j) + n] - felt_[at(j) + n];
        this->find_rest(i, subspace, asked, through - moved_[at(i)]);
      });
    });
    if (x.sweeps(step)) this->begin_answer(step);
  }

  std::vector<Motion<S>> a_dot_, fixed_;  ///< fixed: what joints add to tangents of accelerations, less S da
  std::vector<Force<S>> moved_;           ///< what the parent feels of the joint's displacement
  std::vector<S> felt_;                   ///< what the joint's forces feel of it
  // where external forces act: the body's displacement, and what that changes
  MotionTrack<S> turns_;
  std::vector<Motion<S>> own_turn_, turned_;
  std::vector<Force<S>> turned_force_;
};

/// Function::forward_dynamics_cotangent.
template <class S>
class DialPullSolver final : public DialProductSpace<S> {
 public:
  using Base = DialProductSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  DialPullSolver(Model m, std::shared_ptr<const Modules> parts, int refinements)
      : Base(std::move(m), std::move(parts), 1, 3), A_(at(x.bodies())) {
    this->template add<&DialPullSolver::begin>(Direction::each);
    this->add_solution();
    for (int k = 0; k <= refinements; ++k) {
      this->template add<&DialPullSolver::compose_velocities>(Direction::gather);
      this->template add<&DialPullSolver::hand_velocities>(Direction::scatter);
      this->template add<&DialPullSolver::gather>(Direction::gather);
      if (k == refinements) break;
      this->template add<&DialPullSolver::hand>(Direction::scatter);
      this->template add<&DialPullSolver::find_rest_of_pull>(Direction::each);
      this->add_solution();
    }
    this->template add<&DialPullSolver::finish_forces_of_pull>(Direction::scatter);
    this->template add<&DialPullSolver::gather_cotangents>(Direction::gather);
    this->template add<&DialPullSolver::put_cotangents>(Direction::scatter);
    this->add_end();
  }
  void expect_external_forces() override {
    Base::expect_external_forces();
    if (!own_turn_.empty()) return;
    turns_ = ForceTrack<S>(this->modules(), A_.size());
    own_turn_.resize(A_.size()), turned_.resize(A_.size());
  }
  std::size_t memory() const override { return Base::memory() + bytes_of(A_, turns_, own_turn_, turned_); }

 private:
  using Base::external, Base::forced, Base::in, Base::maps, Base::own_force, Base::own_motion, Base::out, Base::v,
      Base::v_dot;

  void begin(int step) {
    this->for_joints(step, [&](int, const auto& subspace, int j) {
      constexpr int freedoms = std::remove_cvref_t<decltype(subspace)>::freedoms;
      std::copy_n(in + j, freedoms, &this->rest[at(j)]);
      std::fill_n(this->sum() + j, freedoms, S(0));
    });
    if (x.sweeps(step)) this->begin_answer(step);
  }
  /// F, the bodies' velocities for joint rates w; the forces that these as accelerations ask for.
  void compose_velocities(int step) {
    this->for_joints(step, [&](int i, const auto& subspace, int j) {
      own_motion[at(i)] = products_detail::times(subspace, this->sum() + j);
    });
    compose_motions(x, kinematics, maps, this->motions, own_motion, step);
  }
  void hand_velocities(int step) {
    hand_motions(x, kinematics, maps, this->motions, {}, own_motion, v_dot, step,
                 [&](int i, const Motion<S>&) { own_force[at(i)] = x.link[at(i)].I * v_dot[at(i)]; });
  }
  /// a_bar less what M w is so far.
  void find_rest_of_pull(int step) {
    finish_forces(x, kinematics, this->forces, own_force, step, [&](int body, const Force<S>& through) {
      this->with_joint(body,
                       [&](int i, const auto& subspace, int j) { this->find_rest(i, subspace, in + j, through); });
    });
    if (x.sweeps(step)) this->begin_answer(step);
  }
  /// A, and what the body's own V is.
  void finish_forces_of_pull(int step) {
    using namespace products_detail;
    this->hand(step);
    finish_forces(x, kinematics, this->forces, own_force, step, [&](int body, const Force<S>& through) {
      Force<S>& own = own_force[at(body)];
      A_[at(body)] = through;
      own = velocity_cotangent(x.link[at(body)].I, v[at(body)], this->spin[at(body)], v_dot[at(body)], own);
      if (forced)
        own_turn_[at(body)] = {turn_of_external(external[at(body)], x.link[at(body)].origin, v_dot[at(body)]), {}};
      this->with_joint(body,
                       [&](int, const auto& subspace, int j) { own += cross_joint(subspace, x.state.v + j, through); });
    });
  }
  void gather_cotangents(int step) {
    this->gather(step);
    if (forced) gather_forces(x, kinematics, maps, turns_, own_turn_, step);
  }
  void put_cotangents(int step) {
    if (forced) {
      hand_forces(x, maps, turns_, step);
      finish_forces(x, kinematics, turns_, own_turn_, step,
                    [&](int i, const Force<S>& turn) { turned_[at(i)] = turn.moment; });
    }
    this->hand(step);
    finish_forces(x, kinematics, this->forces, own_force, step, [&](int body, const Force<S>& V) {
      this->with_joint(body, [&](int i, const auto& subspace, int j) { put_at_joint(i, subspace, j, V); });
    });
  }
  template <class Subspace>
  void put_at_joint(int i, const Subspace& subspace, int j, const Force<S>& V) {
    constexpr int n = Subspace::freedoms;
    S q[n], of_v[n];
    products_detail::cotangents_at_joint(subspace, v[at(i)], this->v_in[at(i)], this->a_in[at(i)], v_dot[at(i)],
                                         x.state.v + j, x.state.a + j, this->sum() + j, A_[at(i)], V, this->f[at(i)],
                                         forced ? &turned_[at(i)] : nullptr, q, of_v);
    for (int c = 0; c < n; ++c) out[j + c] = -q[c], out[model.nv() + j + c] = -of_v[c];
  }

  std::vector<Force<S>> A_;
  // where external forces act: cotangents of turns
  ForceTrack<S> turns_;
  std::vector<Force<S>> own_turn_;
  std::vector<Vector3<S>> turned_;
};

/// Function::forward_dynamics_tangent or _cotangent, for modules that are cut.
template <class S>
std::unique_ptr<Solver<S>> make_dial_product_solver(const Model& model, const Method& method,
                                                    std::shared_ptr<const Modules> modules) {
  if (method.function == Function::forward_dynamics_cotangent)
    return std::make_unique<DialPullSolver<S>>(model, std::move(modules), method.refinements);
  return std::make_unique<DialPushSolver<S>>(model, std::move(modules), method.refinements);
}

}  // namespace kinetree::inline inner
