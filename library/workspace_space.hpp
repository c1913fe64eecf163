#pragma once
// What a Workspace keeps, each part made when it is first needed.

#include <array>
#include <kinetree/model.hpp>
#include <kinetree/workspace.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/tree.hpp"
#include "library/batch.hpp"
#include "library/function_table.hpp"
#include "library/parameters.hpp"
#include "library/planned_products.hpp"
#include "library/quaternion_check.hpp"
#include "library/statuses.hpp"
#include "library/varying_data.hpp"

namespace kinetree {

struct Workspace::Space {
  /// Solvers of the functions of a state, in one scalar type.
  template <class T>
  struct Functions {
    /// Over rows of the table, and Coordinates.
    std::array<std::array<std::optional<Batch<T>>, 2>, std::size(function_table) + 1> batch;
    std::vector<T> results;     ///< where those of the caller's do not follow on each other
    std::vector<T> directions;  ///< of products, a state's one after another
    /// Of the workspace that ForwardDynamics has for push and pull; null: all functions go by articulated bodies.
    std::unique_ptr<PlannedProducts<T>> planned;
  };

  Space(const Model& m, const BatchOptions& o, const WorkspaceOptions& by, const Runner& runner)
      : model(m),
        path_lengths(inner::path_lengths(m.data())),
        quaternions(m.data()),
        options(o),
        executor(make_executor(by.executor, o.threads, by.pinning, runner)) {}

  /// Of a Varying: batches go by its model and by columns of parameters.
  Space(const Model& m, Declared d, const BatchOptions& o, const WorkspaceOptions& by, const Runner& runner)
      : Space(m, o, by, runner) {
    varying = std::move(d);
  }
  const Model& batch_model() const { return varying ? varying->model : model; }
  /// Null where columns have none of their own.
  const OwnNumbers* own() const { return varying ? varying->own.get() : nullptr; }

  Model model;
  std::optional<Declared> varying;
  Parameters parameters;  ///< of the next call
  std::vector<int> path_lengths;  ///< over links: how many velocities move each
  QuaternionCheck quaternions;
  BatchOptions options;
  std::unique_ptr<Executor> executor;
  Functions<double> in_double;
  Functions<float> in_float;
  Statuses statuses;
  std::shared_ptr<void> loops;  ///< LoopTools (loop_tools.hpp); null until something asks for them
};

}  // namespace kinetree
