#pragma once
// A case ready to run: its solver, its states, and the answers it gave when it was checked.

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <kinetree/kinetree.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bench/sweep/cases.hpp"
#include "bench/sweep/random_states.hpp"

namespace kinetree::bench {

class PreparedCase {
 public:
  virtual ~PreparedCase() = default;

  /// What is timed: solves the next state, or the whole batch; false where that failed. It must not outlive the case.
  virtual std::function<bool()> call() = 0;
  /// Told how many calls follow, before the first of them.
  virtual void begin(std::int64_t calls) = 0;
  /// Answers to the first `count` states; empty, with `why` set, where one failed.
  virtual Eigen::MatrixXd first_answers(Eigen::Index count, std::string& why) = 0;

  virtual const Plan& plan() const = 0;
  virtual int modules() const = 0;  ///< 0: none were cut, or they are several ranks'
  virtual int cut_joints() const = 0;
};

/// The other ranks of MPI, as a sweep asks for them.
class OverRanks {
 public:
  virtual ~OverRanks() = default;
  /// Throws mpi::Error. `states` must outlive the case; they are those that the sweep's seed draws.
  virtual std::unique_ptr<PreparedCase> prepare(const Case& c, const Model& model, const StateSet& states) = 0;
  virtual const Messages& messages() const = 0;  ///< as measured between them
  /// What a case is predicted to take; nothing for batches.
  virtual std::optional<double> predicted_ns(const Model& model, const Case& c, const Plan& plan,
                                             const Calibration& calibration) const = 0;
  /// How many of the first `ranks` ranks are on this machine.
  virtual int on_this_machine(int ranks) const = 0;
  /// Where they are and what joins them, for results.
  virtual const nlohmann::ordered_json& context() const = 0;
};

/// In this process alone. Throws what ForwardDynamics throws. `states` must outlive it; a batch takes its first
/// columns.
std::unique_ptr<PreparedCase> prepare(const Case& c, const Model& model, const StateSet& states);

}  // namespace kinetree::bench
