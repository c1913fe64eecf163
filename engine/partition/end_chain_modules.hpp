#pragma once
// The modules of chains that go side by side with themselves, in the words of the dial.

#include "engine/model/model_data.hpp"
#include "engine/partition/end_chains.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Which joints these chains cut, and the modules that leaves; without columns and steps, which are the dial's. The
/// base of a chain is cut too, and its chain of modules raked into the body it hangs from.
Modules end_chain_modules(const ModelData& model, const EndChains& chains);

}  // namespace kinetree::inline inner
