// `kinetree sweep`: the comparison that a sweep file asks for.

#include <memory>
#include <string>

#include "bench/arguments.hpp"
#include "bench/subcommands.hpp"

namespace kinetree::bench {

void add_sweep(CLI::App& app, Action& action) {
  struct Arguments {
    std::string file, out = "report";
  };
  CLI::App* sub = app.add_subcommand("sweep", "Compare algorithms; writes results.json, results.csv and report.html");
  const auto a = std::make_shared<Arguments>();
  sub->add_option("SWEEP", a->file, "A YAML file such as configs/sweeps/default.yaml")->required();
  sub->add_option("--out", a->out, "Folder for the results")->capture_default_str();
  sub->callback([&action] { action = []() -> int { throw UsageError("sweep is not built yet"); }; });
}

}  // namespace kinetree::bench
