#include <algorithm>
#include <cmath>
#include <kinetree/kinematics.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/workspace.hpp>
#include <stdexcept>
#include <string>

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "library/function_call.hpp"
#include "library/option_table.hpp"
#include "library/planner.hpp"
#include "parallel/processors.hpp"

namespace kinetree {
namespace {

BatchOptions batch_options(const WorkspaceOptions& o, const Runner& runner) {
  Options all;
  all.executor = o.executor, all.threads = o.threads, all.pinning = o.pinning, all.lanes = o.lanes;
  check_options(all, runner);
  const InstructionSet set = instruction_set();
  return {.set = set,
          .lanes = o.lanes == 0 ? lane_width(set) : o.lanes,
          .threads = threads_given(o.executor, o.threads <= 0 ? physical_cores() : o.threads)};
}

}  // namespace

Workspace::Workspace(const Model& model, const WorkspaceOptions& options, const Runner& runner)
    : space_(std::make_unique<Space>(model, batch_options(options, runner), options, runner)) {}
Workspace::Workspace(const Varying& varying, const WorkspaceOptions& options, const Runner& runner)
    : space_(std::make_unique<Space>(varying.model(), declared(varying), batch_options(options, runner), options,
                                     runner)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

Workspace& Workspace::take(const Columns<const double>& parameters) {
  return space_->parameters = {.in_double = parameters, .given = true}, *this;
}
Workspace& Workspace::take(const Columns<const float>& parameters) {
  return space_->parameters = {.in_float = parameters, .given = true}, *this;
}
Workspace& Workspace::with(KeptParameters& parameters) { return space_->parameters = parameters_of(parameters), *this; }

std::span<const Status> Workspace::statuses() const { return space_->statuses.span(); }

std::vector<int> independent_velocities(const Model& model) {
  const ModelData& m = model.data();
  std::vector<int> list;
  for (int i = 0; i < model.body_count(); ++i)
    for (int v = m.v_index[at(i)]; v < m.v_index[at(i + 1)]; ++v) {
      const int a = aggregate_of(m, i);
      if (a < 0 ||
          std::binary_search(m.aggregates[at(a)].independent.begin(), m.aggregates[at(a)].independent.end(), v))
        list.push_back(v);
    }
  return list;
}

std::vector<std::string> independent_joints(const Model& model) {
  const ModelData& m = model.data();
  std::vector<std::string> list;
  for (const int v : independent_velocities(model)) list.emplace_back(model.joint_name(body_of_velocity(m, v)));
  return list;
}

PathVelocities path_velocities(const Model& model, const LinkPoints& points) {
  const ModelData& m = model.data();
  PathVelocities path{{}, {0}};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const int link = points[k].link;
    if (link < 0 || link >= model.frame_count())
      throw std::invalid_argument("path_velocities: point " + std::to_string(k) + " is on link " +
                                  std::to_string(link) + ", but links are numbered 0 to " +
                                  std::to_string(model.frame_count() - 1) + "; take the number from frame_index");
    append_path(m, m.frames[at(link)].body, path.velocity);
    path.begin.push_back(static_cast<int>(path.velocity.size()));
  }
  return path;
}

int frame_index(const Model& model, std::string_view link) { return frame_named(model.data(), link); }

}  // namespace kinetree
