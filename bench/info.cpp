// kinetree info: what a model is, and what the dial makes of it.
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <kinetree/parallel/planner.hpp>

#include "command.hpp"

namespace kinetree::command {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  ModelArguments model;
  SolverArguments solver;
  bool json = false;
};

ordered_json describe(const Model& model, const Options& options) {
  const ModelData& m = model.data();
  ordered_json out;
  out["name"] = model.name();
  out["bodies"] = model.body_count();
  out["positions"] = model.nq();
  out["velocities"] = model.nv();
  out["gravity"] = m.gravity;
  out["links"] = m.frames.size();
  out["joints"] = ordered_json::array();
  int refused = 0;
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    refused += m.may_cut[k] ? 0 : 1;
    out["joints"].push_back({{"name", m.joint_name[k]}, {"type", name_of(m.joint_type[k])}, {"link", model.body_name(i)},
                             {"parent", m.parent[k] < 0 ? "world" : model.body_name(m.parent[k])}, {"q", m.q_index[k]},
                             {"v", m.v_index[k]}, {"may_be_cut", static_cast<bool>(m.may_cut[k])}});
  }
  out["joints_not_to_be_cut"] = refused;
  const Modules modules = make_modules(m, make_plan(model, options).modules);
  ordered_json plan{{"algorithm", word_of(options.algorithm)}, {"grain", options.grain}, {"cuts", word_of(options.cuts)},
                    {"corrections", options.corrections}, {"modules", modules.modules.size()}, {"cut_joints", modules.cuts.size()}};
  plan["merges"] = modules.steps.size() - modules.modules.size();
  plan["notices"] = modules.notices;
  out["plan"] = plan;
  out["findings"] = ordered_json::array();
  for (const Finding& f : m.findings) out["findings"].push_back(to_string(f));
  return out;
}

void print_text(const ordered_json& d) {
  fmt::print("{}: {} bodies, {} positions, {} velocities, {} links\n", d["name"].get<std::string>(), d["bodies"].get<int>(),
             d["positions"].get<int>(), d["velocities"].get<int>(), d["links"].get<std::size_t>());
  fmt::print("{:<32} {:<12} {:>6} {:>6}  {}\n", "joint", "type", "q", "v", "link (parent)");
  const auto& joints = d["joints"];
  const std::size_t shown = std::min<std::size_t>(joints.size(), 200);
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& j = joints[k];
    fmt::print("{:<32} {:<12} {:>6} {:>6}  {} ({}){}\n", j["name"].get<std::string>(), j["type"].get<std::string>(),
               j["q"].get<int>(), j["v"].get<int>(), j["link"].get<std::string>(), j["parent"].get<std::string>(),
               j["may_be_cut"].get<bool>() ? "" : "  [may not be cut: singular inertia]");
  }
  if (shown < joints.size()) fmt::print("... and {} more; --json lists all\n", joints.size() - shown);
  const auto& p = d["plan"];
  fmt::print("plan: {}, grain {}, cuts {}, corrections {}: {} module(s), {} cut joint(s), {} merge(s)\n",
             p["algorithm"].get<std::string>(), p["grain"].get<int>(), p["cuts"].get<std::string>(), p["corrections"].get<int>(),
             p["modules"].get<std::size_t>(), p["cut_joints"].get<std::size_t>(), p["merges"].get<std::size_t>());
  for (const auto& notice : p["notices"]) fmt::print("  {}\n", notice.get<std::string>());
}

}  // namespace

void add_info(CLI::App& app, int& exit) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* info = app.add_subcommand("info", "sizes, joints in order with their q and v index, modules, warnings");
  add_model(*info, arguments->model);
  add_solver(*info, arguments->solver);
  info->add_flag("--json", arguments->json, "print JSON");
  info->callback([info, arguments, &exit] {
    const Options asked = options_of(*info, arguments->solver);
    const Model model = load(arguments->model);
    const ordered_json description = describe(model, resolve(model, asked));
    if (arguments->json)
      std::cout << description.dump(1) << '\n';
    else
      print_text(description);
    exit = done;
  });
}

}  // namespace kinetree::command
