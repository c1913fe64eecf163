#include "bench/peers/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/sweep/statistics.hpp"

namespace kinetree::peers {
namespace {

using Json = nlohmann::ordered_json;

/// Median over rounds of the ratio within a round: what slows a whole round moves both.
Json ratio(const Contender& contender, const Contender& to) {
  std::vector<double> ratios(to.nanoseconds.size());
  std::transform(contender.nanoseconds.begin(), contender.nanoseconds.end(), to.nanoseconds.begin(), ratios.begin(),
                 std::divides<>());
  const bench::MedianInterval m = bench::median_interval(std::move(ratios));
  return {{"median", m.median}, {"low", m.low}, {"high", m.high}};
}

Json result_json(const Contender& contender, const std::vector<const Contender*>& yardsticks) {
  Json result{{"name", contender.name},
              {"version", contender.version},
              {"package", contender.package},
              {"path", contender.path},
              {"scalar", contender.scalar},
              {"threads", contender.threads},
              {"states_per_call", contender.per_call},
              {"tolerance", contender.tolerance}};
  if (contender.solver && std::isfinite(contender.difference)) result["difference"] = contender.difference;
  if (!contender.refusal.empty()) {
    result["refusal"] = contender.refusal;
    return result;
  }
  const bench::MedianInterval time = bench::median_interval(contender.nanoseconds);
  result.update({{"median_ns", time.median}, {"low_ns", time.low}, {"high_ns", time.high}});
  for (const Contender* to : yardsticks) result["ratios"][to->name] = ratio(contender, *to);
  return result;
}

}  // namespace

Json case_json(const Case& test, Function function, const std::vector<Contender>& all) {
  std::vector<const Contender*> yardsticks{&all.front()};
  for (const Contender& contender : all)
    if (contender.name == "Bullet" && contender.refusal.empty()) yardsticks.push_back(&contender);
  Json results = Json::array();
  for (const Contender& contender : all) results.push_back(result_json(contender, yardsticks));
  return {{"function", words_of(function).name},
          {"result", words_of(function).result},
          {"reference", all.front().name},
          {"model", test.name},
          {"floating", test.mechanism.floating()},
          {"bodies", test.model.body_count()},
          {"nv", test.model.nv()},
          {"results", results}};
}

void print_case(const Json& entry) {
  const std::string reference = entry["reference"].get<std::string>();
  fmt::print("{}, {}: {} bodies, {} freedoms{}\n  {:<26}{:>8}{:>12}{:>20}{:>9}{:>17}{:>10}{:>9}\n",
             entry["function"].get<std::string>(), entry["model"].get<std::string>(), entry["bodies"].get<int>(),
             entry["nv"].get<int>(), entry["floating"].get<bool>() ? ", floating" : "", "", "threads", "median ns",
             "95 %", "ratio", "95 %", "x Bullet", "differs");
  for (const Json& result : entry["results"]) {
    std::string name = result["name"].get<std::string>();
    if (!result["package"].get<std::string>().empty()) name += " " + result["version"].get<std::string>();
    if (result.contains("refusal")) {
      fmt::print("  {:<26}not timed: {}\n", name, result["refusal"].get<std::string>());
      continue;
    }
    const auto number = [&](const char* key) { return result[key].get<double>(); };
    const Json& ratios = result["ratios"];
    const Json& own = ratios[reference];
    const std::string faster =
        ratios.contains("Bullet") ? fmt::format("{:.2f}", 1 / ratios["Bullet"]["median"].get<double>()) : "";
    fmt::print("  {:<26}{:>8}{:>12.0f}{:>20}{:>9.2f}{:>17}{:>10}{:>9.0e}\n", name, result["threads"].get<int>(),
               number("median_ns"), fmt::format("{:.0f} .. {:.0f}", number("low_ns"), number("high_ns")),
               own["median"].get<double>(),
               fmt::format("{:.2f} .. {:.2f}", own["low"].get<double>(), own["high"].get<double>()), faster,
               number("difference"));
  }
  fmt::print("\n");
}

}  // namespace kinetree::peers
