// `kinetree predict`: times on numbers of threads that need not be here.

#include <fmt/format.h>

#include <kinetree/calibration.hpp>
#include <memory>

#include "bench/arguments.hpp"
#include "bench/info_plan.hpp"
#include "bench/quantity.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/sweep_file.hpp"
#include "bench/text_out.hpp"
#include "bench/values.hpp"
#include "library/option_table.hpp"
#include "library/option_words.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

struct PredictArguments {
  std::vector<std::string> models;
  LoadOptions load;
  std::vector<int> threads;
  std::string calibration, executor = "team";
  bool json = false;
};

struct Predicted {
  std::string name;
  Model model;
  std::vector<PredictedThreads> threads;
};

void print(const Predicted& p) {
  fmt::print("{}, {} bodies\n{:>8} {:>10} {:>10} {:>10} {:>6}   {:<14} {:>8} {:>10}\n", p.name, p.model.body_count(),
             "threads", "ab", "cfa", "modular", "grain", "fastest", "speedup", "bound");
  const double serial = p.threads.front().fastest().ns;
  for (const PredictedThreads& t : p.threads)
    fmt::print("{:>8} {:>10} {:>10} {:>10} {:>6}   {:<14} {:>8.2f} {:>10}\n", t.threads, in_time(t.ab.ns),
               in_time(t.cfa.ns), in_time(t.modular.ns), t.modular.grain, algorithm_of(t.fastest()),
               serial / t.fastest().ns, in_time(t.least_bound()));
  const auto from = [](const std::optional<int>& threads) {
    return threads ? fmt::format("from {} threads on", *threads) : std::string("on none of these numbers of threads");
  };
  if (p.threads.front().cfa.grain == 0)
    fmt::print("no joint of this mechanism is cut: cfa and modular are ab by another name\n\n");
  else
    fmt::print("cfa is faster than ab {}; were scheduling free, {}\n\n", from(overtakes(p.threads, false)),
               from(overtakes(p.threads, true)));
}

/// Which is the fastest, models by numbers of threads.
void print_map(const std::vector<Predicted>& all) {
  fmt::print("{:<24}", "the fastest on");
  for (const PredictedThreads& t : all.front().threads) fmt::print(" {:>12}", t.threads);
  fmt::print("\n");
  for (const Predicted& p : all) {
    fmt::print("{:<24}", p.name);
    for (const PredictedThreads& t : p.threads) fmt::print(" {:>12}", algorithm_of(t.fastest()));
    fmt::print("\n");
  }
}

int tell_predictions(const PredictArguments& a) {
  const ExecutorKind executor = *from_word<ExecutorKind>(a.executor);
  const Calibration calibration =
      a.calibration.empty() ? kinetree::calibration(executor) : load_calibration(a.calibration);
  std::vector<int> threads = a.threads.empty() ? doubling_threads(1024) : a.threads;
  if (threads.front() != 1) threads.insert(threads.begin(), 1);  // speedups are over one
  std::vector<Predicted> all;
  for (const std::string& text : a.models)
    for (const std::string& name : expand_braces(text)) {
      ModelArguments one;
      one.model = name, one.load = a.load;
      const Model model = one.read();
      all.push_back({name, model, predicted_times(model, executor, calibration, threads)});
    }
  const SchedulingCost& cost = calibration.of(executor);
  const std::string source =
      a.calibration.empty() ? fmt::format("of this machine, on {} cores", physical_cores()) : a.calibration;
  if (a.json) {
    Json list = Json::array();
    for (const Predicted& p : all)
      list.push_back({{"model", p.name}, {"bodies", p.model.body_count()}, {"threads", predictions_json(p.threads)}});
    const Json whole{{"executor", a.executor},        {"calibration", source},
                     {"second_thread_ns", cost.fork}, {"further_thread_ns", cost.thread},
                     {"meeting_ns", cost.meet},       {"task_ns", cost.task},
                     {"efficiency", cost.efficiency}, {"disagreement", calibration.disagreement},
                     {"models", std::move(list)}};
    fmt::print("{}\n", json_text(whole, 1));
    return done;
  }
  fmt::print(
      "Predicted times of one state on {}, calibration: {}.\nA second thread costs {}, each further one {}, a "
      "meeting {}; bound: the fastest, were scheduling free.\n\n",
      a.executor, source, in_time(cost.fork), in_time(cost.thread), in_time(cost.meet));
  if (const std::string doubt = doubt_of(calibration.disagreement); !doubt.empty())
    fmt::print(stderr, "kinetree: warning: {}\n", doubt);
  for (const Predicted& p : all) print(p);
  if (all.size() > 1) print_map(all);
  return done;
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("predict", "Predict times of one state on up to 1024 threads, here or elsewhere");
  const auto a = std::make_shared<PredictArguments>();
  sub->add_option("MODEL", a->models, "Files or families; braces give several: \"chain:{64,1024}\"")->required();
  add_load_options(*sub, a->load);
  add_whole_list(*sub, "--threads", a->threads, 1, option_entry("threads").most,
                 "Numbers of threads, in ascending order; else 1, 2, 4, ... 1024");
  takes_one_of(sub->add_option("--executor", a->executor, "Whose costs of scheduling"), {"team", "tbb", "openmp"})
      ->capture_default_str();
  sub->add_option(
      "--calibration", a->calibration,
      "A file of `kinetree calibrate --out`, of this or of another machine; else that kept here, else measured now");
  sub->add_flag("--json", a->json, "Print JSON");
  sub->callback([a, &action] {
    action = [a] {
      if (!std::is_sorted(a->threads.begin(), a->threads.end()))
        throw UsageError("--threads must be in ascending order");
      return tell_predictions(*a);
    };
  });
}

}  // namespace kinetree::bench
