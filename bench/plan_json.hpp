#pragma once
// A plan as JSON: what was run, so that it can be run again.

#include <CLI/CLI.hpp>
#include <kinetree/forward_dynamics.hpp>
#include <kinetree/plan.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/arguments.hpp"

namespace kinetree::bench {

/// Only the settings that the algorithm reads.
nlohmann::ordered_json plan_json(const Plan& plan);

/// The plan that a JSON text holds: as plan_json gives it, or as `plan` in what solve and info print. What it leaves
/// out is as plan_json leaves it out. Throws InputError with every unknown key and wrong value.
Plan plan_from_json(const std::string& text, const std::string& file);

/// The options of an algorithm, or a file with the plan that an earlier run printed.
class PlanArguments {
 public:
  void add_to(CLI::App& app);
  /// Before anything is read. Throws UsageError as AlgorithmArguments::options, and where a plan and options are given.
  void check() const;
  /// Throws InputError on a plan that can't be read; OptionError on one that leaves a choice open or that the model
  /// can't have.
  ForwardDynamics make(const Model& model) const;
  /// Over ranks of MPI, each of which makes the choices of its own. Throws UsageError where a plan is given.
  Options options_over_ranks() const;
  bool side_by_side() const { return algorithm_.side_by_side(); }

 private:
  AlgorithmArguments algorithm_;
  std::string file_;
};

}  // namespace kinetree::bench
