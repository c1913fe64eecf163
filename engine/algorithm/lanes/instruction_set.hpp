#pragma once
// Which instruction set the kernels use, decided once the program runs.

#include <kinetree/export.hpp>
#include <span>

namespace kinetree::inline inner {

enum class InstructionSet { baseline, avx2, avx512 };

/// "baseline", "avx2", "avx512".
KINETREE_EXPORT const char* name_of(InstructionSet set);

/// The best that the processor and the operating system have, or what the environment variable KINETREE_ISA names,
/// which may be less. Throws std::invalid_argument where it names no set, or one that is not there.
KINETREE_EXPORT InstructionSet instruction_set();

/// Whether kernels of this set run here, whatever KINETREE_ISA says.
bool has(InstructionSet set);

/// Doubles in one of its registers; floats are twice as many. 1 where this build has no packs.
int lane_width(InstructionSet set);

/// How many limbs of one state its kernels take side by side: one of these, ascending. Empty where this build has no
/// packs.
KINETREE_EXPORT std::span<const int> limb_widths(InstructionSet set);

/// `width` if the set has kernels for so many limbs. Throws std::invalid_argument where it has not.
int checked_limb_width(int width, InstructionSet set);

/// The set whose registers hold `lanes` doubles. Throws std::invalid_argument where there is none up to
/// instruction_set().
InstructionSet set_of_lanes(int lanes);

}  // namespace kinetree::inline inner
