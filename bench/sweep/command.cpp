// `kinetree sweep`: the comparison that a sweep file asks for.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/interruption.hpp"
#include "bench/output.hpp"
#include "bench/ranks/world.hpp"
#include "bench/report/peers_file.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/results.hpp"
#include "bench/sweep/resume.hpp"
#include "bench/sweep/write_results.hpp"
#include "bench/values.hpp"
#include "engine/scalar/number_from.hpp"
#include "library/option_words.hpp"
#include "parallel/bandwidth.hpp"
#if KINETREE_MPI
#include "bench/ranks/followers.hpp"
#endif

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct SweepArguments {
  std::string file, out = "report", peers, resume;
  std::vector<std::string> only;  ///< names of runs; empty: all
  Shard shard;
  bool many = false;  ///< more cases than usual are allowed
  bool dry_run = false;
};

double most_cases(const SweepArguments& a) { return a.many ? many_cases : usual_cases; }

/// What an interrupted sweep left in its folder; null where none goes on.
Json interrupted(const SweepArguments& a) { return a.resume.empty() ? Json() : read_incomplete(a.resume); }

SweepInput input_of(const SweepArguments& a, const Json& earlier) {
  const fs::path file = a.file.empty() ? sweep_of(earlier) : fs::path(a.file);
  return read_runs(file, a.resume.empty() ? a.only : runs_of(earlier), most_cases(a));
}

/// A sweep of this command, from the file or from where it was interrupted, and the files it leaves as it goes.
class SweepRun {
 public:
  explicit SweepRun(const SweepArguments& a) : folder_(a.resume.empty() ? a.out : a.resume) {
    const fs::path unfinished = incomplete(folder_ / "results.json");
    const Json earlier = interrupted(a);
    input_ = input_of(a, earlier);
    if (!a.peers.empty())
      peers_ = read_peers(a.peers);
    else if (earlier.is_object() && earlier.contains("peers"))
      peers_ = earlier["peers"];
    make_folder(folder_);  // before the work, not after it
    if (earlier.is_null() && fs::exists(unfinished))
      throw InputError({{Severity::error, unfinished.string(), 0, "file",
                         fmt::format("is of a sweep that was interrupted and would be lost; go on with it by "
                                     "`kinetree sweep --resume {}`, remove it, or name another folder with --out",
                                     folder_.string())}});
    results_ = prepared_sweep(input_.sweep, input_.findings);
    const Json context = measurement_context(load_at_start_, {});
    if (!earlier.is_null()) sittings_ = restore(earlier, unfinished.string(), context, input_, Hosts::one, results_);
    shard_ = earlier.is_null() ? a.shard : shard_of(earlier);
    calibrate_for_this_run(predicted_seconds(results_, shard_));
    results_.memory = measured_memory();  // half a second, once all is known to be right
    before_ = results_.finished();
    sittings_.push_back({context["date"], 0});
  }

  /// `ranks`: null where there is one.
  int run(OverRanks* ranks) {
    ranks_ = ranks;
    const Interruption interruption;
    measure(results_, {[&] { return interruption.signal() != 0; }, [this] { write(); }, shard_, {}, ranks});
    tell_notes(results_);
    const int status = tell_failures(results_) ? state_failed : done;
    const bool stopped = !results_.complete() && interruption.signal() != 0;
    const bool none = written_.empty() && before_ == 0;
    if (written_.empty() && !stopped) write();  // there was nothing to measure
    if (results_.complete())
      fmt::print(stderr, "{}\n", sentence(results_.verdict));
    else if (!stopped)
      fmt::print(stderr,
                 "shard {} of {}: {} of {} cases are measured; `kinetree merge FOLDER... --out FOLDER` puts all "
                 "shards together\n",
                 shard_.index, shard_.count, results_.finished(), results_.cases.size());
    else
      fmt::print(stderr, "kinetree: {}: {} of {} cases are measured; {}\n", interruption.name(), results_.finished(),
                 results_.cases.size(),
                 none ? "nothing was written" : fmt::format("`kinetree sweep --resume {}` goes on", folder_.string()));
    for (const fs::path& file : written_) tell(file);
    return stopped ? interruption.exit_status() : status;
  }

 private:
  void write() {
    sittings_.back().cases = results_.finished() - before_;
    Json context = measurement_context(load_at_start_, results_.memory);
    if (ranks_ != nullptr) context.update(ranks_->context());
    if (sittings_.size() > 1) context["measured in parts"] = in_words(sittings_);
    Json json = results_json(results_, context);
    if (!peers_.is_null()) json["peers"] = peers_;
    if (!results_.complete()) json["resume"] = resume_json(input_, results_, sittings_, shard_);
    written_ = write_results(folder_, results_, json);
  }

  const std::string load_at_start_ = load_average();
  fs::path folder_;
  SweepInput input_;
  Shard shard_;
  Json peers_;  ///< null: none
  SweepResults results_;
  std::vector<Sitting> sittings_;  ///< this one last
  std::size_t before_ = 0;         ///< cases that earlier sittings finished
  std::vector<fs::path> written_;
  OverRanks* ranks_ = nullptr;
};

#if KINETREE_MPI
/// All ranks: rank 0 measures, the others take part.
int sweep_over_ranks(const SweepArguments& a) {
  std::optional<SweepRun> run;
  SweepResults results;
  on_all_ranks([&] {
    if (own_rank() == 0)
      run.emplace(a);
    else
      results = prepared_sweep(input_of(a, interrupted(a)).sweep);
  });
  if (!run) return follow(results.sweep.seed, results.models), done;
  Followers followers;
  return run->run(&followers);
}
#endif

/// Lists what would be measured, and measures nothing.
int tell_cases(const SweepArguments& a) {
  const SweepInput input = read_runs(a.file, a.only, most_cases(a));
  const SweepResults results = prepared_sweep(input.sweep, input.findings);
  tell_notes(results);
  fmt::print("{:<24} {:<28} {:<8} {:>7} {:>6} {:>7} {:>6}  {}\n", "model", "algorithm", "executor", "threads", "ranks",
             "batch", "lanes", "runs");
  for (const CaseResult& c : results.cases) {
    const Options& o = c.what.options;
    fmt::print("{:<24} {:<28} {:<8} {:>7} {:>6} {:>7} {:>6}  {}{}\n", results.models[c.what.model].entry.name,
               algorithm_label(o), to_word(o.executor), o.threads, c.what.ranks, c.what.batch,
               o.lanes == 0 ? "-" : std::to_string(o.lanes), fmt::join(c.what.runs, ", "),
               c.what.time ? "" : " (not timed)");
  }
  fmt::print("{} cases of {} models, about {:.0f} s to measure, counting and checking aside\n", results.cases.size(),
             results.models.size(), predicted_seconds(results));
  return done;
}

/// "2/5", the second of five.
std::string read_shard(const std::string& text, Shard& shard) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  shard.index = number_from<int>(text.substr(0, slash)).value_or(0);
  shard.count = number_from<int>(text.substr(std::min(slash + 1, text.size()))).value_or(0);
  return 1 <= shard.index && shard.index <= shard.count ? "" : "give I/N, such as 2/5 for the second of five parts";
}

int sweep(const SweepArguments& a, bool names_out) {
  if (a.file.empty() && a.resume.empty()) throw UsageError("sweep needs a SWEEP file, or --resume and a folder");
  if (!a.resume.empty() && !a.only.empty())
    throw UsageError("--only has no effect with --resume, which goes on with the runs that it began; leave one out");
  if (!a.resume.empty() && a.shard.count > 1)
    throw UsageError("--shard has no effect with --resume, which goes on with the part that it began; leave one out");
  if (!a.resume.empty() && a.dry_run)
    throw UsageError("--dry-run measures nothing, and --resume goes on; leave one out");
  if (a.dry_run) return tell_cases(a);
  if (names_out && !a.resume.empty())
    throw UsageError("--out has no effect with --resume, which goes on in its own folder; leave one out");
#if KINETREE_MPI
  if (rank_count() > 1) return sweep_over_ranks(a);
#endif
  return SweepRun(a).run(nullptr);
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("sweep", "Compare algorithms; writes results.json, results.csv and report.html");
  const auto a = std::make_shared<SweepArguments>();
  sub->add_option("SWEEP", a->file, "A YAML file such as configs/sweeps/default.yaml; with --resume as it was");
  const CLI::Option* out = sub->add_option("--out", a->out, "Folder for the results")->capture_default_str();
  sub->add_option("--peers", a->peers, "What kinetree_peers --json wrote, for the report's section on other libraries");
  sub->add_option("--resume", a->resume, "Folder of an interrupted sweep, which goes on where it stopped");
  sub->add_option("--only", a->only, "Run of the file to measure, by name, once for each; the others are left out")
      ->type_name("RUN")
      ->allow_extra_args(false);
  takes(sub->add_option_function<std::string>(
            "--shard", [a](const std::string& text) { read_shard(text, a->shard); },
            "Measure the I-th of N parts of the models; `kinetree merge` puts the parts together"),
        [a](const std::string& text) { return read_shard(text, a->shard); })
      ->type_name("I/N");
  sub->add_flag("--dry-run", a->dry_run, "List the cases and about how long they take; measure nothing");
  sub->add_flag("--many", a->many, fmt::format("Allow {} cases where {} are allowed else", many_cases, usual_cases));
  sub->footer(
      "A sweep file: name, robots, seed, states, repetitions, seconds (per repetition), tolerance, and a list of "
      "runs.\n"
      "A run: models and algorithms (lists), executors, threads, ranks, batch, lanes (a value or a list), name, count\n"
      "(operations on one thread), span (work and span in time, of the tasks of threads), time, and kind, the kind of\n"
      "scaling that it shows: strong (threads), weak-bodies and weak-states (so many times the bodies, or the states\n"
      "per call, as threads), size (bodies), batch (states per second against threads), dial.\n"
      "All keys, their values and defaults: docs/using.md, \"sweep\"; configs/sweeps/full.yaml uses most of them.");
  sub->callback([a, out, &action] { action = [a, out] { return sweep(*a, out->count() > 0); }; });
}

}  // namespace kinetree::bench
