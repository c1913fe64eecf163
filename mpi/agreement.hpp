#pragma once
// Ranks must have the same model and the same instruction set, so that they compute the bits of one process.

#include <kinetree/model.hpp>

#include "mpi/communicator.hpp"

namespace kinetree::inline inner {

/// All ranks. Throws mpi::Error on all where a rank's model or instruction set is not rank 0's.
void agree_on_model(const Communicator& communicator, const Model& model);

}  // namespace kinetree::inline inner
