#pragma once
// Loops and couplings of a Model, and the aggregates that turn its graph back into a tree (Jain 2012 II, Sec. 4).

#include <algorithm>
#include <array>
#include <kinetree/joint_type.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "engine/spatial/transform.hpp"

namespace kinetree::inline inner {

/// A combination of a loop joint's rows, fixed in its first frame; coefficients of lengths are 1/m where turns are in
/// it too.
struct HeldRow {
  std::array<double, 6> of{};  ///< coefficients, in the order of loop_forces
  bool length = false;         ///< of lengths alone, in m; else in rad
};

/// A cut-edge between two bodies.
struct Loop {
  std::string name;
  LoopType type = LoopType::weld;
  int first = -1, second = -1;  ///< bodies; -1: the ground
  int meet = -1;                ///< closest body above both, or the ground
  Transform<double> X_first{},
      X_second{};             ///< from the body's (internal) frame to the loop joint's, its axis turned to z
  double cosine = 0;          ///< universal: of the angle between the axes; the second frame's z is axis2
  bool rounded = false;       ///< whether only `held` are held: the rest is redundant but for rounding of the file
  std::vector<HeldRow> held;  ///< then
};

/// sum of coefficient * position = offset, over joints of one freedom. Where one is curved, each term has three factors
/// more, of its position's second to fourth power.
struct Coupling {
  std::string name;
  std::vector<std::pair<int, double>> terms;  ///< body carried by the joint, coefficient
  double offset = 0;
  std::vector<std::array<double, 3>> powers = {};  ///< over terms; empty: it is linear

  bool linear() const { return powers.empty(); }
  /// What a term adds to the sum, divided by its position.
  template <class S>
  S factor(std::size_t term, const S& q) const {
    const S first(terms[term].second);
    if (linear()) return first;
    const auto& [a, b, c] = powers[term];
    return first + q * (S(a) + q * (S(b) + q * S(c)));
  }
};

/// A rank that an aggregate's constraints have in a neighbourhood of some closed configuration.
struct RegularRank {
  int rank = 0;
  std::vector<double> q;  ///< of the aggregate's joints, body after body: where it was found
};

/// How constraints are held that would be redundant if no number of the file were rounded. One decision for every
/// configuration, made when the model is built (rounding.hpp).
struct RoundedRows {
  int rank = -1;               ///< of what is held; -1: nothing is rounded
  bool nearest = false;        ///< whether no fixed rows serve everywhere, so that loops close by least squares
  double open = 0;             ///< what may stay open at most: m or rad; couplings relative, as Violation has them
  double contradiction = 0;    ///< of least squares: what rows that are left out may ask for beside the others
  std::vector<int> couplings;  ///< that are left out
  bool any() const { return rank >= 0; }
};

/// The bodies that constraints tie together: one node of the aggregated tree. All base bodies hang from one parent.
struct Aggregate {
  int parent = -1;          ///< body; -1: the ground
  std::vector<int> bodies;  ///< ascending; as a node the aggregate contributes in the slot of the first
  std::vector<int> column;  ///< over its bodies: where the body's velocities stand among the aggregate's
  std::vector<int> loops, couplings;
  int rows = 0;                    ///< scalar constraints, redundant ones included; where rounded, those that are held
  int velocities = 0;              ///< freedoms of its spanning joints
  int freedoms = 0;                ///< independent ones, on the branch that `assembled` stands on
  std::vector<RegularRank> ranks;  ///< found when the model is built, the largest first; that branch's among them
  std::vector<int> independent;    ///< velocity indices of the independent coordinates, ascending: `freedoms` of them
  bool chosen_by_user = false;     ///< whether the independent coordinates are fixed by name
  bool curved = false;             ///< whether one of its couplings is not linear
  RoundedRows rounding;

  /// Independent velocities on the branch that has most.
  int most_freedoms() const { return ranks.empty() ? freedoms : velocities - ranks.back().rank; }
  /// Whether branches differ in their number of freedoms, so that a state's has to be found.
  bool branches() const { return ranks.size() > 1; }
  /// Whether no branch that moves has a larger rank.
  bool no_motion_above(int rank) const {
    return std::none_of(ranks.begin(), ranks.end(),
                        [&](const RegularRank& r) { return r.rank > rank && r.rank < velocities; });
  }
  /// Whether X_S is the same in every state: no loop, and linear couplings.
  bool constant() const { return loops.empty() && !curved; }
};

inline bool has_aggregates(const ModelData& m) { return !m.aggregates.empty(); }
/// The aggregate of body i; -1: none.
inline int aggregate_of(const ModelData& m, int i) { return has_aggregates(m) ? m.aggregate_of[at(i)] : -1; }

/// What a column that passes an aggregate has for it at most: a number for each coordinate, or, by multipliers, each
/// row.
inline int coordinates_or_rows(const Aggregate& a) { return std::max(a.most_freedoms(), a.rows); }

}  // namespace kinetree::inline inner
