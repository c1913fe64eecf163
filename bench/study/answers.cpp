#include "bench/study/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "bench/quantity.hpp"
#include "library/option_words.hpp"
#include "library/plan_check.hpp"

namespace kinetree::bench {
namespace {

using Cell = const CaseResult*;
using Sentences = std::vector<std::string>;
using enum Algorithm;

/// Without a cut they are ab by another name.
bool is_another_name(const CaseResult& c) {
  const Algorithm algorithm = c.what.options.algorithm;
  return c.cut_joints == 0 && (algorithm == cfa || algorithm == modular);
}

/// For certain: no timing of the slower was below any of the faster's interval.
bool faster(Cell a, Cell b) { return a->time.high < b->time.low; }
double ratio(Cell slower, Cell faster) { return slower->time.median / faster->time.median; }

std::string label(Cell c) { return algorithm_label(c->what.options); }
std::string rate(Cell c) { return in_count(1e9 / c->time.median); }
std::string speedup(Cell c) {
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", c->speedup.value, c->speedup.low, c->speedup.high);
}

/// The plan in words, where there is one: "ab, 8 limbs side by side".
std::string plan_words(Cell c) {
  if (!c->plan) return label(c);
  const Plan& p = *c->plan;
  std::string text(to_word(p.algorithm));
  if (p.algorithm == modular) text += fmt::format(", {} bodies per module", p.grain);
  if (p.algorithm == modular && p.end_chains > 1)
    text += fmt::format(", {} modules side by side in lanes", p.end_chains);
  if (p.limbs > 1) text += fmt::format(", up to {} limbs side by side in lanes", p.limbs);
  return text;
}

/// Which timings a sentence is of.
struct Which {
  std::size_t model = 0;
  int threads = 1;
  bool batch = false;                       ///< of many states a call
  std::optional<Algorithm> algorithm = {};  ///< of one alone
};

/// What the timings of a study tell, and what the machine model predicts where none holds.
class Study {
 public:
  Study(const SweepResults& results, double meeting_ns, const std::vector<PredictedThreads>& predictions)
      : results_(results), meeting_ns_(meeting_ns), predictions_(predictions) {
    for (const CaseResult& c : results.cases) threads_.insert(c.what.options.threads);
    most_ = threads_.empty() ? 1 : *threads_.rbegin();
  }

  Sentences which_algorithm() const {
    const Cell best = fastest({});
    if (!best) return {};
    Sentences compared, equal, said;
    for (const Cell c : cells({})) {
      if (std::ranges::count(compared, label(c)) == 0) compared.push_back(label(c));
      if (c != best && !faster(best, c) && c->plan != best->plan) equal.push_back(label(c));
    }
    said.push_back(fmt::format("On one thread {} is the fastest of {}: {} a state ({} to {}).", label(best),
                               fmt::join(compared, ", "), in_time(best->time.median), in_time(best->time.low),
                               in_time(best->time.high)));
    if (!equal.empty()) said.push_back(fmt::format("No difference from it can be told of {}.", fmt::join(equal, ", ")));
    if (const Cell chosen = fastest({.algorithm = automatic}))
      said.push_back(fmt::format("`automatic` runs {}{}", plan_words(chosen),
                                 faster(best, chosen)
                                     ? fmt::format(" and takes {:.2f} times that long.", ratio(chosen, best))
                                     : ", which is as good as any."));
    if (const Cell crb_s = fastest({.algorithm = crb}); crb_s && faster(best, crb_s))
      said.push_back(fmt::format("crb takes {:.1f} times as long.", ratio(crb_s, best)));
    return said;
  }
  std::string predicted_algorithm() const {
    if (predictions_.empty()) return "";
    const PredictedTime& best = one_thread().fastest();
    return fmt::format("on one thread {}, {} a state.", algorithm_of(best), in_time(best.ns));
  }

  Sentences which_grain() const {
    const auto is_modular = [](const CaseResult& c) { return c.what.options.algorithm == modular; };
    if (std::ranges::any_of(results_.cases, is_modular) &&
        !std::ranges::any_of(results_.cases, [&](const CaseResult& c) { return is_modular(c) && c.cut_joints > 0; }))
      return {"None: no joint of this mechanism may be cut, or none is worth it, and modular is ab by another name."};
    Sentences said;
    const Cell whole = fastest({.algorithm = ab});
    for (const int threads : std::set{1, most_}) {
      const Cell grain = fastest({.threads = threads, .algorithm = modular},
                                 [](const CaseResult& c) { return c.what.options.grain > 0; });
      if (!grain || !whole) continue;
      said.push_back(fmt::format(
          "On {} the best grain is {} ({} modules): {}, {}", threads_in_words(threads), grain->what.options.grain,
          grain->modules, in_time(grain->time.median),
          faster(grain, whole) ? fmt::format("{:.2f} times as fast as ab on one thread.", ratio(whole, grain))
          : faster(whole, grain)
              ? fmt::format("{:.2f} times as long as ab on one thread, which cuts nothing: don't cut.",
                            ratio(grain, whole))
              : "no different from ab on one thread, which cuts nothing."));
    }
    return said;
  }
  std::string predicted_grain() const {
    if (predictions_.empty() || one_thread().cfa.grain == 0) return "";
    const double whole = one_thread().ab.ns;
    const auto ns = [&](const PredictedThreads& p) { return p.modular.grain > 0 ? p.modular.ns : whole; };
    const PredictedThreads& best = least_here(ns);
    if (ns(best) >= whole) return "none, since ab on one thread, which cuts nothing, takes the least.";
    return fmt::format("{} on {}, {:.2f} times as fast as ab on one thread.", algorithm_of(best.modular),
                       threads_in_words(best.threads), whole / best.modular.ns);
  }

  Sentences how_many_threads() const {
    if (most_ == 1) return {"Only one thread was tried."};
    const Cell serial = best_on(1);
    if (!serial) return {};
    Cell best = serial;
    Sentences list, said;
    for (const int threads : threads_) {
      const Cell c = threads > 1 ? best_on(threads) : nullptr;
      if (!c) continue;
      list.push_back(fmt::format("{} on {}", speedup(c), threads));
      if (best == serial ? c->speedup.low > 1 : faster(c, best)) best = c;
    }
    if (list.empty()) return {};
    if (best == serial)
      said.push_back(
          fmt::format("One state at a time is not faster on several threads (at best {} threads), so use one.",
                      fmt::join(list, ", ")));
    else
      said.push_back(
          fmt::format("Threads pay up to {}: one state by {} with {} is at least {:.2f} times as fast as the fastest "
                      "on one thread (of all: {}).",
                      best->what.options.threads, label(best), to_word(best->what.options.executor), best->speedup.low,
                      fmt::join(list, ", ")));
    add_why(*serial, said);
    return said;
  }
  std::string predicted_threads() const {
    if (predictions_.empty()) return "";
    const auto ns = [](const PredictedThreads& p) { return p.fastest().ns; };
    const PredictedThreads &one = one_thread(), &best = least_here(ns);
    if (&best == &one) return "one thread is the fastest.";
    return fmt::format("up to {}, {:.2f} times as fast as one by {}.", threads_in_words(best.threads),
                       ns(one) / ns(best), algorithm_of(best.fastest()));
  }

  Sentences how_many_states() const {
    Sentences list;
    Cell before = nullptr;
    if (const Cell one = fastest({.algorithm = automatic}))
      list.push_back(fmt::format("One after the other {} on one thread", rate(one)));
    for (const int threads : threads_) {
      const Cell c = fastest({.threads = threads, .batch = true});
      if (!c || (before && !faster(c, before))) continue;
      list.push_back(
          fmt::format("{} in batches of {} on {}{}", rate(c), c->what.batch, threads_in_words(threads),
                      c->plan && c->plan->lanes > 1 ? fmt::format(" ({} side by side in lanes)", c->plan->lanes) : ""));
      before = c;
    }
    if (list.empty()) return {};
    list[0][0] = static_cast<char>(std::toupper(list[0][0]));
    Sentences said{fmt::format("{}.", fmt::join(list, ", "))};
    if (before && before->what.options.threads < most_) said.emplace_back("More threads are not faster for certain.");
    return said;
  }
  std::string predicted_states() const {
    if (predictions_.empty()) return "";
    return fmt::format("{} one after the other on one thread; batches are not predicted.",
                       in_count(1e9 / one_thread().fastest().ns));
  }

  Sentences twice_as_many() const {
    if (results_.models.size() < 2) return {results_.notes.empty() ? "Not tried." : results_.notes.back() + "."};
    const Cell small = fastest({.algorithm = automatic}), large = fastest({.model = 1, .algorithm = automatic});
    if (!small || !large) return {};
    const std::string one = plan_words(fastest({})), two = plan_words(fastest({.model = 1}));
    Sentences said{fmt::format(
        "Two in series ({} bodies) take {:.2f} times as long on one thread, and {}.",
        results_.models[1].model.body_count(), ratio(large, small),
        one == two ? fmt::format("{} stays the fastest there", two) : fmt::format("{} takes over from {}", two, one))};
    if (const Cell first = fastest({.threads = most_}), both = fastest({.model = 1, .threads = most_});
        most_ > 1 && first && both)
      said.push_back(
          fmt::format("{} threads are then worth {}, after {} for one.", most_, speedup(both), speedup(first)));
    return said;
  }
  /// From what the cases were predicted to take, which needs no predictions for other threads.
  std::string predicted_twice() const {
    double times[2]{};
    for (const CaseResult& c : results_.cases)
      if (c.what.model < 2 && c.what.options.algorithm == ab && workers(c.what) == 1 && c.what.batch == 1 &&
          c.predicted_ns)
        times[c.what.model] = *c.predicted_ns;
    if (!(times[0] > 0 && times[1] > 0)) return "";
    return fmt::format("ab takes {:.2f} times as long on one thread.", times[1] / times[0]);
  }

  Sentences on_more_cores() const {
    if (predictions_.empty()) return {"Not predicted."};
    const double serial = one_thread().fastest().ns;
    const auto &best = *std::ranges::min_element(predictions_, {}, [](const auto&p) { return p.fastest().ns; }),
               &bound = *std::ranges::min_element(predictions_, {}, &PredictedThreads::least_bound);
    Sentences said{
        best.threads == 1
            ? "Predicted, one state is fastest on one thread however many cores there are."
            : fmt::format("Predicted, one state is fastest on {} threads, by {}: {:.1f} times as fast as on one.",
                          best.threads, algorithm_of(best.fastest()), serial / best.fastest().ns)};
    if (bound.threads > 1)
      said.push_back(fmt::format("Were scheduling free, it would be {:.1f} times, on {} threads.",
                                 serial / bound.least_bound(), bound.threads));
    int half = 1;
    for (const PredictedThreads& p : predictions_)
      if (serial / p.fastest().ns >= 0.5 * p.threads) half = p.threads;
    said.push_back(fmt::format("Efficiency is at least a half up to {}.", threads_in_words(half)));
    if (one_thread().cfa.grain > 0) {
      const std::optional<int> from = overtakes(predictions_, false), free = overtakes(predictions_, true);
      said.push_back(
          from   ? fmt::format("cfa overtakes ab on {} threads.", *from)
          : free ? fmt::format("cfa overtakes ab on no number of threads, and on {} were scheduling free.", *free)
                 : "cfa overtakes ab on no number of threads.");
    }
    add_trust(said);
    return said;
  }

  /// Of the plan whose tasks allow the least time on the most threads, with what handing over costs: how many threads
  /// the tasks keep busy. By times of tasks alone: two readings of them agree where timings of threads do not hold.
  Sentences kept_busy() const {
    Cell best = nullptr;
    const auto bound = [&](Cell c) { return greedy_ns(c->span->work_ns, c->span->burdened_span_ns, most_); };
    for (const CaseResult& c : results_.cases)
      if (c.what.model == 0 && c.what.options.threads == most_ && c.span && c.span->disagreement <= agreed_within &&
          !is_another_name(c) && (!best || bound(&c) < bound(best)))
        best = &c;
    if (!best) return {};
    const MeasuredWorkAndSpan& span = *best->span;
    return {fmt::format(
        "Timed one by one, the tasks of {} on {} for {} take {}, and {} along the longest path of those that wait for "
        "each other: they could keep at most {:.2f} threads busy, {:.2f} with what handing over costs here.",
        plan_words(best), to_word(best->what.options.executor), threads_in_words(most_), in_time(span.work_ns),
        in_time(span.span_ns), span.parallelism(), span.burdened_parallelism())};
  }

 private:
  std::vector<Cell> cells(const Which& which) const {
    std::vector<Cell> found;
    for (const CaseResult& c : results_.cases)
      if (c.what.model == which.model && c.what.ranks == 1 && c.what.options.threads == which.threads &&
          (c.what.batch > 1) == which.batch &&
          which.algorithm.value_or(c.what.options.algorithm) == c.what.options.algorithm && c.holds &&
          !is_another_name(c))
        found.push_back(&c);
    return found;
  }
  Cell fastest(const Which& which, const std::function<bool(const CaseResult&)>& also = {}) const {
    Cell best = nullptr;
    for (const Cell c : cells(which))
      if ((!also || also(*c)) && (!best || c->time.median < best->time.median)) best = c;
    return best;
  }
  /// The fastest way for one state on so many threads, all of which run.
  Cell best_on(int threads) const {
    return fastest({.threads = threads},
                   [&](const CaseResult& c) { return !c.plan || c.plan->one_threads == threads; });
  }

  const PredictedThreads& one_thread() const { return predictions_.front(); }
  /// The prediction of the least time, of those for threads that were tried.
  template <class Time>
  const PredictedThreads& least_here(const Time& ns) const {
    const PredictedThreads* best = &one_thread();
    for (const PredictedThreads& p : predictions_)
      if (p.threads <= most_ && ns(p) < ns(*best)) best = &p;
    return *best;
  }

  /// What keeps one state from going faster on threads: depth, meetings, or neighbours.
  void add_why(const CaseResult& serial, Sentences& said) const {
    const auto counted = [&](Algorithm algorithm) -> const Work* {
      for (const CaseResult& c : results_.cases)
        if (c.what.model == 0 && c.work && c.what.options.algorithm == algorithm && !is_another_name(c))
          return &*c.work;
      return nullptr;
    };
    const auto total = [](const Work* work) { return static_cast<double>(work->counts.total()); };
    const Work *whole = counted(ab), *cut = counted(cfa);
    if (whole && whole->depth > 0)
      said.push_back(fmt::format(
          "Of ab's {} operations {} stand one behind the other, so that no number of cores makes it more than {:.1f} "
          "times as fast{}.",
          in_count(total(whole)), in_count(whole->depth), total(whole) / whole->depth,
          cut && cut->depth < whole->depth
              ? fmt::format("; cfa has a chain of {} operations alone, for {:.1f} times the work", in_count(cut->depth),
                            total(cut) / total(whole))
              : ""));
    if (meeting_ns_ > 0)
      said.push_back(
          fmt::format("A meeting of threads costs {} here, {:.2g} of the {} that one thread takes for a state.",
                      in_time(meeting_ns_), meeting_ns_ / serial.time.median, in_time(serial.time.median)));
    std::ranges::copy(kept_busy(), std::back_inserter(said));
    std::vector<double> worth;
    for (const CaseResult& c : results_.cases)
      if (c.what.options.threads == most_) worth.insert(worth.end(), c.machine.begin(), c.machine.end());
    if (!worth.empty())
      said.push_back(
          fmt::format("{} threads that share nothing were worth {:.2f} of one.", most_, median_interval(worth).median));
  }

  /// How far predictions were off where both are known.
  void add_trust(Sentences& said) const {
    std::vector<double> errors;
    for (const CaseResult& c : results_.cases)
      if (c.holds && c.predicted_ns) errors.push_back(std::abs(*c.predicted_ns / c.time.median - 1));
    if (errors.empty()) return;
    std::ranges::sort(errors);
    said.push_back(fmt::format(
        "Of the {} times here that can be compared, half were predicted within {:.0f} %, the worst within {:.0f} %.",
        errors.size(), 100 * errors[errors.size() / 2], 100 * errors.back()));
  }

  const SweepResults& results_;
  double meeting_ns_;
  const std::vector<PredictedThreads>& predictions_;
  std::set<int> threads_;
  int most_ = 1;  ///< of them
};

/// A question, what timings tell about it, and what is said where none of those holds.
struct Question {
  const char* words;
  Sentences (Study::*measured)() const;
  std::string (Study::*predicted)() const = nullptr;
  Sentences (Study::*alone)() const = nullptr;  ///< what holds by itself
};
constexpr Question questions[]{{"Which algorithm?", &Study::which_algorithm, &Study::predicted_algorithm},
                               {"Which grain?", &Study::which_grain, &Study::predicted_grain},
                               {"From how many threads on does it stop paying, and why?", &Study::how_many_threads,
                                &Study::predicted_threads, &Study::kept_busy},
                               {"How many states a second?", &Study::how_many_states, &Study::predicted_states},
                               {"And with twice as many bodies?", &Study::twice_as_many, &Study::predicted_twice},
                               {"And on more cores than there are here?", &Study::on_more_cores}};

}  // namespace

std::vector<Answer> answers(const SweepResults& results, double meeting_ns,
                            const std::vector<PredictedThreads>& predictions) {
  const Study study(results, meeting_ns, predictions);
  std::vector<Answer> all;
  for (const Question& question : questions) {
    Sentences said = (study.*question.measured)();
    if (said.empty()) {
      said.emplace_back("No timing that this takes holds: measure again on a quiet machine.");
      if (const std::string predicted = question.predicted ? (study.*question.predicted)() : ""; !predicted.empty())
        said.push_back("Predicted, not measured: " + predicted);
      if (question.alone) std::ranges::copy((study.*question.alone)(), std::back_inserter(said));
    }
    all.push_back({question.words, fmt::format("{}", fmt::join(said, " "))});
  }
  return all;
}

}  // namespace kinetree::bench
