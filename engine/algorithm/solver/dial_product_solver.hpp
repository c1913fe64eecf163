#pragma once
// Products of the derivatives of forward dynamics through the dial: O(N) work, and O(log N) depth at grain 1 (the
// theory of sensitivities through constraint forces: Mukherjee, Bhalerao & Anderson 2007). Inverse dynamics and its
// tangents and cotangents are scans over modules; M⁻¹ is the dial's refinement, which takes any right-hand side through
// the factors that are kept. A right-hand side is what joint forces lack, so that it is solved again with what is left
// of it: rounding of joint forces, which M⁻¹ multiplies, is mended.

#include <algorithm>

#include "engine/algorithm/derivative_products.hpp"
#include "engine/algorithm/dial/product_scans.hpp"
#include "engine/algorithm/dial/refinement.hpp"
#include "engine/algorithm/dial/velocity_scan.hpp"
#include "engine/algorithm/solver/articulated_solver.hpp"

namespace kinetree::inline inner {

/// Function::forward_dynamics_tangent or _cotangent, as MassProductSolver has them; for modules that are cut, without
/// loops and couplings that depend on the state.
template <class S>
class DialProductSolver final : public ArticulatedSpace<S> {
 public:
  using Base = ArticulatedSpace<S>;
  using Base::articulated;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  DialProductSolver(Model m, std::shared_ptr<const Modules> parts, Function function, int refinements,
                    Packs<S> packs = {})
      : Base(std::move(m), std::move(parts), packs),
        velocity_scan_(this->modules()),
        forces_(*x.model, this->modules(), true),
        system_(this->modules()),
        scan_(*x.model, this->modules()),
        cotangents_(function == Function::forward_dynamics_cotangent),
        refinements_(refinements) {
    const std::size_t bodies = x.model->parent.size(), velocities = at(x.model->v_index.back());
    for (auto* all : {&v_, &v_in_, &a_, &a_in_, &own_motion_, &v_dot_, &a_dot_, &fixed_}) all->resize(bodies);
    for (auto* all : {&f_, &own_force_, &moved_, &turned_force_, &A_, &external_}) all->resize(bodies);
    for (auto* all : {&still_, &rest_, &answer_, &felt_force_}) all->resize(velocities);
    spin_.resize(bodies);
    this->template add<&DialProductSolver::compose>(Direction::gather);
    this->template add<&DialProductSolver::hand_down>(Direction::scatter);
    this->add_constraints();
    this->template add<&DialProductSolver::articulate>(Direction::gather);
    this->template add<&DialProductSolver::find>(Direction::once);
  }

  void ask(const Asked& asked) override { directions_ = asked.directions; }
  void set(const State<S>& state) override {
    Base::set(state);
    given_ = state.tau, result_ = state.result;
    x.state.tau = still_.data();
  }
  void expect_external_forces() override {
    Base::expect_external_forces();
    velocity_scan_.R.resize(this->modules().steps.size());
  }
  std::size_t result_count() const override { return at(model.nv()) * at(directions_) * (cotangents_ ? 3u : 1u); }
  Borders* borders() override { return nullptr; }  // no processes share out these passes
  std::size_t memory() const override {
    return Base::memory() + bytes_of(velocity_scan_, forces_, system_, scan_, v_, v_in_, a_, a_in_, own_motion_, v_dot_,
                                     a_dot_, fixed_, f_, own_force_, moved_, turned_force_, A_, still_, rest_, answer_,
                                     felt_force_, spin_, external_);
  }

 private:
  void to_parent(int, int, Pieces&) override {}
  void to_child(int, int, Pieces&) override {}

  Dial<S> dial() { return {x, kinematics, articulated, forces_, system_}; }

  void compose(int step) {
    inner::compose(x, kinematics, velocity_scan_, step);
    constraint_bases(dial(), step);
  }
  void hand_down(int step) { inner::hand_down(x, kinematics, velocity_scan_, step); }
  void articulate(int step) {
    articulate_modules(dial(), step);
    rake(dial(), this->modules().steps[at(step)]);
  }

  /// Calls use(i, subspace, first velocity) for the joints that move.
  template <class Use>
  void for_joints(Use&& use) {
    for (int i = 0; i < x.bodies(); ++i) {
      const int j = x.v_index(i);
      with_cut_subspace(x.type(i), &kinematics.columns[at(j)], [&](const auto& subspace) {
        if constexpr (std::remove_cvref_t<decltype(subspace)>::freedoms > 0) use(i, subspace, j);
      });
    }
  }
  template <class Use>
  void outwards_from(const Motion<S>& ground, std::vector<Motion<S>>& motion, Use&& use) {
    scan_outwards(x, kinematics, scan_, ground, own_motion_, motion, use);
  }
  template <class Use>
  void inwards_from(const std::vector<Force<S>>& own, Use&& use) {
    scan_inwards(x, kinematics, scan_, own, use);
  }

  /// Inverse dynamics of the state; then the state stands still and weighs nothing, as right-hand sides are solved.
  void find_state() {
    for (std::size_t o = 0; o < scan_.map.size(); ++o) scan_.map[o].X = velocity_scan_.map[o].X;
    forced_ = x.state.f_ext != nullptr;
    v_ = kinematics.v, v_in_ = v_, own_motion_ = kinematics.c;
    if (forced_) external_ = kinematics.f;
    for_joints([&](int i, const auto& subspace, int j) {
      v_in_[at(i)] = products_detail::less(v_[at(i)], subspace, x.state.v + j);
      subspace.add(x.state.a + j, own_motion_[at(i)]);
    });
    outwards_from(x.ground_acceleration, a_, [&](int i, const Motion<S>& in) {
      a_in_[at(i)] = in;
      own_force_[at(i)] = own_force_with_spin(x.link[at(i)].I, v_[at(i)], a_[at(i)], spin_[at(i)]);
      if (forced_) own_force_[at(i)] -= external_[at(i)];
    });
    inwards_from(own_force_, [&](int i, const Force<S>& f) { f_[at(i)] = f; });
    for (Motion<S>& m : kinematics.v) m = {};
    for (Motion<S>& m : kinematics.c) m = {};
    x.ground_acceleration = {};
    x.state.f_ext = nullptr;
    x.state.result = answer_.data();
  }

  /// out += M⁻¹ rest_, by the factors: a refinement of zero.
  void add_solution(S* out) {
    const auto clear = [](auto& all) {
      for (auto& one : all) one = {};
    };
    clear(articulated.a), clear(forces_.change), clear(forces_.lambda), clear(forces_.kappa);
    for (S& one : answer_) one = S(0);
    x.state.tau = rest_.data();
    steps_inwards(x, [&](int step) {
      correct_modules(dial(), step);
      rake_residual(dial(), this->modules().steps[at(step)]);
    });
    steps_outwards(x, [&](int step) {
      close_group(dial(), RightSide::residual, this->modules().steps[at(step)]);
      accelerate_modules(dial(), RightSide::residual, step);
    });
    steps_inwards(x, [&](int step) { close_joints(dial(), RightSide::residual, step); });
    for (std::size_t k = 0; k < answer_.size(); ++k) out[k] += answer_[k];
  }

  /// Tangents of velocities; of accelerations and joint forces all that joint accelerations have no part in.
  void begin_push(const S* dq, const S* dv) {
    using namespace products_detail;
    for_joints([&](int i, const auto& subspace, int j) {
      using Subspace = std::remove_cvref_t<decltype(subspace)>;
      const S *rate = x.state.v + j, *a = x.state.a + j;
      Motion<S> own = subspace.cross_product(v_in_[at(i)], dq + j);
      Motion<S> of_a = subspace.cross_product(a_in_[at(i)], dq + j);
      subspace.add(dv + j, own);
      of_a += subspace.cross_product(v_[at(i)], dv + j);
      for (int n = 0; n < Subspace::freedoms; ++n) felt_force_[at(j + n)] = S(0);
      if constexpr (moves<Subspace>) {
        Motion<S> change[Subspace::freedoms], y{};
        change_of_columns(subspace, dq + j, change);
        for (int n = 0; n < Subspace::freedoms; ++n) {
          y += rate[n] * change[n];
          of_a += a[n] * change[n];
          felt_force_[at(j + n)] = dot(change[n], f_[at(i)]);
        }
        own += y;
        of_a += cross(v_[at(i)], y) + change_of_bias(subspace, change, rate, dv + j);
      }
      own_motion_[at(i)] = own, fixed_[at(i)] = of_a;
      moved_[at(i)] = cross_joint(subspace, dq + j, f_[at(i)]);
    });
    outwards_from(Motion<S>{}, v_dot_, [](int, const Motion<S>&) {});
    for_joints([&](int i, const auto& subspace, int j) {
      fixed_[at(i)] += subspace.cross_product(v_dot_[at(i)], x.state.v + j);
    });
    if (!forced_) return;
    for_joints([&](int i, const auto& subspace, int j) { own_motion_[at(i)] = times(subspace, dq + j); });
    outwards_from(Motion<S>{}, a_dot_, [](int, const Motion<S>&) {});
    for (int i = 0; i < x.bodies(); ++i)
      turned_force_[at(i)] = change_of_external(external_[at(i)], x.link[at(i)].origin, a_dot_[at(i)].angular);
  }
  /// rest_ = dtau less what inverse dynamics changes by.
  void find_rest_of_push(const S* dtau, const S* da) {
    using namespace products_detail;
    own_motion_ = fixed_;
    for_joints([&](int i, const auto& subspace, int j) { subspace.add(da + j, own_motion_[at(i)]); });
    outwards_from(Motion<S>{}, a_dot_, [&](int i, const Motion<S>&) {
      Force<S> f = own_force_tangent(x.link[at(i)].I, v_[at(i)], spin_[at(i)], v_dot_[at(i)], a_dot_[at(i)]);
      if (forced_) f -= turned_force_[at(i)];
      own_force_[at(i)] = f + moved_[at(i)];
    });
    inwards_from(own_force_, [&](int i, const Force<S>& f) { A_[at(i)] = f - moved_[at(i)]; });
    for_joints([&](int i, const auto& subspace, int j) {
      constexpr int freedoms = std::remove_cvref_t<decltype(subspace)>::freedoms;
      S felt[freedoms];
      subspace.transpose_times(A_[at(i)], felt);
      for (int n = 0; n < freedoms; ++n) {
        rest_[at(j + n)] = dtau[j + n] - (felt[n] + felt_force_[at(j + n)]);
        if (!x.rotors.empty()) rest_[at(j + n)] -= x.rotors[at(j + n)] * da[j + n];
      }
    });
  }
  void push(const S* in, S* out) {
    const std::ptrdiff_t n = model.nv();
    std::fill_n(out, n, S(0));
    begin_push(in, in + n);
    for (int k = 0; k <= refinements_; ++k) {
      find_rest_of_push(in + 2 * n, out);
      add_solution(out);
    }
  }

  /// F, the bodies' velocities for joint rates w, to v_dot_; the forces A that these as accelerations ask for.
  void find_forces(const S* w) {
    for_joints(
        [&](int i, const auto& subspace, int j) { own_motion_[at(i)] = products_detail::times(subspace, w + j); });
    outwards_from(Motion<S>{}, v_dot_,
                  [&](int i, const Motion<S>&) { own_force_[at(i)] = x.link[at(i)].I * v_dot_[at(i)]; });
    inwards_from(own_force_, [&](int i, const Force<S>& f) { A_[at(i)] = f; });
  }
  void find_rest_of_pull(const S* a_bar, const S* w) {
    find_forces(w);
    for_joints([&](int i, const auto& subspace, int j) {
      constexpr int freedoms = std::remove_cvref_t<decltype(subspace)>::freedoms;
      S felt[freedoms];
      subspace.transpose_times(A_[at(i)], felt);
      for (int n = 0; n < freedoms; ++n) {
        rest_[at(j + n)] = a_bar[j + n] - felt[n];
        if (!x.rotors.empty()) rest_[at(j + n)] -= x.rotors[at(j + n)] * w[j + n];
      }
    });
  }
  void pull(const S* a_bar, S* out) {
    using namespace products_detail;
    const std::ptrdiff_t n = model.nv();
    S *q_bar = out, *v_bar = out + n, *w = out + 2 * n;
    std::fill_n(w, n, S(0));
    std::copy_n(a_bar, n, rest_.begin());
    add_solution(w);
    for (int k = 0; k < refinements_; ++k) {
      find_rest_of_pull(a_bar, w);
      add_solution(w);
    }
    find_forces(w);
    for (int i = 0; i < x.bodies(); ++i) {
      own_force_[at(i)] =
          velocity_cotangent(x.link[at(i)].I, v_[at(i)], spin_[at(i)], v_dot_[at(i)], x.link[at(i)].I * v_dot_[at(i)]);
    }
    for_joints([&](int i, const auto& subspace, int j) {
      own_force_[at(i)] += cross_joint(subspace, x.state.v + j, A_[at(i)]);
    });
    inwards_from(own_force_, [&](int i, const Force<S>& f) { moved_[at(i)] = f; });  // V
    if (forced_) {
      for (int i = 0; i < x.bodies(); ++i)
        own_force_[at(i)] = {turn_of_external(external_[at(i)], x.link[at(i)].origin, v_dot_[at(i)]), {}};
      inwards_from(own_force_, [&](int i, const Force<S>& f) { turned_force_[at(i)] = f; });
    }
    for_joints([&](int i, const auto& subspace, int j) { put_cotangents(i, subspace, j, w, q_bar, v_bar); });
  }
  /// Once F, A and V are known.
  template <class Subspace>
  void put_cotangents(int i, const Subspace& subspace, int j, const S* w, S* q_bar, S* v_bar) {
    constexpr int n = Subspace::freedoms;
    S q[n], of_v[n];
    products_detail::cotangents_at_joint(subspace, v_[at(i)], v_in_[at(i)], a_in_[at(i)], v_dot_[at(i)], x.state.v + j,
                                         x.state.a + j, w + j, A_[at(i)], moved_[at(i)], f_[at(i)],
                                         forced_ ? &turned_force_[at(i)].moment : nullptr, q, of_v);
    for (int c = 0; c < n; ++c) q_bar[j + c] = -q[c], v_bar[j + c] = -of_v[c];
  }

  void find(int) {
    const std::ptrdiff_t n = model.nv();
    const Motion<S> gravity = x.ground_acceleration;
    find_state();
    for (std::ptrdiff_t k = 0; k < directions_; ++k)
      cotangents_ ? pull(given_ + n * k, result_ + 3 * n * k) : push(given_ + 3 * n * k, result_ + n * k);
    x.ground_acceleration = gravity;
  }

  VelocityScan<S> velocity_scan_;
  ModuleEquations<S> forces_;
  CutSystem<S> system_;
  ProductScans<S> scan_;
  bool cotangents_, forced_ = false;
  int refinements_, directions_ = 0;
  const S* given_ = nullptr;
  S* result_ = nullptr;
  // of the state, over bodies
  std::vector<Motion<S>> v_, v_in_, a_, a_in_;  ///< `in`: before the joint adds its own
  std::vector<Force<S>> f_, external_;          ///< through the joint; external, where any acts
  std::vector<Spin<S>> spin_;
  // of a direction, over bodies
  std::vector<Motion<S>> own_motion_, v_dot_, a_dot_;  ///< v_dot_: F of cotangents
  std::vector<Motion<S>> fixed_;                       ///< what joints add to tangents of accelerations, less S da
  std::vector<Force<S>> own_force_, A_;
  std::vector<Force<S>> moved_;  ///< what the parent feels of the joint's displacement; V of cotangents
  std::vector<Force<S>> turned_force_;
  // over velocities
  std::vector<S> still_, rest_, answer_, felt_force_;
};

}  // namespace kinetree::inline inner
