#pragma once
// On which branch of its configurations an aggregate stands, of those that differ in their rank.

#include <concepts>
#include <kinetree/export.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/coordinates.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// The rank that a state is to be solved with.
struct FoundRank {
  int rank = -1;     ///< a regular one; -1: none, the state stands at a change point
  double pivot = 0;  ///< of the largest regular rank, the smallest pivot relative to the largest
  bool ok() const { return rank >= 0; }
};

/// Decides by pivots of K without units. A rank that is not the largest has rows that are left out; the same pivots are
/// those of a change point of a branch with a larger rank. What tells them apart is beside: on the branch each motion
/// that K allows goes on to closed configurations, at a change point some don't. By the implicit function theorem this
/// is all: where K has the rank that it has around on some branch, no other branch passes.
/// Works on one state at a time in double, whatever the Scalar, so that a state's branch depends on its own numbers
/// only. Of one thread; allocates nothing but when it is made.
class Branches {
 public:
  /// How far from closed states may be, without units.
  static constexpr double off = 1e-8, off_in_float = 1e-6;

  /// Units are those of the configuration `units`; null: of the model's.
  KINETREE_EXPORT Branches(const ModelData& model, const Aggregate& aggregate, double off_by = off,
                           const double* units = nullptr);

  /// Takes the positions of the aggregate's joints: position(k), of the k-th in q.
  template <std::invocable<int> Position>
  void set(Position&& position) {
    for (const int i : a_->bodies)
      for (int k = m_->q_index[at(i)]; k < m_->q_index[at(i + 1)]; ++k) q_[at(k)] = position(k);
  }
  void set(const double* q) {
    set([&](int k) { return q[k]; });
  }

  /// Whether pivots in the kernels' own terms leave no doubt that a state has that rank.
  KINETREE_EXPORT bool evident(int rank, const CoordinateRank& here) const;
  /// The regular rank of the aggregate there.
  KINETREE_EXPORT FoundRank find();
  /// Whether constraints of `rank` there keep it beside, where they are closed.
  bool stands(int rank);
  /// Whether some motion that K of `rank` allows there does not go on to closed configurations, but is held by
  /// constraints of second order.
  bool shaky(int rank);

  std::size_t bytes() const;

 private:
  CoordinateRank eliminate(const std::vector<double>& q, int rank, const std::vector<int>& fixed,
                           std::vector<double>* errors = nullptr);
  double error(const std::vector<double>& q);
  double error_beside(const CoordinateRank& here, double distance);
  void move(std::vector<double>& q, const std::vector<double>& way);

  const ModelData* m_;
  const Aggregate* a_;
  double clear_;  ///< a pivot above is none of states that are not quite closed
  Closure closure_;
  ConstraintRows<double> rows_;
  CoordinateMap<double> map_;
  std::vector<double> row_, column_;  ///< units
  std::vector<double> q_, beside_, way_, error_;
  std::vector<int> independent_;
  const std::vector<int> none_;
};

}  // namespace kinetree::inline inner
