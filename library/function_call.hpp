#pragma once
// Calls of the functions beside forward dynamics, column by column.

#include <algorithm>
#include <limits>
#include <type_traits>

#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "library/argument.hpp"
#include "library/function_table.hpp"
#include "library/workspace_space.hpp"

namespace kinetree::inline inner {

/// Keeps the status of a call as a whole, which ends here.
inline Status said(Workspace::Space& s, const Status& status) {
  s.parameters = {};
  s.statuses.begin(1);
  return s.statuses.fill(status);
}

template <class T>
Workspace::Space::Functions<T>& functions(Workspace::Space& s) {
  return of_scalar<T>(s.in_double, s.in_float);
}

/// The directions of products: each column's `count`, which have `one` numbers each, one after another.
template <class T>
struct Directions {
  const FunctionRow& row;
  const T* numbers;
  std::ptrdiff_t one;
  int count;
  int shares;  ///< columns that one state has, its directions shared out among them

  std::ptrdiff_t apart() const { return count * one; }
};

/// Columns of one call: where the inputs stand, and how far apart results are. A state whose numbers are not finite,
/// whose quaternions are no units, in which loops have no rank, or a joint moves nothing, has a status and NaN.
template <class T>
struct FunctionCall {
  Columns<const T> q, v{}, a{}, f{}, tau{};
  T* result = nullptr;
  std::ptrdiff_t apart = 0;
  int first = 0;  ///< the state of column 0; results begin there
  const Directions<T>* directions = nullptr;  ///< null but for products
  const ModelData* model = nullptr;
  const QuaternionCheck* quaternions = nullptr;
  Statuses* statuses = nullptr;
  Columns<const T> own_numbers{};          ///< columns' own; empty: the model's
  KeptNumbers<T>* kept_numbers = nullptr;  ///< null: nowhere

  State<T> state(int column) const {
    const int own = state_of(column);
    return {.q = at_column(q, own),
            .v = at_column(v, own),
            .f_ext = at_column(f, own),
            .tau = directions == nullptr ? at_column(tau, own) : directions->numbers + column * directions->apart(),
            .a = at_column(a, own),
            .result = result + column * apart};
  }
  bool passes(const State<T>& state, const LaneSolver<T>& solver, int lane) const {
    return solver.finite(lane) && quaternions->fault(state.q).ok() && solver.loop_fault(lane).ok() &&
           solver.idle_body(lane) < 0;
  }
  void judge(int column, const State<T>& state, const LaneSolver<T>& solver) {
    Status status = quaternions->fault(state.q);
    if (status.ok() && !finite(state)) status = fault_of_numbers(state);
    if (status.ok()) status = solver.loop_fault(0);
    if (const int body = status.ok() ? solver.idle_body(0) : -1; body >= 0) status = {StatusCode::singular, 0, body, 0};
    if (!status.ok()) refuse(column, state, solver, status);
  }
  const T* own(int column) const { return at_column(own_numbers, state_of(column)); }
  /// Not where a pack's lanes share out one state.
  KeptNumbers<T>* kept() const { return directions == nullptr || directions->shares == 1 ? kept_numbers : nullptr; }
  void refuse(int column, const State<T>& state, const LaneSolver<T>& solver, const Status& status) {
    statuses->fail(state_of(column), status);
    std::fill_n(state.result, solver.result_count(), std::numeric_limits<T>::quiet_NaN());
  }

 private:
  int state_of(int column) const { return first + (directions == nullptr ? column : column / directions->shares); }
  /// Whether all that was given is. A result need not depend on it: a turn of the first joint leaves the mass matrix as
  /// it is.
  bool finite(const State<T>& s) const {
    const ModelData& m = *model;
    const auto nq = static_cast<std::size_t>(m.q_index.back()), nv = static_cast<std::size_t>(m.v_index.back());
    return all_finite(s.q, nq) && (s.v == nullptr || all_finite(s.v, nv)) && (s.a == nullptr || all_finite(s.a, nv)) &&
           (s.f_ext == nullptr || all_finite(s.f_ext, 6 * m.parent.size())) &&
           (s.tau == nullptr ||
            all_finite(s.tau, directions == nullptr ? nv : static_cast<std::size_t>(directions->apart())));
  }
  Status fault_of_numbers(const State<T>& s) const {
    const Status status = fault_of_state(*model, s.q, s.v, s.a, directions == nullptr ? s.tau : nullptr, s.f_ext);
    return status.ok() && directions != nullptr ? fault_of_directions(s.tau) : status;
  }
  /// The first number of a direction that is not finite: of a joint, of a body's parameters, or of a force on a point,
  /// which names none.
  Status fault_of_directions(const T* numbers) const {
    const std::ptrdiff_t nv = model->v_index.back();
    const Result* const own = directions->row.directions;
    const bool of_joints = own[0].rows.of_velocity, of_numbers = own[0].rows.of_parameter;
    for (std::ptrdiff_t k = 0; k < directions->apart(); ++k) {
      const std::ptrdiff_t place = k % directions->one;
      const std::ptrdiff_t ten = of_numbers ? 10 * static_cast<std::ptrdiff_t>(model->parent.size()) : 0;
      const int body = place < ten               ? static_cast<int>(place / 10)
                       : of_joints || of_numbers ? body_of_velocity(*model, static_cast<int>((place - ten) % nv))
                                                 : -1;
      const char* const name = own[of_joints ? place / nv : 0].name;
      if (const Status status = fault_of_finite(numbers + k, 1, body, name); !status.ok()) return status;
    }
    return {};
  }
};

/// Whether every point is on a link of the model, at finite coordinates; else the status that says which is not.
inline Status fault_of_points(const ModelData& m, const LinkPoints& points) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const int link = points[k].link;
    if (link < 0 || link >= static_cast<int>(m.frames.size()))
      return {StatusCode::no_such_frame, 0, -1, static_cast<double>(link)};
    const Status status = fault_of_finite(points[k].offset.data(), 3, m.frames[at(link)].body, "points");
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace kinetree::inline inner
