#pragma once
// LaneCosts: what parts of one state take side by side in lanes.

#include <kinetree/export.hpp>

namespace kinetree {

/// In packs of one width, as multiples of the time of a body swept alone.
struct LaneCosts {
  /// Modules of an end chain that fill a pack.
  struct EndChain {
    double body = 0;    ///< a body of each module, together
    double module = 0;  ///< a module's own system, beside its bodies
    double join = 0;    ///< a module's boundary constraint, where the modules are joined

    bool operator==(const EndChain&) const = default;
  };

  double limb_body = 0;                   ///< sweeping one body of every limb in a pack, together
  double limb_pack = 0;                   ///< copying limbs into lanes and back: the part of a pack
  double limb = 0;                        ///< copying limbs into lanes and back: the part of each limb
  double limb_parent = 0;                 ///< each further body that the limbs of a pack hang from
  EndChain end_chain, end_chain_refined;  ///< of the first solve; of each refinement, in addition

  bool operator==(const LaneCosts&) const = default;
};

/// Those of 2, 4 or 8 lanes that hold where nothing was measured. Which limbs form a pack, and which chains are cut,
/// goes by these alone, so that a plan has equal bits whatever a calibration says.
KINETREE_EXPORT const LaneCosts& default_lane_costs(int width);

}  // namespace kinetree
