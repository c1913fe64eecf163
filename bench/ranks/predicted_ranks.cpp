#include "bench/ranks/predicted_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/quantity.hpp"
#include "bench/sweep/family_size.hpp"
#include "library/choice.hpp"
#include "library/option_table.hpp"
#include "library/planner.hpp"
#include "mpi/predicted_ns.hpp"
#include "mpi/spread_plan.hpp"

namespace kinetree::bench {

std::string parting(const Plan& plan) {
  const std::string lanes = plan.limbs > 1 ? ", limbs in lanes" : plan.end_chains > 1 ? ", modules in lanes" : "";
  return (plan.algorithm == Algorithm::ab ? "ab at branches" : fmt::format("modular:{}", plan.grain)) + lanes;
}

double predicted_in_one_process(const Model& model, int threads, const Calibration& calibration) {
  return choose(model, settled(model, {.threads = threads}), calibration, threads).taken().ns;
}

namespace {

PredictedRanks over_ranks(const Model& model, int ranks, int on_each_machine, const Calibration& calibration) {
  const Plan plan = spread_plan(model, {}, ranks);
  return {ranks, predicted_over_ranks(model, plan, {ranks, on_each_machine}, calibration), parting(plan)};
}

}  // namespace

std::vector<PredictedRanks> predicted_ranks(const Model& model, const std::vector<int>& ranks, int on_each_machine,
                                            const Calibration& calibration) {
  std::vector<PredictedRanks> all;
  for (const int count : ranks)
    all.push_back(count == 1 ? PredictedRanks{1, predicted_in_one_process(model, 1, calibration), "one process"}
                             : over_ranks(model, count, on_each_machine, calibration));
  return all;
}

std::vector<RanksPay> from_which_ranks_pay(const std::string& source, const std::vector<int>& ranks,
                                           int on_each_machine, const Calibration& calibration) {
  constexpr int most_bodies = 70'000;  // beyond, too long for a sentence
  const FamilySize family(source);
  std::vector<RanksPay> all;
  for (const int count : ranks)
    if (count > 1) all.push_back({count, std::nullopt, 0});
  for (double bodies = 64; std::any_of(all.begin(), all.end(), [](const RanksPay& p) { return !p.from; });) {
    const std::optional<int> size = family.least_size(bodies);
    if (!size || *family.bodies_with(*size) > most_bodies) break;
    const Model model = make_model(family.with(*size));
    bodies = 2.0 * model.body_count();
    const double alone = predicted_in_one_process(model, 1, calibration);
    for (RanksPay& p : all) {
      if (p.from) continue;
      p.tried = model.body_count();
      const PredictedRanks over = over_ranks(model, p.ranks, on_each_machine, calibration);
      if (over.ns && *over.ns < alone) p.from = p.tried;
    }
  }
  return all;
}

std::string sentence(const std::vector<RanksPay>& pay) {
  std::string text, never;
  for (const RanksPay& p : pay)
    if (p.from)
      text += fmt::format("{}{} ranks from about {} bodies on", text.empty() ? "" : ", ", p.ranks, in_count(*p.from));
    else if (never.empty())
      never = fmt::format("{} ranks do not pay up to {} bodies", p.ranks, in_count(p.tried));
  if (text.empty()) return never.empty() ? "" : never + ".";
  return "One state takes less time than in one process on one thread over " + text +
         (never.empty() ? "." : "; " + never + ".");
}

nlohmann::ordered_json predictions_json(const std::vector<PredictedRanks>& predictions) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PredictedRanks& p : predictions) {
    nlohmann::ordered_json one{{"ranks", p.ranks}, {"plan", p.plan}};
    if (p.ns) one["predicted_ns"] = *p.ns, one["speedup"] = *predictions.front().ns / *p.ns;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace kinetree::bench
