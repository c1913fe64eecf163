#pragma once
// How many motions an aggregate's constraints leave where they are closed, and near there.

#include <vector>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// K's rank and how clear it is. Lengths count relative to the loops' own levers, so that neither metres nor
/// millimetres matter.
struct Rank {
  int rank = 0;
  /// The smallest pivot of that rank, relative to the largest; 1 where the rank is 0, but 0 where q is no
  /// configuration.
  double margin = 1;
};

/// Pivots above 1e-6 of the largest count; that many behind the decimal point a closed configuration is known by
/// Newton's method even where it closes quadratically. Where loops close by least squares, the rank that is held.
Rank rank_at(const ModelData& m, Closure& closure, const Aggregate& a, const double* q);

/// How far K is at q from having less than its branch's rank: relative pivot, about what part of the digits is left of
/// accelerations; 0 where it has less. Close to 1 at regular configurations.
double margin_at(const ModelData& m, Closure& closure, const Aggregate& a, const double* q);

/// A branch of the configurations that close.
struct Branch {
  Rank rank;              ///< the largest in the neighbourhood
  std::vector<double> q;  ///< where it was found
};

/// The branches that the closed configuration q stands on, one per rank. At q itself constraints may have lost some:
/// then ranks are those of closed configurations beside it. Of several branches that meet at q the one with the fewest
/// motions comes first.
std::vector<Branch> branches_near(const ModelData& m, Closure& closure, const Aggregate& a,
                                  const std::vector<double>& q);

/// Whether K allows motions there that do not go on (Branches::shaky).
bool shaky(const ModelData& m, const Aggregate& a, const Branch& branch);
/// Whether the rank of a branch's configuration holds around it (Branches::stands).
bool regular(const ModelData& m, const Aggregate& a, const Branch& branch);

}  // namespace kinetree::inline inner
