#pragma once
// LaneSolver of one state whose tails are cut in modules that go side by side: the dial, with nothing cut elsewhere.

#include <numeric>

#include "engine/algorithm/lanes/parted_solver.hpp"
#include "engine/algorithm/lanes/tail_sweep.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// Steps: a tail's packs, then its junction, tail after tail; then the rest of the tree, which they hang from.
template <class T, class One, class Many>
class TailSolver final : public PartedSolver<T, One, TailSweep<Many, One>> {
 public:
  explicit TailSolver(const lanes::Order& order)
      : Parted(order.model->data(), modules_of(order.model->data(), *order.tails), nodes_of(*order.tails)),
        f_(*x_.model, modules_, order.plan->refinements > 0),
        e_(modules_) {
    for (const Tail& tail : order.tails->tails) {
      const int index = static_cast<int>(sweeps_.size());
      sweeps_.emplace_back(*x_.model, tail, order.plan->refinements > 0);
      for (int pack = 0; pack < tail.packs; ++pack) part_.push_back({index, pack});
      part_.push_back({index, -1});
    }
    const int refinements = order.plan->refinements;
    add<&TailSolver::compose>(Direction::gather);
    add<&TailSolver::kinematics>(Direction::scatter);
    add<&TailSolver::articulate>(Direction::gather);
    add<&TailSolver::accelerate<RightSide::problem>>(Direction::scatter);
    add_close<RightSide::problem>(refinements == 0);
    for (int n = 1; n <= refinements; ++n) {
      add<&TailSolver::correct>(Direction::gather);
      add<&TailSolver::accelerate<RightSide::residual>>(Direction::scatter);
      add_close<RightSide::residual>(n == refinements);
    }
  }

  void* space() override { return this; }

 private:
  using Sweep = TailSweep<Many, One>;
  using Parted = PartedSolver<T, One, Sweep>;
  using Parted::b_;
  using Parted::k_;
  using Parted::modules_;
  using Parted::passes_;
  using Parted::sweeps_;
  using Parted::x_;

  static NodeOptions nodes_of(const Tails& tails) {
    NodeOptions parts{.packed = tails.taken};
    for (const Tail& tail : tails.tails) parts.packs.push_back(tail.first);
    return parts;
  }

  /// One module per pack, one without bodies per junction, and one for the rest.
  static Modules modules_of(const ModelData& m, const Tails& tails) {
    std::vector<PartStep> steps;
    for (const Tail& tail : tails.tails) {
      const int junction = static_cast<int>(steps.size()) + tail.packs, bodies = tail.length * tails.width;
      for (int pack = 0; pack < tail.packs; ++pack) {
        PartStep& step = steps.emplace_back(PartStep{.bodies = std::vector<int>(at(bodies)), .parent = junction});
        std::iota(step.bodies.begin(), step.bodies.end(), tail.first + pack * bodies);
      }
      steps.emplace_back();
    }
    Modules all = modules_of_parts(static_cast<int>(m.parent.size()), steps);
    all.cut_of.assign(m.parent.size(), -1);
    all.passing.resize(m.parent.size());
    return all;
  }

  template <void (TailSolver::*kernel)(int)>
  void add(Direction direction) {
    passes_.push_back({direction, [](void* space, int step) { (static_cast<TailSolver*>(space)->*kernel)(step); }});
  }
  template <RightSide side>
  void add_close(bool last) {
    if (last)
      add<&TailSolver::close<side, true>>(Direction::each);
    else
      add<&TailSolver::close<side, false>>(Direction::each);
  }
  Dial<One> dial() { return {x_, k_, b_, f_, e_}; }

  /// What a step does: a pack's part, a junction's, or the rest of the tree's.
  template <class Packs, class Junction, class Rest>
  void parted(int step, Packs&& packs, Junction&& junction, Rest&& rest) {
    if (at(step) == part_.size()) return rest();
    Sweep& tail = sweeps_[at(part_[at(step)].tail)];
    if (part_[at(step)].pack < 0) return junction(tail);
    packs(tail, part_[at(step)].pack);
  }

  void compose(int step) {
    parted(
        step, [&](Sweep& tail, int pack) { tail.compose(pack, x_.state); }, [](Sweep&) {}, [] {});
  }
  void kinematics(int step) {
    parted(
        step, [](Sweep&, int) {}, [&](Sweep& tail) { tail.hand_down(x_, k_); },
        [&] { kinetree::kinematics(x_, k_, step); });
  }
  void articulate(int step) {
    parted(
        step, [](Sweep& tail, int pack) { tail.articulate(pack); }, [&](Sweep& tail) { tail.rake(dial()); },
        [&] { articulate_modules(dial(), step); });
  }
  template <RightSide side>
  void accelerate(int step) {
    parted(
        step, [](Sweep& tail, int pack) { tail.accelerate(pack, side); },
        [&](Sweep& tail) { tail.find_forces(dial(), side); }, [&] { accelerate_modules(dial(), side, step); });
  }
  template <RightSide side, bool last>
  void close(int step) {
    parted(
        step, [&](Sweep& tail, int pack) { tail.close(pack, dial(), side, last); }, [](Sweep&) {}, [] {});
  }
  void correct(int step) {
    parted(
        step, [](Sweep& tail, int pack) { tail.correct(pack); }, [&](Sweep& tail) { tail.rake_refinement(dial()); },
        [&] { correct_modules(dial(), step); });
  }

  struct Part {
    int tail, pack;  ///< pack -1: the junction
  };

  ConstraintForce<One> f_;
  CutSystem<One> e_;
  std::vector<Part> part_;  ///< over steps but the last
};

}  // namespace kinetree::inline inner
