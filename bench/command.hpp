#pragma once
// What the subcommands of `kinetree` share: exit statuses, loading, and the options of the dial.

#include <string>

#include <CLI/CLI.hpp>

#include <kinetree/kinetree.hpp>

namespace kinetree::command {

/// 0 done; 1 the input is wrong; 2 wrong usage; 3 a state failed.
enum Exit { done = 0, bad_input = 1, bad_usage = 2, failed_state = 3 };

/// An option that the chosen algorithm would ignore, or a word it does not know.
struct UsageError {
  std::string message;
};

struct ModelArguments {
  std::string model;
  LoadOptions load;
};
void add_model(CLI::App& app, ModelArguments& arguments);

/// Loads a file or makes a family; prints warnings and notices on stderr. Throws InputError.
Model load(const ModelArguments& arguments);

struct SolverArguments {
  std::string algorithm = "automatic", executor = "serial", cuts = "paths", elimination = "cyclic", formulation = "direct",
              factorization = "sparse";
  int threads = 1, grain = 0, corrections = -1, lanes = 1;
};
void add_solver(CLI::App& app, SolverArguments& arguments);

/// Throws UsageError. `app` says which options were given.
Options options_of(const CLI::App& app, const SolverArguments& arguments);

std::string word_of(Algorithm algorithm);
std::string word_of(ExecutorKind executor);
std::string word_of(Cuts cuts);

/// Adds the subcommand; its callback sets `exit`.
void add_info(CLI::App& app, int& exit);
void add_solve(CLI::App& app, int& exit);
void add_sweep(CLI::App& app, int& exit);

/// Prints findings on stderr.
void print(std::span<const Finding> findings);

}  // namespace kinetree::command
