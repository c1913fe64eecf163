#include "bench/sweep/sweep_file.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "bench/sweep/yaml_reader.hpp"
#include "bench/words.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

class SweepReader {
 public:
  SweepReader(const std::string& name, fs::path folder, SweepReading& out)
      : folder_(std::move(folder)), out_(out), yaml_(name, out.findings) {}

  void read(const YAML::Node& root) {
    if (!yaml_.map(root, "sweep", {"name", "robots", "seed", "states", "repetitions", "seconds", "tolerance", "runs"}))
      return;
    Sweep& s = out_.sweep;
    yaml_.text(root, "name", s.name);
    std::string robots;
    yaml_.text(root, "robots", robots);
    const char* set = std::getenv("KINETREE_ROBOTS");
    robots_ = set ? fs::path(set) : folder_ / robots;
    yaml_.number<std::uint64_t>(root, "seed", s.seed, 0);
    yaml_.number(root, "states", s.states, 1, 100000);
    yaml_.number(root, "repetitions", s.repetitions, 1, 1000);
    yaml_.number(root, "seconds", s.seconds, 1e-6, 100.0);
    yaml_.number(root, "tolerance", s.tolerance, 0.0, 1.0);
    const YAML::Node runs = root["runs"];
    if (!runs || !runs.IsSequence() || runs.size() == 0)
      return yaml_.error(runs ? runs : root, "sweep", "`runs` must be a list of at least one run");
    for (const auto& run : runs) read_run(run);
  }

 private:
  void read_run(const YAML::Node& node) {
    Run run;
    run.name = fmt::format("run {}", out_.sweep.runs.size() + 1);
    if (!yaml_.map(node, run.name, {"name", "models", "algorithms", "executors", "threads", "batch", "count", "time"}))
      return;
    yaml_.text(node, "name", run.name);
    yaml_.boolean(node, "count", run.count);
    yaml_.boolean(node, "time", run.time);
    for (const YAML::Node& model : yaml_.values(node, "models")) read_model(model, run);
    for (const YAML::Node& algorithm : yaml_.values(node, "algorithms")) read_algorithm(algorithm, run);
    if (!node["models"]) yaml_.error(node, run.name, "`models` is missing");
    if (!node["algorithms"]) yaml_.error(node, run.name, "`algorithms` is missing");
    if (node["executors"]) run.executors = words<ExecutorKind>(node, "executors");
    if (node["threads"]) run.threads = numbers(node, "threads", 1, 1024);
    if (node["batch"]) run.batches = numbers(node, "batch", 1, 1 << 20);
    out_.sweep.runs.push_back(std::move(run));
  }

  void read_model(const YAML::Node& node, Run& run) {
    ModelEntry entry;
    std::string model, robot;
    if (node.IsScalar()) {
      model = node.Scalar();
    } else {
      if (!yaml_.map(node, "model", {"model", "robot", "name", "floating", "ignore_mimic", "optional"})) return;
      yaml_.text(node, "model", model);
      yaml_.text(node, "robot", robot);
      yaml_.text(node, "name", entry.name);
      yaml_.boolean(node, "floating", entry.load.floating_base);
      yaml_.boolean(node, "ignore_mimic", entry.load.ignore_mimic);
      yaml_.boolean(node, "optional", entry.optional);
    }
    entry.line = YamlReader::line_of(node);
    if (model.empty() == robot.empty())
      return yaml_.error(
          node, "model",
          "give either `model` (a family or a file beside the sweep) or `robot` (a file under `robots`)");
    if (!robot.empty()) return add_file(node, entry, robots_ / robot, run);
    for (const std::string& each : expand_braces(model)) {
      if (!names_family(each)) {
        add_file(node, entry, folder_ / each, run);
        continue;
      }
      ModelEntry family = entry;
      if (family.name.empty()) family.name = each + (entry.load.floating_base ? " floating" : "");
      family.source = each;
      family.is_family = true;
      run.models.push_back(std::move(family));
    }
  }

  void add_file(const YAML::Node& node, ModelEntry entry, const fs::path& file, Run& run) {
    if (entry.name.empty()) entry.name = file.stem().string();
    entry.source = file.lexically_normal().string();
    if (!entry.optional && !fs::exists(file))
      yaml_.error(node, "model \"" + entry.name + "\"",
                  fmt::format("there is no file {}; if it may be missing say `optional: true`", entry.source));
    run.models.push_back(std::move(entry));
  }

  void read_algorithm(const YAML::Node& node, Run& run) {
    if (node.IsScalar()) {
      if (const auto algorithm = word<Algorithm>(node, "algorithm"))
        run.algorithms.push_back({{.algorithm = *algorithm}, 0});
      return;
    }
    if (!yaml_.map(
            node, "algorithm",
            {"algorithm", "grain", "cuts", "corrections", "elimination", "formulation", "factorization", "max_bodies"}))
      return;
    if (!node["algorithm"]) return yaml_.error(node, "algorithm", "`algorithm` is missing");
    const auto algorithm = word<Algorithm>(node["algorithm"], "algorithm");
    if (!algorithm) return;
    for (const std::string_view setting : settings)
      if (const YAML::Node given = node[std::string(setting)]; given && !has_use_for(*algorithm, setting))
        yaml_.error(given, std::string(setting),
                    fmt::format("has no effect on {}: it is for {}", to_word(*algorithm), who_has_use_for(setting)));
    AlgorithmEntry entry;
    entry.options.algorithm = *algorithm;
    yaml_.number(node, "max_bodies", entry.max_bodies, 1);
    add_combinations(node, entry, run);
  }

  /// All combinations of the settings that are lists.
  void add_combinations(const YAML::Node& node, const AlgorithmEntry& entry, Run& run) {
    const Options o;
    const auto or_default = [&](const char* key, auto list, auto value) {
      return node[key] ? list : decltype(list){value};
    };
    for (const int grain : or_default("grain", numbers(node, "grain", 1, 1 << 30), o.grain))
      for (const Cuts cuts : or_default("cuts", words<Cuts>(node, "cuts"), o.cuts))
        for (const int corrections : or_default("corrections", numbers(node, "corrections", 0, 100), o.corrections))
          for (const Elimination e : or_default("elimination", words<Elimination>(node, "elimination"), o.elimination))
            for (const Formulation f :
                 or_default("formulation", words<Formulation>(node, "formulation"), o.formulation))
              for (const Factorization s :
                   or_default("factorization", words<Factorization>(node, "factorization"), o.factorization)) {
                AlgorithmEntry one = entry;
                one.options.grain = grain;
                one.options.cuts = cuts;
                one.options.corrections = corrections;
                one.options.elimination = e;
                one.options.formulation = f;
                one.options.factorization = s;
                run.algorithms.push_back(one);
              }
  }

  template <class E>
  std::optional<E> word(const YAML::Node& node, const char* what) {
    const auto found = node.IsScalar() ? from_word<E>(node.Scalar()) : std::nullopt;
    if (!found)
      yaml_.error(node, what,
                  fmt::format("unknown {} \"{}\"; known: {}", what, YamlReader::text_of(node), list_of_words<E>()));
    return found;
  }

  template <class E>
  std::vector<E> words(const YAML::Node& map, const char* key) {
    std::vector<E> list;
    for (const YAML::Node& node : yaml_.values(map, key))
      if (const auto found = word<E>(node, key)) list.push_back(*found);
    return list;
  }

  std::vector<int> numbers(const YAML::Node& map, const char* key, int low, int high) {
    std::vector<int> list;
    for (const YAML::Node& node : yaml_.values(map, key)) list.push_back(yaml_.scalar(node, key, low, high, low));
    return list;
  }

  fs::path folder_, robots_;
  SweepReading& out_;
  YamlReader yaml_;
};

}  // namespace

std::vector<std::string> expand_braces(const std::string& text) {
  const std::size_t open = text.find('{'), close = text.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {text};
  std::vector<std::string> all;
  std::istringstream choices(text.substr(open + 1, close - open - 1));
  for (std::string choice; std::getline(choices, choice, ',');) {
    const std::size_t first = choice.find_first_not_of(' '), last = choice.find_last_not_of(' ');
    if (first == std::string::npos) continue;
    for (const std::string& rest : expand_braces(text.substr(close + 1)))
      all.push_back(text.substr(0, open) + choice.substr(first, last - first + 1) + rest);
  }
  return all;
}

SweepReading read_sweep_text(const std::string& text, const std::string& name, const std::filesystem::path& folder) {
  SweepReading out;
  out.sweep.file = name;
  out.sweep.name = std::filesystem::path(name).stem().string();
  try {
    SweepReader(name, folder, out).read(YAML::Load(text));
  } catch (const YAML::Exception& error) {
    out.findings.push_back({Severity::error, name, error.mark.is_null() ? 0 : error.mark.line + 1, "YAML", error.msg});
  }
  return out;
}

SweepReading read_sweep(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    SweepReading out;
    out.findings.push_back({Severity::error, file.string(), 0, "sweep", "can't be read; give a YAML file"});
    return out;
  }
  return read_sweep_text(text.str(), file.string(), file.parent_path());
}

}  // namespace kinetree::bench
