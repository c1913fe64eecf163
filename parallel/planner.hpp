#pragma once
// From what a caller left open to a plan. Choices depend on the model and this machine, never on a measurement, so that
// a run can be repeated.

#include <kinetree/algorithm/plan.hpp>
#include <kinetree/model/model.hpp>
#include <kinetree/parallel/options.hpp>

namespace kinetree {

/// Replaces `automatic` and zeros by what will be run; settings that the algorithm has no use for go to their defaults.
/// Throws std::invalid_argument on lanes that the instruction set has not, and on a KINETREE_ISA that there is not.
Options resolve(const Model& model, Options options);

/// The plan of resolved options.
Plan make_plan(const Model& model, const Options& options);

/// Bodies per task, so that every thread gets several.
int task_bodies(const Model& model, int threads);

/// The most that crb may take: beyond it a model is refused, and batches go without lanes.
inline constexpr double largest_mass_matrix_gigabytes = 4;

/// Memory that crb's matrices take in double.
double mass_matrix_gigabytes(const Model& model, const Options& options);

}  // namespace kinetree
