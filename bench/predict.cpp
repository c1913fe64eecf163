// `kinetree predict`: times on numbers of threads that need not be here.

#include <fmt/format.h>

#include <kinetree/calibration.hpp>
#include <memory>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/info_plan.hpp"
#include "bench/quantity.hpp"
#if KINETREE_MPI
#include "bench/ranks/networks.hpp"
#include "bench/ranks/predicted_ranks.hpp"
#endif
#include "bench/subcommands.hpp"
#include "bench/sweep/cases.hpp"
#include "bench/sweep/machine.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/sweep_file.hpp"
#include "bench/text_out.hpp"
#include "bench/values.hpp"
#include "library/option_table.hpp"
#include "library/option_words.hpp"
#include "parallel/line_transfer.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

struct PredictArguments {
  std::vector<std::string> models;
  LoadOptions load;
  std::vector<int> threads, ranks;
  int on_each_machine = 1;
  std::string calibration, executor = "team", network;
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

#if KINETREE_MPI

void print(const std::string& name, const Model& model, const std::vector<PredictedRanks>& predictions) {
  fmt::print("{}, {} bodies\n{:>8} {:>12} {:>8}   {}\n", name, model.body_count(), "ranks", "one state", "speedup",
             "plan");
  for (const PredictedRanks& p : predictions)
    fmt::print("{:>8} {:>12} {:>8}   {}\n", p.ranks, p.ns ? in_time(*p.ns) : "-",
               p.ns ? fmt::format("{:.2f}", *predictions.front().ns / *p.ns) : "-",
               p.ns ? p.plan : "no shares for so many");
}

/// That of --network, or the calibration's own.
MessageCost between_machines(const PredictArguments& a, const Calibration& calibration) {
  for (const Network& network : typical_networks())
    if (network.name == a.network) return network.between;
  if (calibration.messages.between.bandwidth == 0)
    throw UsageError(
        "the calibration has no messages between machines; name a network, infiniband or ethernet, by --network, or "
        "measure them by `mpirun --bind-to none kinetree calibrate` on several machines");
  return calibration.messages.between;
}

/// Ranks on machines of so many each.
int tell_ranks(const PredictArguments& a) {
  Calibration calibration = a.calibration.empty() ? kinetree::calibration() : load_calibration(a.calibration);
  if (a.on_each_machine > 1 && calibration.messages.within.bandwidth == 0)
    throw UsageError(
        "the calibration has no messages within a machine; measure them by `mpirun --bind-to none -n 2 kinetree "
        "calibrate`, or leave "
        "out --ranks-per-machine");
  std::vector<int> ranks = a.ranks;
  if (ranks.front() != 1) ranks.insert(ranks.begin(), 1);
  if (ranks.back() > a.on_each_machine) calibration.messages.between = between_machines(a, calibration);
  const auto in_words = [](const MessageCost& c) {
    return fmt::format("{} and {:.3g} GB/s", in_time(c.latency), c.bandwidth);
  };
  Json list = Json::array();
  if (!a.json)
    fmt::print(
        "Predicted times of one state over ranks of one thread, {} on each machine; messages between machines: "
        "{}{}.\n\n",
        a.on_each_machine, in_words(calibration.messages.between),
        a.on_each_machine > 1 ? "; within one: " + in_words(calibration.messages.within) : "");
  std::string last_family;
  for (const std::string& text : a.models)
    for (const std::string& name : expand_braces(text)) {
      const Model model = ModelArguments{name, a.load}.read();
      const std::vector<PredictedRanks> predictions = predicted_ranks(model, ranks, a.on_each_machine, calibration);
      std::string pay;  // once for each family
      if (names_family(name) && family_of(name) != last_family)
        pay = sentence(from_which_ranks_pay(name, ranks, a.on_each_machine, calibration)),
        last_family = family_of(name);
      if (!a.json) print(name, model, predictions), fmt::print("{}\n", pay.empty() ? "" : pay + "\n");
      list.push_back({{"model", name}, {"bodies", model.body_count()}, {"ranks", predictions_json(predictions)}});
      if (!pay.empty()) list.back()["ranks_pay"] = pay;
    }
  if (a.json) fmt::print("{}\n", json_text(Json{{"models", std::move(list)}}, 1));
  return done;
}

#endif

int tell_predictions(const PredictArguments& a) {
#if KINETREE_MPI
  if (!a.ranks.empty()) return tell_ranks(a);
#endif
  const ExecutorKind executor = *from_word<ExecutorKind>(a.executor);
  const bool here = a.calibration.empty();
  const double line = here ? line_transfer_ns() : 0;
  const Calibration kept = here ? kinetree::calibration() : load_calibration(a.calibration);
  const Calibration calibration = with_line_transfer(kept, line);
  std::vector<int> threads = a.threads.empty() ? doubling_threads(1024) : a.threads;
  if (threads.front() != 1) threads.insert(threads.begin(), 1);  // speedups are over one
  std::vector<Predicted> all;
  for (const std::string& text : a.models)
    for (const std::string& name : expand_braces(text)) {
      const Model model = ModelArguments{name, a.load}.read();
      all.push_back({name, model, predicted_times(model, executor, calibration, threads)});
    }
  const SchedulingCost& cost = calibration.of(executor);
  const std::string source = here ? calibration_in_words() : a.calibration;
  for (const std::string& doubt :
       {doubt_of(kept.disagreement), doubt_of_cores(adjusted_predictions, kept.line_transfer, line)})
    if (!doubt.empty()) fmt::print(stderr, "kinetree: warning: {}\n", doubt);
  if (a.json) {
    Json list = Json::array();
    for (const Predicted& p : all)
      list.push_back({{"model", p.name}, {"bodies", p.model.body_count()}, {"threads", predictions_json(p.threads)}});
    const Json whole{{"executor", a.executor},
                     {"calibration", source},
                     {"second_thread_ns", cost.fork},
                     {"further_thread_ns", cost.thread},
                     {"meeting_ns", cost.meet},
                     {"task_ns", cost.task},
                     {"meeting_growth_ns", cost.meet_growth},
                     {"task_growth_ns", cost.task_growth},
                     {"efficiency", cost.efficiency},
                     {"line_transfer_ns", calibration.line_transfer},
                     {"disagreement", calibration.disagreement},
                     {"models", std::move(list)}};
    fmt::print("{}\n", json_text(whole, 1));
    return done;
  }
  fmt::print(
      "Predicted times of one state on {}, by the calibration {}.\nA second thread costs {}, each further one {}, a "
      "meeting of two threads {}, {} more with each further one up to one a core; bound: the fastest, were "
      "scheduling free.\n\n",
      a.executor, source, in_time(cost.fork), in_time(cost.thread), in_time(cost.meet), in_time(cost.meet_growth));
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
      "A file of `kinetree calibrate --out`, of this or of another machine; else that kept here, else the default one");
#if KINETREE_MPI
  add_whole_list(
      *sub, "--ranks", a->ranks, 1, most_ranks,
      "Numbers of ranks of MPI, in ascending order: times over ranks of one thread each, in place of threads");
  add_whole(*sub, "--ranks-per-machine", a->on_each_machine, 1, most_ranks, "With --ranks");
  std::vector<std::string> networks;
  for (const Network& network : typical_networks()) networks.push_back(network.name);
  takes_one_of(sub->add_option("--network", a->network,
                               "With --ranks: typical messages between machines, in place of the calibration's"),
               networks);
#endif
  sub->add_flag("--json", a->json, "Print JSON");
  sub->callback([a, &action] {
    action = [a] {
      for (const auto& [name, numbers] : {std::pair{"--threads", &a->threads}, {"--ranks", &a->ranks}})
        if (!std::is_sorted(numbers->begin(), numbers->end()))
          throw UsageError(fmt::format("{} must be in ascending order", name));
      if (a->ranks.empty() && (!a->network.empty() || a->on_each_machine > 1))
        throw UsageError("--network and --ranks-per-machine have no effect without --ranks; leave them out");
      if (!a->ranks.empty() && !a->threads.empty())
        throw UsageError("--threads has no effect with --ranks, which have one thread each; leave one out");
      return tell_predictions(*a);
    };
  });
}

}  // namespace kinetree::bench
