#pragma once
// Completion of the command's words by a shell, from the subcommands and options that the command itself parses.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

/// Every subcommand, in the order in which --help lists them.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);

/// A script for bash: subcommands, options, and the words that an option takes; else names of files.
std::string bash_completion(const CLI::App& app);

}  // namespace kinetree::bench
