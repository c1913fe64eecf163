#pragma once
// Specimens: small models cut out of large ones, on which the solver's kernels are run to be counted.

#include <array>
#include <kinetree/options.hpp>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/lane_group.hpp"
#include "engine/partition/modules.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// Operations of passes between which threads wait for each other; a gather right behind a scatter waits for none.
/// Additions, multiplications, divisions, sines and cosines.
struct Operations {
  std::array<double, Pass::phases> of{};  ///< of one run of each phase; `ab` has articulate and accelerate alone

  Operations& operator+=(const Operations& more);
  double all(int refinements) const;
  /// How often a phase runs.
  static double runs(std::size_t phase, int refinements) { return phase >= Pass::correct ? refinements : 1; }
};

/// A small model whose modules are laid out by hand. Step 0 is counted, module 0 is the one that it may sweep.
struct Specimen {
  ModelData model;
  Modules modules;
  std::vector<double> q{};

  /// Of places as pattern_of takes them; body 0 has no joint. `on_ground`: what would hang from it hangs from the
  /// ground.
  Specimen(const ModelData& m, const LaneGroup& group, bool on_ground);

  /// Makes step 0 sweep a body.
  void sweep(int body) { modules.module_of[at(body)] = 0; }
  /// Lets the dial solve it: body 0 is cut, so that something is.
  void use_dial();
  /// Returns the index of the cut joint.
  int cut(int body, int rows, bool carried);
  /// Columns of module 0, which begin with its `lambda`.
  void carry(int columns);
  /// A step's open joints.
  void open(int step, const std::vector<int>& cuts);

  /// `lower`: whether step 1 is the lower step of a merge; its velocity, found in the second pass, is counted too. Else
  /// step 1 has the bodies that step 0 has not, and runs first, uncounted, since step 0 reads their kinematics.
  Operations count(Loops loops, bool lower = false);

 private:
  void stand_on_ground();
};

}  // namespace kinetree::inline inner
