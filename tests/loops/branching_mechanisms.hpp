#pragma once
// Mechanisms whose branches have different numbers of freedoms, with closed forms of their branches and of ways to
// their change points: multi-mode and kinematotropic linkages (Wunderlich 1954; Wohlhart 1996; Kieffer 1994; Galletti &
// Fanghella 2001).

#include <functional>
#include <string>
#include <vector>

#include "loops/coupling_rods.hpp"

namespace kinetree::oracle {

/// A branch, or a part of one.
struct BranchForm {
  std::string name;
  int freedoms;                                       ///< of the whole model
  std::function<Eigen::VectorXd(Random&)> somewhere;  ///< a closed configuration of it
};

/// A way on a branch to a change point, where the distance is 0.
struct WayToChangePoint {
  std::string name;
  int freedoms;  ///< of the whole model, on the branch
  std::function<Eigen::VectorXd(double distance)> at;
};

struct BranchingMechanism {
  std::string name;
  Description description;
  std::vector<BranchForm> branches;
  std::vector<WayToChangePoint> ways;
  int freedoms = 0;  ///< where it is assembled
};

/// Cranks with a rod of their length, whose end runs on a line through the crank's pivot: it runs, or rests on the
/// pivot while crank and rod turn together. The first two rods turn alike, by a coupling: while both rest, two motions
/// are left, else one. `third`: another that no coupling holds, in the same aggregate by a redundant tie; where it
/// changes, the rank is that of the branch on which the first two rest. `resting`: assembled there.
BranchingMechanism sliding_rods(bool third, bool resting);

/// Two rhombi of four bars, the turns of whose couplers against their cranks are coupled: closed bar on bar, each may
/// turn as one bar.
BranchingMechanism coupled_rhombi();

/// n legs of one length between two equal regular polygons, on universal and ball joints (Wren's platform): the upper
/// one moves in parallel, legs too, on a sphere, or turns about its axis while legs lean as on a hyperboloid. Legs are
/// lines of one regulus either way, so that K is of rank 3 and allows one motion more than there is, or two: shaky.
BranchingMechanism wren_platform(int legs);

/// The same with two universal joints a leg, whose axes on the ground and on the plate are vertical: legs, all upright,
/// spin one by one; or the plate moves in parallel on a sphere, with all legs turned alike; or it turns about its axis
/// and sinks. n motions, two and one, and K of as many.
BranchingMechanism universal_platform(int legs);

/// Cranks that lie in one line with a rod on all of them.
BranchingMechanism parallel_cranks(int cranks);

/// Twelve bars along the edges of a cube that is drawn in the plane, 16 joints (Wunderlich 1954). Two motions where
/// faces are parallelograms and antiparallelograms: all parallelograms; one face an antiparallelogram that is moved in
/// parallel; all antiparallelograms, one turned about the centre of the circle through its corners. One motion
/// elsewhere.
BranchingMechanism wunderlich_linkage();

/// Six equal links whose axes are twisted by 60 degrees there and back (Bricard's threefold-symmetric ring): where it
/// is folded to a triangle two ways to move meet (Chen, You & Tarnai 2005).
BranchingMechanism bricard_ring();

/// The same twisted by right angles (Bricard's trihedral ring): one motion, no change point.
BranchingMechanism trihedral_ring();

/// The ring of three links between two parallel shafts that turn a vessel in mixers (Schatz 1929).
BranchingMechanism schatz_ring();

std::vector<BranchingMechanism> branching_mechanisms();

}  // namespace kinetree::oracle
