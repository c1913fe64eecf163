#pragma once
// A Solver on packs, behind an interface that knows no pack: whoever calls it may be compiled for any processor.

#include <array>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <memory>
#include <span>

#include "engine/algorithm/borders.hpp"
#include "engine/algorithm/context.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/algorithm/method.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/own_numbers.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/parts.hpp"

namespace kinetree::inline inner {

/// The most states that a register has lanes: floats of AVX-512.
inline constexpr int most_lanes = 16;

/// Solves up to width() states of one model side by side; with width 1, one. T: double or float. A thread has its own,
/// and writes no line of the cache that another's lies in.
template <class T>
class alignas(64) LaneSolver {
 public:
  virtual ~LaneSolver() = default;
  virtual int width() const = 0;
  /// Sets the states to solve, between 1 and width() of them, with f_ext in all or in none; their memory must outlive
  /// the run and `store`, and so must they themselves where width() is above 1. Lanes left over repeat the last state,
  /// so that they fail no otherwise than it does.
  virtual void set(std::span<const State<T>> states) = 0;
  /// As Solver's.
  virtual void ask(const Asked& asked) = 0;
  /// Numbers that a state's result has.
  virtual std::size_t result_count() const = 0;
  /// After the run: writes the results of the states. One lane has written them already.
  virtual void store() = 0;
  /// Allocates what states with f_ext need, as Solver's.
  virtual void expect_external_forces() = 0;
  virtual std::span<const Pass> passes() const = 0;
  /// As Solver's; no virtual call either.
  const Rounds& rounds() const { return rounds_; }
  virtual void* space() = 0;
  virtual int step_count() const = 0;
  /// As Solver's.
  virtual Borders* borders() = 0;
  virtual const Modules& modules() const = 0;
  /// After `store`: whether all numbers of a state's result are finite, of forward dynamics; of other functions, those
  /// that were given. For width above 1 alone. Asked for each state of a pack: no virtual call.
  bool finite(int lane) const { return probe_[static_cast<std::size_t>(lane)] == T(0); }
  /// As Solver's. For width 1 alone: of more lanes the first would answer for all.
  virtual int singular_body() const = 0;
  /// As Solver's.
  virtual Status loop_fault(int lane) const = 0;
  virtual int idle_body(int lane) const = 0;
  /// As Solver's, packs and numbers of several states included.
  virtual std::size_t memory() const = 0;
  /// From now on states have numbers of their own; `own` must outlive the solver.
  virtual void vary(const OwnNumbers& own) = 0;
  /// Before `set`, of a solver that varies: the own numbers of its states, which are read at once. They stay until the
  /// next call.
  virtual void set_own(std::span<const T* const> states) = 0;
  /// After `set_own`, for width above 1: the numbers as kernels read them, with what `sound` says, go to `to`, a register
  /// for each of OwnNumbers::numbers and one more, aligned as registers are. recall_own takes them in place of set_own,
  /// in this solver or in another one of this width and these OwnNumbers.
  virtual void keep_own(T* to) const = 0;
  virtual void recall_own(const T* from) = 0;
  /// After `set_own`: whether a state's numbers are certainly a rigid body's, within bounds; else OwnNumbers::fault
  /// decides.
  bool sound(int lane) const { return sound_[static_cast<std::size_t>(lane)] == T(1); }

  void solve(std::span<const State<T>> states) {
    set(states);
    run_serial(passes(), rounds_, space(), step_count());
    store();
  }

 protected:
  std::array<T, most_lanes> probe_{};  ///< over states: zero where all numbers are finite, else NaN
  std::array<T, most_lanes> sound_{};  ///< over states: one where own numbers are certainly sound
  Rounds rounds_;
};

/// Forward dynamics. `many`: a register of states at a time, else one state. Throws std::logic_error where the method
/// takes one alone.
template <class T>
KINETREE_EXPORT std::unique_ptr<LaneSolver<T>> make_lane_solver(InstructionSet set, bool many, const Model& model,
                                                                const Method& method,
                                                                std::shared_ptr<const Modules> modules);

/// The same of another function of a state, Method::function; apart from it as make_function_solver is.
template <class T>
KINETREE_EXPORT std::unique_ptr<LaneSolver<T>> make_function_lane_solver(InstructionSet set, bool many,
                                                                         const Model& model, const Method& method,
                                                                         std::shared_ptr<const Modules> modules);

/// One state, parts of it side by side, at most as many as a register of the set has lanes for doubles, in float too.
/// With modules of end chains it goes by the dial, else by articulated bodies.
template <class T>
KINETREE_EXPORT std::unique_ptr<LaneSolver<T>> make_parts_solver(InstructionSet set, const Model& model,
                                                                 const Method& method, const Parts& parts);

namespace lanes {

/// What a factory is handed; by pointer, so that nothing is copied or destroyed by code of another instruction set.
struct Order {
  const Model* model;
  const Method* method;
  const std::shared_ptr<const Modules>* modules;
  bool many;
  const Parts* parts = nullptr;  ///< null: none
};

/// The factories, three pairs per instruction set: the only symbols its object file shows to the linker.
LaneSolver<double>* make_baseline_double(const Order& order);
LaneSolver<float>* make_baseline_float(const Order& order);
LaneSolver<double>* make_avx2_double(const Order& order);
LaneSolver<float>* make_avx2_float(const Order& order);
LaneSolver<double>* make_avx512_double(const Order& order);
LaneSolver<float>* make_avx512_float(const Order& order);
LaneSolver<double>* make_baseline_double_function(const Order& order);
LaneSolver<float>* make_baseline_float_function(const Order& order);
LaneSolver<double>* make_avx2_double_function(const Order& order);
LaneSolver<float>* make_avx2_float_function(const Order& order);
LaneSolver<double>* make_avx512_double_function(const Order& order);
LaneSolver<float>* make_avx512_float_function(const Order& order);
LaneSolver<double>* make_baseline_double_derivatives(const Order& order);
LaneSolver<float>* make_baseline_float_derivatives(const Order& order);
LaneSolver<double>* make_avx2_double_derivatives(const Order& order);
LaneSolver<float>* make_avx2_float_derivatives(const Order& order);
LaneSolver<double>* make_avx512_double_derivatives(const Order& order);
LaneSolver<float>* make_avx512_float_derivatives(const Order& order);

}  // namespace lanes

}  // namespace kinetree::inline inner
