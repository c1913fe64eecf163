#pragma once
// Several of a mechanism in one.

#include <kinetree/description.hpp>

namespace kinetree::bench {

/// The description with joints that float on the world welded there.
Description welded(Description description);

/// So many of the mechanism, each as it stands on the world, 2 m apart on one platform of 100 kg that is called
/// `platform`; names in copy K begin with "copy K of ". `floats`: the platform does, else it is fixed.
Description on_platform(const Description& description, int copies, bool floats);

}  // namespace kinetree::bench
