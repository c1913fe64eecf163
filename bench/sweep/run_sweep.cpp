// Model by model: prepare all cases, check their answers, time them interleaved, check once more.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <kinetree/calibration.hpp>
#include <memory>

#include "bench/ranks/world.hpp"
#include "bench/sweep/case_seconds.hpp"
#include "bench/sweep/isoefficiency.hpp"
#include "bench/sweep/machine.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/prepared_case.hpp"
#include "bench/sweep/progress.hpp"
#include "bench/sweep/results.hpp"
#include "bench/sweep/scaling.hpp"
#include "bench/sweep/timing.hpp"
#include "engine/partition/modules.hpp"
#include "library/option_words.hpp"
#include "parallel/line_transfer.hpp"

namespace kinetree::bench {
namespace {

using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

bool runs(const CaseResult* c) { return c->what.time || c->what.span; }

class ModelRun {
 public:
  ModelRun(const SweepResults& results, const LoadedModel& model, std::vector<CaseResult*> cases,
           const SweepWatch& watch, steady_clock::time_point until, MachineWatch& machine, Progress& progress)
      : sweep_(results.sweep),
        all_(results.cases),
        model_(model),
        cases_(std::move(cases)),
        watch_(watch),
        until_(until),
        memory_(results.memory),
        machine_(machine),
        progress_(progress) {}

  void run() {
    for (CaseResult* c : cases_) {  // timed together or not at all: what was measured before is not beside the rest
      Case what = std::move(c->what);
      *c = {};
      c->what = std::move(what);
    }
    for (CaseResult* c : cases_)
      if (c->what.count && !watch_.stop()) count(*c);
    if (std::any_of(cases_.begin(), cases_.end(), runs)) time();
    if (!watch_.stop())
      for (CaseResult* c : cases_) c->finished = true;
  }

 private:
  struct Ready {
    CaseResult* result;
    std::unique_ptr<PreparedCase> prepared;
    Eigen::MatrixXd answers;
    double seconds = 0;  ///< one call, roughly
  };

  void time() {
    const Model& model = model_.model;
    Eigen::Index count = states_that_fit(model, sweep_.states);
    for (const CaseResult* c : cases_) count = std::max<Eigen::Index>(count, c->what.batch);
    states_ = random_states(model, count, sweep_.seed);
    expected_ = expected_answers(model, states_, std::min<Eigen::Index>(states_.count(), checked_states()));
    std::vector<Ready> ready;
    for (CaseResult* c : cases_)
      if (runs(c) && c->failure.empty() && !watch_.stop()) prepare(*c, ready);
    if (watch_.stop()) return;
    std::vector<TimedCall> calls;
    for (Ready& r : ready) {
      const double wanted = sweep_.seconds / std::max(r.seconds, 1e-9);
      r.result->iterations = std::max<std::int64_t>(1, std::llround(wanted));
      calls.push_back({words_of(model_, r.result->what), r.prepared->call(), r.result->iterations,
                       [p = r.prepared.get()](std::int64_t count) { p->begin(count); }});
    }
    const auto after_repetition = [&](std::size_t i) {
      CaseResult& c = *ready[i].result;
      const int here = workers_here(c.what);
      if (here > 1) {
        end_waiting_threads();
        c.machine.push_back(independent_speedup(here));
      }
      c.yardstick.push_back(machine_.look());
      if (here > 1) c.line_transfer.push_back(machine_.look_at_cores());
      progress_.advance(repetition_seconds(sweep_, model_, c.what), calls[i].name);
    };
    const auto too_few_good = [&] {
      if (sweep_.repetitions < fewest_repetitions) return false;  // of which none is left out
      const Usual of_machine = usual(all_, machine_.seen().yardstick);
      return std::any_of(ready.begin(), ready.end(),
                         [&](const Ready& r) { return !are_enough(undisturbed(*r.result, of_machine)); });
    };
    const std::vector<Timing> timings =
        time_interleaved(calls, {sweep_.repetitions, until_, too_few_good}, watch_.stop, after_repetition);
    for (std::size_t i = 0; i < ready.size(); ++i) {
      ready[i].result->iterations = calls[i].iterations;
      finish(ready[i], timings[i]);
    }
  }

  Eigen::Index checked_states() const { return model_.model.body_count() > 10000 ? 2 : 4; }

  void prepare(CaseResult& c, std::vector<Ready>& ready) {
    Ready r{&c, nullptr, {}, 0};
    try {
      r.prepared = c.what.ranks > 1 ? watch_.ranks->prepare(c.what, model_.model, states_)
                                    : bench::prepare(c.what, model_.model, states_);
    } catch (const std::exception& error) {
      c.failure = error.what();
      return;
    }
    c.plan = r.prepared->plan();
    if (!is_predicted_after(c.what)) predict(c, machine_.line_transfer());
    c.modules = r.prepared->modules(), c.cut_joints = r.prepared->cut_joints();
    const Eigen::Index count = c.what.batch > 1 ? std::min<Eigen::Index>(c.what.batch, expected_.accelerations.cols())
                                                : expected_.accelerations.cols();
    r.answers = r.prepared->first_answers(count, c.failure);
    if (!c.failure.empty()) return;
    c.check = check_answers(model_.model, states_, expected_, r.answers);
    c.checked_against = expected_.source;
    if (!(c.check->error <= sweep_.tolerance && c.check->residual <= sweep_.tolerance)) {
      c.failure = fmt::format("its answers are wrong: relative error {:.3g}, residual {:.3g}, allowed {:.3g}",
                              c.check->error, c.check->residual, sweep_.tolerance);
      return;
    }
    if (c.what.span) {
      c.span = measured_span(model_.model, *c.plan, states_);
      progress_.advance(span_seconds(model_, c.what), words_of(model_, c.what));
    }
    progress_.advance(preparing_seconds(sweep_, model_, c.what), words_of(model_, c.what));
    if (!c.what.time) return;
    r.seconds = seconds_of_a_call(*r.prepared);
    ready.push_back(std::move(r));
  }

  /// By so many calls as take long enough.
  double seconds_of_a_call(PreparedCase& prepared) const {
    const std::function<bool()> call = prepared.call();
    for (std::int64_t calls = 1;; calls *= 2) {
      prepared.begin(calls);
      const auto start = steady_clock::now();
      for (std::int64_t k = 0; k < calls; ++k) call();
      if (const double seconds = seconds_since(start); seconds >= sweep_.seconds / 8)
        return seconds / static_cast<double>(calls);
    }
  }

  /// Threads of its ranks on this machine; those of others can't be looked at from here.
  int workers_here(const Case& c) const {
    return c.ranks == 1 ? c.options.threads : watch_.ranks->on_this_machine(c.ranks) * c.options.threads;
  }

  /// The answers must be the same bits after timing as before.
  void finish(Ready& r, const Timing& timing) {
    CaseResult& c = *r.result;
    const Eigen::MatrixXd again = r.prepared->first_answers(r.answers.cols(), c.failure);
    if (c.failure.empty() && again != r.answers) c.failure = "its answers changed while it was timed";
    if (c.failure.empty() && timing.failed) c.failure = "a state failed while it was timed";
    if (!c.failure.empty() || timing.ns.empty()) return;
    for (const double ns : timing.ns) c.ns.push_back(ns / c.what.batch);
    if (is_predicted_after(c.what) && !watch_.stop()) predict(c, median_interval(c.line_transfer).median);
  }

  /// By how far its cores were from each other while it was timed; over ranks messages count instead.
  bool is_predicted_after(const Case& c) const { return c.time && c.ranks == 1 && workers_here(c) > 1; }

  /// As it would be on cores between which a line of the cache takes so long; 0: as the calibration has it.
  void predict(CaseResult& c, double line_ns) const {
    const Calibration measured = calibration_now(memory_, line_ns);
    c.predicted_ns = c.what.ranks > 1 ? watch_.ranks->predicted_ns(model_.model, c.what, *c.plan, measured)
                                      : predicted_ns(model_.model, c.what, *c.plan, measured);
  }

  void count(CaseResult& c) const {
    try {
      c.work = count_operations(model_.model, c.what.options);
    } catch (const std::exception& error) {
      c.failure = error.what();
    }
  }

  const Sweep& sweep_;
  const std::vector<CaseResult>& all_;
  const LoadedModel& model_;
  std::vector<CaseResult*> cases_;
  const SweepWatch& watch_;
  const steady_clock::time_point until_;
  const std::optional<Memory>& memory_;
  MachineWatch& machine_;
  Progress& progress_;
  StateSet states_;
  Expected expected_;
};

}  // namespace

std::size_t SweepResults::finished() const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const CaseResult& c) { return c.finished; }));
}
bool SweepResults::complete() const { return finished() == cases.size(); }

SweepResults prepare_sweep(const Sweep& sweep, std::vector<Finding>& findings) {
  Cases cases = make_cases(sweep, rank_count(), findings);
  SweepResults results;
  results.sweep = sweep;
  results.models = std::move(cases.models);
  results.notes = std::move(cases.notes);
  if (has_error(findings)) return results;
  for (Case& c : cases.cases) {
    results.cases.emplace_back();
    results.cases.back().what = std::move(c);
  }
  return results;
}

SweepResults prepared_sweep(const Sweep& sweep, std::vector<Finding> findings) {
  SweepResults results = prepare_sweep(sweep, findings);
  if (has_error(findings)) throw InputError(std::move(findings));
  return results;
}

double predicted_seconds(const SweepResults& results, const Shard& shard) {
  std::vector<char> measured(results.models.size(),
                             0);  // models with a case that is not finished: those go again whole
  for (const CaseResult& c : results.cases)
    measured[c.what.model] |= static_cast<char>(!c.finished && shard.holds(c.what.model));
  double seconds = 0;
  for (const CaseResult& c : results.cases)
    if (measured[c.what.model]) seconds += case_seconds(results.sweep, results.models[c.what.model], c.what);
  return seconds;
}

void measure(SweepResults& results, const SweepWatch& watch) {
  const auto start = steady_clock::now();
  const double before = results.seconds;
  std::vector<std::vector<CaseResult*>> of_model(results.models.size());
  for (CaseResult& c : results.cases)
    if (watch.shard.holds(c.what.model)) of_model[c.what.model].push_back(&c);
  for (auto& cases : of_model)
    if (std::all_of(cases.begin(), cases.end(), [](const CaseResult* c) { return c->finished; })) cases.clear();
  const auto predicts = [](const CaseResult& c) { return tells_isoefficiency(c.what); };
  if (!results.calibration && std::any_of(results.cases.begin(), results.cases.end(), predicts))
    results.calibration = calibration_now(results.memory, line_transfer_ns());
  MachineWatch machine;
  const Observation earlier = results.observed;
  const double predicted = predicted_seconds(results, watch.shard);
  Progress progress(predicted);
  double so_far = 0;  // of what is predicted
  const auto until = [&] {
    if (!watch.seconds) return steady_clock::time_point::max();
    const std::chrono::duration<double> allowed(*watch.seconds * so_far / predicted);
    return start + std::chrono::duration_cast<steady_clock::duration>(allowed);
  };
  for (std::size_t m = 0; m < of_model.size() && !watch.stop(); ++m) {
    if (of_model[m].empty()) continue;
    for (const CaseResult* c : of_model[m]) so_far += case_seconds(results.sweep, results.models[m], c->what);
    machine.look_at_cores();
    ModelRun(results, results.models[m], of_model[m], watch, until(), machine, progress).run();
    (results.observed = earlier) += machine.seen();
    results.observed.calibrated_transfer = calibration().line_transfer;
    judge(results);
    find_scaling(results);
    results.seconds = before + seconds_since(start);
    watch.after_model();
  }
}

}  // namespace kinetree::bench
