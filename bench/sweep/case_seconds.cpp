#include "bench/sweep/case_seconds.hpp"

#include <algorithm>

namespace kinetree::bench {
namespace {

/// Seconds per body of one call, and of making a solver; predicting takes more than half of the latter. Measured on an
/// EPYC: chain:4096, chain:65536, tree:2x12, tree:2x15, comb:512.
struct BodySeconds {
  double call, preparing;
};

BodySeconds of_body(const LoadedModel& model, const Options& o) {
  const bool cuts = !model.family.starts_with("tree");  // no path of a tree is cut
  switch (o.algorithm) {
    case Algorithm::crb:
      return {2e-9 * model.model.body_count(), 1e-5};
    case Algorithm::cfa:
      return cuts ? BodySeconds{1.5e-6, 4e-5} : BodySeconds{1e-7, 1e-5};
    case Algorithm::modular:
      return {1e-7 + (o.grain > 0 && cuts ? 1.5e-6 / o.grain : 0), 1e-5};
    default:
      return {6e-8, 1e-5};
  }
}

double call_seconds(const LoadedModel& model, const Case& c) {
  const double in_lanes = c.batch > 1 && c.options.lanes != 1 ? 0.3 : 1;
  return of_body(model, c.options).call * model.model.body_count() * c.batch * in_lanes;
}

}  // namespace

double preparing_seconds(const Sweep& sweep, const LoadedModel& model, const Case& c) {
  const double checks = 8 * call_seconds(model, c) + 1e-6 * model.model.body_count();
  return 0.002 + of_body(model, c.options).preparing * model.model.body_count() + checks + sweep.seconds / 4;
}

double repetition_seconds(const Sweep& sweep, const LoadedModel& model, const Case& c) {
  const double beside = workers(c) > 1 ? 0.0045 : 0.0005;  // yardsticks, and how far cores are from each other
  const double call = call_seconds(model, c);
  return beside + call + std::max(sweep.seconds, call);  // one warm
}

double span_seconds(const LoadedModel& model, const Case& c) {
  return c.span ? std::max(shortest_span_seconds, 1e-5 * model.model.body_count()) : 0;
}

double case_seconds(const Sweep& sweep, const LoadedModel& model, const Case& c) {
  if (!c.time && !c.span) return 0;
  return preparing_seconds(sweep, model, c) + span_seconds(model, c) +
         (c.time ? sweep.repetitions * repetition_seconds(sweep, model, c) : 0);
}

}  // namespace kinetree::bench
