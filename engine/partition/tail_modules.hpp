#pragma once
// The modules of chains that go side by side with themselves, in the words of the dial.

#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/tails.hpp"

namespace kinetree::inline inner {

/// Which joints these tails cut, and the modules that leaves; without columns and steps, which are the dial's. The base
/// of a tail is cut too, and its chain of modules raked into the body it hangs from.
Modules tail_modules(const ModelData& model, const Tails& tails);

}  // namespace kinetree::inline inner
