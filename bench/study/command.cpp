// `kinetree study`: how one mechanism scales on this machine.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <kinetree/calibration.hpp>
#include <memory>
#include <utility>

#include "bench/arguments.hpp"
#include "bench/interruption.hpp"
#include "bench/output.hpp"
#include "bench/ranks/world.hpp"
#include "bench/study/answers.hpp"
#include "bench/study/rank_answers.hpp"
#include "bench/study/study_sweep.hpp"
#include "bench/study/varying_cost.hpp"
#include "bench/subcommands.hpp"
#include "bench/sweep/context.hpp"
#include "bench/sweep/write_results.hpp"
#include "bench/values.hpp"
#include "engine/scalar/number_from.hpp"
#include "library/option_table.hpp"
#include "parallel/bandwidth.hpp"
#include "parallel/line_transfer.hpp"
#include "parallel/prices.hpp"
#include "parallel/processors.hpp"
#if KINETREE_MPI
#include "bench/ranks/followers.hpp"
#include "bench/ranks/networks.hpp"
#endif

namespace kinetree::bench {
namespace {

struct StudyArguments {
  ModelArguments model;
  std::vector<int> threads;
  double seconds = 60;
  std::string out = "study";
  bool varying = false;
};

/// Ascending, and 1 among them, which the rest is compared with.
std::vector<int> threads_of(const StudyArguments& a) {
  std::vector<int> list = a.threads.empty() ? usual_threads(physical_cores()) : a.threads;
  list.push_back(1);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

#if KINETREE_MPI
/// 1, 2, 4, ... and the number itself.
std::vector<int> doubling_up_to(int ranks) {
  std::vector<int> list = doubling_threads(ranks);
  if (list.back() != ranks) list.push_back(ranks);
  return list;
}

/// A rank on each of up to 64 machines: joined by the network here, where ranks are on several, and by typical ones.
std::vector<OnNetwork> on_networks(const LoadedModel& model, const Messages& here, Calibration calibration) {
  std::vector<Network> networks = typical_networks();
  if (here.between.bandwidth > 0) networks.insert(networks.begin(), {"the network here", here.between});
  std::vector<OnNetwork> all;
  const std::vector<int> ranks = doubling_threads(64);
  for (const Network& network : networks) {
    calibration.messages.between = network.between;
    OnNetwork on{network.name, predicted_ranks(model.model, ranks, 1, calibration), ""};
    if (model.entry.is_family)
      on.pay = sentence(from_which_ranks_pay(model.entry.source, {2, 4, 8, 16}, 1, calibration));
    all.push_back(std::move(on));
  }
  return all;
}
#endif

/// What is read before the first work of a study.
struct Beginning {
  std::string load = load_average();
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
};

/// `over`: null where there is one rank.
int measured_study(const StudyArguments& a, const Beginning& began, SweepResults results, OverRanks* over) {
  const std::string& load = began.load;
  const std::vector<int> threads = threads_of(a);
  calibrate_for_this_run(a.seconds);
  results.memory = measured_memory();
  const Calibration measured = calibration_now(results.memory, line_transfer_ns());
  const double meeting = threads.back() > 1 ? scheduling_cost(measured, ExecutorKind::team, threads.back()).meet : 0;
  const std::vector<PredictedThreads> predictions =
      predicted_times(results.models.front().model, ExecutorKind::team, measured, doubling_threads(1024));
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began.time;
  const double seconds = passed.count() + predicted_seconds(results);
  fmt::print(stderr, "{} cases, about {:.0f} s on a quiet machine{}\n", results.cases.size(), std::max(1.0, seconds),
             seconds > a.seconds ? ", the least for so many cases" : "");
  if (first_number(load, 0.0) > 0.5)  // "unknown" is 0
    fmt::print(
        stderr,
        "kinetree: notice: the load average is {} on {} cores: on a busy machine few timings hold, and what can't "
        "be cut short takes several times as long\n",
        load, physical_cores());
  const Interruption interruption;
  measure(results,
          {[&] { return interruption.signal() != 0; }, [] {}, {}, std::max(0.0, a.seconds - passed.count()), over});
  tell_notes(results);
  if (!results.complete()) {
    fmt::print(stderr, "kinetree: {}: nothing was written; a study takes about --seconds\n", interruption.name());
    return interruption.exit_status();
  }
  const bool failed = tell_failures(results);
  nlohmann::ordered_json context = measurement_context(load, results.memory);
  if (over != nullptr) context.update(over->context());
  nlohmann::ordered_json json = results_json(results, context), list = nlohmann::ordered_json::array();
  fmt::print("{}\n", sentence(results.verdict));
  std::vector<Answer> all = answers(results, meeting, predictions);
#if KINETREE_MPI
  if (over != nullptr) {
    const std::vector<OnNetwork> networks = on_networks(results.models.front(), over->messages(), measured);
    all.push_back(over_ranks(results, networks));
    for (const OnNetwork& network : networks)
      json["rank_predictions"].push_back({{"network", network.name}, {"ranks", predictions_json(network.ranks)}});
  }
#endif
  if (a.varying) all.push_back(varying_cost(results.models.front().model, std::min(2.0, a.seconds / 20)));
  for (const Answer& answer : all) {
    fmt::print("\n{}\n  {}\n", answer.question, answer.text);
    list.push_back({{"question", answer.question}, {"answer", answer.text}});
  }
  json["answers"] = std::move(list);
  json["predictions"] = predictions_json(predictions);
  fmt::print("\n");
  for (const std::filesystem::path& file : write_results(a.out, results, json)) tell(file);
  return failed ? state_failed : done;
}

#if KINETREE_MPI
/// All ranks: rank 0 measures, the others take part.
int study_over_ranks(const StudyArguments& a) {
  const Beginning began;
  SweepResults results;
  on_all_ranks([&] {
    if (own_rank() == 0) make_folder(a.out);
    results = prepare_study(a.model, threads_of(a), a.seconds, doubling_up_to(rank_count()));
  });
  if (own_rank() > 0) return follow(results.sweep.seed, results.models), done;
  Followers followers;
  return measured_study(a, began, std::move(results), &followers);
}
#endif

int study(const StudyArguments& a) {
#if KINETREE_MPI
  if (rank_count() > 1) return study_over_ranks(a);
#endif
  make_folder(a.out);  // before the work, not after it
  const Beginning began;
  return measured_study(a, began, prepare_study(a.model, threads_of(a), a.seconds), nullptr);
}

}  // namespace

void add_study(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand(
      "study", "How one mechanism scales here: which algorithm, grain and number of threads; writes a report");
  const auto a = std::make_shared<StudyArguments>();
  a->model.add_to(*sub);
  const int most = option_entry("threads").most;
  add_whole_list(*sub, "--threads", a->threads, 1, most,
                 "Numbers of threads to try; else 1, 2, 3, 4, 6, 8, ... up to all cores");
  add_above_zero(*sub, "--seconds", a->seconds, "About how long it may take");
  sub->add_flag("--varying", a->varying,
                "Also measure what states with numbers of their own cost (masses, rotors, gravity)");
  sub->add_option("--out", a->out, "Folder for report.html, results.json and results.csv")->capture_default_str();
  sub->callback([a, &action] { action = [a] { return study(*a); }; });
}

}  // namespace kinetree::bench
