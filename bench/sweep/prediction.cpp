#include "bench/sweep/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/choice.hpp"
#include "library/planner.hpp"
#include "parallel/line_transfer.hpp"
#include "parallel/prices.hpp"
#include "parallel/processors.hpp"
#include "parallel/work_and_span.hpp"

namespace kinetree::bench {
namespace {

/// One model's predictions, with the costs of scheduling and without.
class Predictor {
 public:
  Predictor(const Model& model, ExecutorKind executor, const Calibration& calibration)
      : data_(model.data()),
        height_(height_of(model.data())),
        executor_(executor),
        prices_(model, Loops::embed, calibration),
        bounds_(model, Loops::embed, without_scheduling(calibration)) {}

  /// Every grain that is worth a look: those that make 2, 4, ... modules of the longest path; 0 where one cuts nothing.
  std::vector<int> grains() const {
    std::vector<int> list;
    int last = height_ + 1;
    for (int modules = 2; modules < 2 * height_; modules *= 2)
      if (const int grain = grain_for(height_, modules); grain < last) list.push_back(that_cuts(last = grain));
    return list;
  }
  /// The grain, or 0, which is `ab`, where with it no joint is cut.
  int that_cuts(int grain) const { return make_modules(data_, {.grain = grain}).any_cut() ? grain : 0; }

  PredictedTime of(int grain, int threads) const { return {grain, ns(grain, threads), bound_ns(grain, threads)}; }
  double ns(int grain, int threads) const { return prices_.predicted_ns(method_of(grain), {executor_, threads}); }
  double bound_ns(int grain, int threads) const { return bounds_.predicted_ns(method_of(grain), {executor_, threads}); }

 private:
  static Method method_of(int grain) {
    return grain > 0 ? Method{.algorithm = Algorithm::modular, .modules = {.grain = grain}, .refinements = 1}
                     : Method{};
  }
  static Calibration without_scheduling(Calibration c) {
    c.tbb = c.openmp = c.team = {};
    return c;
  }

  const ModelData& data_;
  int height_;
  ExecutorKind executor_;
  Prices prices_, bounds_;
};

}  // namespace

std::vector<PredictedThreads> predicted_times(const Model& model, ExecutorKind executor, const Calibration& calibration,
                                              const std::vector<int>& threads) {
  const Predictor predictor(model, executor, calibration);
  const std::vector<int> grains = predictor.grains();
  const int finest = predictor.that_cuts(1);
  std::vector<PredictedThreads> all;
  for (const int count : threads) {
    PredictedThreads p{count, predictor.of(0, count), predictor.of(finest, count), {}, {}};
    p.modular = p.modular_bound = p.cfa;
    for (const int grain : grains) {
      const PredictedTime time = predictor.of(grain, count);
      if (time.ns < p.modular.ns) p.modular = time;
      if (time.bound_ns < p.modular_bound.bound_ns) p.modular_bound = time;
    }
    all.push_back(p);
  }
  return all;
}

std::vector<double> least_predicted_ns(const Model& model, ExecutorKind executor, const Calibration& calibration,
                                       const std::vector<int>& threads) {
  const Predictor predictor(model, executor, calibration);
  const bool cuts = predictor.that_cuts(1) > 0;
  const int height = height_of(model.data());
  std::vector<double> all{predictor.ns(0, 1)};
  for (const int count : threads) {
    all.push_back(predictor.ns(0, count));
    int last = height;
    for (const int modules : {count, 2 * count})
      if (const int grain = grain_for(height, modules); cuts && grain < last)
        all.back() = std::min(all.back(), predictor.ns(last = grain, count));
  }
  return all;
}

std::vector<SpeedupBounds> speedup_bounds(const Model& model, ExecutorKind executor, const Calibration& calibration,
                                          const std::vector<int>& threads) {
  constexpr int no_end = 1024;
  const Predictor predictor(model, executor, calibration);
  std::vector<int> grains = predictor.grains();
  grains.insert(grains.end(), {0, predictor.that_cuts(1)});
  std::vector<SpeedupBounds> all;
  for (const int count : threads) all.push_back({.threads = count});
  const double serial = predictor.bound_ns(0, 1);
  for (const int grain : grains) {
    const double work = predictor.bound_ns(grain, 1), span = predictor.bound_ns(grain, no_end);
    for (SpeedupBounds& b : all) {
      if (b.threads == 1) continue;
      const double greedy = greedy_ns(work, span, b.threads);
      b.most = std::max(b.most, serial / std::max(work / b.threads, span));
      b.greedy = std::max(b.greedy, serial / greedy);
      if (serial <= greedy * b.burdened) continue;  // less still with a burden
      const PredictedTime time = predictor.of(grain, b.threads);
      b.burdened = std::max(b.burdened, serial / (greedy + time.ns - time.bound_ns));
    }
  }
  return all;
}

std::vector<int> doubling_threads(int most) {
  std::vector<int> list;
  for (int threads = 1; threads <= most; threads *= 2) list.push_back(threads);
  return list;
}

std::optional<int> overtakes(const std::vector<PredictedThreads>& predictions, bool bounds) {
  std::optional<int> from;
  for (const PredictedThreads& p : predictions) {
    const bool faster = bounds ? p.cfa.bound_ns < p.ab.bound_ns : p.cfa.ns < p.ab.ns;
    if (!faster) from.reset();
    if (faster && !from) from = p.threads;
  }
  return from;
}

std::string algorithm_of(const PredictedTime& t) {
  return t.grain == 0 ? "ab" : t.grain == 1 ? "cfa" : fmt::format("modular:{}", t.grain);
}

nlohmann::ordered_json predictions_json(const std::vector<PredictedThreads>& predictions) {
  using Json = nlohmann::ordered_json;
  const auto time = [](const PredictedTime& t) {
    Json json{{"predicted_ns", t.ns}, {"bound_ns", t.bound_ns}};
    if (t.grain > 0) json["grain"] = t.grain;
    return json;
  };
  Json list = Json::array();
  for (const PredictedThreads& p : predictions)
    list.push_back({{"threads", p.threads},
                    {"ab", time(p.ab)},
                    {"cfa", time(p.cfa)},
                    {"modular", time(p.modular)},
                    {"modular_bound", time(p.modular_bound)},
                    {"fastest", algorithm_of(p.fastest())},
                    {"speedup", predictions.front().fastest().ns / p.fastest().ns},
                    {"bound_ns", p.least_bound()}});
  return list;
}

void calibrate_for_this_run(double seconds) {
  if (!calibration_source().empty()) return;
  if (seconds < 60) {
    fmt::print(stderr,
               "kinetree: notice: predictions go by the default calibration; `kinetree calibrate` measures this "
               "machine\n");
    return;
  }
  constexpr int readings = 4;  // `kinetree calibrate` takes more
  const auto start = std::chrono::steady_clock::now();
  use_calibration(measured_calibration(readings));
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  fmt::print(stderr,
             "kinetree: notice: this machine has no calibration; it was measured for this run ({:.1f} s), and "
             "`kinetree calibrate` keeps a better one for all\n",
             passed.count());
}

Calibration calibration_now(const std::optional<Memory>& memory, double line_ns) {
  Calibration c = calibration();
  if (memory && c.bandwidths.memory.all == 0) set_memory(c, *memory);
  return with_line_transfer(c, line_ns);
}

std::optional<double> predicted_ns(const Model& model, const Case& c, const Plan& plan,
                                   const Calibration& calibration) {
  if (c.batch > 1 || plan.algorithm == Algorithm::crb || plan.formulation == Formulation::literal) return std::nullopt;
  if (plan.one_threads > physical_cores()) return std::nullopt;  // the system shares out the cores, by rules of its own
  const Prices prices(model, plan.loops, calibration);
  const Threads on{plan.executor, plan.one_threads};
  return prices.predicted_ns(one_method(plan), on, planned_parts(model.data(), plan));
}

}  // namespace kinetree::bench
