#pragma once
// Operations of a plan's steps, weighed by prices (price_table.hpp): an operation's weight is its time over the time of
// an operation in a long chain. Those of a pack are counted on its pattern, and are operations of whole registers.

#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <vector>

#include "engine/algorithm/method.hpp"
#include "engine/algorithm/solver/step_operations.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// sum += times * more.
void add(Operations& sum, double times, const Operations& more);

/// What a step takes.
struct Work {
  Operations alone;     ///< of one number each
  Operations in_lanes;  ///< of a register each, `width` lanes wide
  int width = 1;
  int filled = 1;  ///< lanes that have a part

  /// In operations of one number, by the default calibration's lanes.
  double all(int refinements) const;
};

class KINETREE_EXPORT WeighedOperations {
 public:
  /// `multipliers`: over aggregates, those that are left to multipliers. `pattern`: whether each body stands for one of
  /// every lane. `model` and `modules` must outlive the object.
  WeighedOperations(const ModelData& model, const Modules& modules, const std::vector<bool>& multipliers,
                    bool pattern = false);
  /// The steps are those of `made`'s modules.
  WeighedOperations(const ModelData& model, const Modules& modules, const std::vector<bool>& multipliers,
                    const PartModules& made, const Parts& parts);

  Work of(const Step& step);
  /// Over steps.
  std::vector<Work> of_steps();
  /// Weighs the node that begins with body i, by `ab`.
  Operations of_node(int i);
  /// Operations that each lane of a pattern takes on its own, beside the node's.
  double of_lane(int i) const { return of_lane_[at(i)]; }
  /// The number of modules that keep numbers of their own: packs, and all where joints are cut.
  std::size_t keeping() const { return modules_.any_cut() ? modules_.modules.size() : packs_.size(); }
  /// Sums all steps, and the solve's own.
  double all(int refinements);

 private:
  WeighedOperations(const ModelData& model, const Modules& modules, const NodeOptions& nodes, bool pattern);
  Operations one_by_one(const Step& step);

  const Modules& modules_;
  StepOperations operations_;
  std::vector<Work> packs_;        ///< over packs, which are the first modules
  std::vector<double> weight_;     ///< over bodies: factor on the operations of the node that begins there; else 1
  std::vector<double> uncounted_;  ///< over bodies: weighed operations to be added, which Counted does not see
  std::vector<double> of_lane_;    ///< over bodies of a pattern
};

/// Weighs modules that were made of these parts of the user's model by these options; they must outlive it.
KINETREE_EXPORT WeighedOperations weighed(const ModelData& users, const Modules& modules,
                                          const std::vector<bool>& multipliers, const ModuleOptions& options,
                                          const Parts& parts);

/// Weighed operations of a state by a method.
double weighed_operations(const Model& model, const Method& method);

/// Operations that a body of a long chain takes by `ab`, counted.
double operations_of_a_body();

/// Over bodies: the price of the node by `ab` that begins there, for find_limbs.
std::vector<BodyPrice> body_prices(const ModelData& model, const std::vector<bool>& multipliers = {});

/// find_limbs by these prices.
KINETREE_EXPORT Limbs limbs_that_pay(const ModelData& model, int width, const std::vector<bool>& by_multipliers = {},
                                     int most_bodies = 0, const std::vector<int>& process = {});

/// Says whether a pack takes fewer operations than its bodies by `ab`, counting a register operation as one. It only
/// drops hopeless chains; the prediction decides. `model` and `prices` must outlive it.
Pays packs_may_pay(const ModelData& model, const std::vector<BodyPrice>& prices, int width, int refinements);

/// Over modules: counted operations of their bodies, unweighed, since there are no steps yet
/// (ModuleOptions::module_work).
KINETREE_EXPORT std::vector<double> module_work(const ModelData& model, const Modules& modules);

/// Over the steps of a solver: Work::all. `modules`: the solver's.
KINETREE_EXPORT std::vector<double> step_work(const Model& model, const Modules& modules, const Method& method,
                                              const Parts& parts = {});

}  // namespace kinetree::inline inner
