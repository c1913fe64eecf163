#pragma once
// The subcommand `assemble`, which adds itself as those of subcommands.hpp do.

#include "bench/subcommands.hpp"

namespace kinetree::bench {

void add_assemble(CLI::App& app, Action& action);

}  // namespace kinetree::bench
