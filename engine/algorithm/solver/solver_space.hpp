#pragma once
// What algorithms share: the model and its nodes, the state, the list of passes. An algorithm is a class that derives
// from SolverSpace, owns its workspace, and lists its passes.

#include <kinetree/model.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "engine/algorithm/node/idle_motion.hpp"
#include "engine/algorithm/node/nodes.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/light_joints.hpp"
#include "engine/model/loops.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// Calls kernel(step) for all steps, in the order of a scatter, or of a gather.
template <class S, class Kernel>
void steps_outwards(const Context<S>& x, Kernel&& kernel) {
  for (std::size_t step = x.modules->steps.size(); step-- > 0;) kernel(static_cast<int>(step));
}
template <class S, class Kernel>
void steps_inwards(const Context<S>& x, Kernel&& kernel) {
  for (std::size_t step = 0; step < x.modules->steps.size(); ++step) kernel(static_cast<int>(step));
}

template <class S>
class SolverSpace : public Solver<S> {
 public:
  SolverSpace(Model m, std::shared_ptr<const Modules> parts, const NodeOptions& nodes)
      : Solver<S>(std::move(parts)),
        model(std::move(m)),
        x(model.data(), this->modules(), nodes),
        kinematics(*x.model) {
    FeltInertia inertia = felt_inertia(*x.model, joint_cuts(this->modules()));
    for (const int body : inertia.light)
      if (is_in_segment(body, nodes)) light_.push_back(body);
    if (!light_.empty()) felt_ = std::move(inertia.most);
  }

  void set(const State<S>& state) override {
    x.state = state;
    if (state.v == nullptr) still_.resize(at(model.nv())), x.state.v = still_.data();
    if (state.f_ext != nullptr) expect_external_forces();
  }
  void expect_external_forces() override { kinematics.expect_external_forces(); }
  std::size_t result_count() const override { return at(model.nv()); }
  std::size_t memory() const override { return bytes_of(x, kinematics, light_, felt_, this->passes_, still_); }

  S* place_of(OwnNumbers::Kind kind, int index, int entry) override {
    if (kind == OwnNumbers::Kind::inertia) return &number_of_inertia(x.link[at(index)].I, entry);
    if (kind == OwnNumbers::Kind::rotor) return &x.rotors[at(index)];
    return up_ == nullptr ? nullptr : index == 0 ? &up_->x : index == 1 ? &up_->y : &up_->z;
  }

  const Model model;
  Context<S> x;
  Kinematics<S> kinematics;

 protected:
  /// Adds a pass whose kernel is a member of an algorithm.
  template <auto kernel>
  void add(Direction direction, Pass::Phase phase = Pass::none) {
    this->passes_.push_back({direction, &Call<kernel>::run, phase});
  }
  Pass::Phase phase_of(int pass) const { return this->passes_[at(pass)].phase; }

  /// The body of the first light joint for which idle(body) holds; -1: none.
  template <class Idle>
  int first_idle(Idle&& idle) const {
    for (const int body : light_)
      if (idle(body)) return body;
    return -1;
  }

  Vector3<S>* up_ = &x.ground_acceleration.linear;  ///< minus gravity; null: weight plays no part
  std::vector<int> light_;                          ///< bodies whose joints are watched
  std::vector<double> felt_;  ///< over velocities (FeltInertia::most); empty where none is watched

 private:
  std::vector<S> still_;  ///< over velocities: zero, for functions that are asked without v

  template <auto kernel>
  struct Call;
  template <class Algorithm, void (Algorithm::*kernel)(int)>
  struct Call<kernel> {
    static void run(void* space, int step) { (static_cast<Algorithm*>(static_cast<Solver<S>*>(space))->*kernel)(step); }
  };

  /// Whether the inertia of body i's joint is eliminated by itself: not in an aggregate, not in lanes.
  bool is_in_segment(int i, const NodeOptions& nodes) const {
    if (!nodes.packs.empty() && at(this->modules().module_of[at(i)]) < nodes.packs.size()) return false;
    const int a = aggregate_of(*x.model, i);
    return a < 0 || (!nodes.multipliers.empty() && nodes.multipliers[at(a)]);
  }
};

}  // namespace kinetree::inline inner
