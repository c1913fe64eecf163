#include "bench/study/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/quantity.hpp"
#include "bench/study/predicted_answers.hpp"
#include "bench/study/study_sweep.hpp"
#include "library/option_words.hpp"
#include "library/plan_check.hpp"

namespace kinetree::bench {
namespace {

using Cell = const CaseResult*;
using Which = std::function<bool(const CaseResult&)>;

/// `predicted`: what is said in place of timings; empty: nothing.
std::string nothing_holds(const std::string& predicted) {
  return "No timing that this takes holds: measure again on a quiet machine." +
         (predicted.empty() ? "" : " " + predicted);
}

/// Without a cut they are ab by another name.
bool is_another_name(const CaseResult& c) {
  const Algorithm algorithm = c.what.options.algorithm;
  return c.cut_joints == 0 && (algorithm == Algorithm::cfa || algorithm == Algorithm::modular);
}

/// One equal or faster for certain: no timing of the slower was below any of the faster's interval.
bool faster(Cell a, Cell b) { return a->time.high < b->time.low; }

std::string threads_of(int n) { return n == 1 ? "one thread" : fmt::format("{} threads", n); }

std::string label(Cell c) { return algorithm_label(c->what.options); }

/// The plan in words: "ab, 8 limbs side by side".
std::string plan_words(const CaseResult& c) {
  if (!c.plan) return algorithm_label(c.what.options);
  const Plan& p = *c.plan;
  std::string text(to_word(p.algorithm));
  if (p.algorithm == Algorithm::modular)
    text += fmt::format(", {} bodies per module", p.grain) +
            (p.end_chains > 1 ? fmt::format(", {} modules side by side in lanes", p.end_chains) : "");
  if (p.limbs > 1) text += fmt::format(", up to {} limbs side by side in lanes", p.limbs);
  return text;
}

class Study {
 public:
  Study(const SweepResults& results, double meeting_ns, const PredictedAnswers& predicted)
      : results_(results), meeting_ns_(meeting_ns), predicted_(predicted) {}

  Answer which_algorithm() const {
    Answer a{"Which algorithm?", nothing_holds(predicted_.which_algorithm())};
    const Which serial = [](const CaseResult& c) { return c.what.options.threads == 1 && c.what.batch == 1; };
    const Cell best = fastest(0, serial);
    if (!best) return a;
    std::vector<std::string> compared;
    for (const Cell c : cells(0, serial))
      if (std::ranges::count(compared, label(c)) == 0) compared.push_back(label(c));
    a.text = fmt::format("On one thread {} is the fastest of {}: {} a state ({}).", label(best),
                         fmt::join(compared, ", "), in_time(best->time.median), interval(best));
    std::string equal;
    for (const Cell c : cells(0, serial))
      if (c != best && !faster(best, c) && c->plan != best->plan) equal += (equal.empty() ? "" : ", ") + label(c);
    if (!equal.empty()) a.text += fmt::format(" No difference from it can be told of {}.", equal);
    if (const Cell chosen = automatic(0, 1, 1)) {
      a.text += fmt::format(" `automatic` runs {}", plan_words(*chosen));
      a.text += faster(best, chosen) ? fmt::format(" and takes {:.2f} times that long.", ratio(chosen, best))
                                     : ", which is as good as any.";
    }
    const Cell crb =
        fastest(0, [&](const CaseResult& c) { return serial(c) && c.what.options.algorithm == Algorithm::crb; });
    if (crb && faster(best, crb)) a.text += fmt::format(" crb takes {:.1f} times as long.", ratio(crb, best));
    return a;
  }

  Answer which_grain() const {
    const int most = most_threads();
    Answer a{"Which grain?", ""};
    const auto is_modular = [](const CaseResult& c) { return c.what.options.algorithm == Algorithm::modular; };
    if (std::ranges::any_of(results_.cases, is_modular) &&
        !std::ranges::any_of(results_.cases, [&](const CaseResult& c) { return is_modular(c) && c.cut_joints > 0; })) {
      a.text = "None: no joint of this mechanism may be cut, or none is worth it, and modular is ab by another name.";
      return a;
    }
    for (const int threads : {1, most}) {
      if (threads == most && most == 1 && !a.text.empty()) break;
      const auto on = [&](const CaseResult& c) { return c.what.options.threads == threads && c.what.batch == 1; };
      const Cell grain = fastest(0, [&](const CaseResult& c) {
        return on(c) && c.what.options.algorithm == Algorithm::modular && c.what.options.grain > 0;
      });
      const Cell whole = fastest(0, [&](const CaseResult& c) {
        return c.what.options.threads == 1 && c.what.batch == 1 && c.what.options.algorithm == Algorithm::ab;
      });
      if (!grain || !whole) continue;
      a.text +=
          fmt::format("{}On {} the best grain is {} ({} modules): {}, ", a.text.empty() ? "" : " ", threads_of(threads),
                      grain->what.options.grain, grain->modules, in_time(grain->time.median));
      a.text += faster(grain, whole) ? fmt::format("{:.2f} times as fast as ab on one thread.", ratio(whole, grain))
                : faster(whole, grain)
                    ? fmt::format("{:.2f} times as long as ab on one thread, which cuts nothing: don't cut.",
                                  ratio(grain, whole))
                    : "no different from ab on one thread, which cuts nothing.";
    }
    if (a.text.empty()) a.text = nothing_holds(predicted_.which_grain(most));
    return a;
  }

  Answer how_many_threads() const {
    const int most = most_threads();
    Answer a{"From how many threads on does it stop paying, and why?",
             nothing_holds(predicted_.how_many_threads(most)) + kept_busy(most)};
    if (most == 1) {
      a.text = "Only one thread was tried.";
      return a;
    }
    const Cell serial = best_on(1);
    if (!serial) return a;
    Cell best = serial;
    std::string list;
    for (const int threads : all_threads()) {
      const Cell c = threads > 1 ? best_on(threads) : nullptr;
      if (!c) continue;
      list += fmt::format("{}{} on {}", list.empty() ? "" : ", ", times(c), threads);
      if (best == serial ? c->speedup.low > 1 : faster(c, best)) best = c;
    }
    if (list.empty()) return a;
    const int paying = best->what.options.threads;
    if (best == serial)
      a.text =
          fmt::format("One state at a time is not faster on several threads (at best {} threads), so use one.", list);
    else
      a.text = fmt::format(
          "Threads pay up to {}: one state by {} with {} is at least {:.2f} times as fast as the fastest "
          "on one thread (of all: {}).",
          paying, label(best), to_word(best->what.options.executor), best->speedup.low, list);
    a.text += why(serial, most);
    return a;
  }

  Answer how_many_states() const {
    Answer a{"How many states a second?", nothing_holds(predicted_.how_many_states())};
    std::string text;
    Cell one = automatic(0, 1, 1), before = nullptr;
    if (one) text = fmt::format("One after the other {} on one thread", rate(one));
    for (const int threads : all_threads()) {
      const Cell c =
          fastest(0, [&](const CaseResult& r) { return r.what.options.threads == threads && r.what.batch > 1; });
      if (!c || (before && !faster(c, before))) continue;
      text += fmt::format("{}{} in batches of {} on {}{}", text.empty() ? "" : ", ", rate(c), c->what.batch,
                          threads_of(threads), lanes_of(c));
      before = c;
    }
    if (text.empty()) return a;
    a.text = text + ".";
    a.text[0] = static_cast<char>(std::toupper(a.text[0]));
    if (before && before->what.options.threads < most_threads()) a.text += " More threads are not faster for certain.";
    return a;
  }

  Answer twice_as_many() const {
    Answer a{"And with twice as many bodies?", nothing_holds(predicted_.twice_as_many())};
    if (results_.models.size() < 2) {
      a.text = results_.notes.empty() ? "Not tried." : results_.notes.back() + ".";
      return a;
    }
    const int most = most_threads();
    const Cell small = automatic(0, 1, 1), large = automatic(1, 1, 1);
    if (!small || !large) return a;
    a.text = fmt::format("Two in series ({} bodies) take {:.2f} times as long on one thread", bodies(1),
                         ratio(large, small));
    const auto fastest_serial = [&](std::size_t m) {
      return fastest(m, [](const CaseResult& c) { return c.what.options.threads == 1 && c.what.batch == 1; });
    };
    const Cell best = fastest_serial(1), best_of_one = fastest_serial(0);
    if (best && best_of_one)
      a.text += algorithm_of(best) == algorithm_of(best_of_one)
                    ? fmt::format(", and {} stays the fastest there", algorithm_of(best))
                    : fmt::format(", and {} takes over from {}", algorithm_of(best), algorithm_of(best_of_one));
    a.text += ".";
    const auto on_most = [&](std::size_t m) {
      return fastest(m, [&](const CaseResult& c) { return c.what.options.threads == most && c.what.batch == 1; });
    };
    if (const Cell one = most > 1 ? on_most(0) : nullptr, two = most > 1 ? on_most(1) : nullptr; one && two)
      a.text += fmt::format(" {} threads are then worth {}, after {} for one.", most, times(two), times(one));
    return a;
  }

 private:
  std::vector<Cell> cells(std::size_t model, const Which& which) const {
    std::vector<Cell> found;
    for (const CaseResult& c : results_.cases)
      if (c.what.model == model && c.what.ranks == 1 && c.holds && !is_another_name(c) && which(c)) found.push_back(&c);
    return found;
  }
  Cell fastest(std::size_t model, const Which& which) const {
    Cell best = nullptr;
    for (const Cell c : cells(model, which))
      if (!best || c->time.median < best->time.median) best = c;
    return best;
  }
  Cell automatic(std::size_t model, int threads, int batch) const {
    return fastest(model, [&](const CaseResult& c) {
      return c.what.options.algorithm == Algorithm::automatic && c.what.options.threads == threads &&
             c.what.batch == batch;
    });
  }
  /// The fastest way for one state on so many threads, all of which run.
  Cell best_on(int threads) const {
    return fastest(0, [&](const CaseResult& c) {
      return c.what.options.threads == threads && c.what.batch == 1 && (!c.plan || c.plan->one_threads == threads);
    });
  }
  std::vector<int> all_threads() const {
    std::vector<int> list;
    for (const CaseResult& c : results_.cases)
      if (std::find(list.begin(), list.end(), c.what.options.threads) == list.end())
        list.push_back(c.what.options.threads);
    std::sort(list.begin(), list.end());
    return list;
  }
  int most_threads() const { return all_threads().back(); }
  int bodies(std::size_t model) const { return results_.models[model].model.body_count(); }

  static double ratio(Cell slower, Cell faster) { return slower->time.median / faster->time.median; }
  static std::string interval(Cell c) { return fmt::format("{} to {}", in_time(c->time.low), in_time(c->time.high)); }
  static std::string times(Cell c) {
    return fmt::format("{:.2f} [{:.2f}, {:.2f}]", c->speedup.value, c->speedup.low, c->speedup.high);
  }
  static std::string rate(Cell c) { return in_count(1e9 / c->time.median); }
  static std::string lanes_of(Cell c) {
    return c->plan && c->plan->lanes > 1 ? fmt::format(" ({} side by side in lanes)", c->plan->lanes) : "";
  }
  /// With its plan where `automatic` chose it.
  static std::string algorithm_of(Cell c) { return c->plan ? plan_words(*c) : label(c); }

  /// What keeps one state from going faster on threads: depth, meetings, or neighbours.
  std::string why(Cell serial, int most) const {
    std::string text;
    const auto counted = std::find_if(results_.cases.begin(), results_.cases.end(), [](const CaseResult& c) {
      return c.what.model == 0 && c.work && c.what.options.algorithm == Algorithm::ab;
    });
    const auto cut = std::find_if(results_.cases.begin(), results_.cases.end(), [](const CaseResult& c) {
      return c.what.model == 0 && c.work && c.what.options.algorithm == Algorithm::cfa;
    });
    if (counted != results_.cases.end() && counted->work->depth > 0) {
      text += fmt::format(
          " Of ab's {} operations {} stand one behind the other, so that no number of cores makes it "
          "more than {:.1f} times as fast",
          in_count(static_cast<double>(counted->work->counts.total())), in_count(counted->work->depth),
          static_cast<double>(counted->work->counts.total()) / counted->work->depth);
      if (cut != results_.cases.end() && cut->cut_joints > 0 && cut->work->depth < counted->work->depth)
        text += fmt::format(
            "; cfa has a chain of {} operations alone, for {:.1f} times the work", in_count(cut->work->depth),
            static_cast<double>(cut->work->counts.total()) / static_cast<double>(counted->work->counts.total()));
      text += ".";
    }
    if (meeting_ns_ > 0)
      text += fmt::format(" A meeting of threads costs {} here, {:.2g} of the {} that one thread takes for a state.",
                          in_time(meeting_ns_), meeting_ns_ / serial->time.median, in_time(serial->time.median));
    text += kept_busy(most);
    std::vector<double> worth;
    for (const CaseResult& c : results_.cases)
      if (c.what.options.threads == most) worth.insert(worth.end(), c.machine.begin(), c.machine.end());
    if (!worth.empty())
      text +=
          fmt::format(" {} threads that share nothing were worth {:.2f} of one.", most, median_interval(worth).median);
    return text;
  }

  /// How many threads the tasks keep busy of the plan whose tasks allow the least time on the most threads, with what
  /// handing over costs. By times of tasks alone: two readings of them agree where timings of threads do not hold.
  std::string kept_busy(int most) const {
    Cell best = nullptr;
    const auto bound = [&](Cell c) { return greedy_ns(c->span->work_ns, c->span->burdened_span_ns, most); };
    for (const CaseResult& c : results_.cases)
      if (c.what.model == 0 && c.what.options.threads == most && c.span && c.span->disagreement <= agreed_within &&
          !is_another_name(c) && (!best || bound(&c) < bound(best)))
        best = &c;
    if (!best) return "";
    const MeasuredWorkAndSpan& span = *best->span;
    return fmt::format(
        " Timed one by one, the tasks of {} on {} for {} take {}, and {} along the longest path of those that wait for "
        "each other: they could keep at most {:.2f} threads busy, {:.2f} with what handing over costs here.",
        algorithm_of(best), to_word(best->what.options.executor), threads_of(most), in_time(span.work_ns),
        in_time(span.span_ns), span.parallelism(), span.burdened_parallelism());
  }

  const SweepResults& results_;
  double meeting_ns_;
  const PredictedAnswers& predicted_;
};

}  // namespace

std::vector<Answer> answers(const SweepResults& results, double meeting_ns,
                            const std::vector<PredictedThreads>& predictions) {
  const PredictedAnswers predicted(results, predictions);
  const Study study(results, meeting_ns, predicted);
  return {study.which_algorithm(), study.which_grain(),   study.how_many_threads(),
          study.how_many_states(), study.twice_as_many(), predicted.on_more_cores()};
}

}  // namespace kinetree::bench
