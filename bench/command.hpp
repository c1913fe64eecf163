#pragma once
// The whole command as a function, so that tests can call it.

namespace kinetree::bench {

/// Runs `kinetree` with these arguments and gives its exit status.
int run_command(int argc, const char* const* argv);

}  // namespace kinetree::bench
