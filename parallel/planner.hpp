#pragma once
// From what a caller left open to a plan. Choices depend on the model and this machine, never on a measurement, so that
// a run can be repeated.

#include <kinetree/algorithm/plan.hpp>
#include <kinetree/model/model.hpp>
#include <kinetree/parallel/options.hpp>

namespace kinetree {

/// Replaces `automatic` and zeros by what will be run; settings that the algorithm has no use for go to their defaults.
Options resolve(const Model& model, Options options);

/// The plan of resolved options.
Plan make_plan(const Model& model, const Options& options);

/// Bodies per task, so that every thread gets several.
int task_bodies(const Model& model, int threads);

/// Memory that crb's matrices take in double.
double mass_matrix_gigabytes(const Model& model, const Options& options);

}  // namespace kinetree
