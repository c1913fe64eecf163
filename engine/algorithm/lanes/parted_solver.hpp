#pragma once
// LaneSolver of one state of which parts go side by side, by sweeps of their own, and the rest is swept as ever.

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/algorithm/nodes.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"

namespace kinetree::inline inner {

/// Sweep: of parts. One: the scalar of the rest of the tree.
template <class T, class One, class Sweep>
class PartedSolver : public LaneSolver<T> {
 public:
  int width() const override { return 1; }
  void set(std::span<const State<T>> states) override {
    const State<T>& s = states.front();
    const auto in = [](const T* x) { return reinterpret_cast<const One*>(x); };
    x_.state = {in(s.q), in(s.v), in(s.f_ext), in(s.tau), nullptr, reinterpret_cast<One*>(s.result)};
    if (s.f_ext) expect_external_forces();
  }
  void store() override {}
  void expect_external_forces() override {
    k_.expect_external_forces();
    for (Sweep& sweep : sweeps_) sweep.expect_external_forces();
  }
  std::span<const Pass> passes() const override { return passes_; }
  int step_count() const override { return static_cast<int>(modules_.steps.size()); }
  const Modules& modules() const override { return modules_; }

  int singular_body() const override {
    int worst = -1;
    for (const Sweep& sweep : sweeps_) worst = std::max(worst, sweep.singular_body());
    for (int i = x_.bodies(); i-- > worst + 1;)
      if (!taken_[at(i)] && !positive(b_, m_, i)) return i;
    return worst;
  }
  int idle_body(int) const override { return -1; }  // light joints go one by one
  int singular_aggregate(double*) const override { return -1; }

 protected:
  /// `taken`: over bodies, whether it is in a part.
  PartedSolver(const ModelData& m, Modules modules, const std::vector<bool>& taken)
      : m_(m), modules_(std::move(modules)), x_(m_, modules_), k_(m_), b_(m_), taken_(taken) {}

  /// Of what is taken, bodies that stand for what a part adds to the tree are left among its nodes.
  void leave_among_nodes(const std::vector<int>& owners) {
    std::vector<bool> counts = taken_;
    counts.flip();
    for (const int owner : owners) counts[at(owner)] = true;
    number_nodes(m_, counts);
    x_.find_segments();
  }

  /// Adds a step that sweeps these bodies, ascending; there may be none.
  static void add_step(Modules& all, int parent, const std::vector<int>& bodies) {
    const int index = static_cast<int>(all.steps.size()), first = static_cast<int>(all.ranges.size());
    for (const int i : bodies) {
      if (static_cast<int>(all.ranges.size()) > first && all.ranges.back().end == i)
        ++all.ranges.back().end;
      else
        all.ranges.push_back({i, i + 1});
      all.module_of[at(i)] = index;
    }
    all.modules.push_back({.base = bodies.empty() ? 0 : bodies.front(),
                           .first_range = first,
                           .last_range = static_cast<int>(all.ranges.size()),
                           .step = index});
    all.steps.push_back({.parent = parent, .module = index, .top_module = index});
  }

  /// The last step, which all others hang from: what no part has.
  static void add_rest(Modules& all, const std::vector<bool>& taken) {
    std::vector<int> bodies;
    for (int i = 0; i < static_cast<int>(taken.size()); ++i)
      if (!taken[at(i)]) bodies.push_back(i);
    add_step(all, -1, bodies);
  }

  ModelData m_;  ///< where what is taken counts as the bodies that stand for it
  Modules modules_;
  Context<One> x_;
  Kinematics<One> k_;
  Nodes<One> b_;
  std::vector<bool> taken_;
  std::vector<Sweep> sweeps_;
  std::vector<Pass> passes_;
};

}  // namespace kinetree::inline inner
