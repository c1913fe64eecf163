#pragma once
// Calls of the functions beside forward dynamics: what is wrong with one as a whole, and its columns one by one.

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "library/argument.hpp"
#include "library/workspace_space.hpp"

namespace kinetree::inline inner {

/// What is wrong with a call as a whole; `apart`: whether every result stands apart.
inline Status fault_of_call(const Model& model, const Workspace::Space& s, std::initializer_list<Argument> arguments,
                            bool apart) {
  if (&model.data() != &s.model.data()) return {StatusCode::other_model};
  if (const Status status = fault_of_sizes(arguments); !status.ok()) return status;
  return {apart ? StatusCode::ok : StatusCode::shared_memory};
}

/// Keeps the status of a call as a whole.
inline Status said(Workspace::Space& s, const Status& status) {
  s.statuses.begin(1);
  return s.statuses.fill(status);
}

template <class T>
Workspace::Space::Functions<T>& functions(Workspace::Space& s) {
  if constexpr (std::is_same_v<T, double>)
    return s.in_double;
  else
    return s.in_float;
}

/// Columns of one call: where the inputs stand, and how far apart results are. A state whose numbers are not finite,
/// whose quaternions are no units, in which loops have no rank, or a joint moves nothing, has a status and NaN.
template <class T>
struct FunctionCall {
  Columns<const T> q, v{}, a{}, f{};
  T* result = nullptr;
  std::ptrdiff_t apart = 0;
  const ModelData* model = nullptr;
  const QuaternionCheck* quaternions = nullptr;
  Statuses* statuses = nullptr;

  State<T> state(int column) const {
    return {.q = at_column(q, column),
            .v = at_column(v, column),
            .f_ext = at_column(f, column),
            .a = at_column(a, column),
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
    if (status.ok()) return;
    statuses->fail(column, status);
    std::fill_n(state.result, solver.result_count(), std::numeric_limits<T>::quiet_NaN());
  }

 private:
  /// Whether all that was given is. A result need not depend on it: a turn of the first joint leaves the mass matrix as
  /// it is.
  bool finite(const State<T>& s) const {
    const ModelData& m = *model;
    const auto nq = static_cast<std::size_t>(m.q_index.back()), nv = static_cast<std::size_t>(m.v_index.back());
    return all_finite(s.q, nq) && (s.v == nullptr || all_finite(s.v, nv)) && (s.a == nullptr || all_finite(s.a, nv)) &&
           (s.f_ext == nullptr || all_finite(s.f_ext, 6 * m.parent.size()));
  }
  Status fault_of_numbers(const State<T>& s) const {
    const ModelData& m = *model;
    for (int i = 0; i < static_cast<int>(m.parent.size()); ++i) {
      const int q = m.q_index[at(i)], v = m.v_index[at(i)];
      const int positions = m.q_index[at(i + 1)] - q, velocities = m.v_index[at(i + 1)] - v;
      for (const Status& status :
           {fault_of_finite(s.q + q, positions, i, "q"), s.v ? fault_of_finite(s.v + v, velocities, i, "v") : Status{},
            s.a ? fault_of_finite(s.a + v, velocities, i, "a") : Status{},
            s.f_ext ? fault_of_finite(s.f_ext + 6 * i, 6, i, "f_ext") : Status{}})
        if (!status.ok()) return status;
    }
    return {};
  }
};

/// A function, and for functions of points what is asked.
struct Question {
  Function function;
  Coordinates coordinates = Coordinates::spanning;
  LinkPoints points = std::span<const LinkPoint>{};
  Axes axes = Axes::link;
};

/// Runs all columns of a call, or none where `whole`, its status as a whole, is a fault.
template <class T>
Status run(Workspace::Space& s, const Status& whole, const Question& question, FunctionCall<T> call) {
  if (!whole.ok() || call.q.columns == 0) return said(s, whole);
  auto& batches = functions<T>(s).batch;
  auto found = batches.find({question.function, question.coordinates});
  if (found == batches.end()) {
    Method method;
    method.function = question.function, method.coordinates = question.coordinates;
    BatchOptions options = s.options;
    // with loops or couplings each state asks for an order of operations of its own
    if (question.function == Function::compliance && has_aggregates(s.model.data())) options.lanes = 1;
    found = batches.try_emplace({question.function, question.coordinates}, s.model, method, options).first;
  }
  found->second.ask(question.points, question.axes);
  s.statuses.begin(call.q.columns);
  call.model = &s.model.data(), call.quaternions = &s.quaternions, call.statuses = &s.statuses;
  found->second.solve(static_cast<int>(call.q.columns), call.f.data != nullptr, call, *s.executor);
  return s.statuses.first_failed();
}

/// The same into a result whose states have `size` columns of `rows` numbers each, side by side; by way of other memory
/// where a column does not follow on the one before.
template <class T>
Status run_into(Columns<T> result, std::ptrdiff_t size, Workspace::Space& s, const Status& whole,
                const Question& question, FunctionCall<T> call) {
  if (!whole.ok()) return said(s, whole);
  call.apart = result.rows * size, call.result = result.data;
  const bool together = result.stride == result.rows;
  std::vector<T>& own = functions<T>(s).results;
  if (!together) {
    own.resize(static_cast<std::size_t>(result.rows * result.columns));
    call.result = own.data();
  }
  const Status status = run(s, whole, question, call);
  for (std::ptrdiff_t c = 0; !together && c < result.columns; ++c)
    std::copy_n(own.data() + c * result.rows, result.rows, result.data + c * result.stride);
  return status;
}

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
