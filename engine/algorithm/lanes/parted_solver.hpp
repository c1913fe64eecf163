#pragma once
// LaneSolver of one state of which parts go side by side, by sweeps of their own, and the rest is swept as ever.

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/algorithm/nodes.hpp"
#include "engine/model/model_data.hpp"

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
      if (!taken_[at(i)] && !positive(b_, *x_.model, i)) return i;
    return worst;
  }
  int idle_body(int) const override { return -1; }  // light joints go one by one
  int singular_aggregate(double*) const override { return -1; }

 protected:
  /// `parts`: `packed` over bodies, whether it is in a part; `packs`, the bodies in whose slots parts contribute.
  PartedSolver(const ModelData& m, Modules modules, NodeOptions parts)
      : modules_(std::move(modules)), x_(m, modules_, parts), k_(m), b_(x_), taken_(std::move(parts.packed)) {}

  Modules modules_;
  Context<One> x_;
  Kinematics<One> k_;
  Nodes<One> b_;
  std::vector<bool> taken_;
  std::vector<Sweep> sweeps_;
  std::vector<Pass> passes_;
};

}  // namespace kinetree::inline inner
