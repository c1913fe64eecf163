#pragma once
// The subcommands of `kinetree`: each adds itself to the command line and leaves what to run when it was chosen.

#include <CLI/CLI.hpp>
#include <functional>

namespace kinetree::bench {

/// Runs the chosen subcommand and gives the exit status.
using Action = std::function<int()>;

void add_info(CLI::App& app, Action& action);
void add_solve(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_calibrate(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_study(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
/// It reads the whole command line of `app`, which must outlive it.
void add_manual(CLI::App& app, Action& action);

}  // namespace kinetree::bench
