#pragma once
// Modules: which joints the dial cuts, the modules that leaves, and the tree of steps that puts them together again.
//
// A step is a node of the contraction tree: a module's own sweep, or the merge of two modules over one cut joint.
// Every step's result is used by exactly one other step, its parent, so the steps are a tree and every pass over them
// is a gather or a scatter. Steps are numbered children first: the subtree of a step is contiguous and ends with it.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

struct ModelData;

struct Range {
  int begin = 0, end = 0;
};

/// A cut joint; T has `rows` columns (6 minus its freedoms).
struct CutJoint {
  int body = -1;  ///< the body outboard
  int rows = 0;
  bool carried =
      false;  ///< its force is a column of the parent's module; else its chain of modules is raked into the parent body
  int lambda = 0;  ///< first entry in lambda and first column in T; a module's carried cuts are consecutive
};

/// A connected set of bodies, swept by one step.
struct Module {
  int base = -1;                            ///< its body nearest the ground
  int cut = -1;                             ///< the cut joint that carries the base; -1: the joint is not cut
  int first_range = 0, last_range = 0;      ///< its bodies, ascending, in Modules::ranges
  int first_carried = 0, last_carried = 0;  ///< its cut child joints, in Modules::carried
  int lambda = 0;                           ///< first column of its carried joints
  int columns = 0;                          ///< number of columns
  int step = -1;
  std::size_t omega = 0;  ///< offset of its Omega, columns x columns
};

struct Step {
  int parent = -1;             ///< step; -1: the ground
  int module = -1;             ///< the module this step sweeps; -1: a merge
  int top_module = -1;         ///< the module nearest the ground among those merged; of a sweep, its own
  int upper = -1, lower = -1;  ///< steps merged
  int cut = -1;                ///< cut joint over which they are merged
  int closes = -1;             ///< cut joint that this step's result hangs from, raked into its parent body; -1: none
  int first_boundary = 0,
      last_boundary = 0;          ///< cut joints that stay open, in Modules::boundary: the base's first, if it is cut
  int size = 0;                   ///< number of constraint forces that stay open
  std::size_t matrix = 0;         ///< offset of its size x size matrix; factorized in place by a step that closes
  std::size_t vector = 0;         ///< offset of its right-hand side
  std::size_t factor = 0;         ///< merge: offset of the rows x rows factor, followed by rows x size elimination rows
  std::size_t factor_vector = 0;  ///< merge: offset of the eliminated right-hand side
};

/// The part of a module's columns that passes a body, and where its epsilon stands.
struct Passing {
  int begin = 0, end = 0;   ///< columns, relative to the module's
  std::size_t epsilon = 0;  ///< offset; freedoms x (end - begin)

  int width() const { return end - begin; }
  void include(const Passing& other) {
    if (other.width() == 0) return;
    begin = width() == 0 ? other.begin : std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
};

struct Modules {
  std::vector<Module> modules;  ///< by ascending base
  std::vector<Range> ranges;
  std::vector<int> module_of;    ///< over bodies; -1: no module's here
  std::vector<int> process;      ///< over modules: which process sweeps it. Empty: one sweeps all
  std::vector<CutJoint> cuts;    ///< by ascending body
  std::vector<int> cut_of;       ///< over bodies: the cut joint that carries it, -1: none. Empty where nothing is cut
  std::vector<int> carried;      ///< cut joints, grouped by the module they are columns of
  std::vector<Passing> passing;  ///< over bodies; empty where nothing is cut
  std::vector<Passing> through;  ///< over aggregates: the columns that pass any member. Empty where nothing is cut
  std::vector<Step> steps;
  std::vector<int> boundary;         ///< cut joints
  std::vector<std::string> notices;  ///< which joints a rule left uncut
  /// The model whose bodies these are, where some of the user's are split in halves (split_bodies.hpp); null: none is.
  std::shared_ptr<const ModelData> split;

  int lambda_count = 0;
  std::size_t omega_count = 0, epsilon_count = 0, matrix_count = 0, vector_count = 0, factor_count = 0;
  bool any_cut() const { return !cuts.empty(); }
  /// Which process runs a step: a merge that of the step inboard.
  int process_of(const Step& step) const {
    return process.empty() ? 0 : process[static_cast<std::size_t>(step.top_module)];
  }
  /// The model whose bodies these are. `model`: the user's.
  const ModelData& parts_of(const ModelData& model) const { return split ? *split : model; }
  std::size_t bytes() const {
    return bytes_of(modules, ranges, module_of, process, cuts, cut_of, carried, passing, through, steps, boundary);
  }
};

}  // namespace kinetree::inline inner
