#include "bench/study/predicted_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench/quantity.hpp"

namespace kinetree::bench {

namespace {

std::string threads_in_words(int n) { return n == 1 ? "one thread" : fmt::format("{} threads", n); }

}  // namespace

std::string PredictedAnswers::which_algorithm() const {
  if (predictions_.empty()) return "";
  const PredictedTime& best = predictions_.front().fastest();
  return fmt::format("Predicted, not measured: on one thread {}, {} a state.", algorithm_of(best), in_time(best.ns));
}

std::string PredictedAnswers::which_grain(int most_threads) const {
  if (predictions_.empty() || predictions_.front().cfa.grain == 0) return "";
  const double whole = predictions_.front().ab.ns;
  const PredictedThreads* best = nullptr;
  for (const PredictedThreads& p : predictions_)
    if (p.threads <= most_threads && p.modular.grain > 0 && p.modular.ns < (best ? best->modular.ns : whole)) best = &p;
  return best ? fmt::format("Predicted, not measured: {} on {}, {:.2f} times as fast as ab on one thread.",
                            algorithm_of(best->modular), threads_in_words(best->threads), whole / best->modular.ns)
              : "Predicted, not measured: none, since ab on one thread, which cuts nothing, takes the least.";
}

std::string PredictedAnswers::how_many_threads(int most_threads) const {
  if (predictions_.empty()) return "";
  const PredictedThreads& one = predictions_.front();
  const PredictedThreads* best = &one;
  for (const PredictedThreads& p : predictions_)
    if (p.threads <= most_threads && p.fastest().ns < best->fastest().ns) best = &p;
  return best == &one ? "Predicted, not measured: one thread is the fastest."
                      : fmt::format("Predicted, not measured: up to {}, {:.2f} times as fast as one by {}.",
                                    threads_in_words(best->threads), one.fastest().ns / best->fastest().ns,
                                    algorithm_of(best->fastest()));
}

std::string PredictedAnswers::how_many_states() const {
  if (predictions_.empty()) return "";
  return fmt::format("Predicted, not measured: {} one after the other on one thread; batches are not predicted.",
                     in_count(1e9 / predictions_.front().fastest().ns));
}

std::string PredictedAnswers::twice_as_many() const {
  double times[2]{};
  for (const CaseResult& c : results_.cases)
    if (c.what.model < 2 && c.what.options.algorithm == Algorithm::ab && c.what.options.threads == 1 &&
        c.what.batch == 1 && c.predicted_ns)
      times[c.what.model] = *c.predicted_ns;
  if (!(times[0] > 0 && times[1] > 0)) return "";
  return fmt::format("Predicted, not measured: ab takes {:.2f} times as long on one thread.", times[1] / times[0]);
}

std::string PredictedAnswers::trust() const {
  std::vector<double> errors;
  for (const CaseResult& c : results_.cases)
    if (c.holds && c.predicted_ns) errors.push_back(std::abs(*c.predicted_ns / c.time.median - 1));
  if (errors.empty()) return "";
  std::sort(errors.begin(), errors.end());
  return fmt::format(
      " Of the {} times here that can be compared, half were predicted within {:.0f} %, the worst within "
      "{:.0f} %.",
      errors.size(), 100 * errors[errors.size() / 2], 100 * errors.back());
}

Answer PredictedAnswers::on_more_cores() const {
  Answer a{"And on more cores than there are here?", "Not predicted."};
  if (predictions_.empty()) return a;
  const double serial = predictions_.front().fastest().ns;
  const auto best = std::min_element(
      predictions_.begin(), predictions_.end(),
      [](const PredictedThreads& x, const PredictedThreads& y) { return x.fastest().ns < y.fastest().ns; });
  const auto bound = std::min_element(
      predictions_.begin(), predictions_.end(),
      [](const PredictedThreads& x, const PredictedThreads& y) { return x.least_bound() < y.least_bound(); });
  a.text = best->threads == 1
               ? "Predicted, one state is fastest on one thread however many cores there are."
               : fmt::format("Predicted, one state is fastest on {} threads, by {}: {:.1f} times as fast as on one.",
                             best->threads, algorithm_of(best->fastest()), serial / best->fastest().ns);
  if (bound->threads > 1)
    a.text += fmt::format(" Were scheduling free, it would be {:.1f} times, on {} threads.",
                          serial / bound->least_bound(), bound->threads);
  int half = 1;
  for (const PredictedThreads& p : predictions_)
    if (serial / p.fastest().ns >= 0.5 * p.threads) half = p.threads;
  a.text += fmt::format(" Efficiency is at least a half up to {}.", threads_in_words(half));
  if (predictions_.front().cfa.grain > 0) {
    const std::optional<int> from = overtakes(predictions_, false), free = overtakes(predictions_, true);
    a.text += from   ? fmt::format(" cfa overtakes ab on {} threads.", *from)
              : free ? fmt::format(" cfa overtakes ab on no number of threads, and on {} were scheduling free.", *free)
                     : " cfa overtakes ab on no number of threads.";
  }
  return a.text += trust(), a;
}

}  // namespace kinetree::bench
