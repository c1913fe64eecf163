#pragma once
// What several subcommands take: a MODEL and the algorithm's options, checked against each other.

#include <CLI/CLI.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::bench {

/// Exit statuses of the command (docs/using.md).
enum ExitStatus { done = 0, wrong_input = 1, wrong_usage = 2, state_failed = 3 };

/// Thrown where options don't go together; the command prints it and exits with wrong_usage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// --floating, --ignore-mimic and --lock; values go to `load`, which must outlive the parsing.
void add_load_options(CLI::App& app, LoadOptions& load);

/// MODEL and how to load it.
struct ModelArguments {
  std::string model;
  LoadOptions load;
  std::string loops_from = {};  ///< a YAML file of loops, couplings and forces to add; empty: none

  void add_to(CLI::App& app);
  /// From a file or a family; warnings and notices go to stderr, but for the one on passive forces where these act.
  /// Throws InputError.
  Model read(bool passive_forces_act = false) const;
  /// Of what `read` makes the model: base freed, joints locked, mimic joints as couplings. Throws InputError.
  Description description() const;

 private:
  /// With the loops and couplings that are to be added, and the findings on all. `rest`: what is left to do of `load`.
  Reading reading(LoadOptions& rest) const;
};

/// Adds what the table of options says of these words; values go to `options`, which must outlive the parsing.
void add_options(CLI::App& app, Options& options, std::span<const std::string_view> words);

/// Options from the command line, by the table of options.
class AlgorithmArguments {
 public:
  /// `many_states`: whether there may be several to put side by side.
  void add_to(CLI::App& app, bool many_states = true);
  /// Throws UsageError where options make no sense, and for an option that the algorithm ignores.
  Options options() const;
  /// The first of them that was given, as it is written; empty: none was.
  std::string first_given() const;
  /// Whether --lanes was given, and asks for more than one.
  bool side_by_side() const { return app_->count("--lanes") > 0 && options_.lanes != 1; }

 private:
  Options options_;
  std::vector<std::string_view> words_;  ///< of the options that there are
  const CLI::App* app_ = nullptr;
};

}  // namespace kinetree::bench
