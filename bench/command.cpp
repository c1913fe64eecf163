// From arguments to exit status. stdout carries results alone; everything else goes to stderr.

#include "bench/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <kinetree/finding.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/arguments.hpp"
#include "bench/assemble.hpp"
#include "bench/output.hpp"
#include "bench/ranks/world.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"
#include "engine/model/out_of_memory.hpp"
#include "engine/model/slips.hpp"

namespace kinetree::bench {
namespace {

/// CLI11 itself says no more than that an argument was not expected.
void check_subcommand(const CLI::App& app, const std::string& word) {
  if (word.empty() || word.front() == '-') return;
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_name() == word) return;
    known.push_back(sub->get_name());
  }
  const std::string_view meant = slip_of(word, known);
  throw UsageError(fmt::format("there is no subcommand \"{}\"; known are {}{}", word, fmt::join(known, ", "),
                               meant.empty() ? "" : fmt::format("; did you mean {}?", meant)));
}

/// Words of the command line that nothing takes, a line for each; a word after an unknown option is its value.
std::string not_understood(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& sub = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> options;
  std::string arguments, text;
  for (const CLI::Option* option : sub.get_options({})) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    if (option->get_positional()) arguments += (arguments.empty() ? "" : " ") + option->get_name(true);
  }
  bool after_option = false;
  for (const std::string& word : app.remaining(true)) {
    const bool is_option = word.size() > 1 && word.front() == '-';
    if (is_option) {
      const std::string name = word.substr(0, word.find('='));
      const std::string_view meant = slip_of(name, options);
      text += fmt::format("{} is no option of {}{}\n", name, sub.get_name(),
                          meant.empty() ? "" : fmt::format("; did you mean {}?", meant));
    } else if (!after_option) {
      text += fmt::format("\"{}\" is one argument too many: {} takes {}\n", word, sub.get_name(),
                          arguments.empty() ? "options alone" : arguments);
    }
    after_option = is_option && word.find('=') == std::string::npos;
  }
  return text;
}

/// Others run on rank 0 alone.
bool takes_ranks(const std::string& subcommand) {
  const std::initializer_list<std::string_view> known{"sweep", "study", "solve", "calibrate"};
  return std::find(known.begin(), known.end(), subcommand) != known.end();
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
  add_assemble(app, action);
  add_convert(app, action);
  add_manual(app, action);
  try {
    if (argc > 1) check_subcommand(app, argv[1]);
    app.parse(argc, argv);
    const std::string word = app.get_subcommands().front()->get_name();
    if (rank_count() > 1 && !takes_ranks(word)) {
      if (own_rank() > 0) return done;
      fmt::print(stderr, "kinetree: notice: {} runs on one rank; the other {} do nothing\n", word, rank_count() - 1);
    }
    const int status = action();
    return stdout_is_whole() || status != done ? status : static_cast<int>(wrong_input);
  } catch (const CLI::Success& asked_for_help) {
    app.exit(asked_for_help, std::cout, std::cerr);
    return stdout_is_whole() ? done : wrong_input;
  } catch (const CLI::ExtrasError&) {
    fmt::print(stderr, "kinetree: {}Try --help.\n", not_understood(app));
    return wrong_usage;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "kinetree: {}{}\nTry --help.\n", not_understood(app), error.what());
    return wrong_usage;
  } catch (const OptionError& error) {  // what only the model shows
    fmt::print(stderr, "kinetree: {}\nTry --help.\n", error.what());
    return wrong_usage;
  } catch (const UsageError& error) {
    fmt::print(stderr, "kinetree: {}\nTry --help.\n", error.what());
    return wrong_usage;
  } catch (const InputError& error) {
    for (const Finding& finding : error.findings()) fmt::print(stderr, "{}\n", to_string(finding));
    return wrong_input;
  } catch (const std::bad_alloc& error) {
    const bool of_model = dynamic_cast<const OutOfMemory*>(&error) != nullptr;
    fmt::print(
        stderr, "kinetree: {}\n",
        of_model
            ? error.what()
            : "memory ran out, while a file was read or beside the model; `info` on a smaller one of its kind prints "
              "the bytes that a body takes");
    return wrong_input;
  } catch (const std::exception& error) {  // too many cuts for `--cuts all`, a file that can't be written
    fmt::print(stderr, "kinetree: {}\n", error.what());
    return wrong_input;
  }
}

}  // namespace kinetree::bench
