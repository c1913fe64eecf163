#pragma once
// From Options to a Plan. What is chosen depends on the model, on how many threads are allowed and on a Calibration,
// and on nothing else: the same three give the same plan bit for bit. The Calibration is the process's
// (kinetree/calibration.hpp); with one thread, the default number, it is the default one.

#include <kinetree/calibration.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/plan.hpp>
#include <string>

#include "engine/algorithm/method.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/parts.hpp"

namespace kinetree::inline inner {

/// A plan, and the parts of one state that it solves side by side.
struct Planned {
  Plan plan;
  Parts parts;
};

/// Makes the choices that options leave open; settings that the algorithm has no use for get the value they have in its
/// plans. Throws OptionError where check_options does, and on lanes where why_one_by_one has a reason; InputError on a
/// calibration file that can't be read.
Planned make_plan(const Model& model, const Options& options);

/// The same with a calibration and a number of cores that are given, and executors that give as many threads as are
/// asked for.
Planned make_plan(const Model& model, const Options& options, const Calibration& calibration, int cores);

/// A plan as it stands, but for threads that its executor does not give. Throws OptionError where check_plan does, and
/// on lanes that the model can't have.
KINETREE_EXPORT Planned replay(const Model& model, const Plan& plan);

/// What a plan has in lanes of one state. `process`: over bodies, who sweeps each, so that limbs of one go together;
/// empty: one sweeps all.
KINETREE_EXPORT Parts planned_parts(const ModelData& model, const Plan& plan, const std::vector<int>& process = {});

/// The options with their lanes and loops chosen. `lanes` 0 becomes the width of a register, or 1 where why_one_by_one
/// has a reason. `loops` automatic becomes the way that all aggregates go, and stays where aggregates go both ways.
/// Throws OptionError where `lanes` is above 1 and why_one_by_one has a reason. `options`: `threads` > 0.
Options settled(const Model& model, Options options);

/// Why the states of a batch can't go side by side, as a clause; empty where they can. `options`: `threads` > 0.
std::string why_one_by_one(const Model& model, Options options);

/// How one state is solved, and how each of several columns is.
KINETREE_EXPORT Method one_method(const Plan& plan);
Method batch_method(const Plan& plan);

/// The modules that one state of a plan is solved in, and which joints are cut: those of end chains, else the dial's,
/// with their steps. How schedulers split them in tasks is left out.
Modules modules_of(const Model& model, const Planned& planned);

/// What one state of a plan goes by in float. Where float can't hold its cuts, that is the algorithm of its batches, on
/// one thread; where that cuts too, `lost_cut` is the body of such a joint, and no state can be solved.
struct FloatPlan {
  Planned planned;
  int lost_cut = -1;
};
FloatPlan plan_in_float(const Model& model, const Planned& planned);

/// The body of the first joint that one state of a plan cuts, between modules in lanes too, and float can't; -1: none.
KINETREE_EXPORT int cut_that_needs_double(const Model& model, const Planned& planned);

/// Threads that solve `columns` columns by this plan in double.
int threads_for(const Plan& plan, int columns);

/// The most that crb may take: beyond it a model is refused, and batches go without lanes.
inline constexpr double largest_mass_matrix_gigabytes = 4;

/// Memory that crb's matrices take in double.
double mass_matrix_gigabytes(const Model& model, Factorization factorization);

}  // namespace kinetree::inline inner
