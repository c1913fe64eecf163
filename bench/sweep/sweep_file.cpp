#include "bench/sweep/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "bench/sweep/problems.hpp"
#include "engine/io/yaml_reading.hpp"
#include "engine/model/file_text.hpp"
#include "library/option_table.hpp"
#include "library/option_words.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;

constexpr int most_copies = 1000;

/// A text with braces as what stands one after the other: pieces of one choice, and braces of several.
std::vector<std::vector<std::string>> parts_of(const std::string& text) {
  std::vector<std::vector<std::string>> parts;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find('{', at), close = text.find('}', open);
    if (open == std::string::npos || close == std::string::npos) break;
    parts.push_back({text.substr(at, open - at)});
    std::istringstream choices(text.substr(open + 1, close - open - 1));
    parts.emplace_back();
    for (std::string choice; std::getline(choices, choice, ',');) {
      const std::size_t first = choice.find_first_not_of(' '), last = choice.find_last_not_of(' ');
      if (first != std::string::npos) parts.back().push_back(choice.substr(first, last - first + 1));
    }
    at = close + 1;
  }
  parts.push_back({text.substr(at)});
  return parts;
}

/// How many texts the braces make: a product that may be beyond any integer.
double count_braces(const std::string& text) {
  double count = 1;
  for (const std::vector<std::string>& choices : parts_of(text)) count *= static_cast<double>(choices.size());
  return count;
}

class SweepReader {
 public:
  SweepReader(const std::string& name, fs::path folder, double most_cases, SweepInput& out)
      : folder_(std::move(folder)), most_cases_(most_cases), out_(out), yaml_(name, out.findings) {}

  void read(const std::string& text) {
    yaml_.document(text, [this](const YAML::Node& root) { read_root(root); });
  }

 private:
  void read_root(const YAML::Node& root) {
    if (!yaml_.map(root, "sweep", {"name", "robots", "seed", "states", "repetitions", "seconds", "tolerance", "runs"}))
      return;
    Sweep& s = out_.sweep;
    const At at{root, "sweep"};
    std::string robots;
    text(at, "name", s.name);
    text(at, "robots", robots);
    const char* set = std::getenv("KINETREE_ROBOTS");
    robots_ = set ? fs::path(set) : folder_ / robots;
    number<std::uint64_t>(at, "seed", s.seed, 0, std::numeric_limits<std::uint64_t>::max());
    number(at, "states", s.states, 1, 100000);
    number(at, "repetitions", s.repetitions, 1, 1000);
    number(at, "seconds", s.seconds, 1e-6, 100.0);
    number(at, "tolerance", s.tolerance, 0.0, 1.0);
    const YAML::Node runs = root["runs"];
    if (!runs || !runs.IsSequence() || runs.size() == 0)
      return yaml_.error(runs ? runs : root, "sweep", "`runs` must be a list of at least one run");
    for (const auto& run : runs)
      if (!too_many_) read_run(run);
  }

  /// False, with an error once, where that makes more cases than are allowed: nothing is expanded then.
  bool allow(const YAML::Node& node, const std::string& element, double cases) {
    if (cases_ + cases <= most_cases_) return true;
    if (!too_many_)
      yaml_.error(
          node, element,
          fmt::format("asks for {} cases{}, and {} are allowed; ask for less, or take --many, which allows {}", cases,
                      cases_ > 0 ? fmt::format(" beside {} of earlier runs", cases_) : "", most_cases_, many_cases));
    too_many_ = true;
    return false;
  }

  /// A map that is being read, and what findings call it.
  struct At {
    const YAML::Node& map;
    std::string element;
  };

  // What stands under a key, if the key is there.
  void text(const At& at, const char* key, std::string& out) {
    if (const YAML::Node node = at.map[key]) yaml_.text(node, at.element, key, out);
  }
  void boolean(const At& at, const char* key, bool& out) {
    if (const YAML::Node node = at.map[key]) yaml_.boolean(node, at.element, key, out);
  }
  template <class T>
  void number(const At& at, const char* key, T& out, T low, T high) {
    if (const YAML::Node node = at.map[key]) yaml_.number(node, at.element, key, out, low, high);
  }
  std::vector<YAML::Node> values(const At& at, const char* key) {
    const YAML::Node node = at.map[key];
    return node ? yaml_.values(node, at.element, key) : std::vector<YAML::Node>{};
  }
  std::vector<int> numbers(const At& at, const char* key, int low, int high, std::vector<int> otherwise) {
    if (!at.map[key]) return otherwise;
    std::vector<int> list;
    for (const YAML::Node& node : values(at, key))
      if (int x = 0; yaml_.number(node, at.element, key, x, low, high)) list.push_back(x);
    return list;
  }
  template <class E>
  std::optional<E> word(const YAML::Node& node, const std::string& element, const char* key) {
    const auto found = node.IsScalar() ? from_word<E>(node.Scalar()) : std::nullopt;
    if (!found)
      yaml_.error(node, element,
                  fmt::format("{} is {}; known are {}", key, YamlReading::kind(node), list_of_words<E>()));
    return found;
  }
  template <class E>
  std::vector<E> words(const At& at, const char* key, std::vector<E> otherwise) {
    if (!at.map[key]) return otherwise;
    std::vector<E> list;
    for (const YAML::Node& node : values(at, key))
      if (const auto found = word<E>(node, at.element, key)) list.push_back(*found);
    return list;
  }

  void read_run(const YAML::Node& node) {
    Run run;
    run.name = fmt::format("run {}", out_.sweep.runs.size() + 1);
    const At at{node, run.name};
    const std::size_t faults = out_.findings.size();
    if (!yaml_.map(node, at.element,
                   {"name", "kind", "models", "algorithms", "executors", "threads", "ranks", "batch", "lanes", "count",
                    "span", "time"}))
      return;
    text(at, "name", run.name);
    boolean(at, "count", run.count);
    boolean(at, "span", run.span);
    boolean(at, "time", run.time);
    for (const YAML::Node& model : values(at, "models")) read_model(model, run);
    for (const YAML::Node& algorithm : values(at, "algorithms")) read_algorithm(algorithm, run);
    for (const char* needed : {"models", "algorithms"})
      if (!node[needed]) yaml_.error(node, at.element, fmt::format("`{}` is missing", needed));
    run.executors = words(at, "executors", run.executors);
    run.threads = numbers(at, "threads", 1, option_entry("threads").most, run.threads);
    run.ranks = numbers(at, "ranks", 1, most_ranks, run.ranks);
    run.batches = numbers(at, "batch", 1, most_batch, run.batches);
    const OptionEntry& lanes = option_entry("lanes");
    run.lanes = numbers(at, "lanes", lanes.least, lanes.most, run.lanes);
    if (const YAML::Node kind = node["kind"]) {
      run.kind = word<ScalingKind>(kind, at.element, "kind");
      if (out_.findings.size() > faults) return;  // what is not read has no kind
      for (const std::string& fault : kind_faults(run)) yaml_.error(kind, at.element, fault);
      complete_kind(run);
    }
    double cases = 1;
    for (const std::size_t choices : {run.models.size(), run.algorithms.size(), run.executors.size(),
                                      count_of_workers(run), run.batches.size(), run.lanes.size()})
      cases *= static_cast<double>(choices);
    if (!allow(node, at.element, cases)) return;
    cases_ += cases;
    out_.sweep.runs.push_back(std::move(run));
  }

  void read_model(const YAML::Node& node, Run& run) {
    ModelEntry entry;
    std::string model, robot;
    if (node.IsScalar()) {
      model = node.Scalar();
    } else {
      const At at{node, "model"};
      if (!yaml_.map(node, at.element, {"model", "robot", "name", "copies", "floating", "ignore_mimic", "optional"}))
        return;
      text(at, "model", model);
      text(at, "robot", robot);
      text(at, "name", entry.name);
      number(at, "copies", entry.copies, 1, most_copies);
      boolean(at, "floating", entry.load.floating_base);
      boolean(at, "ignore_mimic", entry.load.ignore_mimic);
      boolean(at, "optional", entry.optional);
    }
    entry.line = YamlReading::line_of(node);
    if (model.empty() == robot.empty())
      return yaml_.error(
          node, "model",
          "give either `model` (a family or a file beside the sweep) or `robot` (a file under `robots`)");
    if (!robot.empty()) return add_file(node, entry, robots_ / robot, run);
    if (!allow(node, "model", static_cast<double>(run.models.size()) + count_braces(model))) return;
    for (const std::string& each : expand_braces(model)) {
      if (!names_family(each)) {
        add_file(node, entry, folder_ / each, run);
        continue;
      }
      if (entry.copies > 1)
        return yaml_.error(node, "model", "`copies` are of a file; a family's own size makes it larger");
      ModelEntry family = entry;
      family.source = each;
      family.is_family = true;
      if (family.name.empty()) family.name = family_name(family);
      run.models.push_back(std::move(family));
    }
  }

  void add_file(const YAML::Node& node, ModelEntry entry, const fs::path& file, Run& run) {
    if (entry.name.empty())
      entry.name = (entry.copies > 1 ? fmt::format("{} x ", entry.copies) : "") + file.stem().string();
    entry.source = file.lexically_normal().string();
    if (!entry.optional && !fs::exists(file))
      yaml_.error(node, "model \"" + entry.name + "\"",
                  fmt::format("there is no file {}; if it may be missing say `optional: true`", entry.source));
    run.models.push_back(std::move(entry));
  }

  void read_algorithm(const YAML::Node& node, Run& run) {
    const At at{node, "algorithm"};
    if (node.IsScalar()) {
      if (const auto algorithm = word<Algorithm>(node, at.element, "algorithm"))
        run.algorithms.push_back({{.algorithm = *algorithm}, 0});
      return;
    }
    std::vector<std::string_view> keys{"algorithm"};
    for (const OptionEntry& entry : option_table())
      if (entry.of_algorithm) keys.push_back(entry.word);
    keys.push_back("max_bodies");
    if (!yaml_.map(node, at.element, keys)) return;
    if (!node["algorithm"]) return yaml_.error(node, at.element, "`algorithm` is missing");
    const auto algorithm = word<Algorithm>(node["algorithm"], at.element, "algorithm");
    if (!algorithm) return;
    AlgorithmEntry entry;
    entry.options.algorithm = *algorithm;
    number(at, "max_bodies", entry.max_bodies, 1, std::numeric_limits<int>::max());
    add_combinations(at, entry, run);
  }

  /// The values of a setting, as numbers; nothing where one is wrong.
  std::vector<int> values_of(const At& at, const OptionEntry& setting) {
    const std::string key(setting.word);
    std::vector<int> list;
    for (const YAML::Node& node : values(at, key.c_str())) {
      const auto found = std::find(setting.words.begin(), setting.words.end(), node.IsScalar() ? node.Scalar() : "");
      int x = static_cast<int>(found - setting.words.begin());
      if (setting.words.empty() ? yaml_.number(node, at.element, key, x, setting.least, setting.most)
                                : found != setting.words.end())
        list.push_back(x);
      else if (!setting.words.empty())
        yaml_.error(node, at.element, fmt::format("{} is {}; give {}", key, YamlReading::kind(node), setting.range));
    }
    return list;
  }

  /// All combinations of the settings that are lists; each must make sense.
  void add_combinations(const At& at, const AlgorithmEntry& entry, Run& run) {
    double added = 1;
    for (const OptionEntry& setting : option_table())
      if (const YAML::Node list = at.map[std::string(setting.word)]; setting.of_algorithm && list && list.IsSequence())
        added *= static_cast<double>(list.size());
    if (!allow(at.map, at.element, static_cast<double>(run.algorithms.size()) + added)) return;
    std::vector<AlgorithmEntry> all{entry};
    std::vector<std::string_view> given;
    for (const OptionEntry& setting : option_table()) {
      if (!setting.of_algorithm || !at.map[std::string(setting.word)]) continue;
      given.push_back(setting.word);
      std::vector<AlgorithmEntry> more;
      const std::vector<int> list = values_of(at, setting);
      for (const AlgorithmEntry& one : all)
        for (const int value : list) {
          more.push_back(one);
          setting.set(more.back().options, value);
        }
      all = std::move(more);
    }
    std::set<std::string> said;
    for (const AlgorithmEntry& one : all)
      for (const std::string& fault : option_faults(one.options, given))
        if (said.insert(fault).second) yaml_.error(at.map, at.element, fault);
    run.algorithms.insert(run.algorithms.end(), all.begin(), all.end());
  }

  fs::path folder_, robots_;
  double most_cases_, cases_ = 0;
  bool too_many_ = false;
  SweepInput& out_;
  YamlReading yaml_;
};

}  // namespace

std::string family_name(const ModelEntry& entry) {
  return entry.source + (entry.load.floating_base ? " floating" : "");
}

void keep_runs(SweepInput& input, const std::vector<std::string>& names) {
  std::vector<Run>& runs = input.sweep.runs;
  for (const std::string& name : names) {
    if (std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return run.name == name; })) continue;
    std::string known;
    for (const Run& run : runs) known += (known.empty() ? "" : ", ") + ("\"" + run.name + "\"");
    input.findings.push_back(
        {Severity::error, input.sweep.file, 0, "runs", "has no run \"" + name + "\" (--only); its runs are " + known});
  }
  input.only = names;
  std::erase_if(runs, [&](const Run& run) { return std::find(names.begin(), names.end(), run.name) == names.end(); });
}

std::vector<std::string> expand_braces(const std::string& text) {
  std::vector<std::string> all{""};
  for (const std::vector<std::string>& choices : parts_of(text)) {
    std::vector<std::string> longer;
    for (const std::string& head : all)
      for (const std::string& choice : choices) longer.push_back(head + choice);
    all = std::move(longer);
  }
  return all;
}

SweepInput read_sweep_text(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                           double most_cases) {
  SweepInput out;
  out.sweep.file = name;
  out.text = text;
  out.sweep.name = std::filesystem::path(name).stem().string();
  SweepReader(name, folder, most_cases, out).read(text);
  return out;
}

SweepInput read_runs(const std::filesystem::path& file, const std::vector<std::string>& only, double most_cases) {
  SweepInput input = read_sweep(file, most_cases);
  if (!has_error(input.findings) && !only.empty()) keep_runs(input, only);
  if (has_error(input.findings)) throw InputError(input.findings);
  return input;
}

SweepInput read_sweep(const std::filesystem::path& file, double most_cases) {
  SweepInput out;
  const std::string text = file_text(file, {.element = "sweep", .advice = "give a YAML file"}, out.findings);
  if (has_error(out.findings)) return out;
  return read_sweep_text(text, file.string(), file.parent_path(), most_cases);
}

}  // namespace kinetree::bench
