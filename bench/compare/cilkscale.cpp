#include "bench/compare/cilkscale.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

/// A mechanism by an algorithm on an executor.
struct Line {
  std::string model, label, executor;
  const Json* measured = nullptr;  ///< the case that has its work and span
  std::map<int, double> seconds;   ///< by threads

  bool is_of(const Json& c) const {
    return c.at("model") == model && c.at("label") == label && c.value("ranks", 1) == 1 &&
           (c.at("threads") == 1 || c.at("executor") == executor);
  }
};

std::vector<Line> lines_of(const Json& results) {
  std::vector<Line> lines;
  for (const Json& c : results.at("cases")) {
    if (!c.contains("work_ns")) continue;
    Line* known = nullptr;
    for (Line& line : lines)
      if (line.is_of(c)) known = &line;
    if (known == nullptr) known = &lines.emplace_back(Line{c.at("model"), c.at("label"), c.at("executor"), &c, {}});
    if (c.at("threads") > known->measured->at("threads")) known->measured = &c;
  }
  for (const Json& c : results.at("cases"))
    for (Line& line : lines)
      if (c.at("batch") == 1 && c.contains("median_ns") && line.is_of(c))
        line.seconds[c.at("threads_run").get<int>()] = 1e-9 * c.at("median_ns").get<double>();
  return lines;
}

}  // namespace

std::string cilkscale(const Json& results) {
  const std::vector<Line> lines = lines_of(results);
  if (lines.empty()) return "";
  std::set<int> threads;
  for (const Line& line : lines)
    for (const auto& [count, seconds] : line.seconds) threads.insert(count);
  std::string text = "tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),burdened_parallelism";
  for (const int count : threads) text += fmt::format(",{}c time (seconds)", count);
  text += "\n";
  for (const Line& line : lines) {
    const auto number = [&](const char* key) { return line.measured->at(key).get<double>(); };
    text += csv_cell(fmt::format("{} {} {}", line.model, line.label, line.executor)) +
            fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}", 1e-9 * number("work_ns"), 1e-9 * number("span_ns"),
                        number("parallelism"), 1e-9 * number("burdened_span_ns"), number("burdened_parallelism"));
    for (const int count : threads) {
      const auto found = line.seconds.find(count);
      text += fmt::format(",{:.6g}",
                          found == line.seconds.end() ? std::numeric_limits<double>::quiet_NaN() : found->second);
    }
    text += "\n";
  }
  return text;
}

}  // namespace kinetree::bench
