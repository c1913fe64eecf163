// `kinetree manual`: the page that is installed beside the command, written by the command.

#include <fmt/format.h>

#include "bench/manual.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"

namespace kinetree::bench {

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
