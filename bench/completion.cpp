#include "bench/completion.hpp"

#include <fmt/format.h>

#include <sstream>

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

/// The text between two apostrophes. Each apostrophe in the text is written as `apostrophe` says.
std::string quoted(std::string_view text, std::string_view apostrophe) {
  std::string all = "'";
  for (const char c : text) c == '\'' ? all += apostrophe : all += c;
  return all + "'";
}

std::string bash(const CLI::App& app) {
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

/// The first line of a help text.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// For `_arguments`: --name[text]:value:(words); a colon or a bracket in a text would end it.
std::string zsh_option(const CLI::Option& option, const std::string& name) {
  std::string text;
  for (const char c : first_line(option.get_description())) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') text += '\\';
    text += c;
  }
  std::string spec = fmt::format("--{}[{}]", name, text);
  if (option.get_expected_max() > 0)
    spec += words_of(option).empty() ? ":value:_files" : fmt::format(":value:({})", words_of(option));
  return quoted((option.get_expected_max() > 1 ? "*" : "") + spec, "'\\''");
}

std::string zsh(const CLI::App& app) {
  std::string subcommands, options;
  for (const CLI::App* sub : subcommands_of(app)) {
    std::string help;  // _describe ends a name at the first colon
    for (const char c : first_line(sub->get_description())) help += c == ':' ? "\\:" : std::string(1, c);
    subcommands += "    " + quoted(sub->get_name() + ":" + help, "'\\''") + "\n";
    options += fmt::format("    {}) _arguments", sub->get_name());
    std::string positional = "'*:file:_files'";
    for (const CLI::Option* option : sub->get_options({})) {
      for (const std::string& name : option->get_lnames()) options += " \\\n      " + zsh_option(*option, name);
      if (option->get_positional() && !words_of(*option).empty())
        positional = fmt::format("'*:word:({})'", words_of(*option));
    }
    options += fmt::format(" \\\n      {} ;;\n", positional);
  }
  return fmt::format(R"(#compdef kinetree
# Completion of kinetree for zsh, written by `kinetree completion zsh`.
_kinetree() {{
  local -a subcommands=(
{}  )
  if ((CURRENT == 2)); then
    _describe subcommand subcommands
    return
  fi
  local subcommand=$words[2]
  shift words
  ((CURRENT--))
  case $subcommand in
{}  esac
}}
if [[ $funcstack[1] == _kinetree ]]; then _kinetree "$@"; else compdef _kinetree kinetree; fi
)",
                     subcommands, options);
}

std::string fish(const CLI::App& app) {
  std::string script = "# Completion of kinetree for fish, written by `kinetree completion fish`.\n";
  const auto text = [](const std::string& help) { return quoted(first_line(help), "\\'"); };
  for (const CLI::App* sub : subcommands_of(app))
    script += fmt::format("complete -c kinetree -f -n __fish_use_subcommand -a {} -d {}\n", sub->get_name(),
                          text(sub->get_description()));
  for (const CLI::App* sub : subcommands_of(app)) {
    const std::string here = fmt::format("complete -c kinetree -n '__fish_seen_subcommand_from {}'", sub->get_name());
    for (const CLI::Option* option : sub->get_options({})) {
      const std::string words = words_of(*option);
      for (const std::string& name : option->get_lnames())
        script += fmt::format("{} -l {}{} -d {}\n", here, name,
                              option->get_expected_max() == 0 ? ""
                              : words.empty()                 ? " -r"
                                                              : fmt::format(" -x -a '{}'", words),
                              text(option->get_description()));
      if (option->get_positional() && !words.empty()) script += fmt::format("{} -f -a '{}'\n", here, words);
    }
  }
  return script;
}

}  // namespace

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

const std::vector<CompletionScript>& completion_scripts() {
  static const std::vector<CompletionScript> all{{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  return all;
}

}  // namespace kinetree::bench
