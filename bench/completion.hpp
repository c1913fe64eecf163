#pragma once
// Completion of the command's words by a shell, from the subcommands and options that the command itself parses.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

/// Every subcommand, in the order in which --help lists them.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);

/// A script for a shell, by its name: subcommands, options, and the words that an option takes; else names of files.
struct CompletionScript {
  const char* shell;
  std::string (*text)(const CLI::App& app);
};
const std::vector<CompletionScript>& completion_scripts();

}  // namespace kinetree::bench
