#pragma once
// From elements of <worldbody> to bodies.

#include <memory>
#include <vector>

#include "engine/io/mjcf_model.hpp"

namespace kinetree::inline inner {

/// Adds the bodies of a file, and of the models that it attaches, to the model. `sources` gains the latter; its first
/// is the file. `lines`: lines of the description so far. Error: replicas and attached models make more elements than
/// `most`.
void read_bodies(MjcfReading& r, MjcfModel& model, std::vector<std::unique_ptr<MjcfSource>>& sources,
                 IncludeGuard& guard, int& lines, int most = 1'000'000);

}  // namespace kinetree::inline inner
