#pragma once
// LaneSolver of one state whose tails are cut in modules that go side by side: the dial, with nothing cut elsewhere.

#include <kinetree/algorithm/lanes/lane_solver.hpp>
#include <kinetree/algorithm/lanes/tail_sweep.hpp>

namespace kinetree {

/// Steps: a tail's packs, then its junction, tail after tail; then the rest of the tree, which they hang from.
template <class T, class One, class Many>
class TailSolver final : public LaneSolver<T> {
 public:
  explicit TailSolver(const lanes::Order& order)
      : m_(order.model->data()),
        modules_(modules_of(m_, *order.tails)),
        x_(m_, modules_),
        k_(m_),
        b_(m_),
        f_(m_, modules_),
        e_(modules_),
        taken_(order.tails->taken),
        corrections_(order.plan->corrections) {
    for (const Tail& tail : order.tails->tails) {
      const auto& sweep = tails_.emplace_back(m_, tail);
      const int index = static_cast<int>(tails_.size()) - 1;
      for (int pack = 0; pack < sweep.packs(); ++pack) part_.push_back({index, pack});
      part_.push_back({index, -1});
    }
    leave_first_bodies();
    add<&TailSolver::compose>(Direction::gather);
    add<&TailSolver::kinematics>(Direction::scatter);
    add<&TailSolver::articulate>(Direction::gather);
    add<&TailSolver::accelerate<Round::first>>(Direction::scatter);
    if (corrections_ > 0)
      add<&TailSolver::close<Round::first, false>>(Direction::each);
    else
      add<&TailSolver::close<Round::first, true>>(Direction::each);
    for (int n = corrections_; n > 0; --n) {
      add<&TailSolver::correct>(Direction::gather);
      add<&TailSolver::accelerate<Round::correction>>(Direction::scatter);
      if (n > 1)
        add<&TailSolver::close<Round::correction, false>>(Direction::each);
      else
        add<&TailSolver::close<Round::correction, true>>(Direction::each);
    }
  }

  int width() const override { return 1; }
  void set(std::span<const State<T>> states) override {
    const State<T>& s = states.front();
    const auto in = [](const T* x) { return reinterpret_cast<const One*>(x); };
    x_.state = {in(s.q), in(s.v), in(s.f_ext), in(s.tau), nullptr, reinterpret_cast<One*>(s.result)};
    if (s.f_ext) expect_external_forces();
  }
  void store() override {}
  void expect_external_forces() override {
    k_.R.resize(at(x_.bodies()));
    for (auto& tail : tails_) tail.expect_external_forces();
  }
  std::span<const Pass> passes() const override { return passes_; }
  void* space() override { return this; }
  int step_count() const override { return static_cast<int>(modules_.steps.size()); }
  const Modules& modules() const override { return modules_; }

  int singular_body() const override {
    int worst = -1;
    for (const auto& tail : tails_) worst = std::max(worst, tail.singular_body());
    for (int i = x_.bodies(); i-- > worst + 1;)
      if (!taken_[at(i)] && !positive(b_, x_, i)) return i;
    return worst;
  }
  int singular_aggregate(double*) const override { return -1; }

 private:
  using Sweep = TailSweep<Many, One>;

  /// One module per pack, one without bodies per junction, and one for the rest.
  static Modules modules_of(const ModelData& m, const Tails& tails) {
    Modules all;
    all.module_of.resize(m.parent.size());
    all.cut_of.assign(m.parent.size(), -1);
    all.passing.resize(m.parent.size());
    int steps = 1;
    for (const Tail& tail : tails.tails) steps += tail.packs + 1;
    const auto add = [&](int parent, std::vector<Range> ranges) {
      const int index = static_cast<int>(all.steps.size()), first = static_cast<int>(all.ranges.size());
      all.ranges.insert(all.ranges.end(), ranges.begin(), ranges.end());
      all.modules.push_back({.base = ranges.empty() ? 0 : ranges.front().begin,
                             .first_range = first,
                             .last_range = static_cast<int>(all.ranges.size()),
                             .step = index});
      all.steps.push_back({.parent = parent, .module = index, .top_module = index});
      for (const Range& r : ranges) std::fill(all.module_of.begin() + r.begin, all.module_of.begin() + r.end, index);
    };
    for (const Tail& tail : tails.tails) {
      const int junction = static_cast<int>(all.steps.size()) + tail.packs;
      const int bodies = tail.length * tails.width;
      for (int pack = 0; pack < tail.packs; ++pack)
        add(junction, {{tail.first + pack * bodies, tail.first + (pack + 1) * bodies}});
      add(steps - 1, {});
    }
    std::vector<Range> rest;
    for (int i = 0; i < static_cast<int>(m.parent.size()); ++i) {
      if (tails.taken[at(i)]) continue;
      if (!rest.empty() && rest.back().end == i)
        ++rest.back().end;
      else
        rest.push_back({i, i + 1});
    }
    add(-1, rest);
    return all;
  }

  /// Of a tail's bodies the first is left among nodes: it stands for all.
  void leave_first_bodies() {
    std::vector<bool> counts(taken_.size());
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = !taken_[i];
    for (const Sweep& tail : tails_) counts[at(tail.first())] = true;
    number_nodes(m_, counts);
  }

  template <void (TailSolver::*kernel)(int)>
  void add(Direction direction) {
    passes_.push_back({direction, [](void* space, int step) { (static_cast<TailSolver*>(space)->*kernel)(step); }});
  }
  Dial<One> dial() { return {x_, k_, b_, f_, e_}; }

  /// What a step does: a pack's part, a junction's, or the rest of the tree's.
  template <class Packs, class Junction, class Rest>
  void parted(int step, Packs&& packs, Junction&& junction, Rest&& rest) {
    if (at(step) == part_.size()) return rest();
    Sweep& tail = tails_[at(part_[at(step)].tail)];
    if (part_[at(step)].pack < 0) return junction(tail);
    packs(tail, part_[at(step)].pack);
  }

  void compose(int step) {
    parted(
        step, [&](Sweep& tail, int pack) { tail.compose(pack, x_.state); }, [](Sweep&) {}, [] {});
  }
  void kinematics(int step) {
    // a pack's inertias at once, while it is in the cache: nothing is outboard of it
    parted(
        step, [](Sweep& tail, int pack) { tail.velocities(pack), tail.articulate(pack); },
        [&](Sweep& tail) { tail.hand_down(x_, k_); }, [&] { kinetree::kinematics(x_, k_, step); });
  }
  void articulate(int step) {
    parted(
        step, [](Sweep&, int) {}, [&](Sweep& tail) { tail.rake(b_); }, [&] { articulate_modules(dial(), step); });
  }
  template <Round round>
  void accelerate(int step) {
    parted(
        step, [](Sweep& tail, int pack) { tail.accelerate(pack, round); },
        [&](Sweep& tail) { tail.find_forces(dial(), round); }, [&] { accelerate_modules(dial(), round, step); });
  }
  template <Round round, bool last>
  void close(int step) {
    parted(
        step, [&](Sweep& tail, int pack) { tail.close(pack, dial(), round, last); }, [](Sweep&) {}, [] {});
  }
  void correct(int step) {
    parted(
        step, [](Sweep& tail, int pack) { tail.correct(pack); }, [&](Sweep& tail) { tail.rake_correction(dial()); },
        [&] { correct_modules(dial(), step); });
  }

  struct Part {
    int tail, pack;  ///< pack -1: the junction
  };

  ModelData m_;  ///< where a tail counts as its first body
  Modules modules_;
  Context<One> x_;
  Kinematics<One> k_;
  ArticulatedBody<One> b_;
  ConstraintForce<One> f_;
  CutSystem<One> e_;
  std::vector<bool> taken_;
  int corrections_;
  std::vector<Sweep> tails_;
  std::vector<Part> part_;  ///< over steps but the last
  std::vector<Pass> passes_;
};

}  // namespace kinetree
