// `kinetree completion` and `kinetree manual`: what is installed beside the command, written by the command.

#include "bench/completion.hpp"

#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "bench/arguments.hpp"
#include "bench/manual.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"

namespace kinetree::bench {
namespace {

/// `--name` of each option, with spaces between.
std::string names_of(const CLI::App& app) {
  std::string names;
  for (const CLI::Option* option : app.get_options({}))
    for (const std::string& name : option->get_lnames()) names += (names.empty() ? "--" : " --") + name;
  return names;
}

/// The words that an option takes, with spaces between; empty: any.
std::string words_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // TEXT:{one,two} or TEXT:value in {one->0,two->1} OR {0,1}
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return "";
  std::istringstream list(type.substr(open + 1, close - open - 1));
  std::string words;
  for (std::string word; std::getline(list, word, ',');)
    words += (words.empty() ? "" : " ") + word.substr(0, word.find("->"));
  return words;
}

}  // namespace

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string bash_completion(const CLI::App& app) {
  std::string first = names_of(app), options, words;
  for (const CLI::App* sub : subcommands_of(app)) {
    first += " " + sub->get_name();
    options += fmt::format("    {}) options=\"{}\" ;;\n", sub->get_name(), names_of(*sub));
    for (const CLI::Option* option : sub->get_options({})) {
      if (words_of(*option).empty()) continue;
      for (const std::string& name : option->get_lnames())
        words += fmt::format("    \"{} --{}\") words=\"{}\" ;;\n", sub->get_name(), name, words_of(*option));
      if (option->get_positional())
        words += fmt::format("    \"{0} {0}\") words=\"{1}\" ;;\n", sub->get_name(), words_of(*option));
    }
  }
  return fmt::format(R"(# Completion of kinetree for bash, written by `kinetree completion bash`.
_kinetree() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options="" words=""
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{}" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}} $before" in
{}  esac
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}}
complete -o default -F _kinetree kinetree
)",
                     first, words, options);
}

void add_completion(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("completion", "Print a script by which a shell completes the command's words");
  const auto shell = std::make_shared<std::string>();
  sub->add_option("SHELL", *shell, "The shell")->required()->check(CLI::IsMember({"bash"}));
  sub->callback([&app, shell, &action] {
    action = [&app, shell] {
      fmt::print("{}", bash_completion(app));
      return done;
    };
  });
}

void add_manual(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("manual", "Print this command's manual page, as man reads it");
  sub->callback([&app, &action] {
    action = [&app] {
      const std::string version = version_text();
      fmt::print("{}", manual_page(app, version.substr(0, version.find(','))));  // without the build
      return done;
    };
  });
}

}  // namespace kinetree::bench
