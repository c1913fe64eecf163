// `kinetree manual`: the manual page that is installed beside the command, from the very descriptions that --help
// prints.

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"

namespace kinetree::bench {
namespace {

constexpr std::pair<int, const char*> exit_statuses[]{
    {done, "Done, and all of the output was written."},
    {wrong_input, "The input is wrong: stderr names file, line, element and advice for each finding."},
    {wrong_usage, "Wrong usage; an option that the algorithm would ignore is one."},
    {state_failed,
     "A state failed: its acceleration is null and its status names the reason. A case of a sweep failed."},
    {129, "Interrupted by SIGHUP."},
    {130, "Interrupted by SIGINT."},
    {143, "Interrupted by SIGTERM."}};

/// A text as it stands: man takes a backslash, a line that begins with a dot or an apostrophe, and - for its own.
std::string plain(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\')
      roff += "\\e";
    else if (c == '-')
      roff += "\\-";
    else if ((c == '.' || c == '\'') && (roff.empty() || roff.back() == '\n'))
      roff += fmt::format("\\&{}", c);
    else
      roff += c;
  }
  return roff;
}

std::string options_of(const CLI::App& app) {
  const auto words = std::static_pointer_cast<CLI::Formatter>(app.get_formatter());
  std::string roff;
  for (const CLI::Option* option : app.get_options({}))
    roff += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(words->make_option_name(option, option->get_positional())),
                        plain(words->make_option_opts(option)), plain(option->get_description()));
  return roff;
}

/// The page `kinetree.1`, as man reads it (roff, UTF-8). `version`: what stands in its footer.
std::string manual_page(const CLI::App& app, const std::string& version) {
  std::string roff = fmt::format(
      ".TH KINETREE 1 \"\" \"{0}\" \"User Commands\"\n"
      ".SH NAME\nkinetree \\- forward dynamics of articulated mechanisms\n"
      ".SH SYNOPSIS\n\\fBkinetree\\fR SUBCOMMAND [OPTIONS]\n.SH DESCRIPTION\n{1}\n{2}"
      ".SH SUBCOMMANDS\n",
      plain(version), plain(app.get_description()), options_of(app));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    std::string arguments;
    for (const CLI::Option* option : sub->get_options({}))
      if (option->get_positional()) arguments += " " + option->get_name(true);
    roff += fmt::format(".SS kinetree {} [OPTIONS]{}\n{}\n{}", plain(sub->get_name()), plain(arguments),
                        plain(sub->get_description()), options_of(*sub));
  }
  roff += ".SH EXIT STATUS\n";
  for (const auto& [status, meaning] : exit_statuses)
    roff += fmt::format(".TP\n\\fB{}\\fR\n{}\n", status, plain(meaning));
  return roff;
}

}  // namespace

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
