#pragma once
// A mechanism of twice as many bodies.

#include <kinetree/description.hpp>

namespace kinetree::bench {

/// The mechanism with a copy of itself in series: the copy stands on the body that most joints carry, as the mechanism
/// stands on the world. Names in the copy begin with "copy of "; a joint that floats on the world is welded there.
Description twice(const Description& description);

}  // namespace kinetree::bench
