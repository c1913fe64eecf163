#pragma once
// What ranks must have alike, so that they compute the bits of one process: the model, the instruction set, and, by
// rank 0's word, the options.

#include <kinetree/model.hpp>
#include <kinetree/options.hpp>

#include "mpi/communicator.hpp"

namespace kinetree::inline inner {

/// All ranks. Throws mpi::Error on all where a rank's model or instruction set is not rank 0's.
void agree_on_model(const Communicator& communicator, const Model& model);

}  // namespace kinetree::inline inner
