// `kinetree export`: results in the formats of other programs.

#include <kinetree/finding.hpp>
#include <memory>

#include "bench/arguments.hpp"
#include "bench/compare/cilkscale.hpp"
#include "bench/compare/exports.hpp"
#include "bench/compare/results_file.hpp"
#include "bench/output.hpp"
#include "bench/subcommands.hpp"
#include "bench/text_out.hpp"
#include "bench/values.hpp"

namespace kinetree::bench {
namespace {

struct ExportArguments {
  std::string results, format, out;
};

std::string exported(const nlohmann::ordered_json& results, const std::string& format) {
  if (format == "extra-p") return extra_p(results);
  if (format == "cilkscale") return cilkscale(results);
  return json_text(google_benchmark(results), 1) + "\n";
}

int write_export(const ExportArguments& a) {
  const nlohmann::ordered_json results = read_results(a.results);
  try {
    const std::string text = exported(results, a.format);
    if (text.empty() && a.format == "cilkscale")
      throw InputError({{Severity::error, results_path(a.results).string(), 0, "results",
                         "has no case with `work_ns` and `span_ns`; give a run of the sweep `span: true` and several "
                         "threads, or take a study's results"}});
    write_and_tell(a.out, text);
  } catch (const nlohmann::ordered_json::exception& e) {
    refuse_member(a.results, e);
  }
  return done;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("export", "Write results in the format of another program");
  const auto a = std::make_shared<ExportArguments>();
  sub->add_option("RESULTS", a->results, "A results.json, or its folder")->required();
  takes_one_of(
      sub->add_option(
          "FORMAT", a->format,
          "google-benchmark: JSON for its compare.py; extra-p: JSON lines; cilkscale: the CSV of its cilkscale.py"),
      {"google-benchmark", "extra-p", "cilkscale"})
      ->required();
  sub->add_option("FILE", a->out, "The file to write")->required();
  sub->callback([a, &action] { action = [a] { return write_export(*a); }; });
}

}  // namespace kinetree::bench
