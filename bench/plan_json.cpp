#include "bench/plan_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "engine/io/json_text.hpp"
#include "engine/model/file_text.hpp"
#include "engine/model/slips.hpp"
#include "library/option_words.hpp"

namespace kinetree::bench {
namespace {

/// A member of Plan, and the plans in which it says something that no other member says.
struct PlanEntry {
  std::string_view key;
  std::span<const std::string_view> words;  ///< of an enumeration; else empty
  int (*get)(const Plan&);
  void (*set)(Plan&, int);
  bool (*matters)(const Plan&);
};

template <auto member>
PlanEntry entry(std::string_view key, bool (*matters)(const Plan&)) {
  using Value = std::remove_cvref_t<decltype(std::declval<Plan>().*member)>;
  std::span<const std::string_view> words;
  if constexpr (std::is_enum_v<Value>) words = Words<Value>::all;
  return {key, words, [](const Plan& p) { return static_cast<int>(p.*member); },
          [](Plan& p, int value) { p.*member = static_cast<Value>(value); }, matters};
}

bool always(const Plan&) { return true; }
bool cuts(const Plan& p) { return p.algorithm == Algorithm::cfa || p.algorithm == Algorithm::modular; }

/// In the order in which they are printed and read: `algorithm` and `loops` before `batch_algorithm` and `batch_loops`,
/// which follow them where nothing else is said.
std::span<const PlanEntry> plan_entries() {
  using P = Plan;
  static const PlanEntry all[] = {
      entry<&P::algorithm>("algorithm", always),
      entry<&P::loops>("loops", [](const Plan& p) { return p.loops != Loops::embed; }),
      entry<&P::factorization>("factorization", [](const Plan& p) { return p.algorithm == Algorithm::crb; }),
      entry<&P::grain>("grain",
                       [](const Plan& p) {
                         return p.algorithm == Algorithm::modular || (p.algorithm == Algorithm::ab && p.grain > 0);
                       }),
      entry<&P::cuts>("cuts", cuts),
      entry<&P::refinements>("refinements", cuts),
      entry<&P::elimination>("elimination", cuts),
      entry<&P::formulation>("formulation", cuts),
      entry<&P::executor>("executor", always),
      entry<&P::pinning>("pinning", [](const Plan& p) { return p.pinning != Pinning::none; }),
      entry<&P::one_threads>("one_threads", always),
      entry<&P::limbs>("limbs", always),
      entry<&P::end_chains>("end_chains", [](const Plan& p) { return p.algorithm == Algorithm::modular; }),
      entry<&P::batch_algorithm>("batch_algorithm", [](const Plan& p) { return p.batch_algorithm != p.algorithm; }),
      entry<&P::batch_loops>("batch_loops", [](const Plan& p) { return p.batch_loops != p.loops; }),
      entry<&P::batch_threads>("batch_threads", always),
      entry<&P::batch_from>("batch_from", [](const Plan& p) { return p.batch_threads > 1; }),
      entry<&P::lanes>("lanes", always)};
  return all;
}

/// What an entry takes, for a message.
std::string values_of(const PlanEntry& e) {
  return e.words.empty() ? "a whole number" : fmt::format("one of {}", fmt::join(e.words, ", "));
}

/// The value that JSON gives an entry; -1: none that it takes.
int value_of(const PlanEntry& e, const nlohmann::json& json) {
  if (e.words.empty()) {
    const bool whole = json.is_number_unsigned() && json.get<std::uint64_t>() <= std::numeric_limits<int>::max();
    return whole ? json.get<int>() : -1;
  }
  for (std::size_t k = 0; json.is_string() && k < e.words.size(); ++k)
    if (e.words[k] == json.get_ref<const std::string&>()) return static_cast<int>(k);
  return -1;
}

}  // namespace

nlohmann::ordered_json plan_json(const Plan& plan) {
  nlohmann::ordered_json json;
  for (const PlanEntry& e : plan_entries()) {
    if (!e.matters(plan)) continue;
    auto& value = json[std::string(e.key)];
    if (e.words.empty())
      value = e.get(plan);
    else
      value = e.words[static_cast<std::size_t>(e.get(plan))];
  }
  return json;
}

Plan plan_from_json(const std::string& text, const std::string& file) {
  std::vector<Finding> findings;
  const auto say = [&](const std::string& message) { findings.push_back({Severity::error, file, 0, "plan", message}); };
  nlohmann::json json = json_object(text, file, "\"algorithm\" or \"plan\"", findings);
  if (json.contains("plan")) {
    nlohmann::json inside = std::move(json["plan"]);  // assigned at once it would be freed with what it stands in
    json = std::move(inside);
  }
  Plan plan(Algorithm::automatic);
  if (!json.is_object()) {
    say(fmt::format("is {}; give an object as solve prints it", shown(json)));
    throw InputError(findings);
  }
  for (const PlanEntry& e : plan_entries()) {
    const auto found = json.find(e.key);
    if (e.key == "algorithm" && found == json.end()) say("has no algorithm; give the plan that solve or info prints");
    if (found == json.end()) continue;
    const int value = value_of(e, *found);
    if (value < 0)
      say(fmt::format("{} is {}; give {}", e.key, shown(*found), values_of(e)));
    else
      e.set(plan, value);
    if (e.key == "algorithm") plan = Plan(plan.algorithm);
    if (e.key == "loops") plan.batch_loops = plan.loops;
    json.erase(found);
  }
  if (plan.algorithm == Algorithm::cfa) plan.grain = 1;
  for (const auto& [key, value] : json.items()) {
    std::vector<std::string_view> known;
    for (const PlanEntry& e : plan_entries()) known.push_back(e.key);
    say(fmt::format("unknown key \"{}\"{}; known are {}", key, if_meant(key, known), fmt::join(known, ", ")));
  }
  if (!findings.empty()) throw InputError(findings);
  return plan;
}

void PlanArguments::add_to(CLI::App& app) {
  algorithm_.add_to(app);
  app.add_option("--replay", file_,
                 "Run the plan in a JSON file, as solve and info print it, in place of choosing one; no option of the "
                 "algorithm beside it");
}

void PlanArguments::check() const {
  const std::string option = file_.empty() ? "" : algorithm_.first_given();
  if (!option.empty())
    throw UsageError(
        fmt::format("{} has no effect with --replay, whose file makes every choice; leave one out", option));
  static_cast<void>(algorithm_.options());
}

Options PlanArguments::options_over_ranks() const {
  if (!file_.empty())
    throw UsageError("--replay runs a plan of one process; give its options instead, or start without mpirun");
  return algorithm_.options();
}

ForwardDynamics PlanArguments::make(const Model& model) const {
  if (file_.empty()) return ForwardDynamics(model, algorithm_.options());
  const FileRules rules{.element = "file", .advice = "give a JSON file with a plan", .most_bytes = 1u << 20};
  return ForwardDynamics(model, plan_from_json(file_text(file_, rules), file_));
}

}  // namespace kinetree::bench
