#include "bench/sweep/write_results.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "bench/output.hpp"
#include "bench/plan_json.hpp"
#include "bench/report/report.hpp"
#include "bench/sweep/isoefficiency.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/scaling.hpp"
#include "bench/text_out.hpp"
#include "library/option_words.hpp"
#include "library/plan_check.hpp"
#include "library/planner.hpp"
#include "parallel/line_transfer.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

Json model_json(const LoadedModel& m) {
  return {{"name", m.entry.name},
          {"source", m.entry.source},
          {"family", m.family},
          {"floating", m.entry.load.floating_base},
          {"bodies", m.model.body_count()},
          {"velocities", m.model.nv()}};
}

Json work_json(const Work& work) {
  return {{"total", work.counts.total()},
          {"additions", work.counts.additions},
          {"multiplications", work.counts.multiplications},
          {"divisions", work.counts.divisions},
          {"trigonometric", work.counts.trigonometric},
          {"depth", work.depth}};
}

std::vector<std::string_view> kinds_of(const Case& c) {
  std::vector<std::string_view> words;
  for (const ScalingKind kind : c.kinds) words.push_back(to_word(kind));
  return words;
}

/// A case that was interrupted may have some repetitions.
bool has_something(const CaseResult& c) { return c.finished || !c.ns.empty() || !c.failure.empty(); }

void put_ratio(Json& json, const std::string& name, const std::optional<Ratio>& ratio) {
  if (!ratio) return;
  json[name] = ratio->value, json[name + "_low"] = ratio->low, json[name + "_high"] = ratio->high;
}

void put_scaling(const SweepResults& results, const CaseResult& c, Json& json) {
  if (c.serial) {
    put_ratio(json, "speedup", c.speedup);
    json["fastest_serial"] = algorithm_words(results.cases[*c.serial]);
    json["serial_ns"] = results.cases[*c.serial].time.median;
  }
  put_ratio(json, "efficiency", efficiency(c));
  put_ratio(json, "serial_fraction", serial_fraction(c));
  json["cost_ns"] = cost_ns(c);
  for (const WeakEfficiency& weak : c.weak) {
    const Case& one = results.cases[weak.serial].what;
    Json entry{{"kind", to_word(weak.kind)}, {"of", results.models[one.model].entry.name}, {"of_batch", one.batch}};
    put_ratio(entry, "efficiency", weak.efficiency);
    json["weak"].push_back(std::move(entry));
  }
}

/// The median of a case on several threads; 0: not known.
double line_transfer_of(const CaseResult& c) { return median_interval(c.line_transfer).median; }

Json case_json(const SweepResults& results, const CaseResult& c) {
  const Options& o = c.what.options;
  Json json{{"model", results.models[c.what.model].entry.name},
            {"label", algorithm_label(o)},
            {"algorithm", to_word(o.algorithm)},
            {"loops", to_word(c.plan ? c.plan->loops : o.loops)},
            {"executor", to_word(o.executor)},
            {"threads", o.threads},
            {"ranks", c.what.ranks},
            {"threads_run", threads_run(c)},
            {"lanes", c.plan ? c.plan->lanes : o.lanes},
            {"limbs", c.plan ? c.plan->limbs : o.limbs},
            {"batch", c.what.batch},
            {"runs", c.what.runs},
            {"kinds", kinds_of(c.what)}};
  if (!c.finished) json["finished"] = false;
  if (c.plan) json["plan"] = plan_json(*c.plan);
  if (c.predicted_ns) json["predicted_ns"] = *c.predicted_ns;
  if (c.modules > 0) {
    json["modules"] = c.modules;
    json["cut_joints"] = c.cut_joints;
  }
  if (!c.failure.empty()) json["failure"] = c.failure;
  if (c.check) {
    json["error"] = c.check->error;
    json["residual"] = c.check->residual;
    json["checked_against"] = c.checked_against;
  }
  if (!c.ns.empty()) {
    json["median_ns"] = c.time.median;
    json["low_ns"] = c.time.low;
    json["high_ns"] = c.time.high;
    json["coverage"] = c.time.coverage;
    json["iterations"] = c.iterations;
    json["repetitions_ns"] = c.counted;
    json["left_out"] = c.left_out();
    json["holds"] = c.holds;
    put_scaling(results, c, json);
    if (!c.machine.empty()) json["machine_gives"] = median_interval(c.machine).median;
    if (const double ns = line_transfer_of(c); ns > 0) json["line_transfer_ns"] = ns;
  }
  if (c.work) json["work"] = work_json(*c.work);
  if (c.span) {
    json["work_ns"] = c.span->work_ns;
    json["span_ns"] = c.span->span_ns;
    json["burdened_span_ns"] = c.span->burdened_span_ns;
    json["parallelism"] = c.span->parallelism();
    json["burdened_parallelism"] = c.span->burdened_parallelism();
    json["span_disagreement"] = c.span->disagreement;
  }
  return json;
}

/// A column of results.csv: the digits of its numbers; 0: whole numbers and words; `quoted`: texts.
struct Column {
  const char* name;
  int digits = 0;
};
constexpr int quoted = -1;
// clang-format off
constexpr Column columns[]{
    {"model", quoted}, {"run", quoted}, {"kinds", quoted}, {"label", quoted}, {"family"}, {"bodies"}, {"velocities"},
    {"algorithm"}, {"grain"}, {"cuts"}, {"refinements"}, {"elimination"}, {"formulation"}, {"factorization"}, {"loops"},
    {"executor"}, {"threads"}, {"ranks"}, {"threads_run"}, {"lanes"}, {"limbs"}, {"end_chains"}, {"batch"},
    {"median_ns", 6}, {"low_ns", 6}, {"high_ns", 6}, {"holds"}, {"left_out"}, {"ns_per_body", 6},
    {"states_per_second", 6}, {"speedup", 4}, {"speedup_low", 4}, {"speedup_high", 4}, {"fastest_serial", quoted},
    {"serial_ns", 6}, {"efficiency", 4}, {"efficiency_low", 4}, {"efficiency_high", 4}, {"cost_ns", 6},
    {"serial_fraction", 4}, {"serial_fraction_low", 4}, {"serial_fraction_high", 4}, {"weak_bodies_efficiency", 4},
    {"weak_bodies_efficiency_low", 4}, {"weak_bodies_efficiency_high", 4}, {"weak_states_efficiency", 4},
    {"weak_states_efficiency_low", 4}, {"weak_states_efficiency_high", 4}, {"machine_gives", 3},
    {"line_transfer_ns", 3}, {"error", 3}, {"residual", 3}, {"checked_against", quoted}, {"work"}, {"depth"},
    {"work_ns", 6}, {"span_ns", 6}, {"burdened_span_ns", 6}, {"parallelism", 4}, {"burdened_parallelism", 4},
    {"span_disagreement", 2}, {"predicted_ns", 6}, {"processor", quoted}, {"compiler", quoted},
    {"instruction_set", quoted}, {"commit", quoted}, {"failure", quoted}};
// clang-format on

/// Empty where the row has no such key.
std::string cell(const Json& row, const Column& column) {
  const auto found = row.find(column.name);
  if (found == row.end()) return "";
  if (column.digits == quoted) return csv_cell(found->get_ref<const std::string&>());
  if (found->is_string()) return *found;
  return column.digits > 0 ? fmt::format("{:.{}g}", found->get<double>(), column.digits) : found->dump();
}

/// A case of results.json with what results.csv has beside it, or otherwise.
Json row_of(const SweepResults& results, const CaseResult& c) {
  Json row = case_json(results, c);
  row.update(model_json(results.models[c.what.model]));
  const Options o = c.plan ? options_of(*c.plan) : c.what.options;
  row["model"] = row["name"];
  row["run"] = fmt::format("{}", fmt::join(c.what.runs, "; "));
  row["kinds"] = fmt::format("{}", fmt::join(kinds_of(c.what), "; "));
  row["algorithm"] = to_word(o.algorithm), row["grain"] = o.grain, row["cuts"] = to_word(o.cuts);
  row["refinements"] = o.refinements, row["elimination"] = to_word(o.elimination);
  row["formulation"] = to_word(o.formulation), row["factorization"] = to_word(o.factorization);
  row["end_chains"] = c.plan ? c.plan->end_chains : 0;
  if (!c.ns.empty()) {
    row["holds"] = c.holds ? "yes" : "no";
    row["ns_per_body"] = c.time.median / results.models[c.what.model].model.body_count();
    row["states_per_second"] = 1e9 / c.time.median;
  }
  for (const WeakEfficiency& weak : c.weak)
    put_ratio(row, weak.kind == ScalingKind::weak_bodies ? "weak_bodies_efficiency" : "weak_states_efficiency",
              weak.efficiency);
  if (c.work) row["work"] = c.work->counts.total(), row["depth"] = c.work->depth;
  return row;
}

/// What bounds strong scaling, of each model that a run of that kind has, on the threads that it asks for.
Json bounds_json(const SweepResults& results) {
  std::map<std::size_t, std::set<int>> strong;
  for (const CaseResult& c : results.cases)
    if (is_of(c.what, ScalingKind::strong) && c.what.batch == 1) strong[c.what.model].insert(c.what.options.threads);
  Json list = Json::array();
  for (const auto& [model, threads] : strong) {
    Json bounds = Json::array();
    for (const SpeedupBounds& b : speedup_bounds(results.models[model].model, ExecutorKind::team, *results.calibration,
                                                 {threads.begin(), threads.end()}))
      bounds.push_back({{"threads", b.threads}, {"most", b.most}, {"greedy", b.greedy}, {"burdened", b.burdened}});
    list.push_back({{"model", results.models[model].entry.name}, {"speedup", std::move(bounds)}});
  }
  return list;
}

/// The verdict, what it is made from, and the bounds it is held against.
Json fitness_json(const SweepResults& results) {
  const Verdict& v = results.verdict;
  const Observation& o = results.observed;
  Json json{{"fit", v.fit},
            {"sentence", sentence(v)},
            {"reasons", v.reasons},
            {"timed", v.timed},
            {"hold", v.holding},
            {"share_disturbed", v.disturbed},
            {"yardstick_ns", o.yardstick.empty() ? Json() : Json(median_interval(o.yardstick).median)}};
  if (!o.transfers.empty()) json["line_transfer_ns"] = median_interval(o.transfers).median;
  if (o.calibrated_transfer > 0) json["calibrated_line_transfer_ns"] = o.calibrated_transfer;
  if (const std::string doubt = doubt_of_predictions(o); !doubt.empty()) json["doubt_of_predictions"] = doubt;
  json["bounds"] = {{"drift", most_drift},
                    {"moved", most_moved},
                    {"interval", widest_interval},
                    {"coverage", least_coverage},
                    {"worth_of_threads", least_worth},
                    {"share_of_timings", least_holding}};
  return json;
}

}  // namespace

Json results_json(const SweepResults& results, const Json& context) {
  const Sweep& s = results.sweep;
  Json models = Json::array(), cases = Json::array();
  for (const LoadedModel& m : results.models) models.push_back(model_json(m));
  for (const CaseResult& c : results.cases)
    if (has_something(c)) cases.push_back(case_json(results, c));
  Json json{{"format", 2},  // 1 had corrections and branches for refinements and limbs
            {"sweep", s.name},
            {"complete", results.complete()},
            {"cases_asked_for", results.cases.size()},
            {"settings",
             {{"repetitions", s.repetitions},
              {"seconds_per_repetition", s.seconds},
              {"states", s.states},
              {"seed", s.seed},
              {"tolerance", s.tolerance},
              {"state_distribution", state_distribution},
              {"interval",
               "median over repetitions; symmetric order-statistic interval with at least 95 % coverage "
               "(the extremes where there are fewer than 6 repetitions)"},
              {"took_seconds", results.seconds}}},
            {"fitness", fitness_json(results)},
            {"context", context},
            {"notes", results.notes},
            {"models", models},
            {"cases", cases}};
  if (results.complete() && results.calibration)
    if (const Json list = bounds_json(results); !list.empty()) json["bounds"] = list;
  if (results.complete())
    for (const Isoefficiency& one : isoefficiencies(results))
      json["isoefficiency"].push_back(
          {{"family", one.family}, {"efficiency", one.efficiency}, {"sentence", one.sentence}});
  return json;
}

std::string results_csv(const SweepResults& results, const Json& context) {
  std::string text;
  for (const Column& column : columns) text += fmt::format("{}{}", text.empty() ? "" : ",", column.name);
  for (const CaseResult& c : results.cases) {
    if (!has_something(c)) continue;
    Json row = row_of(results, c);
    for (const char* key : {"processor", "compiler", "instruction set", "commit"})
      row[key == std::string_view("instruction set") ? "instruction_set" : key] =
          context.is_object() ? context.value(key, "") : "";
    const char* before = "\n";
    for (const Column& column : columns) text += std::exchange(before, ",") + cell(row, column);
  }
  return text + "\n";
}

std::vector<std::filesystem::path> write_results(const std::filesystem::path& folder, const SweepResults& results,
                                                 const Json& json) {
  std::vector<FileText> files{{folder / "results.json", json_text(json, 1) + "\n"},
                              {folder / "results.csv", results_csv(results, json["context"])},
                              {folder / "report.html", report_page(json)}};
  const bool whole = results.complete();
  if (!whole)
    for (FileText& f : files) f.file = incomplete(f.file);
  write_files(files);
  std::vector<std::filesystem::path> written;
  for (const FileText& f : files) {
    if (std::error_code error; whole) std::filesystem::remove(incomplete(f.file), error);
    written.push_back(f.file);
  }
  return written;
}

void tell_notes(const SweepResults& results) {
  for (const std::string& note : results.notes) fmt::print(stderr, "note: {}\n", note);
  if (const std::string doubt = doubt_of_predictions(results.observed); !doubt.empty())
    fmt::print(stderr, "note: {}\n", doubt);
}

bool tell_failures(const SweepResults& results) {
  bool failed = false;
  for (const CaseResult& c : results.cases)
    if (!c.failure.empty()) {
      failed = true;
      fmt::print(stderr, "failed: {}: {}\n", words_of(results.models[c.what.model], c.what), c.failure);
    }
  return failed;
}

}  // namespace kinetree::bench
