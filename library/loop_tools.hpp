#pragma once
// What a Workspace keeps for closing, constraint forces and independent coordinates, each part made when it is first
// needed.

#include <kinetree/workspace.hpp>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "engine/model/assembly.hpp"
#include "engine/model/constraint_forces.hpp"
#include "engine/model/coordinates.hpp"
#include "engine/model/independent_map.hpp"
#include "engine/model/independent_mass.hpp"
#include "engine/model/tree.hpp"
#include "library/argument.hpp"
#include "library/function_call.hpp"
#include "library/workspace_space.hpp"

namespace kinetree::inline inner {

/// What closes one state after the other; one per thread.
struct Closer {
  explicit Closer(const ModelData& m)
      : assembly(m), q(at(m.q_index.back())), v(at(m.v_index.back())), before(q.size()) {
    contradicting.reserve(v.size());
  }

  Assembly assembly;
  std::vector<double> q, v, before;  ///< a state; q as it was given
  std::vector<int> contradicting;    ///< entries of v, of the last state where some did
  int column = -1;                   ///< of that state
};

struct LoopTools {
  /// `varying`: null, or how columns have numbers of their own; then a copy of the model takes them.
  explicit LoopTools(const ModelData& given, const Declared* varying = nullptr)
      : own_model_(varying == nullptr ? nullptr : std::make_unique<ModelData>(given)),
        own_(varying == nullptr ? nullptr : varying->own),
        model(own_model_ ? *own_model_ : given),
        held(model.aggregates.size()),
        first_row(row_starts(model)) {
    const ModelData& m = model;
    q.resize(at(m.q_index.back())), f_ext.resize(6 * m.parent.size());
    for (std::vector<double>* x : {&v, &a, &tau}) x->resize(at(m.v_index.back()));
    for (std::size_t k = 0; k < held.size(); ++k) {
      held[k].reserve(at(m.aggregates[k].velocities));
      models.push_back(independent_columns(m, m.aggregates[k], IndependentCoordinates::models));
    }
  }

  /// Of the calling thread.
  Assembly& assembly() { return closers(1).front()->assembly; }
  /// At least as many.
  std::vector<std::unique_ptr<Closer>>& closers(int count) {
    while (closers_.size() < at(count)) closers_.push_back(std::make_unique<Closer>(model));
    return closers_;
  }
  ConstraintForces& forces() { return forces_ ? *forces_ : forces_.emplace(model); }
  IndependentMap& independent() { return independent_ ? *independent_ : independent_.emplace(model); }
  IndependentMass& mass() { return mass_ ? *mass_ : mass_.emplace(model); }
  int rows() const { return first_row.back(); }
  /// Of a column: its own numbers go to the model, or what is wrong with them comes back. Null: the model's.
  template <class T>
  Status take(const T* given) {
    if (own_ == nullptr) return {};
    if (const Status status = given == nullptr ? Status{} : own_->fault(given); !status.ok()) return status;
    write_numbers(*own_, given == nullptr ? own_->nominal<T>() : given, *own_model_);
    return {};
  }

 private:
  std::unique_ptr<ModelData> own_model_;
  std::shared_ptr<const OwnNumbers> own_;

 public:
  const ModelData& model;
  std::vector<double> q, v, a, tau, f_ext;  ///< a state in double
  std::vector<std::vector<int>> held;       ///< over aggregates: columns
  std::vector<std::vector<int>> models;     ///< the same: the model's independent ones
  const Closer* told = nullptr;             ///< of the last call of close: whose last contradiction is the last
  std::vector<int> first_row;               ///< over loops, then couplings; the last is the count
  // joint forces on the way to those of independent coordinates
  std::vector<double> on_the_way;
  std::vector<float> on_the_way_in_float;
  std::vector<double> entries;    ///< of X_S, column after column of a call, on the way to biases
  std::vector<bool> has_entries;  ///< over columns

 private:
  static std::vector<int> row_starts(const ModelData& m) {
    std::vector<int> starts{0};
    for (const Loop& loop : m.loops) starts.push_back(starts.back() + row_count(loop));
    std::vector<bool> is_held(m.couplings.size(), false);
    for (const Aggregate& a : m.aggregates)
      for (const int c : a.couplings) is_held[at(c)] = true;
    for (const bool one : is_held) starts.push_back(starts.back() + (one ? 1 : 0));
    return starts;
  }

  std::vector<std::unique_ptr<Closer>> closers_;
  std::optional<ConstraintForces> forces_;
  std::optional<IndependentMap> independent_;
  std::optional<IndependentMass> mass_;
};

inline LoopTools& loop_tools(Workspace::Space& s) {
  if (!s.loops) s.loops = std::make_shared<LoopTools>(s.model.data(), s.varying ? &*s.varying : nullptr);
  return *static_cast<LoopTools*>(s.loops.get());
}

/// Numbers of a column in double; zeros where there are none. Null where the caller gave none.
template <class T>
const double* in_double(const Columns<T>& c, std::ptrdiff_t column, std::vector<double>& to) {
  if (c.data == nullptr) return nullptr;
  const T* x = c.data + column * c.stride;
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = static_cast<double>(x[k]);
  return to.data();
}

/// What is wrong with numbers of a state, joint by joint: `each` numbers of a joint begin at index[joint].
template <class T>
Status fault_of_entries(const ModelData& m, const T* x, const std::vector<int>& index, const char* argument) {
  if (x == nullptr || all_finite(x, at(index.back()))) return {};
  for (std::size_t i = 0; i < m.parent.size(); ++i)
    if (const Status s = fault_of_finite(x + index[i], index[i + 1] - index[i], static_cast<int>(i), argument); !s.ok())
      return s;
  return {};
}
inline Status fault_of_positions(const Workspace::Space& s, const double* q) {
  const Status status = fault_of_entries(s.model.data(), q, s.model.data().q_index, "q");
  return status.ok() ? s.quaternions.fault(q) : status;
}

/// Columns of the aggregates that these entries of v are; joints with quaternions as a whole.
inline void columns_of(const ModelData& m, std::span<const int> entries, std::vector<std::vector<int>>& columns) {
  for (std::vector<int>& list : columns) list.clear();
  for (const int v : entries) {
    const int body = body_of_velocity(m, v), which = aggregate_of(m, body);
    if (which < 0) continue;
    const int first = m.aggregate_column[at(body)];
    const auto add = [&](int column) {
      std::vector<int>& list = columns[at(which)];
      if (const auto place = std::lower_bound(list.begin(), list.end(), column);
          place == list.end() || *place != column)
        list.insert(place, column);
    };
    if (quaternion_at(m.joint_type[at(body)]) >= 0)
      for (int k = 0; k < velocity_count(m.joint_type[at(body)]); ++k) add(first + k);
    else
      add(first + v - m.v_index[at(body)]);
  }
}

/// The first entry that is none of v's.
inline Status fault_of_entries_of_v(const ModelData& m, std::span<const int> entries, const char* argument) {
  for (const int v : entries)
    if (v < 0 || v >= m.v_index.back())
      return {StatusCode::no_such_column, 0, -1, static_cast<double>(v), argument, m.v_index.back()};
  return {};
}

/// Of coordinates that a caller chooses: each aggregate has none of these entries of v, or as many as freedoms.
inline Status fault_of_choice(LoopTools& tools, std::span<const int> entries, const char* argument) {
  if (const Status status = fault_of_entries_of_v(tools.model, entries, argument); !status.ok()) return status;
  columns_of(tools.model, entries, tools.held);
  for (std::size_t k = 0; k < tools.held.size(); ++k) {
    const auto named = static_cast<int>(tools.held[k].size()), freedoms = tools.model.aggregates[k].freedoms;
    if (named > 0 && named != freedoms)
      return {StatusCode::wrong_size, 0, -1, static_cast<double>(named), argument, freedoms};
  }
  return {};
}

}  // namespace kinetree::inline inner
