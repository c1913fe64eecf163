#pragma once
// Solver: one method on one model and one scalar: workspaces, the list of passes, and a serial run.

#include <cstddef>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/algorithm/borders.hpp"
#include "engine/algorithm/context.hpp"
#include "engine/algorithm/method.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/own_numbers.hpp"

namespace kinetree::inline inner {

template <class S>
class LaneParts;

/// Parts of a model that are swept in lanes, in the order of their nodes' indices. `nodes`: as find_nodes takes them.
template <class S>
struct Packs {
  NodeOptions nodes{};
  std::vector<std::shared_ptr<LaneParts<S>>> parts{};
};

/// Forward dynamics, or another function of a state (Method::function). An algorithm is a class that derives from it by
/// SolverSpace.
template <class S>
class Solver {
 public:
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Sets the state to solve; its memory must outlive the run. `result`: result_count numbers, in the
  /// order that the function's class says.
  virtual void set(const State<S>& state) = 0;
  /// For functions of points on links, before `set`: sets result_count. Allocates only for more points than before.
  virtual void ask(const Asked&) {}
  /// Allocates what states with f_ext need; `set` does it by itself at the first of them.
  virtual void expect_external_forces() = 0;
  /// Runs the passes on this thread.
  void run() { run_serial(passes(), rounds(), space(), step_count()); }
  void solve(const State<S>& state) { set(state), run(); }

  std::span<const Pass> passes() const { return passes_; }
  /// Its first pass is the one to run again where only tau has changed, or the direction of a product. 0, thus all
  /// passes, but for the literal formulation and products through the dial, whose passes before it find factors.
  const Rounds& rounds() const { return rounds_; }
  /// What kernels are handed: a Solver<S>*, to be cast to the class that they belong to.
  void* space() { return this; }
  int step_count() const { return static_cast<int>(modules_->steps.size()); }
  const Modules& modules() const { return *modules_; }
  /// Of articulated bodies and the dial, for one state; null of others.
  virtual Borders* borders() { return nullptr; }
  /// Numbers that a state's result has.
  virtual std::size_t result_count() const = 0;
  /// Of spanning Jacobians, which may be mostly zero: where the blocks of six numbers that may be nonzero begin in the
  /// full result, in the order of computation; else null. The capacity suffices for any points of that number.
  virtual const std::vector<std::size_t>* places_of_sixes() const { return nullptr; }
  /// From now on the solver writes no zeros. A result that has places_of_sixes is their blocks alone, one after another.
  /// Any other result goes to memory that held zeros at first and that this solver alone writes.
  virtual void leave_out_zeros() {}
  /// Of forward dynamics, the highest-numbered body whose D is not positive and finite (crb: idle_body(0)); else -1.
  /// Here and below bodies are the user's, also where modules split some in halves.
  virtual int singular_body() const { return -1; }
  /// A body that moves where nothing resists, to rounding, though the accelerations may be finite; -1: none. `lane`: of
  /// packs, that state's.
  virtual int idle_body(int /*lane*/) const { return -1; }
  /// ok, or the loop or coupling that lost rank or contradicts others in the last state. `lane`: of a pack, the state.
  virtual Status loop_fault(int /*lane*/) const { return {}; }
  /// Bytes that the workspace holds on the heap; the model and the modules, which solvers share, are not among them.
  virtual std::size_t memory() const = 0;
  /// Where kernels read a number of OwnNumbers, of solvers without bodies in halves; null: they do not.
  virtual S* place_of(OwnNumbers::Kind, int /*index*/, int /*entry*/) { return nullptr; }

 protected:
  explicit Solver(std::shared_ptr<const Modules> modules) : modules_(std::move(modules)) {}

  std::shared_ptr<const Modules> modules_;
  std::vector<Pass> passes_;
  Rounds rounds_;
};

/// Of forward dynamics. Throws TooManyCuts. Everything solve needs is allocated here. `modules`: those already made, so
/// that workers can share them; null: makes them. `packs`: parts of them swept in lanes. Instantiated in the library
/// for double, float and Counted, in kinetree_study for Reference.
template <class S>
std::unique_ptr<Solver<S>> make_solver(const Model& model, const Method& method,
                                       std::shared_ptr<const Modules> modules = nullptr, Packs<S> packs = {});

/// Of another function of a state, Method::function. Apart, so that a program that calls none links none of their code.
/// Instantiated in the library for double and float.
template <class S>
std::unique_ptr<Solver<S>> make_function_solver(const Model& model, const Method& method,
                                                std::shared_ptr<const Modules> modules);

/// Makes the solver of a function that is_made_beside_derivatives (method.hpp); derivative_solver.hpp has its text.
template <class S>
std::unique_ptr<Solver<S>> make_derivative_solver(const Model& model, const Method& method,
                                                  std::shared_ptr<const Modules> modules);

}  // namespace kinetree::inline inner
