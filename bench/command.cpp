// From arguments to exit status. stdout carries results alone; everything else goes to stderr.

#include "bench/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <kinetree/finding.hpp>
#include <string>

#include "bench/arguments.hpp"
#include "bench/output.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"

namespace kinetree::bench {
namespace {

/// CLI11 itself says no more than that an argument was not expected.
void check_subcommand(const CLI::App& app, const std::string& word) {
  if (word.empty() || word.front() == '-') return;
  std::string known;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_name() == word) return;
    known += (known.empty() ? "" : ", ") + sub->get_name();
  }
  throw UsageError(fmt::format("there is no subcommand \"{}\"; known are {}", word, known));
}

}  // namespace

int run_command(int argc, const char* const* argv) {
  CLI::App app("Forward dynamics of articulated mechanisms: articulated bodies, composite bodies, constraint forces.",
               "kinetree");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text());
  Action action;
  add_info(app, action);
  add_solve(app, action);
  add_evaluate(app, action);
  add_study(app, action);
  add_calibrate(app, action);
  add_predict(app, action);
  add_sweep(app, action);
  add_merge(app, action);
  add_compare(app, action);
  add_export(app, action);
  add_show(app, action);
  add_simulate(app, action);
  add_convert(app, action);
  add_completion(app, action);
  add_manual(app, action);
  try {
    if (argc > 1) check_subcommand(app, argv[1]);
    app.parse(argc, argv);
    const int status = action();
    return stdout_is_whole() || status != done ? status : static_cast<int>(wrong_input);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error, std::cout, std::cerr);
    if (!stdout_is_whole()) return wrong_input;
    return asked_for_help ? done : wrong_usage;
  } catch (const OptionError& error) {  // what only the model shows
    fmt::print(stderr, "kinetree: {}\nTry --help.\n", error.what());
    return wrong_usage;
  } catch (const UsageError& error) {
    fmt::print(stderr, "kinetree: {}\nTry --help.\n", error.what());
    return wrong_usage;
  } catch (const InputError& error) {
    for (const Finding& finding : error.findings()) fmt::print(stderr, "{}\n", to_string(finding));
    return wrong_input;
  } catch (const std::exception& error) {  // too many cuts for `--cuts all`, a file that can't be written
    fmt::print(stderr, "kinetree: {}\n", error.what());
    return wrong_input;
  }
}

}  // namespace kinetree::bench
