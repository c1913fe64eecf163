#include "bench/compare/comparison.hpp"

#include <fmt/format.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>

#include "bench/compare/results_file.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

/// The mean of the logarithms of a side's medians, and how far it can be trusted.
struct Side {
  double mean = 0, variance_of_mean = 0;
  int freedom = 0;
};

Side side_of(const std::vector<const Json*>& runs) {
  Side side;
  const auto n = static_cast<double>(runs.size());
  for (const Json* c : runs) side.mean += std::log(c->at("median_ns").get<double>()) / n;
  if (runs.size() == 1) {  // a normal distribution's 95 % are 1.96 deviations to both sides
    const double low = runs[0]->at("low_ns"), high = runs[0]->at("high_ns");
    const double deviation = std::log(high / low) / (2 * 1.96);
    side.variance_of_mean = deviation * deviation;
    side.freedom = static_cast<int>(runs[0]->at("repetitions_ns").size()) - 1;
    return side;
  }
  for (const Json* c : runs) {
    const double off = std::log(c->at("median_ns").get<double>()) - side.mean;
    side.variance_of_mean += off * off / ((n - 1) * n);
  }
  side.freedom = static_cast<int>(runs.size()) - 1;
  return side;
}

/// Welch 1947, with the degrees of freedom of Satterthwaite 1946.
ComparedCase compared(const std::string& name, const Side& before, const Side& after, bool single) {
  const double difference = after.mean - before.mean, a = before.variance_of_mean, b = after.variance_of_mean;
  double width = 0;
  if (a + b > 0) {
    const double freedom = (a + b) * (a + b) / (a * a / before.freedom + b * b / after.freedom);
    width = boost::math::quantile(boost::math::students_t(std::max(1.0, freedom)), 0.975) * std::sqrt(a + b);
  }
  ComparedCase c{name, std::exp(difference), std::exp(difference - width), std::exp(difference + width), false};
  c.differs = std::abs(difference) > width && (!single || std::abs(difference) > std::log(least_ratio_of_single_runs));
  return c;
}

using Cells = std::map<std::string, std::vector<const Json*>>;

void collect(const std::vector<Json>& runs, Cells& cells) {
  for (const Json& run : runs)
    for (const Json& c : run.at("cases"))
      if (c.contains("median_ns")) cells[name_of(c)].push_back(&c);
}

/// What times depend on beside the source that was built.
std::vector<std::string> conflicts_of(const std::vector<Json>& before, const std::vector<Json>& after) {
  std::vector<std::string> found;
  const Json& first = before.front();
  constexpr auto missing = "missing";
  const auto text = [](const Json& json, const char* part, const char* key) {
    return json.at(part).contains(key) ? json[part][key].dump() : std::string(missing);
  };
  struct Key {
    const char *part, *key;
    bool always = true;  ///< false: earlier versions did not write it
  };
  const Key keys[]{{"context", "processor"},
                   {"context", "logical processors"},
                   {"context", "affinity"},
                   {"context", "compiler"},
                   {"context", "flags"},
                   {"context", "build type"},
                   {"context", "instruction set"},
                   {"settings", "seed"},
                   {"settings", "states"},
                   {"context", "caches", false},
                   {"context", "SMT", false},
                   {"context", "frequency limits", false},
                   {"context", "frequency governor", false},
                   {"context", "hypervisor", false}};
  for (const std::vector<Json>* side : {&before, &after})
    for (const Json& run : *side)
      for (const auto& [part, key, always] : keys)
        if (const std::string was = text(first, part, key), is = text(run, part, key);
            was != is && (always || (was != missing && is != missing)))
          if (const std::string words = fmt::format("{} is {} and {}", key, was, is);
              std::find(found.begin(), found.end(), words) == found.end())
            found.push_back(words);
  return found;
}

}  // namespace

Comparison compare(const std::vector<Json>& before, const std::vector<Json>& after) {
  Comparison result;
  result.conflicts = conflicts_of(before, after);
  for (const auto& [side, word] : {std::pair(&before, "before"), std::pair(&after, "after")})
    for (std::size_t k = 0; k < side->size(); ++k)
      if (const Json& run = (*side)[k]; run.contains("fitness") && !run["fitness"].at("fit").get<bool>())
        result.unfit.push_back(
            fmt::format("run {} {}: {}", k + 1, word, run["fitness"].at("sentence").get<std::string>()));
  Cells of_before, of_after;
  collect(before, of_before), collect(after, of_after);
  const bool single = before.size() == 1 || after.size() == 1;
  for (const auto& [name, runs] : of_before) {
    const auto other = of_after.find(name);
    if (runs.size() != before.size() || other == of_after.end() || other->second.size() != after.size())
      result.left_out.push_back(name);
    else
      result.cases.push_back(compared(name, side_of(runs), side_of(other->second), single));
  }
  for (const auto& [name, runs] : of_after)
    if (!of_before.contains(name)) result.left_out.push_back(name);
  return result;
}

}  // namespace kinetree::bench
