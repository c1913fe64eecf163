#pragma once
// The dial over a model's modules: articulated bodies inside, constraint forces between, then refinements.

#include "engine/algorithm/dial/refinement.hpp"
#include "engine/algorithm/dial/rest_start.hpp"
#include "engine/algorithm/dial/velocity_scan.hpp"
#include "engine/algorithm/solver/articulated_solver.hpp"

namespace kinetree::inline inner {

template <class S>
class DialSolver final : public ArticulatedSpace<S> {
 public:
  using Base = ArticulatedSpace<S>;
  using Base::articulated;
  using Base::kinematics;
  using Base::x;

  DialSolver(Model m, const Method& method, std::shared_ptr<const Modules> parts, Packs<S> packs)
      : Base(std::move(m), std::move(parts), packs),
        scan_(this->modules()),
        forces_(*x.model, this->modules(), method.refinements > 0),
        system_(this->modules()) {
    this->template add<&DialSolver::compose>(Direction::gather, Pass::compose);
    this->template add<&DialSolver::hand_down>(Direction::scatter, Pass::articulate);
    this->add_constraints();
    this->template add<&DialSolver::articulate>(Direction::gather, Pass::articulate);
    int left = method.refinements;
    if (method.formulation == Formulation::literal) {
      rest_ = RestStart<S>(this->modules(), articulated);
      this->rounds_.first = this->passes_.size();
      this->template add<&DialSolver::compose_rest>(Direction::gather);
      this->template add<&DialSolver::accelerate_rest>(Direction::scatter);
      this->template add<&DialSolver::gather_rest>(Direction::gather);
      this->template add<&DialSolver::hand_rest>(Direction::scatter);
      this->template add<&DialSolver::close_rest>(Direction::each);
      ++left;
    } else {
      this->template add<&DialSolver::accelerate<RightSide::problem>>(Direction::scatter, Pass::accelerate);
      add_close<RightSide::problem>(Pass::close, left == 0);
    }
    while (left-- > 0) {
      this->template add<&DialSolver::correct>(Direction::gather, Pass::correct);
      this->template add<&DialSolver::accelerate<RightSide::residual>>(Direction::scatter, Pass::accelerate_again);
      add_close<RightSide::residual>(Pass::close_again, left == 0);
    }
  }

  void expect_external_forces() override {
    Base::expect_external_forces();
    scan_.R.resize(this->modules().steps.size());
  }

  std::size_t memory() const override { return Base::memory() + bytes_of(scan_, forces_, system_, rest_); }

 private:
  // states in lanes have no borders: what is asked of them there is not compiled
  void to_parent(int pass, int step, Pieces& pieces) override {
    if constexpr (may_choose<S>) add_to_parent(pass, step, pieces);
  }
  void to_child(int pass, int step, Pieces& pieces) override {
    if constexpr (may_choose<S>) add_to_child(pass, step, pieces);
  }

  void add_to_parent(int pass, int step, Pieces& pieces) {
    const Step& s = this->modules().steps[at(step)];
    const bool merged = is_merged(this->modules(), s);
    if (this->phase_of(pass) == Pass::compose) {
      // what crosses is a merge's lower step, whose base's own map is unused
      if (merged) add_piece(scan_.map, at(s.first_boundary + 1), at(s.last_boundary - s.first_boundary - 1), pieces);
      return;
    }
    const bool inertia = this->phase_of(pass) == Pass::articulate;
    if (merged) {
      if (inertia) add_piece(system_.matrix, s.matrix, at(s.size * s.size), pieces);
      return add_piece(system_.vector, s.vector, at(s.size), pieces);
    }
    this->add_contribution(step, inertia, pieces);
    if (!inertia && s.closes < 0) add_piece(forces_.f_up, at(this->base_of(step)), 1, pieces);
  }

  void add_to_child(int pass, int step, Pieces& pieces) {
    const Modules& m = this->modules();
    const Step& s = m.steps[at(step)];
    const bool merged = is_merged(m, s), velocities = this->phase_of(pass) == Pass::articulate;
    if (!merged && velocities) return this->add_parent_velocity(step, pieces);
    if (!merged) return add_piece(last_of(pass), at(this->parent_of(step)), 1, pieces);
    if (velocities) {
      const Step& merge = m.steps[at(s.parent)];
      add_piece(scan_.m, at(s.parent), 1, pieces);
      if (x.state.f_ext != nullptr) add_piece(scan_.R, at(s.parent), 1, pieces);
      if (merge.lower == step)
        add_piece(scan_.map, at(static_cast<int>(&map_to_merged(m, scan_, merge) - scan_.map.data())), 1, pieces);
      return;
    }
    for (int o = s.first_boundary; o < s.last_boundary; ++o) {
      const CutJoint& cut = m.cuts[at(m.boundary[at(o)])];
      add_piece(system_.lambda, at(cut.lambda), at(cut.rows), pieces);
    }
  }

  void to_outboard(int pass, int cut, Pieces& pieces) override {
    if (!closes(pass)) return;
    const std::size_t inboard = at(x.parent(this->modules().cuts[at(cut)].body));
    add_piece(articulated.a, inboard, 1, pieces);
    if (side_of(pass) == RightSide::residual) add_piece(forces_.change, inboard, 1, pieces);
  }

  void to_inboard(int pass, int cut, Pieces& pieces) override {
    const CutJoint& joint = this->modules().cuts[at(cut)];
    const bool refined = at(pass) + 1 < this->passes_.size();
    if (closes(pass) && refined) add_piece(forces_.lambda, at(joint.lambda), at(joint.rows), pieces);
  }

  void find_joint(int cut) override {
    const CutJoint& joint = this->modules().cuts[at(cut)];
    joint_kernel(x, kinematics, joint.body);
    constraint_basis(dial(), joint);
  }

  bool closes(int pass) const {
    return this->phase_of(pass) == Pass::close || this->phase_of(pass) == Pass::close_again;
  }
  /// Of a pass that accelerates or closes.
  RightSide side_of(int pass) const {
    return this->phase_of(pass) >= Pass::correct ? RightSide::residual : RightSide::problem;
  }
  std::vector<Motion<S>>& last_of(int pass) { return last_accelerations(dial(), side_of(pass)); }

  Dial<S> dial() { return {x, kinematics, articulated, forces_, system_}; }

  /// `last`: no refinement follows.
  template <RightSide side>
  void add_close(Pass::Phase phase, bool last) {
    if (last)
      this->template add<&DialSolver::close<side, true>>(Direction::each, phase);
    else
      this->template add<&DialSolver::close<side, false>>(Direction::each, phase);
  }

  /// The pack that a step sweeps; null: it sweeps other nodes, or none.
  LaneParts<S>* pack_of(int step) const {
    if (articulated.lanes.empty() || x.nodes.nodes_of(step).empty()) return nullptr;
    const Node& node = x.nodes.nodes_of(step).front();
    return node.kind == Node::Kind::pack ? articulated.lanes[at(node.index)].get() : nullptr;
  }

  /// Whether a step's motion is found by maps: not that of a module without cut joints, quicker found with positions.
  bool is_mapped(int step) const {
    if (!x.sweeps(step) || is_merged(this->modules(), this->modules().steps[at(step)])) return true;
    const Module& module = x.module_of_step(step);
    return module.cut >= 0 || module.columns > 0;
  }

  void compose(int step) {
    if (LaneParts<S>* pack = pack_of(step)) return pack->compose(dial(), scan_, step);
    if (!is_mapped(step)) return;
    inner::compose(x, kinematics, scan_, step);
    constraint_bases(dial(), step);
  }
  void hand_down(int step) {
    if (LaneParts<S>* pack = pack_of(step)) return pack->hand_down(dial(), scan_, step);
    is_mapped(step) ? inner::hand_down(x, kinematics, scan_, step) : inner::kinematics(x, kinematics, step);
  }
  void articulate(int step) {
    LaneParts<S>* pack = pack_of(step);
    pack != nullptr ? pack->articulate(dial(), step) : articulate_modules(dial(), step);
    rake(dial(), this->modules().steps[at(step)]);
  }
  template <RightSide side>
  void accelerate(int step) {
    close_group(dial(), side, this->modules().steps[at(step)]);
    LaneParts<S>* pack = pack_of(step);
    pack != nullptr ? pack->accelerate(dial(), side, step) : accelerate_modules(dial(), side, step);
  }
  template <RightSide side, bool last>
  void close(int step) {
    LaneParts<S>* pack = pack_of(step);
    pack != nullptr ? pack->close(dial(), side, step, last) : close_joints(dial(), side, step);
  }
  void correct(int step) {
    LaneParts<S>* pack = pack_of(step);
    pack != nullptr ? pack->correct(dial(), step) : correct_modules(dial(), step);
    rake_residual(dial(), this->modules().steps[at(step)]);
  }

  void compose_rest(int step) { inner::compose_rest(dial(), scan_, rest_, step); }
  void accelerate_rest(int step) { inner::accelerate_rest(dial(), scan_, rest_, step); }
  void gather_rest(int step) { gather_rest_forces(dial(), scan_, rest_, step); }
  void hand_rest(int step) { hand_rest_forces(dial(), scan_, rest_, step); }
  void close_rest(int step) { inner::close_rest(dial(), rest_, step); }

  VelocityScan<S> scan_;
  ModuleEquations<S> forces_;
  CutSystem<S> system_;
  RestStart<S> rest_;  ///< of literal methods alone
};

}  // namespace kinetree::inline inner
