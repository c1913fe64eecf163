#include "bench/sweep/write_results.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

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
    Json share{{"kind", to_word(weak.kind)}, {"of", results.models[one.model].entry.name}, {"of_batch", one.batch}};
    put_ratio(share, "efficiency", weak.efficiency);
    json["weak"].push_back(std::move(share));
  }
}

/// Of a case on several threads; 0: not known.
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

/// Three cells; empty ones where it is not known.
std::string cells_of(const std::optional<Ratio>& ratio) {
  return ratio ? fmt::format("{:.4g},{:.4g},{:.4g},", ratio->value, ratio->low, ratio->high) : ",,,";
}

std::optional<Ratio> weak_efficiency_of(const CaseResult& c, ScalingKind kind) {
  for (const WeakEfficiency& weak : c.weak)
    if (weak.kind == kind) return weak.efficiency;
  return std::nullopt;
}

/// The columns from speedup to weak_states_efficiency_high.
std::string scaling_cells(const SweepResults& results, const CaseResult& c) {
  std::string text = cells_of(c.serial ? std::optional(c.speedup) : std::nullopt);
  const CaseResult* serial = c.serial ? &results.cases[*c.serial] : nullptr;
  text += serial ? csv_cell(algorithm_words(*serial)) + fmt::format(",{:.6g},", serial->time.median) : ",,";
  text += cells_of(efficiency(c)) + fmt::format("{:.6g},", cost_ns(c)) + cells_of(serial_fraction(c));
  for (const ScalingKind kind : {ScalingKind::weak_bodies, ScalingKind::weak_states})
    text += cells_of(weak_efficiency_of(c, kind));
  return text;
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
  if (o.seconds > 0) json["share_of_others"] = o.others / o.seconds, json["share_stolen"] = o.stolen / o.seconds;
  json["bounds"] = {{"share_of_others", most_others},
                    {"share_stolen", most_stolen},
                    {"drift", most_drift},
                    {"moved", most_moved},
                    {"share_disturbed", most_disturbed},
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
    if (const Json list = isoefficiency_json(isoefficiencies(results)); !list.empty()) json["isoefficiency"] = list;
  return json;
}

std::string results_csv(const SweepResults& results, const Json& context) {
  const auto of_machine = [&](const char* key) { return csv_cell(context.is_object() ? context.value(key, "") : ""); };
  const std::string machine = fmt::format("{},{},{},{}", of_machine("processor"), of_machine("compiler"),
                                          of_machine("instruction set"), of_machine("commit"));
  std::string text =
      "model,run,kinds,label,family,bodies,velocities,algorithm,grain,cuts,refinements,elimination,formulation,"
      "factorization,"
      "loops,"
      "executor,threads,ranks,threads_run,lanes,limbs,end_chains,batch,"
      "median_ns,low_ns,high_ns,holds,left_out,ns_per_body,states_per_second,speedup,speedup_low,speedup_high,"
      "fastest_serial,serial_ns,efficiency,efficiency_low,efficiency_high,cost_ns,serial_fraction,serial_fraction_low,"
      "serial_fraction_high,weak_bodies_efficiency,weak_bodies_efficiency_low,weak_bodies_efficiency_high,"
      "weak_states_efficiency,weak_states_efficiency_low,weak_states_efficiency_high,machine_gives,"
      "line_transfer_ns,error,residual,checked_against,work,"
      "depth,work_ns,span_ns,burdened_span_ns,parallelism,burdened_parallelism,span_disagreement,predicted_ns,"
      "processor,compiler,instruction_set,commit,failure\n";
  for (const CaseResult& c : results.cases) {
    if (!has_something(c)) continue;
    const LoadedModel& m = results.models[c.what.model];
    const Options o = c.plan ? options_of(*c.plan) : c.what.options;
    const int bodies = m.model.body_count();
    text += fmt::format(
        "{},{},{},{},", csv_cell(m.entry.name), csv_cell(fmt::format("{}", fmt::join(c.what.runs, "; "))),
        csv_cell(fmt::format("{}", fmt::join(kinds_of(c.what), "; "))), csv_cell(algorithm_label(c.what.options)));
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},", m.family, bodies, m.model.nv(),
                        to_word(o.algorithm), o.grain, to_word(o.cuts), o.refinements, to_word(o.elimination),
                        to_word(o.formulation), to_word(o.factorization), to_word(o.loops),
                        to_word(c.what.options.executor), c.what.options.threads, c.what.ranks, threads_run(c), o.lanes,
                        o.limbs, c.plan ? c.plan->end_chains : 0, c.what.batch);
    if (c.ns.empty())
      text += std::string(27, ',');
    else
      text += fmt::format("{:.6g},{:.6g},{:.6g},{},{},{:.6g},{:.6g},{}{},{},", c.time.median, c.time.low, c.time.high,
                          c.holds ? "yes" : "no", c.left_out(), c.time.median / bodies, 1e9 / c.time.median,
                          scaling_cells(results, c),
                          c.machine.empty() ? "" : fmt::format("{:.3g}", median_interval(c.machine).median),
                          line_transfer_of(c) > 0 ? fmt::format("{:.3g}", line_transfer_of(c)) : "");
    text += c.check ? fmt::format("{:.3g},{:.3g},{},", c.check->error, c.check->residual, csv_cell(c.checked_against))
                    : ",,,";
    text += c.work ? fmt::format("{},{},", c.work->counts.total(), c.work->depth) : ",,";
    text += c.span ? fmt::format("{:.6g},{:.6g},{:.6g},{:.4g},{:.4g},{:.2g},", c.span->work_ns, c.span->span_ns,
                                 c.span->burdened_span_ns, c.span->parallelism(), c.span->burdened_parallelism(),
                                 c.span->disagreement)
                   : std::string(6, ',');
    text += c.predicted_ns ? fmt::format("{:.6g},", *c.predicted_ns) : ",";
    text += machine + ",";
    text += c.failure.empty() ? "\n" : csv_cell(c.failure) + "\n";
  }
  return text;
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

}  // namespace kinetree::bench
