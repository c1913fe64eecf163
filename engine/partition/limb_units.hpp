#pragma once
// What limbs are laid out of: bodies, and aggregates that stay whole. A unit is named by its first body.

#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

class LimbUnits {
 public:
  /// `by_multipliers`: over aggregates, those whose bodies are units by themselves; may be empty.
  LimbUnits(const ModelData& model, const std::vector<bool>& by_multipliers);

  /// The unit of body i.
  int of(int i) const { return unit_[at(i)]; }
  const std::vector<int>& members(int unit) const { return members_[at(unit)]; }
  /// Whether body i is a member of an aggregate.
  bool has_ties(int i) const { return has_ties_[at(i)]; }
  /// The unit that a unit hangs from; -1: the ground.
  int inboard(int unit) const;
  /// What makes a unit like another: joint types, which member hangs from which, and what ties them.
  std::vector<int> key(int unit) const;

  /// Calls use(body) for the members that hang from another unit.
  template <class Use>
  void for_roots(int unit, Use&& use) const {
    for (const int i : members(unit))
      if (is_root(i)) use(i);
  }
  /// Calls use(unit) for the units that hang from body i.
  template <class Use>
  void for_outboard(int i, Use&& use) const {
    for (const int child : model_.children_of(i))
      if (of(child) == child && of(child) != of(i)) use(child);
  }

  // Of alike units or bodies in lanes; -1: none in that lane, never in the first.
  std::vector<std::vector<int>> roots_side_by_side(const std::vector<int>& units) const;
  /// The members of the same unit that hang from members `body`.
  std::vector<std::vector<int>> members_below(const std::vector<int>& body) const;
  std::vector<int> aggregates(const std::vector<int>& body) const;

 private:
  bool is_root(int i) const { return model_.parent[at(i)] < 0 || of(model_.parent[at(i)]) != of(i); }
  /// Those of the first lane's members for which holds(member), with the others' beside them.
  template <class Holds>
  std::vector<std::vector<int>> members_side_by_side(const std::vector<int>& body, Holds&& holds) const;

  const ModelData& model_;
  std::vector<int> unit_;                  ///< over bodies
  std::vector<bool> has_ties_;             ///< over bodies
  std::vector<std::vector<int>> members_;  ///< over units, by their first bodies: ascending
};

}  // namespace kinetree::inline inner
