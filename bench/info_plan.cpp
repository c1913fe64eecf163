#include "bench/info_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/quantity.hpp"
#include "bench/sweep/machine.hpp"
#include "engine/partition/price_table.hpp"
#include "library/choice.hpp"
#include "library/option_table.hpp"
#include "library/option_words.hpp"
#include "library/planner.hpp"
#include "parallel/line_transfer.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const Candidate& c) {
  const std::string threads = threads_in_words(c.threads);
  if (c.end_chains > 1)
    return fmt::format("modular, {} modules of {}{} side by side, on {}", c.end_chains, c.grain,
                       c.limbs > 1 ? fmt::format(" and up to {} limbs", c.limbs) : "", threads);
  if (c.algorithm == Algorithm::modular) return fmt::format("modular, grain {}, on {}", c.grain, threads);
  if (c.limbs > 1)
    return fmt::format("ab on {}, up to {} limbs{} side by side", threads, c.limbs,
                       c.grain > 0 ? fmt::format(" of at most {} bodies", c.grain) : "");
  return c.threads == 1 ? "ab on one thread" : "ab in tasks on " + threads;
}

std::string why(const Choice& choice, const Options& options, int cores) {
  const std::vector<Candidate>& all = choice.candidates;
  const Candidate& taken = all[choice.chosen];
  if (all.back().threads == 1 && !taken.parts)
    return options.threads == 1
               ? "one thread is allowed, and on one thread nothing takes less work than ab"
               : fmt::format("there is {} core to use, and on one nothing takes less work than ab", cores);
  const auto least = std::min_element(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.at_least != b.at_least ? b.at_least : a.ns < b.ns;
  });
  const auto saved = [&](double ns) { return 100 * (1 - ns / all.front().ns); };
  if (taken.parts)
    return fmt::format(
        "{} that are alike go side by side, which is predicted to save {:.0f} % of the time of ab on one thread",
        taken.end_chains == 1 ? "limbs"
        : taken.limbs > 1     ? "limbs, and modules of chains,"
                              : "modules of a chain",
        saved(taken.ns));
  if (taken.threads == 1) {
    if (&*least != &taken)
      return fmt::format(
          "the best of the others, {}, is predicted to save {:.1f} %, and another plan is "
          "taken from {:.0f} % on",
          name_of(*least), saved(least->ns), 100 * price::worth_a_change);
    return "no plan with more threads is predicted to be faster: what they share does not make up for handing it over, "
           "or for the extra work of cutting";
  }
  std::string text = fmt::format("predicted to save {:.0f} % of the time of ab on one thread", saved(taken.ns));
  if (taken.threads < all.back().threads)
    text += fmt::format("; more threads are predicted to save less than {:.0f} % on top", 100 * price::worth_a_change);
  return text;
}

}  // namespace

Json prediction_json(const Model& model, const Options& options, const Calibration& here, int cores) {
  Options open = options;
  open.algorithm = Algorithm::automatic;
  if (open.threads <= 0) open.threads = cores;
  open = settled(model, without_unused(open));
  const Calibration calibration = open.threads == 1 ? Calibration{} : here;  // as automatic does
  const Choice choice = choose(model, open, calibration, cores);
  const SchedulingCost& cost = calibration.of(options.executor);
  Json json;
  json["cores"] = cores;
  json["calibration"] = {
      {"of", open.threads == 1 ? "defaults, as automatic chooses on one thread" : calibration_in_words()},
      {"ab_ns_per_operation", calibration.ab},
      {"dial_ns_per_operation", calibration.dial},
      {"registers_over_numbers", calibration.lanes},
      {"task_ns", cost.task},
      {"second_thread_ns", cost.fork},
      {"further_thread_ns", cost.thread},
      {"meeting_ns", cost.meet},
      {"task_growth_ns", cost.task_growth},
      {"meeting_growth_ns", cost.meet_growth},
      {"efficiency_of_two", cost.efficiency_of_two},
      {"efficiency", cost.efficiency},
      {"line_transfer_ns", calibration.line_transfer},
      {"disagreement", calibration.disagreement}};
  std::string doubt = doubt_of(calibration.disagreement);
  if (doubt.empty() && calibration.line_transfer > 0)
    doubt = doubt_of_cores("plans are chosen by what threads cost on other cores", calibration.line_transfer,
                           line_transfer_ns());
  if (!doubt.empty()) json["calibration"]["doubt"] = doubt;
  Json list = Json::array();
  for (std::size_t k = 0; k < choice.candidates.size(); ++k) {
    const Candidate& c = choice.candidates[k];
    Json entry{{"plan", name_of(c)}, {"algorithm", to_word(c.algorithm)}, {"threads", c.threads}};
    if (c.grain > 0) entry["grain"] = c.grain;
    if (c.algorithm == Algorithm::modular) entry["refinements"] = c.refinements;
    if (c.limbs > 1) entry["limbs"] = c.limbs;
    if (c.end_chains > 1) entry["end_chains"] = c.end_chains;
    entry["predicted_ns"] = c.ns;
    entry["states_per_second"] = 1e9 / c.ns;
    entry["at_least"] = c.at_least;
    entry["chosen"] = k == choice.chosen;
    list.push_back(std::move(entry));
  }
  json["candidates"] = std::move(list);
  json["chosen"] = name_of(choice.candidates[choice.chosen]);
  json["why"] = why(choice, open, cores);
  json["batches"] = {{"algorithm", "ab"},
                     {"lanes", open.lanes},
                     {"threads", choice.batch_threads},
                     {"from_columns", choice.batch_threads > 1 ? (choice.batch_from - 1) * open.lanes + 1 : 1}};
  if (options.algorithm != Algorithm::automatic)
    json["overruled"] = fmt::format("--algorithm {} is what runs", to_word(options.algorithm));
  return json;
}

std::string calibration_in_words() {
  const std::string source = calibration_source();
  return source.empty() ? "defaults, dear for threads; `kinetree calibrate` measures this machine" : source;
}

std::string doubt_of(double disagreement) {
  if (disagreement <= agreed_within) return "";
  return fmt::format(
      "the calibration is not to be relied on: the two readings that agree best differ by {:.0f} %; "
      "run `kinetree calibrate` when the machine is quiet",
      100 * disagreement);
}

void print_prediction(const Json& prediction) {
  fmt::print("\n  {:<40} {:>12} {:>14}\n", "plans for one state", "predicted", "states/s");
  fmt::print("  calibration: {}\n", prediction["calibration"]["of"].get<std::string>());
  for (const Json& c : prediction["candidates"])
    fmt::print("{} {:<40} {:>12} {:>14}{}\n", c["chosen"].get<bool>() ? '*' : ' ', c["plan"].get<std::string>(),
               in_time(c["predicted_ns"].get<double>()), fmt::format("{:.4g}", c["states_per_second"].get<double>()),
               c["at_least"].get<bool>() ? "  or more time: not worked out" : "");
  fmt::print("chosen       {}: {}.\n", prediction["chosen"].get<std::string>(), prediction["why"].get<std::string>());
  const Json& batches = prediction["batches"];
  const int threads = batches["threads"].get<int>(), lanes = batches["lanes"].get<int>();
  fmt::print("batches      ab, {} on {}\n", lanes > 1 ? fmt::format("{} states side by side", lanes) : "one by one",
             threads > 1 ? fmt::format("{} threads from {} columns on", threads, batches["from_columns"].get<int>())
                         : "one thread");
  if (const Json& c = prediction["calibration"]; c.contains("doubt"))
    fmt::print("but          {}.\n", c["doubt"].get<std::string>());
  if (prediction.contains("overruled")) fmt::print("but          {}.\n", prediction["overruled"].get<std::string>());
}

}  // namespace kinetree::bench
