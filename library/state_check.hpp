#pragma once
// What was wrong with a state, seen from its numbers and its result.

#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/model/light_joints.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "library/quaternion_check.hpp"

namespace kinetree::inline inner {

class StateCheck {
 public:
  explicit StateCheck(const Model& model)
      : model_(model),
        may_lose_rank_(!model.data().loops.empty()),
        may_idle_(may_lose_rank_ || !felt_inertia(model.data()).light.empty()),
        tied_(!model.data().aggregates.empty()),
        quaternions_(model.data()) {}

  /// Whether quaternions are of unit length and the result is finite and determined, by `solver`, in one of its lanes.
  template <class T>
  bool passes(const State<T>& s, const LaneSolver<T>& solver, int lane) const {
    return solver.finite(lane) && determined(s, solver, lane, may_lose_rank_);
  }
  /// Whether quaternions are of unit length and the result is finite and determined, by `solver`, of one lane. A solver
  /// of one lane may hold couplings by multipliers, and then couplings may be at fault as loops may.
  template <class T>
  bool passes(const State<T>& s, const LaneSolver<T>& solver) const {
    return finite(s) && determined(s, solver, 0, tied_);
  }

  /// What failed in a state that `solver`, of one lane, has just solved, and that does not pass.
  template <class T>
  Status fault(const State<T>& s, const LaneSolver<T>& solver) const {
    if (const Status status = quaternions_.fault(s.q); !status.ok()) return status;
    const Status loop = solver.loop_fault(0);
    if (loop.ok() && finite(s)) return {StatusCode::singular, 0, solver.idle_body(0), 0};
    const T* const none = nullptr;
    if (const Status given = fault_of_state(model_.data(), s.q, s.v, none, s.tau, s.f_ext); !given.ok()) return given;
    if (!loop.ok()) return loop;
    const int body = solver.singular_body();
    return {body >= 0 ? StatusCode::singular : StatusCode::not_finite, 0, body, 0};
  }

 private:
  /// `by_ties`: whether a loop or coupling may be at fault.
  template <class T>
  bool determined(const State<T>& s, const LaneSolver<T>& solver, int lane, bool by_ties) const {
    return quaternions_.fault(s.q).ok() && (!by_ties || solver.loop_fault(lane).ok()) &&
           (!may_idle_ || solver.idle_body(lane) < 0);
  }
  template <class T>
  bool finite(const State<T>& s) const {
    return all_finite(s.result, at(model_.nv()));
  }

  Model model_;
  bool may_lose_rank_;  ///< whether a state may be such that constraints lose rank: loops alone depend on it
  bool may_idle_;       ///< whether a state may be such that nothing resists some motion, though results are finite
  bool tied_;           ///< by loops or couplings
  QuaternionCheck quaternions_;
};

}  // namespace kinetree::inline inner
