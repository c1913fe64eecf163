// `kinetree merge`: the parts of a sweep that were measured by --shard, put together.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "bench/arguments.hpp"
#include "bench/output.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"
#include "bench/sweep/resume.hpp"
#include "bench/sweep/write_results.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct MergeArguments {
  std::vector<std::string> folders;
  std::string out = "report";
};

int merge(const MergeArguments& a) {
  std::vector<Json> parts;
  for (const std::string& folder : a.folders) parts.push_back(read_incomplete(folder));
  const SweepInput input = read_runs(sweep_of(parts.front()), runs_of(parts.front()), many_cases);
  SweepResults results = prepared_sweep(input.sweep, input.findings);
  std::vector<Sitting> sittings;
  Json context = parts.front()["context"];
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::string file = incomplete(fs::path(a.folders[k]) / "results.json").string();
    const std::vector<Sitting> more = restore(parts[k], file, context, input, Hosts::alike, results);
    sittings.insert(sittings.end(), more.begin(), more.end());
  }
  context["measured in parts"] = in_words(sittings);
  make_folder(a.out);
  Json json = results_json(results, context);
  if (!results.complete()) json["resume"] = resume_json(input, results, sittings, {});
  if (!results.complete())
    fmt::print(stderr, "{} of {} cases are there: a part is missing; `kinetree sweep --resume {}` measures the rest\n",
               results.finished(), results.cases.size(), a.out);
  fmt::print(stderr, "{}\n", sentence(results.verdict));
  for (const fs::path& file : write_results(a.out, results, json)) tell(file);
  return done;
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("merge", "Put the parts of a sweep together that --shard measured");
  const auto a = std::make_shared<MergeArguments>();
  sub->add_option("FOLDER", a->folders, "The --out of each part")->required();
  sub->add_option("--out", a->out, "Folder for the whole")->capture_default_str();
  sub->callback([a, &action] { action = [a] { return merge(*a); }; });
}

}  // namespace kinetree::bench
