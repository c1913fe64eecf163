#pragma once
// From what a caller left open to a plan. What is chosen depends on the model, on how many threads are allowed and on a
// Calibration, and on nothing else: the same three give the same plan bit for bit. A Calibration is measured once per
// process where a choice needs one, so runs may differ in plan unless KINETREE_CALIBRATION names a saved one, or the
// plan that a run tells is given again. With one thread, the default, there is one plan and nothing is measured.

#include <kinetree/calibration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <string>
#include <vector>

#include "engine/algorithm/make_plan.hpp"
#include "engine/partition/end_chains.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// A plan is taken over one with fewer threads only where it is predicted to save more than this share of its time.
inline constexpr double worth_a_thread = 0.05;

/// A way for one state to go.
struct Candidate {
  Algorithm algorithm = Algorithm::ab;  ///< ab or modular
  int threads = 1;
  int grain = 0;          ///< modular
  int limbs = 1;          ///< ab: of the state, side by side; modular: modules of its chains
  int refinements = 0;    ///< modular
  double ns = 0;          ///< predicted time of one state
  bool at_least = false;  ///< ns is a bound, and already too long: no more was worked out
};

struct Choice {
  std::vector<Candidate> candidates;  ///< by threads; the first is `ab` on one, bodies one by one
  std::size_t chosen = 0;
  int batch_threads = 1, batch_from = 2;  ///< as in Options
};

/// Weighs the plans that `automatic` may take. `options`: `threads` > 0, executor, lanes > 0, limbs and loops are
/// read. `cores`: no plan has more threads than these.
Choice choose(const Model& model, const Options& options, const Calibration& calibration, int cores);

/// Replaces `automatic` and zeros by what will be run; settings that the algorithm has no use for get the value they
/// have in its plans. Throws OptionError where check_options does, and on lanes where why_one_by_one has a reason;
/// InputError on a calibration file that can't be read.
Options resolve(const Model& model, Options options);

/// The same with a calibration and a number of cores that are given, and executors that give as many threads as are
/// asked for.
Options resolve(const Model& model, Options options, const Calibration& calibration, int cores);

/// Why the states of a batch can't go side by side, as a clause; empty where they can. `options`: `threads` > 0.
std::string why_one_by_one(const Model& model, Options options);

/// The plan of resolved options for several columns; make_plan has that for one state.
Plan make_batch_plan(const Options& options);

/// The modules of end chains that one state goes through side by side; none where the plan has none.
EndChains end_chains_of(const Model& model, const Options& plan);

/// The modules that one state of a plan is solved in, and which joints are cut: those of end_chains_of, else the
/// dial's, with their steps. How schedulers split them in tasks is left out.
Modules modules_of(const Model& model, const Options& plan);

/// Threads that so many columns go over, by a plan, in double.
int threads_for(const Options& plan, int columns);

/// The most that crb may take: beyond it a model is refused, and batches go without lanes.
inline constexpr double largest_mass_matrix_gigabytes = 4;

/// Memory that crb's matrices take in double.
double mass_matrix_gigabytes(const Model& model, const Options& options);

}  // namespace kinetree::inline inner
