#pragma once
// The plans that `automatic` weighs for one state, what each is predicted to take, and which one is taken.

#include <kinetree/calibration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <memory>
#include <vector>

#include "engine/partition/parts.hpp"
#include "parallel/prices.hpp"

namespace kinetree::inline inner {

/// A way for one state to go.
struct Candidate {
  Algorithm algorithm = Algorithm::ab;  ///< ab or modular
  int threads = 1;
  int grain = 0;                         ///< modular; for limbs as in Plan
  int limbs = 1;                         ///< of the state, side by side
  int end_chains = 1;                    ///< modular: modules of each end chain, side by side
  int refinements = 0;                   ///< modular
  std::shared_ptr<const Parts> parts{};  ///< those side by side; null: none
  double ns = 0;                         ///< predicted time of one state
  bool at_least = false;                 ///< ns is a bound, and already too long: no more was worked out
};

struct Choice {
  std::vector<Candidate> candidates;  ///< by threads; the first is `ab` on one, bodies one by one
  std::size_t chosen = 0;
  int batch_threads = 1, batch_from = 2;  ///< as in Plan

  const Candidate& taken() const { return candidates[chosen]; }
};

// These functions read `threads`, `executor`, `lanes`, `limbs`, `refinements` and `loops` of `options`; threads and
// lanes are above 0.

/// Weighs the plans on up to options.threads threads. `cores`: no plan has more threads than these.
Choice choose(const Model& model, const Options& options, const Calibration& calibration, int cores);

/// Bodies on the longest way from the ground to a tip.
int height_of(const ModelData& model);

/// Bodies per module that give `modules` modules on a path of `height` bodies.
int grain_for(int height, int modules);

/// Refinements of modules where a caller left them open.
int planned_refinements(const Options& options);

}  // namespace kinetree::inline inner
