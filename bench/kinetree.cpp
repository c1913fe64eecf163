// The `kinetree` command.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>

#include "bench/arguments.hpp"
#include "bench/command.hpp"
#include "bench/ranks/world.hpp"

namespace {

/// A file that is opened later must not become stdout: where that is closed, its number goes to what can't be written,
/// and so the exit status tells.
void keep_standard_streams_apart() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace kinetree::bench;
  keep_standard_streams_apart();
  try {
    const World world;
    return run_command(argc, argv);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "kinetree: %s\n", error.what());
    return wrong_usage;
  }
}
