#pragma once
// Operations of a plan's steps, weighed by their time against operations of a long chain's bodies (price_table.hpp).
// Those of a pack are counted on its pattern, and are operations of whole registers.

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
  /// Of modules of parts, which `made` has too.
  WeighedOperations(const ModelData& model, const Modules& modules, const std::vector<bool>& multipliers,
                    const PartModules& made, const Parts& parts);

  Work of(const Step& step);
  /// Of the node that begins with body i, by `ab`.
  Operations of_node(int i);
  /// Of a pattern, what each lane takes on its own beside them.
  double of_lane(int i) const { return of_lane_[at(i)]; }
  /// Of all steps, and of the solve itself.
  double all(int refinements);

 private:
  WeighedOperations(const ModelData& model, const Modules& modules, const NodeOptions& nodes, bool pattern);
  Operations one_by_one(const Step& step);

  const Modules& modules_;
  StepOperations operations_;
  std::vector<Work> packs_;        ///< of the first modules, which are packs
  std::vector<double> weight_;     ///< over bodies: factor on the operations of the node that begins there; else 1
  std::vector<double> uncounted_;  ///< over bodies: weighed operations to be added, which Counted does not see
  std::vector<double> of_lane_;    ///< over bodies of a pattern
};

/// Of modules that these parts of the user's model have, by the same options; they must outlive it.
KINETREE_EXPORT WeighedOperations weighed(const ModelData& users, const Modules& modules,
                                          const std::vector<bool>& multipliers, const ModuleOptions& options,
                                          const Parts& parts);

/// Of a model by a method.
double weighed_operations(const Model& model, const Method& method);

/// Over bodies: of the node by `ab` that begins there; as find_limbs weighs them.
std::vector<BodyPrice> body_prices(const ModelData& model, const std::vector<bool>& multipliers = {});

/// find_limbs by these prices.
KINETREE_EXPORT Limbs limbs_that_pay(const ModelData& model, int width, const std::vector<bool>& by_multipliers = {},
                                     int most_bodies = 0, const std::vector<int>& process = {});

/// Whether a pack of a chain's modules would take less than their bodies by `ab` if a register took no longer than a
/// number, as find_end_chains asks. Whether a plan pays is its prediction's to say; chains that can't are left out.
/// `model` and `prices` must outlive it.
Pays packs_may_pay(const ModelData& model, const std::vector<BodyPrice>& prices, int width, int refinements);

/// Over modules, before there are steps: counted operations of their bodies (ModuleOptions::module_work).
KINETREE_EXPORT std::vector<double> module_work(const ModelData& model, const Modules& modules);

/// Over the steps of a solver: Work::all. `modules`: the solver's.
KINETREE_EXPORT std::vector<double> step_work(const Model& model, const Modules& modules, const Method& method,
                                              const Parts& parts = {});

}  // namespace kinetree::inline inner
