#pragma once
// The columns of one call of forward dynamics, and what becomes of each.

#include <algorithm>
#include <kinetree/columns.hpp>
#include <limits>

#include "library/batch.hpp"
#include "library/state_check.hpp"
#include "library/statuses.hpp"

namespace kinetree::inline inner {

/// What a call reads.
template <class T>
struct DynamicsInputs {
  const Columns<const T>&q, &v, &tau, &f;
  Columns<const T> own{};          ///< columns' own numbers; empty: the model's
  KeptNumbers<T>* kept = nullptr;  ///< where they are kept; null: nowhere
};

/// The Call of a Batch.
template <class T>
struct DynamicsCall {
  const DynamicsInputs<T>& inputs;
  const Columns<T>& a;
  const StateCheck& check;
  Statuses& statuses;

  State<T> state(int column) const {
    return {at_column(inputs.q, column),
            at_column(inputs.v, column),
            at_column(inputs.f, column),
            at_column(inputs.tau, column),
            nullptr,
            at_column(a, column)};
  }
  bool passes(const State<T>& s, const LaneSolver<T>& solver, int lane) const { return check.passes(s, solver, lane); }
  const T* own(int column) const { return at_column(inputs.own, column); }
  KeptNumbers<T>* kept() const { return inputs.kept; }
  void refuse(int column, const State<T>& s, const LaneSolver<T>&, const Status& status) {
    statuses.fail(column, status);
    std::fill_n(s.result, a.rows, std::numeric_limits<T>::quiet_NaN());
  }
  /// A failed column becomes NaN.
  void judge(int column, const State<T>& s, const LaneSolver<T>& solver) {
    if (check.passes(s, solver)) return;
    refuse(column, s, solver, check.fault(s, solver));
  }
};

}  // namespace kinetree::inline inner
