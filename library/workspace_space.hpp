#pragma once
// What a Workspace keeps, each part made when it is first needed.

#include <kinetree/model.hpp>
#include <kinetree/workspace.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "library/batch.hpp"
#include "library/frame_compliance.hpp"
#include "library/statuses.hpp"

namespace kinetree {

struct Workspace::Space {
  /// Solvers of the functions of a state, in one scalar type.
  template <class T>
  struct Functions {
    std::optional<Batch<T>> inverse_dynamics, mass_matrix, energy;
    std::vector<T> matrices;  ///< where columns of the caller's do not follow on each other
  };

  Space(const Model& m, const BatchOptions& o, const WorkspaceOptions& by, const Runner& runner)
      : model(m), options(o), executor(make_executor(by.executor, o.threads, by.pinning, runner)) {}

  Model model;
  BatchOptions options;
  std::unique_ptr<Executor> executor;
  Functions<double> in_double;
  Functions<float> in_float;
  std::optional<FrameCompliance> compliance;
  Statuses statuses;
};

inline namespace inner {

template <class T>
bool fits(const Columns<T>& c, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  return c.rows == rows && c.columns == columns;
}

/// What is wrong with a call as a whole; `apart`: the result shares no memory with an input.
inline Status fault_of_call(const Model& model, const Workspace::Space& s, bool sizes_fit, bool apart = true) {
  if (&model.data() != &s.model.data()) return {StatusCode::other_model};
  if (!sizes_fit) return {StatusCode::wrong_size};
  return {apart ? StatusCode::ok : StatusCode::shared_memory};
}

}  // namespace inner
}  // namespace kinetree
