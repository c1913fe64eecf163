// The `kinetree` command.

#include "bench/command.hpp"

int main(int argc, char** argv) { return kinetree::bench::run_command(argc, argv); }
