#include "bench/info_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/constraint_words.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "library/option_words.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

Json names(const Model& model, const std::set<int>& bodies) {
  Json list = Json::array();
  for (const int i : bodies) list.push_back(model.body_name(i));
  return list;
}

Json merges(const Model& model, const std::vector<Constraint>& constraints) {
  Json list = Json::array();
  for (const Merge& merge : merges_of(constraints))
    list.push_back({{"constraints", {merge.first, merge.second}}, {"share", names(model, merge.shared)}});
  return list;
}

std::string joint_of(const Model& model, int velocity) {
  const std::vector<int>& v = model.data().v_index;
  const auto body = static_cast<int>(std::upper_bound(v.begin(), v.end(), velocity) - v.begin()) - 1;
  const int first = v[at(body)];
  std::string name(model.joint_name(body));
  return v[at(body + 1)] - first > 1 ? fmt::format("{}[{}]", name, velocity - first) : name;
}

std::string list_of(const Json& list, const char* between = ", ") {
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(list.size(), 12); ++k)
    text += (k ? between : "") + list[k].get<std::string>();
  return list.size() > 12 ? text + fmt::format(" and {} more", list.size() - 12) : text;
}

/// Ranks and freedoms of an aggregate's branches, and a closed configuration of each: positions joint by joint.
Json branches(const Model& model, const Aggregate& a) {
  Json list = Json::array();
  for (const RegularRank& regular : a.ranks) {
    Json near = Json::object();
    auto q = regular.q.begin();
    for (const int i : a.bodies) {
      const int count = position_count(model.data().joint_type[at(i)]);
      near[std::string(model.joint_name(i))] = std::vector<double>(q, q + count);
      q += count;
    }
    list.push_back({{"rank", regular.rank}, {"freedoms", a.velocities - regular.rank}, {"near", std::move(near)}});
  }
  return list;
}

}  // namespace

Json aggregates_json(const Model& model, const Plan& plan) {
  const ModelData& m = model.data();
  const std::vector<LoopCost> costs = loop_costs(m);
  Json list = Json::array();
  for (const Aggregate& a : m.aggregates) {
    const std::vector<Constraint> constraints = constraints_of(m, a);
    Json tied = Json::array(), independent = Json::array();
    for (const Constraint& c : constraints)
      tied.push_back({{"name", c.name}, {"kind", c.kind}, {"ties", names(model, c.bodies)}});
    for (const int v : a.independent) independent.push_back(joint_of(model, v));
    const LoopCost& cost = costs[static_cast<std::size_t>(&a - m.aggregates.data())];
    list.push_back(
        {{"bodies", names(model, {a.bodies.begin(), a.bodies.end()})},
         {"parent", a.parent < 0 ? std::string_view("world") : model.body_name(a.parent)},
         {"constraints", std::move(tied)},
         {"merged_because", merges(model, constraints)},
         {"velocities", a.velocities},
         {"freedoms", a.freedoms},
         {"branches", branches(model, a)},
         {"independent", std::move(independent)},
         {"chosen_by_user", a.chosen_by_user},
         {"constant", a.constant()},
         {"predicted_operations", {{"embed", std::round(cost.embed)}, {"multipliers", std::round(cost.multipliers)}}},
         {"cheaper", cost.multipliers < cost.embed ? "multipliers" : "embed"},
         {"multipliers_can", !cost.idle},
         {"choice", cost.by_multipliers(plan.loops) ? "multipliers" : "embed"}});
  }
  return list;
}

void print_aggregates(const Json& aggregates, std::size_t most) {
  for (std::size_t k = 0; k < std::min(most, aggregates.size()); ++k) {
    const Json& a = aggregates[k];
    fmt::print("aggregate {}  {} bodies on {}: {}\n", k + 1, a["bodies"].size(), a["parent"].get<std::string>(),
               list_of(a["bodies"]));
    std::size_t shown = 0;
    for (const Json& c : a["constraints"])
      if (shown++ < 12)
        fmt::print("  {} \"{}\" ties {}\n", c["kind"].get<std::string>(), c["name"].get<std::string>(),
                   list_of(c["ties"]));
    if (shown > 12) fmt::print("  and {} more; --json lists all\n", shown - 12);
    shown = 0;
    for (const Json& merge : a["merged_because"])
      if (shown++ < 12)
        fmt::print("  merged because {} share {}\n", list_of(merge["constraints"], " and "), list_of(merge["share"]));
    fmt::print("  {} of {} velocities independent{}: {}; the map to the others is {}\n", a["freedoms"].get<int>(),
               a["velocities"].get<int>(), a["chosen_by_user"].get<bool>() ? " (named by the model)" : "",
               a["freedoms"].get<int>() > 0 ? list_of(a["independent"]) : "none",
               a["constant"].get<bool>() ? "constant" : "found in every state");
    if (a["branches"].size() > 1) {
      std::string ranks;
      for (const Json& b : a["branches"])
        ranks +=
            fmt::format("{}{} (rank {})", ranks.empty() ? "" : ", ", b["freedoms"].get<int>(), b["rank"].get<int>());
      fmt::print("  branches differ; freedoms of each: {}\n", ranks);
    }
    const Json& cost = a["predicted_operations"];
    const auto cheaper = a["cheaper"].get<std::string>(), choice = a["choice"].get<std::string>();
    const bool can = a["multipliers_can"].get<bool>();
    fmt::print("  predicted operations: {:.0f} embedded, {:.0f} by multipliers; taken: {}{}\n",
               cost["embed"].get<double>(), cost["multipliers"].get<double>(), choice,
               !can                ? " (multipliers can't: without its constraints nothing resists some joint)"
               : choice == cheaper ? ""
                                   : fmt::format(" (cheaper: {}, --loops automatic takes it)", cheaper));
  }
  if (aggregates.size() > most) fmt::print("... and {} more; --json lists all\n", aggregates.size() - most);
}

}  // namespace kinetree::bench
