#pragma once
// What the algorithms of a Solver share: the model and its nodes, the state, the list of passes. An algorithm is a
// class that derives from it, owns its workspace, and lists its passes.

#include <kinetree/model.hpp>
#include <optional>
#include <utility>

#include "engine/algorithm/node/idle_motion.hpp"
#include "engine/algorithm/node/nodes.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

template <class S>
class Solver<S>::Space {
 public:
  Space(Model m, std::shared_ptr<const Modules> parts, const NodeOptions& nodes)
      : model(std::move(m)), modules(std::move(parts)), x(model.data(), *modules, nodes), kinematics(*x.model) {
    FeltInertia inertia = felt_inertia(*x.model, joint_cuts(*modules));
    for (const int body : inertia.light)
      if (is_in_segment(body, nodes)) light_.push_back(body);
    if (!light_.empty()) felt_ = std::move(inertia.most);
  }
  virtual ~Space() = default;
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  virtual void ask(const Asked&) {}
  virtual void set(const State<S>& state) {
    x.state = state;
    if (state.v == nullptr) still_.resize(at(model.nv())), x.state.v = still_.data();
    if (state.f_ext != nullptr) expect_external_forces();
  }
  virtual void expect_external_forces() { kinematics.expect_external_forces(); }

  /// As Solver has them.
  virtual std::size_t result_count() const { return at(model.nv()); }
  virtual const std::vector<std::size_t>* places_of_sixes() const { return nullptr; }
  virtual void leave_out_zeros() {}
  virtual Borders* borders() { return nullptr; }
  virtual int singular_body() const { return -1; }
  virtual int idle_body(int) const { return -1; }
  virtual Status loop_fault(int) const { return {}; }
  /// Of the workspace; without the model and the modules.
  virtual std::size_t bytes() const { return bytes_of(x, kinematics, light_, felt_, passes, still_); }

  const Model model;
  const std::shared_ptr<const Modules> modules;
  Context<S> x;
  Kinematics<S> kinematics;
  std::vector<Pass> passes;
  std::size_t first_pass_of_tau = 0;

 protected:
  /// Adds a pass whose kernel is a member of an algorithm.
  template <auto kernel>
  void add(Direction direction, Pass::Phase phase = Pass::none) {
    passes.push_back({direction, &Call<kernel>::run, phase});
  }
  Pass::Phase phase_of(int pass) const { return passes[at(pass)].phase; }

  /// The body of the first light joint for which idle(body) holds; -1: none.
  template <class Idle>
  int first_idle(Idle&& idle) const {
    for (const int body : light_)
      if (idle(body)) return body;
    return -1;
  }

  std::vector<int> light_;    ///< bodies whose joints are watched
  std::vector<double> felt_;  ///< over velocities (FeltInertia::most); empty where none is watched

 private:
  std::vector<S> still_;  ///< over velocities: zero, for functions that are asked without v

  template <auto kernel>
  struct Call;
  template <class Algorithm, void (Algorithm::*kernel)(int)>
  struct Call<kernel> {
    static void run(void* space, int step) { (static_cast<Algorithm*>(static_cast<Space*>(space))->*kernel)(step); }
  };

  /// Whether the inertia of body i's joint is eliminated by itself: not in an aggregate, not in lanes.
  bool is_in_segment(int i, const NodeOptions& nodes) const {
    if (!nodes.packs.empty() && at(modules->module_of[at(i)]) < nodes.packs.size()) return false;
    const int a = aggregate_of(*x.model, i);
    return a < 0 || (!nodes.multipliers.empty() && nodes.multipliers[at(a)]);
  }
};

}  // namespace kinetree::inline inner
