#pragma once
// Words of MJCF files that MuJoCo does not know.

#include "engine/io/mjcf_reading.hpp"

namespace kinetree::inline inner {

/// Errors on elements, and on attributes of elements that are read, which MuJoCo 3.3 does not have, as MuJoCo itself
/// refuses them: a misspelt word would change the dynamics in silence. What stands in elements without a part in the
/// dynamics is not looked at.
void check_words(MjcfReading& r, const MjcfElement& root);

}  // namespace kinetree::inline inner
