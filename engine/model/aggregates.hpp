#pragma once
// From a Description's loops and couplings to a Model's aggregates.

#include <kinetree/description.hpp>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Fills loops, couplings and aggregates of a model whose bodies are numbered and weighed; appends to its findings.
void make_aggregates(const Description& description, ModelData& model);

}  // namespace kinetree::inline inner
