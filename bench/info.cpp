// `kinetree info`: what a model is, and how an algorithm would take it apart.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <kinetree/calibration.hpp>
#include <kinetree/kinetree.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/arguments.hpp"
#include "bench/info_loops.hpp"
#include "bench/info_plan.hpp"
#include "bench/plan_json.hpp"
#include "bench/subcommands.hpp"
#include "bench/text_out.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/uncut.hpp"
#include "library/planner.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_or_world(const Model& model, int body) {
  return body < 0 ? std::string_view("world") : model.body_name(body);
}

Json joints_json(const Model& model) {
  const ModelData& m = model.data();
  Json joints = Json::array();
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    joints.push_back({{"name", model.joint_name(i)},
                      {"type", name_of(m.joint_type[k])},
                      {"q", m.q_index[k]},
                      {"v", m.v_index[k]},
                      {"body", model.body_name(i)},
                      {"parent", name_or_world(model, m.parent[k])},
                      {"may_cut", static_cast<bool>(m.may_cut[k])}});
  }
  return joints;
}

Json modules_json(const Model& model, const Modules& modules) {
  Json list = Json::array();
  for (const Module& module : modules.modules) {
    int bodies = 0;
    for (int r = module.first_range; r < module.last_range; ++r) {
      const Range range = modules.ranges[static_cast<std::size_t>(r)];
      bodies += range.end - range.begin;
    }
    list.push_back({{"base", name_or_world(model, module.base)}, {"bodies", bodies}, {"cut", module.cut >= 0}});
  }
  return list;
}

/// The modules of the dial and the memory of the algorithm.
void add_plan(const Model& model, const Planned& planned, Json& json) {
  const Plan& plan = planned.plan;
  json["plan"] = plan_json(plan);
  json["instruction_set"] = name_of(instruction_set());
  if (const double gigabytes = plan.algorithm == Algorithm::crb ? mass_matrix_gigabytes(model, plan.factorization) : 0;
      gigabytes > largest_mass_matrix_gigabytes) {
    json["memory_bytes"] = gigabytes * 1e9;
    return;
  }
  const auto solver = make_solver<double>(model, one_method(plan));
  const Modules modules = modules_of(model, planned);
  const Model parts = modules.split ? Model(modules.split) : model;
  json["modules"] = modules_json(parts, modules);
  Json cuts = Json::array(), split = Json::array();
  for (const CutJoint& cut : modules.cuts) {
    cuts.push_back(parts.joint_name(cut.body));
    if (parts.joint_type(cut.body) == JointType::fixed)
      split.push_back(model.body_name(parts.data().whole_of(cut.body)));
  }
  json["cut_joints"] = std::move(cuts);
  json["split_bodies"] = std::move(split);
  // two modules are merged over every joint whose force the upper one carries
  json["merges"] = std::count_if(modules.cuts.begin(), modules.cuts.end(), [](const CutJoint& c) { return c.carried; });
  json["notices"] = modules.notices;
  json["memory_bytes"] = static_cast<double>(solver->memory());
}

Json describe(const Model& model, const Options& options) {
  const ModelData& m = model.data();
  Json json{{"model", model.name()}, {"bodies", model.body_count()}, {"links", m.frames.size()},    {"nq", model.nq()},
            {"nv", model.nv()},      {"gravity", m.gravity},         {"joints", joints_json(model)}};
  Json uncut = Json::array();
  for (int i = 0; i < model.body_count(); ++i)
    if (const std::string why = reason_uncut(m, i); !why.empty())
      uncut.push_back(fmt::format("joint \"{}\" is never cut: {}", model.joint_name(i), why));
  json["never_cut"] = std::move(uncut);
  const Planned planned = make_plan(model, options);
  if (!m.aggregates.empty()) json["aggregates"] = aggregates_json(model, planned.plan);
  add_plan(model, planned, json);
  Json findings = Json::array();
  for (const Finding& finding : model.findings()) findings.push_back(to_string(finding));
  json["findings"] = std::move(findings);
  return json;
}

constexpr std::size_t most_lines = 200;  ///< of one kind, in text

void print_more(std::size_t count) {
  if (count > most_lines) fmt::print("... and {} more; --json lists all\n", count - most_lines);
}

void print_modules(const Json& info) {
  const Json& modules = info["modules"];
  std::vector<int> sizes;
  for (const Json& module : modules) sizes.push_back(module["bodies"].get<int>());
  std::sort(sizes.begin(), sizes.end());
  if (sizes.empty()) return;
  fmt::print("modules      {} of {} to {} bodies (median {}), {} cut joints, {} merges\n", sizes.size(), sizes.front(),
             sizes.back(), sizes[sizes.size() / 2], info["cut_joints"].size(), info["merges"].get<std::size_t>());
  if (const std::size_t split = info["split_bodies"].size(); split > 0)
    fmt::print("split        {} bodies in halves, each counted as a body; welds are among the cut joints\n", split);
  for (std::size_t i = 0; sizes.size() > 1 && i < std::min(most_lines, modules.size()); ++i)
    fmt::print("  base {:<28} {:>7} bodies{}\n", modules[i]["base"].get<std::string>(), modules[i]["bodies"].get<int>(),
               modules[i]["cut"].get<bool>() ? "" : "  (its joint is not cut)");
  print_more(modules.size());
}

void print_lines(const Json& lines) {
  for (std::size_t i = 0; i < std::min(most_lines, lines.size()); ++i) fmt::print("{}\n", lines[i].get<std::string>());
  print_more(lines.size());
}

void print_text(const Json& info) {
  const int bodies = info["bodies"].get<int>();
  const double memory = info["memory_bytes"].get<double>();
  fmt::print("model        {}\n", info["model"].get<std::string>());
  fmt::print("bodies       {} moving, of {} links\n", bodies, info["links"].get<int>());
  fmt::print("positions    {}\nvelocities   {}\n", info["nq"].get<int>(), info["nv"].get<int>());
  fmt::print("plan         {}\n", info["plan"].dump());
  fmt::print("instructions {}\n", info["instruction_set"].get<std::string>());
  fmt::print("memory       {:.4g} MB of workspace, {:.0f} bytes per body\n", memory / 1e6,
             memory / std::max(1, bodies));
  if (info.contains("prediction")) print_prediction(info["prediction"]);
  if (info.contains("modules")) print_modules(info);
  if (info.contains("aggregates")) print_aggregates(info["aggregates"], most_lines);
  fmt::print("\n{:<28} {:<11} {:>7} {:>7}  {:<24} {}\n", "joint", "type", "q", "v", "body", "parent");
  const Json& joints = info["joints"];
  for (std::size_t i = 0; i < std::min(most_lines, joints.size()); ++i)
    fmt::print("{:<28} {:<11} {:>7} {:>7}  {:<24} {}\n", joints[i]["name"].get<std::string>(),
               joints[i]["type"].get<std::string>(), joints[i]["q"].get<int>(), joints[i]["v"].get<int>(),
               joints[i]["body"].get<std::string>(), joints[i]["parent"].get<std::string>());
  print_more(joints.size());
  print_lines(info["never_cut"]);
  if (info.contains("notices")) print_lines(info["notices"]);
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  struct Arguments {
    ModelArguments model;
    AlgorithmArguments algorithm;
    bool json = false, plan = false;
  };
  CLI::App* sub = app.add_subcommand("info", "Sizes, joints in order, modules, memory, warnings");
  const auto a = std::make_shared<Arguments>();
  a->model.add_to(*sub);
  a->algorithm.add_to(*sub);
  sub->add_flag("--json", a->json, "Print JSON");
  sub->add_flag("--plan", a->plan, "Print the plans that automatic weighs, their predicted times, and which is taken");
  sub->callback([a, &action] {
    action = [a] {
      const Options options = a->algorithm.options();
      const Model model = a->model.read();
      Json info = describe(model, options);
      if (a->plan)
        info["prediction"] = prediction_json(
            model, options, options.threads == 1 ? Calibration{} : calibration(options.executor), physical_cores());
      if (a->json)
        fmt::print("{}\n", json_text(info, 1));
      else
        print_text(info);
      return static_cast<int>(done);
    };
  });
}

}  // namespace kinetree::bench
