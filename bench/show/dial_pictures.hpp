#pragma once
// The dial's modules and cut joints, and the pattern of the system that their constraint forces solve.

#include <string>
#include <vector>

#include "bench/show/mechanism.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::bench {

/// Why a block of the constraint-force system is not zero (design: The module equations).
enum class SystemBlock {
  zero = -1,
  own,         ///< A_jj
  base_child,  ///< A_jc: the joint that carries a module's base, and a cut child joint of that module
  children     ///< A_cc': two cut child joints of one module
};

/// Pairs of cut joints that share a module. Joints with six freedoms have no constraint force and no row.
struct SystemPattern {
  struct Group {
    int begin = 0, end = 0;  ///< rows
  };
  std::vector<int> cuts;      ///< by row: index into Modules::cuts; group by group, tips first
  std::vector<Group> groups;  ///< solved each by itself, outer ones first: each but those on the ground is raked
  std::vector<std::vector<SystemBlock>> block;
};
SystemPattern system_pattern(const Modules& modules);

/// What modules were made with, for the caption.
struct DialSetting {
  int grain = 0;
  int planned = 0;            ///< the grain that was planned; 0: the user's is drawn
  bool cuts_nothing = false;  ///< and no other grain does
  std::string cuts;           ///< the user's word
};

/// "grain 3 (planned), cuts paths".
std::string setting_words(const DialSetting& setting);

/// The tree with one colour per module and a badge per cut joint. The mechanism must outlive the picture.
TreePicture modules_picture(const Mechanism& mechanism, const Modules& modules, const DialSetting& setting);
/// The system's pattern, groups framed.
std::string system_picture(const Mechanism& mechanism, const Modules& modules, const DialSetting& setting);

}  // namespace kinetree::bench
