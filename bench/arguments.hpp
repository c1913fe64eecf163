#pragma once
// What several subcommands take: a MODEL and the algorithm's options, checked against each other.

#include <CLI/CLI.hpp>
#include <kinetree/model/model.hpp>
#include <kinetree/parallel/options.hpp>
#include <stdexcept>
#include <string>

namespace kinetree::bench {

/// Exit statuses of the command (design: the public face).
enum ExitStatus { done = 0, wrong_input = 1, wrong_usage = 2, state_failed = 3 };

/// Thrown where options don't go together; the command prints it and exits with wrong_usage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// MODEL and how to load it.
struct ModelArguments {
  std::string model;
  LoadOptions load;

  void add_to(CLI::App& app);
  /// From a file or a family; warnings and notices go to stderr. Throws InputError.
  Model read() const;
};

/// Words for Options, and which of them were given.
class AlgorithmArguments {
 public:
  /// `many_states`: whether there may be several to put side by side.
  void add_to(CLI::App& app, bool many_states = true);
  /// Throws UsageError for an option that the algorithm ignores.
  Options options() const;
  /// Whether --lanes was given, and asks for more than one.
  bool side_by_side() const { return app_->count("--lanes") > 0 && lanes_ != 1; }

 private:
  std::string algorithm_ = "automatic", executor_ = "tbb", cuts_ = "paths", elimination_ = "cyclic",
              formulation_ = "direct", factorization_ = "sparse", loops_ = "embed";
  int threads_ = 1, lanes_ = 0, branches_ = 0, grain_ = 0, corrections_ = -1;
  const CLI::App* app_ = nullptr;
};

}  // namespace kinetree::bench
