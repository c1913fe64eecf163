#include "bench/compare/exports.hpp"

#include <fmt/format.h>

#include <map>

#include "bench/compare/results_file.hpp"
#include "bench/text_out.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Calls use(case, index of the repetition, nanoseconds of a call) for each repetition of each case.
template <class Use>
void for_repetitions(const Json& results, Use&& use) {
  for (const Json& c : results.at("cases")) {
    if (!c.contains("repetitions_ns")) continue;
    const Json& of_state = c.at("repetitions_ns");
    for (std::size_t k = 0; k < of_state.size(); ++k)
      use(c, k, of_state[k].get<double>() * c.at("batch").get<double>());
  }
}

}  // namespace

Json google_benchmark(const Json& results) {
  Json context = results.at("context");
  if (context.contains("logical processors")) context["num_cpus"] = context["logical processors"];
  context["executable"] = "kinetree";
  context["library_build_type"] = context.value("build type", "") == "Debug" ? "debug" : "release";
  Json benchmarks = Json::array();
  int family = -1;
  for_repetitions(results, [&](const Json& c, std::size_t repetition, double ns) {
    family += repetition == 0;
    const std::string name = name_of(key_of(c));
    benchmarks.push_back({{"name", name},
                          {"family_index", family},
                          {"per_family_instance_index", 0},
                          {"run_name", name},
                          {"run_type", "iteration"},
                          {"repetitions", c.at("repetitions_ns").size()},
                          {"repetition_index", repetition},
                          {"threads", 1},  // that Google Benchmark starts; ours are in the name
                          {"iterations", c.at("iterations")},
                          {"real_time", ns},
                          {"cpu_time", ns},
                          {"time_unit", "ns"},
                          {"holds", c.value("holds", true) ? 1 : 0}});
  });
  return {{"context", context}, {"benchmarks", benchmarks}};
}

std::string extra_p(const Json& results) {
  std::map<std::string, const Json*> models;
  for (const Json& model : results.at("models")) models.emplace(model.at("name"), &model);
  std::string lines;
  for_repetitions(results, [&](const Json& c, std::size_t, double ns) {
    const Json& model = *models.at(c.at("model"));
    const std::string family = model.at("family"), name = model.at("name");
    const bool generated = family != "robot" && family != "in series";
    lines +=
        json_text({{"params",
                    {{"bodies", model.at("bodies")},
                     {"ranks", c.value("ranks", 1)},
                     {"threads", c.at("threads")},
                     {"states", c.at("batch")}}},
                   {"callpath", fmt::format("{}->{}->{}", generated ? family : name, c.at("label").get<std::string>(),
                                            c.at("executor").get<std::string>())},
                   {"metric", "time"},
                   {"value", 1e-9 * ns}}) +
        "\n";
  });
  return lines;
}

}  // namespace kinetree::bench
