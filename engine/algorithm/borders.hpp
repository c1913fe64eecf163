#pragma once
// Borders: what the kernel of one step reads of another step's numbers. Processes that share out a state's steps, each
// with a workspace of its own, copy these across; on threads they lie in one workspace.

#include <cstddef>
#include <vector>

namespace kinetree::inline inner {

/// Numbers of a workspace that lie together. They stand where they are until external forces are first expected.
struct Piece {
  void* data;
  std::size_t bytes;
};
using Pieces = std::vector<Piece>;

template <class T>
void add_piece(std::vector<T>& all, std::size_t first, std::size_t count, Pieces& pieces) {
  if (count > 0) pieces.push_back({&all[first], count * sizeof(T)});
}

/// Lists the numbers that a step's kernel reads of another process's step. `pass`: index in Solver::passes.
class Borders {
 public:
  virtual ~Borders() = default;
  /// In a gather, of a step: what the kernel at its parent step reads.
  virtual void to_parent(int pass, int step, Pieces& pieces) = 0;
  /// In a scatter, for a step: what its kernel reads of steps inboard, all known at its parent step.
  virtual void to_child(int pass, int step, Pieces& pieces) = 0;
  /// In a pass over independent steps: what the module outboard of a cut joint reads of the module inboard.
  virtual void to_outboard(int /*pass*/, int /*cut*/, Pieces&) {}
  /// After such a pass: what it has found at a cut joint and the module inboard reads later.
  virtual void to_inboard(int /*pass*/, int /*cut*/, Pieces&) {}
  /// Finds the transform and the subspaces of a cut joint from the state alone, as the module outboard does, for the
  /// module inboard. Before the first pass.
  virtual void find_joint(int /*cut*/) {}
  /// From now on no fault of a step's joints is reported, since another process runs it.
  virtual void ignore_faults_of(int step) = 0;
};

}  // namespace kinetree::inline inner
