#pragma once
// What the steps of a plan take in operations, counted and not written down: a node is cut out of its model together
// with what hangs from it, and the solver's own kernels run on it on the scalar Counted. Nodes alike are counted once
// in a process, and a plan of a large model is a sum. A new kind of node needs nothing here.

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/algorithm/solver/specimen.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/limb_units.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Counts of one model's steps, of a state without external forces.
class StepOperations {
 public:
  /// `multipliers`: over aggregates, those that are left to multipliers; may be empty. The rest must outlive it.
  StepOperations(const ModelData& model, const Modules& modules, std::vector<bool> multipliers = {});

  Operations of(const Step& step);
  /// Of the node that begins with body i; nothing where that is another member of an aggregate.
  const Operations& of_node(int i);

 private:
  using Key = std::vector<int>;

  bool by_multipliers(int aggregate) const { return !multipliers_.empty() && multipliers_[at(aggregate)]; }
  bool contributes(int i) const;
  int cut_of(int i) const { return modules_.any_cut() ? modules_.cut_of[at(i)] : -1; }
  Passing passing(int i) const { return modules_.any_cut() ? modules_.passing[at(i)] : Passing{}; }
  /// Calls use(cut joint, its first column) for the columns that pass body i, ascending.
  template <class Use>
  void for_columns(int i, Use&& use) const;
  /// Calls use(child) for the bodies that hang from member i of a node and contribute to it.
  template <class Use>
  void for_outboard(int i, int aggregate, Use&& use) const;

  void name_node(int i, int aggregate);
  Operations count_node(int i, int aggregate) const;
  const Operations& of_open_columns(const Module& module);
  const Operations& of_merge(const Step& step);
  const Operations& of_rake(const CutJoint& cut);
  const Operations& known(const std::function<Operations()>& count);

  const ModelData& m_;
  const Modules& modules_;
  const std::vector<bool> multipliers_;
  std::optional<LimbUnits> units_;    ///< of models with aggregates
  Key key_;                           ///< what is being looked for
  std::map<Key, Operations> counts_;  ///< a part of those that the process knows
};

/// Operations that embedding takes at least: of the independent coordinates' inertia alone.
double least_operations_embedded(const Aggregate& aggregate);

}  // namespace kinetree::inline inner
