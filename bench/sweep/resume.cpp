#include "bench/sweep/resume.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "bench/output.hpp"
#include "bench/sweep/scaling.hpp"
#include "bench/text_out.hpp"
#include "engine/io/ill_formed_json.hpp"
#include "engine/io/plain_json.hpp"
#include "engine/model/file_text.hpp"
#include "library/option_words.hpp"

namespace kinetree::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// FNV-1a: tells a text that was changed from one that was not; no protection against people.
std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::string host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// Every field, for both ways.
template <class P>
auto fields_of(P& p) {
  return std::tie(p.algorithm, p.one_threads, p.limbs, p.end_chains, p.grain, p.refinements, p.cuts, p.elimination,
                  p.formulation, p.factorization, p.loops, p.batch_algorithm, p.batch_loops, p.lanes, p.batch_threads,
                  p.batch_from, p.executor);
}

Json numbers_of(const Plan& plan) {
  Json list = Json::array();
  std::apply([&](const auto&... field) { (list.push_back(static_cast<int>(field)), ...); }, fields_of(plan));
  return list;
}

Plan plan_of(const Json& list) {
  Plan plan(Algorithm::ab);
  std::size_t k = 0;
  std::apply(
      [&](auto&... field) {
        ((field = static_cast<std::remove_reference_t<decltype(field)>>(list.at(k++).get<int>())), ...);
      },
      fields_of(plan));
  return plan;
}

/// JSON has no NaN: it goes as null.
double number_of(const Json& x) { return x.is_null() ? std::numeric_limits<double>::quiet_NaN() : x.get<double>(); }

std::string name_of(const SweepResults& results, std::size_t index) {
  const Case& c = results.cases[index].what;
  return key_of(results.models[c.model].entry.name, c);
}

/// What is kept of a case as it is, for both ways.
template <class C, class Use>
void each_member(C& c, const Use& use) {
  use("failure", c.failure), use("modules", c.modules), use("cut_joints", c.cut_joints);
  use("checked_against", c.checked_against), use("iterations", c.iterations);
  use("ns", c.ns), use("yardstick", c.yardstick), use("machine", c.machine), use("line_transfer", c.line_transfer);
}

Json case_numbers(const SweepResults& results, std::size_t index) {
  const CaseResult& c = results.cases[index];
  Json json{{"index", index}, {"name", name_of(results, index)}};
  each_member(c, [&](const char* key, const auto& member) { json[key] = member; });
  if (c.plan) json["plan"] = numbers_of(*c.plan);
  if (c.predicted_ns) json["predicted_ns"] = *c.predicted_ns;
  if (c.check) json["check"] = {c.check->error, c.check->residual};
  if (c.work) {
    const OperationCounts& n = c.work->counts;
    json["work"] = {n.additions, n.multiplications, n.divisions,  n.trigonometric,
                    n.negations, n.selections,      c.work->depth};
  }
  if (c.span) json["span"] = {c.span->work_ns, c.span->span_ns, c.span->burdened_span_ns, c.span->disagreement};
  return json;
}

void restore_case(const Json& json, CaseResult& c) {
  c.finished = true;
  each_member(c, [&](const char* key, auto& member) { json.at(key).get_to(member); });
  if (json.contains("plan")) c.plan = plan_of(json.at("plan"));
  if (json.contains("predicted_ns")) c.predicted_ns = json.at("predicted_ns").get<double>();
  if (json.contains("check")) c.check = Check{number_of(json.at("check").at(0)), number_of(json.at("check").at(1))};
  if (json.contains("work")) {
    const Json& n = json.at("work");
    c.work = Work{{n.at(0), n.at(1), n.at(2), n.at(3), n.at(4), n.at(5)}, n.at(6)};
  }
  if (json.contains("span")) {
    const Json& n = json.at("span");
    c.span = MeasuredWorkAndSpan{{n.at(0), n.at(1), n.at(2)}, n.at(3)};
  }
}

/// What a model's answers depend on.
Json models_json(const SweepResults& results) {
  Json models = Json::array();
  for (const LoadedModel& m : results.models)
    models.push_back(
        {{"name", m.entry.name},
         {"text", fingerprint(m.entry.is_family || m.entry.made ? m.entry.source : file_text(m.entry.source, {}))},
         {"bodies", m.model.body_count()},
         {"velocities", m.model.nv()}});
  return models;
}

/// The same words as they stand in a file.
std::string as_written(const Json& json) { return json.is_string() ? json.get<std::string>() : json_text(json); }

class Differences {
 public:
  explicit Differences(std::string file) : file_(std::move(file)) {}
  void add(const std::string& element, const std::string& message) {
    findings_.push_back({Severity::error, file_, 0, element,
                         message + "; go on where nothing differs, or begin anew with --out and another folder"});
  }
  void compare(const std::string& element, const Json& was, const Json& is) {
    const std::string a = as_written(was), b = as_written(parsed_json<Json>(json_text(is)));
    if (a != b) add(element, fmt::format("was {} and is {}", a, b));
  }
  void refuse_if_any() {
    if (!findings_.empty()) throw InputError(std::move(findings_));
  }

 private:
  std::string file_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string in_words(const std::vector<Sitting>& sittings) {
  std::string words;
  for (const Sitting& s : sittings)
    words += fmt::format("{}{} cases from {} on", words.empty() ? "" : ", ", s.cases, s.began);
  return words;
}

Json resume_json(const SweepInput& input, const SweepResults& results, const std::vector<Sitting>& sittings,
                 const Shard& shard) {
  Json cases = Json::array(), times = Json::array();
  for (std::size_t k = 0; k < results.cases.size(); ++k)
    if (results.cases[k].finished) cases.push_back(case_numbers(results, k));
  for (const Sitting& s : sittings) times.push_back({{"began", s.began}, {"cases", s.cases}});
  return {{"host", host()},
          {"calibration", results.calibration ? Json(to_text(*results.calibration)) : Json()},
          {"sweep_file", fs::absolute(input.sweep.file).string()},
          {"sweep_text", fingerprint(input.text)},
          {"only", input.only},
          {"shard", {shard.index, shard.count}},
          {"models", models_json(results)},
          {"seconds", results.seconds},
          {"observed", {results.observed.yardstick, results.observed.transfers, results.observed.calibrated_transfer}},
          {"sittings", times},
          {"cases", cases}};
}

Json read_incomplete(const fs::path& folder) {
  const fs::path whole = folder / "results.json", file = incomplete(whole);
  const auto refuse = [&](const fs::path& which, const std::string& why) {
    throw InputError({{Severity::error, which.string(), 0, "file", why}});
  };
  if (!fs::exists(file) && fs::exists(whole))
    refuse(whole, "is complete: there is nothing to go on with; a new sweep needs no --resume");
  if (!fs::is_regular_file(file))
    refuse(file, "does not exist; --resume takes the folder in which a sweep was interrupted");
  const std::string text = file_text(file, {});
  try {
    Json json = parsed_json<Json>(text);
    if (!json.is_object() || !json.contains("resume") || !json.contains("context") || !json["context"].is_object())
      refuse(file, "was not written by a sweep of this version; begin anew with --out and another folder");
    return json;
  } catch (const Json::exception& e) {
    Finding fault = ill_formed_json(e, text, file.string());
    fault.message += "; begin anew with --out and another folder";
    throw InputError({fault});
  }
}

fs::path sweep_of(const Json& incomplete) { return incomplete["resume"].value("sweep_file", ""); }

std::vector<std::string> runs_of(const Json& incomplete) {
  return incomplete["resume"].value("only", std::vector<std::string>{});
}

Shard shard_of(const Json& incomplete) {
  const Json& shard = incomplete["resume"].at("shard");
  return {shard.at(0), shard.at(1)};
}

std::vector<Sitting> restore(const Json& incomplete, const std::string& file, const Json& context,
                             const SweepInput& input, Hosts hosts, SweepResults& results) try {
  const Json &was = incomplete.at("resume"), &then = incomplete.at("context");
  Differences differences(file);
  if (hosts == Hosts::one) differences.compare("machine", was.at("host"), host());
  for (const auto& [key, value] : context.items())
    if (key != "date" && key != "measured in parts" && !key.ends_with(" at the start") && !key.ends_with(" at the end"))
      differences.compare(key, then.contains(key) ? then[key] : Json("missing"), value);
  if (was.at("sweep_text") != fingerprint(input.text))
    differences.add("sweep", input.sweep.file + " is not the file that it was measured from, or was changed since");
  const Json models = parsed_json<Json>(json_text(models_json(results)));
  for (std::size_t k = 0; k < std::max(models.size(), was.at("models").size()); ++k)
    if (k >= models.size() || k >= was["models"].size())
      differences.add("models", fmt::format("were {} and are {}", was["models"].size(), models.size()));
    else if (nlohmann::json(models[k]) != nlohmann::json(was["models"][k]))  // in any order of their keys
      differences.add("model \"" + as_written(models[k]["name"]) + "\"", "its file was changed, or is another one");
  differences.refuse_if_any();
  for (const Json& json : was.at("cases")) {
    const std::size_t k = json.at("index");
    if (k >= results.cases.size() || json.at("name") != parsed_json<Json>(json_text(name_of(results, k))))
      differences.add("cases", "case " + std::to_string(k) + " is another one");
    else
      restore_case(json, results.cases[k]);
  }
  differences.refuse_if_any();
  if (const Json& text = was.at("calibration"); !text.is_null() && !results.calibration)
    results.calibration = read_calibration(text.get<std::string>(), file);
  results.seconds += was.at("seconds").get<double>();
  const Json& o = was.at("observed");
  results.observed += Observation{o.at(0).get<std::vector<double>>(), o.at(1).get<std::vector<double>>(), o.at(2)};
  judge(results), find_scaling(results);
  std::vector<Sitting> sittings;
  for (const Json& s : was.at("sittings")) sittings.push_back({s.at("began"), s.at("cases")});
  return sittings;
} catch (const Json::exception& e) {
  throw InputError({{Severity::error, file, 0, "resume",
                     std::string("can't be read: ") + e.what() + "; begin anew with --out and another folder"}});
}

}  // namespace kinetree::bench
