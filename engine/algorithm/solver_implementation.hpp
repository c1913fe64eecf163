#pragma once
// Solver<S>, to be instantiated where a scalar is at home.

#include <kinetree/model.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "engine/algorithm/idle_motion.hpp"
#include "engine/algorithm/inverse_dynamics.hpp"
#include "engine/algorithm/mass_solve.hpp"
#include "engine/algorithm/multipliers.hpp"
#include "engine/algorithm/multipliers_choice.hpp"
#include "engine/algorithm/refinement.hpp"
#include "engine/algorithm/rest_start.hpp"
#include "engine/algorithm/solver.hpp"
#include "engine/algorithm/velocity_scan.hpp"
#include "engine/model/light_joints.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/make_modules.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

template <class S>
struct Solver<S>::Space {
  /// Whether passes may choose by numbers, as those of loops do.
  static constexpr bool may_choose = Numbers<S>::count == 1;

  /// `chosen`: over aggregates, those that go to multipliers; the passes sweep a model without them.
  Space(Model m, const Plan& p, std::shared_ptr<const Modules> parts, const std::vector<bool>& chosen)
      : whole(std::move(m)),
        model(chosen.empty() ? whole : without_aggregates(whole, chosen)),
        plan(p),
        modules(std::move(parts)),
        x(model.data(), *modules),
        kinematics(model.data()),
        light(light_joints(model.data(), 1e-4, modules->cut_of)) {
    if (!may_choose && (!chosen.empty() || has_loops(model.data())))
      throw std::logic_error("loops ask for kernels that take one state at a time");
    if constexpr (may_choose)
      if (!chosen.empty()) {
        multipliers.emplace(whole.data(), chosen);
        x.find_segments(multipliers->first_members());
      }
    if (plan.algorithm == Algorithm::crb) {
      inverse.emplace(model.data());
      composite.emplace(model.data());
      mass.emplace(model.data());
      force.resize(at(model.nv()));
      const auto entries = at(model.nv()) * at(model.nv());
      if (plan.factorization == Factorization::dense || has_aggregates(model.data())) dense.resize(entries);
      if (has_aggregates(model.data())) {
        loops.emplace(model.data());
        drift.resize(at(model.nv()));
        half.resize(entries);
        embedded.resize(entries);
        reduced.resize(at(model.nv()));
      }
      composite_passes();
    } else {
      articulated.emplace(model.data(), modules.get());
      if (modules->any_cut()) {
        scan.emplace(*modules);
        constraint.emplace(model.data(), *modules, plan.refinements > 0);
        system.emplace(*modules);
        dial_passes();
      } else {
        articulated_passes();
      }
    }
  }

  template <void (*kernel)(Space&, int)>
  static void call(void* space, int step) {
    kernel(*static_cast<Space*>(space), step);
  }
  template <void (*kernel)(Space&, int)>
  void add(Direction direction) {
    passes.push_back({direction, &call<kernel>});
  }

  // ---- articulated bodies -------------------------------------------------------------------------------------------
  static void ab_kinematics(Space& s, int step) { kinetree::kinematics(s.x, s.kinematics, step); }
  static void ab_articulate(Space& s, int step) { articulate(s.x, s.kinematics, *s.articulated, step); }
  static void ab_accelerate(Space& s, int step) { accelerate(s.x, s.kinematics, *s.articulated, step); }

  static void ab_embed(Space& s, int step) { embed(s.x, s.kinematics, s.articulated->aggregates, step); }

  static void ml_constrain(Space& s, int step) { constrain(s.x, s.kinematics, *s.multipliers, step); }
  static void ml_articulate(Space& s, int step) {
    articulate(s.x, s.kinematics, *s.articulated, step, [&](int i) {
      if (MultiplierGroup<S>* group = s.multipliers->closed_by(i))
        eliminate_multipliers(s.x, s.kinematics, *s.articulated, *group);
    });
  }
  static void ml_accelerate(Space& s, int step) {
    accelerate(s.x, s.kinematics, *s.articulated, step, [&](int i) {
      if (MultiplierGroup<S>* group = s.multipliers->closed_by(i)) apply_multipliers(s.x, *s.articulated, *group);
    });
  }

  void articulated_passes() {
    add<ab_kinematics>(Direction::scatter);
    if (has_loops(model.data())) add<ab_embed>(Direction::each);
    if constexpr (may_choose)
      if (multipliers) {
        add<ml_constrain>(Direction::each);
        add<ml_articulate>(Direction::gather);
        add<ml_accelerate>(Direction::scatter);
        return;
      }
    add<ab_articulate>(Direction::gather);
    add<ab_accelerate>(Direction::scatter);
  }

  // ---- constraint forces --------------------------------------------------------------------------------------------
  Dial<S> dial() { return {x, kinematics, *articulated, *constraint, *system}; }

  static void cf_compose(Space& s, int step) {
    compose(s.x, s.kinematics, *s.scan, step);
    constraint_bases(s.dial(), step);
  }
  static void cf_hand_down(Space& s, int step) { hand_down(s.x, s.kinematics, *s.scan, step); }
  static void cf_articulate(Space& s, int step) { articulate_modules(s.dial(), step); }
  static void cf_accelerate(Space& s, int step) { accelerate_modules(s.dial(), Round::first, step); }
  static void cf_close(Space& s, int step) { close_joints(s.dial(), Round::first, step); }
  static void cf_correct(Space& s, int step) { correct_modules(s.dial(), step); }
  static void cf_accelerate_again(Space& s, int step) { accelerate_modules(s.dial(), Round::refinement, step); }
  static void cf_close_again(Space& s, int step) { close_joints(s.dial(), Round::refinement, step); }

  static void cf_compose_rest(Space& s, int step) { compose_rest(s.dial(), *s.scan, step); }
  static void cf_accelerate_rest(Space& s, int step) { accelerate_rest(s.dial(), *s.scan, step); }
  static void cf_gather_rest(Space& s, int step) { gather_rest_forces(s.dial(), *s.scan, *s.rest, step); }
  static void cf_hand_rest(Space& s, int step) { hand_rest_forces(s.dial(), *s.scan, *s.rest, step); }
  static void cf_close_rest(Space& s, int step) { close_rest(s.dial(), *s.rest, step); }

  void dial_passes() {
    add<cf_compose>(Direction::gather);
    add<cf_hand_down>(Direction::scatter);
    if (has_loops(model.data())) add<ab_embed>(Direction::each);
    add<cf_articulate>(Direction::gather);
    int refinements = plan.refinements;
    if (plan.formulation == Formulation::literal) {
      rest.emplace(*modules);
      first_pass_of_tau = passes.size();
      add<cf_compose_rest>(Direction::gather);
      add<cf_accelerate_rest>(Direction::scatter);
      add<cf_gather_rest>(Direction::gather);
      add<cf_hand_rest>(Direction::scatter);
      add<cf_close_rest>(Direction::each);
      ++refinements;
    } else {
      add<cf_accelerate>(Direction::scatter);
      add<cf_close>(Direction::each);
    }
    for (int n = 0; n < refinements; ++n) {
      add<cf_correct>(Direction::gather);
      add<cf_accelerate_again>(Direction::scatter);
      add<cf_close_again>(Direction::each);
    }
  }

  // ---- composite bodies ---------------------------------------------------------------------------------------------
  static void crb_scatter(Space& s, int step) {
    kinetree::kinematics(s.x, s.kinematics, step);
    accelerations(s.x, s.kinematics, *s.inverse, step);
  }
  static void crb_gather(Space& s, int step) {
    joint_forces(s.x, s.kinematics, *s.inverse, s.force.data(), step);
    composite_inertias(s.x, s.kinematics, *s.composite, step);
  }
  static void crb_rows(Space& s, int step) {
    mass_rows(s.x, s.kinematics, *s.composite, *s.mass, step);
    outwards(*s.modules, s.x.module_of_step(step), [&](int i) {
      for (int r = s.x.v_index(i); r < s.x.v_index(i + 1); ++r) s.x.state.result[r] = s.x.state.tau[r] - s.force[at(r)];
    });
  }
  static void crb_sparse_gather(Space& s, int step) {
    sparse_factor(s.x, *s.mass, step);
    sparse_backward(s.x, *s.mass, s.x.state.result, step);
  }
  static void crb_sparse_scatter(Space& s, int step) { sparse_forward(s.x, *s.mass, s.x.state.result, step); }
  static void crb_dense(Space& s, int) {
    const int n = s.model.nv();
    dense_mass_matrix(s.x, *s.mass, s.dense.data(), n);
    ldl_factor(s.dense.data(), n);
    ldl_solve(s.dense.data(), n, s.x.state.result);
  }

  // with aggregates: accelerations start from a_S = g, the system is that of the independent coordinates, and dense
  static void crb_kinematics(Space& s, int step) { kinetree::kinematics(s.x, s.kinematics, step); }
  static void crb_accelerations(Space& s, int step) { accelerations(s.x, s.kinematics, *s.inverse, step); }
  static void crb_embed(Space& s, int step) {
    embed(s.x, s.kinematics, s.loops->aggregates, step);
    outwards(*s.modules, s.x.module_of_step(step), [&](int i) {
      if (!stands_for(s.model.data(), i)) return;
      const AggregateNode<S>& node = s.loops->aggregates.node[at(s.model.data().aggregate_of[at(i)])];
      for (std::size_t c = 0; c < node.velocity.size(); ++c) s.drift[at(node.velocity[c])] = node.map.g[c];
    });
  }
  static void crb_embedded_solve(Space& s, int) {
    const ModelData& m = s.model.data();
    const int n = s.model.nv();
    s.loops->velocities.find(m, s.loops->aggregates);
    dense_mass_matrix(s.x, *s.mass, s.dense.data(), n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) s.dense[at(j) * at(n) + at(i)] = s.dense[at(i) * at(n) + at(j)];
    embed_mass_matrix(s.loops->velocities, s.dense.data(), s.half.data(), s.embedded.data());
    const int k = static_cast<int>(s.loops->velocities.velocity.size());
    for (int r = 0; r < k; ++r) s.reduced[at(r)] = S(0);
    for (int v = 0; v < n; ++v)
      s.loops->velocities.row(v, [&](int r, const S& x) { s.reduced[at(r)] += x * s.x.state.result[v]; });
    ldl_factor(s.embedded.data(), k);
    ldl_solve(s.embedded.data(), k, s.reduced.data());
    for (int v = 0; v < n; ++v) {
      S sum = s.drift[at(v)];
      s.loops->velocities.row(v, [&](int r, const S& x) { sum += x * s.reduced[at(r)]; });
      s.x.state.result[v] = sum;
    }
  }

  /// A member of the aggregate that moves where nothing resists, in the last state; -1: none.
  int idle_member_of(int index) const {
    const Aggregate& a = model.data().aggregates[at(index)];
    if (articulated) {
      const AggregateNode<S>& node = articulated->aggregates.node[at(index)];
      return idle_member(FactorizedInertia<S>{node.D.data(), a.freedoms}, node, a, [](int r) { return r; });
    }
    if (!loops) return -1;
    const AggregateNode<S>& node = loops->aggregates.node[at(index)];
    return idle_member(FactorizedInertia<S>{embedded.data(), static_cast<int>(loops->velocities.velocity.size())}, node,
                       a, [&](int r) { return loops->velocities.place_of(node, r); });
  }

  /// The first of the light joints that moves where nothing resists, in the last state, as its body; -1: none.
  int idle_joint(int lane) const {
    if (light.empty()) return -1;
    // of a dense factor, base first, a pivot beyond the joint's own is the one that vanishes
    const bool filled = !articulated && !loops && plan.factorization == Factorization::dense;
    const auto whole_is = [&](const std::vector<S>& factor, std::size_t rows) {
      return moves_idly(FactorizedInertia<S>{factor.data(), static_cast<int>(rows), lane}, 0);
    };
    if (filled && whole_is(dense, at(model.nv()))) return light.front().body;
    if (!articulated && loops) return whole_is(embedded, loops->velocities.velocity.size()) ? light.front().body : -1;
    for (const LightJoint& joint : light) {
      const int i = joint.body, n = velocity_count(model.data().joint_type[at(i)]), v = model.data().v_index[at(i)];
      if (articulated) {
        if (moves_idly(FactorizedInertia<S>{&articulated->D[articulated->d_index[at(i)]], n, lane}, joint.carried))
          return i;
        continue;
      }
      for (int k = 0; k < n; ++k) {
        const S* pivot =
            filled ? &dense[at((v + k) * (model.nv() + 1))] : mass->at_row(v + k) + mass->before[at(i)] + k;
        if (moves_idly(FactorizedInertia<S>{pivot, 1, lane}, joint.carried)) return i;
      }
    }
    return -1;
  }

  void embedded_composite_passes() {
    x.state.a = drift.data();
    add<crb_kinematics>(Direction::scatter);
    add<crb_embed>(Direction::each);
    add<crb_accelerations>(Direction::scatter);
    add<crb_gather>(Direction::gather);
    add<crb_rows>(Direction::each);
    add<crb_embedded_solve>(Direction::once);
  }

  void composite_passes() {
    if (has_aggregates(model.data())) return embedded_composite_passes();
    add<crb_scatter>(Direction::scatter);
    add<crb_gather>(Direction::gather);
    add<crb_rows>(Direction::each);
    if (plan.factorization == Factorization::dense) {
      add<crb_dense>(Direction::once);
    } else {
      add<crb_sparse_gather>(Direction::gather);
      add<crb_sparse_scatter>(Direction::scatter);
    }
  }

  Model whole;  ///< as the user has it
  Model model;  ///< as the passes sweep it: without the aggregates that multipliers hold
  Plan plan;
  std::shared_ptr<const Modules> modules;
  Context<S> x;
  Kinematics<S> kinematics;
  std::vector<LightJoint> light;
  std::optional<Nodes<S>> articulated;
  std::optional<Multipliers<S>> multipliers;
  std::optional<VelocityScan<S>> scan;
  std::optional<ConstraintForce<S>> constraint;
  std::optional<CutSystem<S>> system;
  std::optional<RestStart<S>> rest;
  std::optional<InverseDynamics<S>> inverse;
  std::optional<CompositeBody<S>> composite;
  std::optional<MassMatrix<S>> mass;
  /// Of composite bodies where the model has aggregates.
  struct Loops {
    Aggregates<S> aggregates;
    IndependentVelocities<S> velocities;
    explicit Loops(const ModelData& m) : aggregates(m), velocities(m) {}
  };
  std::optional<Loops> loops;
  std::vector<S> dense, force, drift, half, embedded, reduced;
  std::vector<Pass> passes;
  std::size_t first_pass_of_tau = 0;
};

template <class S>
Solver<S>::Solver(Model model, const Plan& plan)
    : Solver(model, plan, std::make_shared<const Modules>(make_modules(model.data(), plan.modules))) {}
template <class S>
Solver<S>::Solver(Model model, const Plan& plan, std::shared_ptr<const Modules> modules)
    : space_(std::make_unique<Space>(
          model, plan, std::move(modules),
          plan.algorithm == Algorithm::ab ? multiplier_aggregates(model.data(), plan.loops) : std::vector<bool>{})) {}
template <class S>
Solver<S>::~Solver() = default;
template <class S>
Solver<S>::Solver(Solver&&) noexcept = default;
template <class S>
Solver<S>& Solver<S>::operator=(Solver&&) noexcept = default;

template <class S>
void Solver<S>::set(const State<S>& state) {
  Space& s = *space_;
  s.x.state = state;
  s.x.state.a = s.loops ? s.drift.data() : nullptr;
  if (state.f_ext) expect_external_forces();
}

template <class S>
void Solver<S>::expect_external_forces() {
  Space& s = *space_;
  s.kinematics.expect_external_forces();
  if (s.scan) s.scan->R.resize(s.modules->steps.size());
}

template <class S>
std::span<const Pass> Solver<S>::passes() const {
  return space_->passes;
}
template <class S>
std::size_t Solver<S>::first_pass_of_tau() const {
  return space_->first_pass_of_tau;
}
template <class S>
void* Solver<S>::space() {
  return space_.get();
}
template <class S>
int Solver<S>::step_count() const {
  return static_cast<int>(space_->modules->steps.size());
}
template <class S>
const Modules& Solver<S>::modules() const {
  return *space_->modules;
}

template <class S>
int Solver<S>::singular_aggregate(double* pivot) const {
  const Aggregates<S>* all =
      space_->articulated ? &space_->articulated->aggregates : (space_->loops ? &space_->loops->aggregates : nullptr);
  const int index = all ? kinetree::singular_aggregate(*all) : -1;
  if (index >= 0) {
    *pivot = all->node[at(index)].map.pivot;
    return space_->whole.data().aggregate_of[at(space_->model.data().aggregates[at(index)].bodies.front())];
  }
  return space_->multipliers ? kinetree::singular_aggregate(*space_->multipliers, pivot) : -1;
}

template <class S>
int Solver<S>::idle_body(int lane) const {
  const ModelData& m = space_->model.data();
  for (std::size_t k = 0; k < m.aggregates.size(); ++k)
    if (!m.aggregates[k].constant())  // couplings alone add positive numbers
      if (const int body = space_->idle_member_of(static_cast<int>(k)); body >= 0) return body;
  return space_->idle_joint(lane);
}

template <class S>
int Solver<S>::singular_body() const {
  const ModelData& m = space_->model.data();
  if (!space_->articulated) return idle_body(0);
  // the tip-most body at fault is the cause; what lies inboard only inherits it
  for (int i = space_->model.body_count() - 1; i >= 0; --i) {
    if (space_->modules->any_cut() && space_->modules->cut_of[at(i)] >= 0) continue;
    if (aggregate_of(m, i) >= 0) {
      if (const int body = space_->idle_member_of(aggregate_of(m, i)); body >= 0) return body;
    } else if (!positive(*space_->articulated, m, i)) {
      return i;
    }
  }
  return -1;
}

template <class S>
std::size_t Solver<S>::memory() const {
  const Space& s = *space_;
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t sum = bytes(s.x.link) + bytes(s.kinematics.X_up) + bytes(s.kinematics.columns) + bytes(s.kinematics.v) +
                    bytes(s.kinematics.c) + bytes(s.kinematics.R) + bytes(s.kinematics.f) + bytes(s.dense) +
                    bytes(s.force);
  if (s.articulated) {
    const auto& b = *s.articulated;
    sum += bytes(b.P_up) + bytes(b.z_up) + bytes(b.U) + bytes(b.D) + bytes(b.u) + bytes(b.a) + bytes(b.d_index);
  }
  if (s.constraint) {
    const auto& f = *s.constraint;
    sum += bytes(f.T) + bytes(f.Z) + bytes(f.LZ) + bytes(f.LT) + bytes(f.beta) + bytes(f.lambda) + bytes(f.P) +
           bytes(f.z) + bytes(f.omega) + bytes(f.epsilon) + bytes(f.x) + bytes(f.kappa) + bytes(f.f_up);
  }
  if (s.multipliers)
    for (const MultiplierGroup<S>& g : s.multipliers->group)
      sum += bytes(g.rows.K) + bytes(g.rows.k) + bytes(g.u) + bytes(g.y) + bytes(g.z) + bytes(g.B) + bytes(g.omega.A);
  if (s.scan) sum += bytes(s.scan->map) + bytes(s.scan->m) + bytes(s.scan->R);
  if (s.rest) sum += bytes(s.rest->total) + bytes(s.rest->through);
  if (s.system)
    sum += bytes(s.system->matrix) + bytes(s.system->vector) + bytes(s.system->factor) + bytes(s.system->lambda);
  if (s.inverse) sum += bytes(s.inverse->a) + bytes(s.inverse->f_up);
  if (s.composite) sum += bytes(s.composite->I) + bytes(s.composite->I_up);
  if (s.mass) sum += bytes(s.mass->entry) + bytes(s.mass->row) + bytes(s.mass->before);
  return sum;
}

}  // namespace kinetree::inline inner
