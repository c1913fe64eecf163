// `kinetree sweep`: the comparison that a sweep file asks for.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/output.hpp"
#include "bench/report/peers_file.hpp"
#include "bench/report/report.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"
#include "bench/sweep/results.hpp"
#include "bench/sweep/write_results.hpp"
#include "bench/words.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

/// `peers_file`: what kinetree_peers wrote; empty: none.
int sweep(const fs::path& file, const fs::path& out, const fs::path& peers_file, bool many) {
  SweepReading reading = read_sweep(file, many ? many_cases : usual_cases);
  if (has_error(reading.findings)) throw InputError(reading.findings);
  nlohmann::ordered_json peers;
  if (!peers_file.empty()) peers = read_peers(peers_file);
  make_folder(out);  // before the work, not after it
  const SweepResults results = run_sweep(reading.sweep, reading.findings);
  if (has_error(reading.findings)) throw InputError(reading.findings);
  nlohmann::ordered_json json = results_json(results, measurement_context());
  if (!peers.is_null()) json["peers"] = std::move(peers);
  write_and_tell(out / "results.json", json.dump(1) + "\n");
  write_and_tell(out / "results.csv", results_csv(results));
  write_and_tell(out / "report.html", report_page(json));
  for (const std::string& note : results.notes) fmt::print(stderr, "note: {}\n", note);
  bool failed = false;
  for (const CaseResult& c : results.cases)
    if (!c.failure.empty()) {
      failed = true;
      fmt::print(stderr, "failed: {} {} {} threads {} batch {}: {}\n", results.models[c.what.model].entry.name,
                 algorithm_label(c.what.options), to_word(c.what.options.executor), c.what.options.threads,
                 c.what.batch, c.failure);
    }
  return failed ? state_failed : done;
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
  struct Arguments {
    std::string file, out = "report", peers;
    bool many = false;
  };
  CLI::App* sub = app.add_subcommand("sweep", "Compare algorithms; writes results.json, results.csv and report.html");
  const auto a = std::make_shared<Arguments>();
  sub->add_option("SWEEP", a->file, "A YAML file such as configs/sweeps/default.yaml")->required();
  sub->add_option("--out", a->out, "Folder for the results")->capture_default_str();
  sub->add_option("--peers", a->peers, "What kinetree_peers --json wrote, for the report's section on other libraries");
  sub->add_flag("--many", a->many, fmt::format("Allow {} cases where {} are allowed else", many_cases, usual_cases));
  sub->callback([a, &action] { action = [a] { return sweep(a->file, a->out, a->peers, a->many); }; });
}

}  // namespace kinetree::bench
