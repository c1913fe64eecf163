#pragma once
// X_S and its rate in one state, by independent coordinates that are named: v_S = X_S v_R, a_S = X_S a_R + g.

#include <kinetree/export.hpp>
#include <kinetree/status.hpp>
#include <optional>
#include <vector>

#include "engine/model/branches.hpp"
#include "engine/model/coordinates.hpp"
#include "engine/model/link_motion.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Works on one model, in double; one per thread. Allocates when it is made alone.
class IndependentMap {
 public:
  KINETREE_EXPORT explicit IndependentMap(const ModelData& model);

  /// `columns`: over aggregates, those that stay independent; none: the model's. Each has none or as many as its
  /// freedoms. `v` null: zeros, and g is zero. Status: singular_loop, other_branch.
  KINETREE_EXPORT Status find(const double* q, const double* v, const std::vector<std::vector<int>>& columns);

  const LinkMotion& motion() const { return motion_; }
  int size() const { return static_cast<int>(velocity_.size()); }
  const std::vector<int>& velocities() const { return velocity_; }  ///< independent entries of v, ascending
  /// Calls use(place among the independent, entry) for the entries of row v of X_S.
  template <class Use>
  void row(int v, Use&& use) const {
    if (part_[at(v)] < 0) return use(place_[at(v)], 1.0);
    const Part& part = parts_[at(part_[at(v)])];
    for (int r = 0; r < part.map.freedoms; ++r)
      use(part.place[at(r)], part.map.X[at(column_[at(v)] * part.map.freedoms + r)]);
  }
  double rate(int v) const { return part_[at(v)] < 0 ? 0 : parts_[at(part_[at(v)])].map.g[at(column_[at(v)])]; }

 private:
  struct Part {  ///< of an aggregate
    CoordinateMap<double> map;
    ConstraintRows<double> rows;
    std::optional<Branches> branches;
    std::vector<int> models, place;  ///< the model's columns; places of its independent velocities among all
  };

  Status find(const Aggregate& a, Part& part, const double* q, const std::vector<int>& columns);

  const ModelData& m_;
  LinkMotion motion_;
  std::vector<Part> parts_;
  std::vector<int> velocity_, place_, part_, column_;  ///< the last three over v
};

}  // namespace kinetree::inline inner
