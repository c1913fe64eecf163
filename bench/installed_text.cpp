// `kinetree completion` and `kinetree manual`: texts that are installed beside the command, written by the command.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/arguments.hpp"
#include "bench/completion.hpp"
#include "bench/manual.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"
#include "bench/values.hpp"

namespace kinetree::bench {

void add_completion(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("completion", "Print a script by which a shell completes the command's words");
  std::vector<std::string> shells;
  for (const CompletionScript& script : completion_scripts()) shells.emplace_back(script.shell);
  const auto shell = std::make_shared<std::string>();
  takes_one_of(sub->add_option("SHELL", *shell, "The shell"), shells)->required();
  sub->callback([&app, shell, &action] {
    action = [&app, shell] {
      const auto& all = completion_scripts();
      const auto script = std::ranges::find(all, *shell, &CompletionScript::shell);
      fmt::print("{}", script->text(app));
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
