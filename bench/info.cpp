// `kinetree info`: what a model is, and how an algorithm would take it apart.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <kinetree/calibration.hpp>
#include <kinetree/kinetree.hpp>
#include <limits>
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

/// The first of the entries of a list, and how many there are: text prints some, and as JSON each takes 0.5 kB.
class List {
 public:
  explicit List(std::size_t most) : most_(most) {}

  /// `make`: gives the entry, where it is kept.
  template <class Make>
  void add(Make&& make) {
    if (count_++ < most_) kept_.push_back(make());
  }
  std::size_t count() const { return count_; }
  const Json& kept() const { return kept_; }

 private:
  std::size_t most_, count_ = 0;
  Json kept_ = Json::array();
};

/// What info says of a model. Lists hold as many entries as are asked for.
struct Info {
  explicit Info(std::size_t most)
      : joints(most), modules(most), cut_joints(most), split_bodies(most), never_cut(most), notices(most) {}

  Json head, plan, aggregates, prediction;  ///< the last three: null where there is none
  std::string instructions;
  double memory = 0;
  bool has_modules = false;
  std::ptrdiff_t merges = 0;
  std::vector<int> module_sizes;
  List joints, modules, cut_joints, split_bodies, never_cut, notices;
  Json findings = Json::array();
};

void add_joints(const Model& model, Info& info) {
  const ModelData& m = model.data();
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    info.joints.add([&] {
      return Json{{"name", model.joint_name(i)},
                  {"type", name_of(m.joint_type[k])},
                  {"q", m.q_index[k]},
                  {"v", m.v_index[k]},
                  {"body", model.body_name(i)},
                  {"parent", name_or_world(model, m.parent[k])},
                  {"may_cut", static_cast<bool>(m.may_cut[k])}};
    });
    if (const std::string why = reason_uncut(m, i); !why.empty())
      info.never_cut.add([&] { return fmt::format("joint \"{}\" is never cut: {}", model.joint_name(i), why); });
  }
}

void add_modules(const Model& model, const Modules& modules, Info& info) {
  for (const Module& module : modules.modules) {
    int bodies = 0;
    for (int r = module.first_range; r < module.last_range; ++r) {
      const Range range = modules.ranges[static_cast<std::size_t>(r)];
      bodies += range.end - range.begin;
    }
    info.module_sizes.push_back(bodies);
    info.modules.add([&] {
      return Json{{"base", name_or_world(model, module.base)}, {"bodies", bodies}, {"cut", module.cut >= 0}};
    });
  }
}

/// The modules of the dial and the memory of the algorithm.
void add_plan(const Model& model, const Planned& planned, Info& info) {
  const Plan& plan = planned.plan;
  info.plan = plan_json(plan);
  info.instructions = name_of(instruction_set());
  if (const double gigabytes = plan.algorithm == Algorithm::crb ? mass_matrix_gigabytes(model, plan.factorization) : 0;
      gigabytes > largest_mass_matrix_gigabytes) {
    info.memory = gigabytes * 1e9;
    return;
  }
  info.memory = static_cast<double>(make_solver<double>(model, one_method(plan))->memory());
  const Modules modules = modules_of(model, planned);
  const Model parts = modules.split ? Model(modules.split) : model;
  info.has_modules = true;
  add_modules(parts, modules, info);
  for (const CutJoint& cut : modules.cuts) {
    info.cut_joints.add([&] { return parts.joint_name(cut.body); });
    if (parts.joint_type(cut.body) == JointType::fixed)
      info.split_bodies.add([&] { return model.body_name(parts.data().whole_of(cut.body)); });
  }
  // two modules are merged over every joint whose force the upper one carries
  info.merges = std::count_if(modules.cuts.begin(), modules.cuts.end(), [](const CutJoint& c) { return c.carried; });
  for (const std::string& notice : modules.notices) info.notices.add([&] { return notice; });
}

Info describe(const Model& model, const Options& options, std::size_t most) {
  const ModelData& m = model.data();
  Info info(most);
  info.head = {{"model", model.name()}, {"bodies", model.body_count()}, {"links", m.frames.size()}, {"nq", model.nq()},
               {"nv", model.nv()},      {"gravity", m.gravity}};
  for (const PointForceDescription& f : model.point_forces())
    info.head["point_forces"].push_back({{"name", f.name},
                                         {"between", {f.first.body, f.second.body}},
                                         {"stiffness", f.stiffness},
                                         {"length", f.length},
                                         {"damping", f.damping},
                                         {"force", f.force}});
  add_joints(model, info);
  const Planned planned = make_plan(model, options);
  if (!m.aggregates.empty()) info.aggregates = aggregates_json(model, planned.plan);
  add_plan(model, planned, info);
  for (const Finding& finding : model.findings()) info.findings.push_back(to_string(finding));
  return info;
}

Json to_json(const Info& info) {
  Json json = info.head;
  json["joints"] = info.joints.kept();
  json["never_cut"] = info.never_cut.kept();
  if (!info.aggregates.is_null()) json["aggregates"] = info.aggregates;
  json["plan"] = info.plan;
  json["instruction_set"] = info.instructions;
  if (info.has_modules) {
    json["modules"] = info.modules.kept();
    json["cut_joints"] = info.cut_joints.kept();
    json["split_bodies"] = info.split_bodies.kept();
    json["merges"] = info.merges;
    json["notices"] = info.notices.kept();
  }
  json["memory_bytes"] = info.memory;
  json["findings"] = info.findings;
  if (!info.prediction.is_null()) json["prediction"] = info.prediction;
  return json;
}

constexpr std::size_t most_lines = 200;  ///< of one kind, in text

void print_more(std::size_t count) {
  if (count > most_lines) fmt::print("... and {} more; --json lists all\n", count - most_lines);
}

void print_modules(const Info& info) {
  std::vector<int> sizes = info.module_sizes;
  std::sort(sizes.begin(), sizes.end());
  if (sizes.empty()) return;
  fmt::print("modules      {} of {} to {} bodies (median {}), {} cut joints, {} merges\n", sizes.size(), sizes.front(),
             sizes.back(), sizes[sizes.size() / 2], info.cut_joints.count(), info.merges);
  if (const std::size_t split = info.split_bodies.count(); split > 0)
    fmt::print("split        {} bodies in halves, each counted as a body; welds are among the cut joints\n", split);
  if (sizes.size() > 1)
    for (const Json& module : info.modules.kept())
      fmt::print("  base {:<28} {:>7} bodies{}\n", module["base"].get<std::string>(), module["bodies"].get<int>(),
                 module["cut"].get<bool>() ? "" : "  (its joint is not cut)");
  print_more(sizes.size());
}

void print_lines(const List& lines) {
  for (const Json& line : lines.kept()) fmt::print("{}\n", line.get<std::string>());
  print_more(lines.count());
}

void print_text(const Info& info) {
  const int bodies = info.head["bodies"].get<int>();
  fmt::print("model        {}\n", info.head["model"].get<std::string>());
  fmt::print("bodies       {} moving, of {} links\n", bodies, info.head["links"].get<int>());
  fmt::print("positions    {}\nvelocities   {}\n", info.head["nq"].get<int>(), info.head["nv"].get<int>());
  if (info.head.contains("point_forces"))
    fmt::print("forces       {} between points\n", info.head["point_forces"].size());
  fmt::print("plan         {}\n", info.plan.dump());
  fmt::print("instructions {}\n", info.instructions);
  fmt::print("memory       {:.4g} MB of workspace, {:.0f} bytes per body\n", info.memory / 1e6,
             info.memory / std::max(1, bodies));
  if (!info.prediction.is_null()) print_prediction(info.prediction);
  print_modules(info);
  if (!info.aggregates.is_null()) print_aggregates(info.aggregates, most_lines);
  fmt::print("\n{:<28} {:<11} {:>7} {:>7}  {:<24} {}\n", "joint", "type", "q", "v", "body", "parent");
  for (const Json& joint : info.joints.kept())
    fmt::print("{:<28} {:<11} {:>7} {:>7}  {:<24} {}\n", joint["name"].get<std::string>(),
               joint["type"].get<std::string>(), joint["q"].get<int>(), joint["v"].get<int>(),
               joint["body"].get<std::string>(), joint["parent"].get<std::string>());
  print_more(info.joints.count());
  print_lines(info.never_cut);
  print_lines(info.notices);
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
      Info info = describe(model, options, a->json ? std::numeric_limits<std::size_t>::max() : most_lines);
      if (a->plan) info.prediction = prediction_json(model, options, calibration(), physical_cores());
      if (a->json)
        fmt::print("{}\n", json_text(to_json(info), 1));
      else
        print_text(info);
      return static_cast<int>(done);
    };
  });
}

}  // namespace kinetree::bench
