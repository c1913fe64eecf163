#pragma once
// Solver: one method on one model and one scalar: workspaces, the list of passes, and a serial run.

#include <cstddef>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <span>
#include <vector>

#include "engine/algorithm/borders.hpp"
#include "engine/algorithm/context.hpp"
#include "engine/algorithm/method.hpp"
#include "engine/algorithm/pass.hpp"

namespace kinetree::inline inner {

template <class S>
class LaneParts;

/// Parts of a model that are swept in lanes, in the order of their nodes' indices. `nodes`: as find_nodes takes them.
template <class S>
struct Packs {
  NodeOptions nodes{};
  std::vector<std::shared_ptr<LaneParts<S>>> parts{};
};

/// Forward dynamics, or another function of a state (Method::function). Instantiated in the library for double and
/// float, in kinetree_study for Counted and Reference.
template <class S>
class Solver {
 public:
  /// Throws TooManyCuts. Everything solve needs is allocated here.
  Solver(Model model, const Method& method);
  /// The same with modules already made, so that workers can share them, and with parts of them swept in lanes.
  Solver(Model model, const Method& method, std::shared_ptr<const Modules> modules, Packs<S> packs = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Sets the state to solve; its memory must outlive the run. `result`: result_count numbers, in the
  /// order that the function's class says.
  void set(const State<S>& state);
  /// For functions of points on links, before `set`: sets result_count. Allocates only for more points than before.
  void ask(const Asked& asked);
  /// Allocates what states with f_ext need; `set` does it by itself at the first of them.
  void expect_external_forces();
  /// Runs the passes on this thread.
  void run() { run_serial(passes(), space(), step_count()); }
  void solve(const State<S>& state) { set(state), run(); }

  std::span<const Pass> passes() const;
  /// The first pass to run again where only tau has changed. 0, thus all passes, but for the literal formulation,
  /// whose passes before it find factors that do not depend on tau.
  std::size_t first_pass_of_tau() const;
  void* space();
  int step_count() const;
  /// Of articulated bodies and the dial, for one state; null of others.
  Borders* borders();
  /// Numbers that a state's result has.
  std::size_t result_count() const;
  /// Of results that are mostly zero (spanning Jacobians): where the blocks of six numbers that may be nonzero begin in
  /// the full result, in the order of computation; else null. The capacity suffices for any points of that number.
  const std::vector<std::size_t>* places_of_sixes() const;
  /// From now on such a result is only the blocks of places_of_sixes, one after another, without the zeros.
  void leave_out_zeros();
  const Modules& modules() const;
  /// Of forward dynamics, the highest-numbered body whose D is not positive and finite (crb: idle_body(0)); else -1.
  int singular_body() const;
  /// A body that moves where nothing resists, to rounding, though the accelerations may be finite; -1: none. `lane`: of
  /// packs, that state's.
  int idle_body(int lane) const;
  /// ok, or the loop or coupling that lost rank or contradicts others in the last state. `lane`: of a pack, the state.
  Status loop_fault(int lane = 0) const;
  /// Bytes that the workspace holds on the heap; the model and the modules, which solvers share, are not among them.
  std::size_t memory() const;

  /// An algorithm: its workspace and its list of passes.
  class Space;

 private:
  std::unique_ptr<Space> space_;
};

}  // namespace kinetree::inline inner
