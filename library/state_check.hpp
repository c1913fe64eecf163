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
    const ModelData& m = model_.data();
    if (loop.ok() && finite(s)) return {StatusCode::singular, 0, solver.idle_body(0), 0};
    for (int i = 0; i < model_.body_count(); ++i) {
      const int q = m.q_index[at(i)], v = m.v_index[at(i)];
      const int positions = m.q_index[at(i + 1)] - q, velocities = m.v_index[at(i + 1)] - v;
      for (const Status& status :
           {fault_of_finite(s.q + q, positions, i, "q"), fault_of_finite(s.v + v, velocities, i, "v"),
            fault_of_finite(s.tau + v, velocities, i, "tau"),
            s.f_ext ? fault_of_finite(s.f_ext + 6 * i, 6, i, "f_ext") : Status{}})
        if (!status.ok()) return status;
    }
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
