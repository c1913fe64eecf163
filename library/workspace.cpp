#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/workspace.hpp>

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

/// Any of v, a and f may be missing.
template <class T>
Status inverse_dynamics_of(const Model& model, Workspace& workspace, Function function, Columns<const T> q,
                           Columns<const T> v, Columns<const T> a, Columns<const T> f, Columns<T> tau) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t n = tau.columns;
  const Status whole = fault_of_call(
      model, s,
      {argument("q", q, model.nq(), n), optional_argument("v", v, model.nv(), n),
       optional_argument("a", a, model.nv(), n),
       optional_argument("f_ext", f, 6 * std::ptrdiff_t{model.body_count()}, n), argument("tau", tau, model.nv(), n)},
      stands_apart(tau, q, v, a, f));
  return run<T>(s, whole, {function}, {.q = q, .v = v, .a = a, .f = f, .result = tau.data, .apart = tau.stride});
}

template <class T>
Status mass_matrix_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<T> H) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t size = independent_count(model.data());
  const Status whole =
      fault_of_call(model, s, {argument("q", q, model.nq(), q.columns), argument("H", H, size, size * q.columns)},
                    stands_apart(H, q));
  return run_into<T>(H, size, s, whole, {Function::mass_matrix}, {.q = q});
}

template <class T>
Status energy_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v, Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t n = result.columns;
  const Status whole = fault_of_call(
      model, s, {argument("q", q, model.nq(), n), argument("v", v, model.nv(), n), argument("result", result, 2, n)},
      stands_apart(result, q, v));
  return run<T>(s, whole, {Function::energy}, {.q = q, .v = v, .result = result.data, .apart = result.stride});
}

template <class T>
Status compliance_of(const Model& model, Workspace& workspace, Columns<const T> q, const LinkPoints& points,
                     Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const auto size = 6 * static_cast<std::ptrdiff_t>(points.size());
  Status whole = fault_of_call(
      model, s, {argument("q", q, model.nq(), q.columns), argument("result", result, size, size * q.columns)},
      stands_apart(result, q));
  if (whole.ok()) whole = fault_of_points(model.data(), points);
  for (int c = 0; whole.ok() && c < static_cast<int>(q.columns); ++c)
    for (int body = 0; body < model.body_count(); ++body)
      for (int k = model.data().q_index[at(body)]; k < model.data().q_index[at(body + 1)]; ++k)
        if (const T x = at_column(q, c)[k]; whole.ok() && !std::isfinite(x))
          whole = {StatusCode::not_finite, c, body, static_cast<double>(x), "q"};
  return run_into<T>(result, size, s, whole, {.function = Function::compliance, .points = points}, {.q = q});
}

}  // namespace

Workspace::Workspace(const Model& model, const WorkspaceOptions& options, const Runner& runner)
    : space_(std::make_unique<Space>(model, batch_options(options, runner), options, runner)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::span<const Status> Workspace::statuses() const { return space_->statuses.span(); }

namespace boundary {

#define KINETREE_FUNCTIONS(T)                                                                                          \
  Status inverse_dynamics(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,            \
                          Columns<const T> a, Columns<const T> f_ext, Columns<T> tau) {                                \
    return inverse_dynamics_of(model, workspace, Function::inverse_dynamics, q, v, a, f_ext, tau);                     \
  }                                                                                                                    \
  Status coriolis_forces(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,             \
                         Columns<T> tau) {                                                                             \
    return inverse_dynamics_of(model, workspace, Function::coriolis_forces, q, v, {}, {}, tau);                        \
  }                                                                                                                    \
  Status mass_matrix(const Model& model, Workspace& workspace, Columns<const T> q, Columns<T> H) {                     \
    return mass_matrix_of(model, workspace, q, H);                                                                     \
  }                                                                                                                    \
  Status energy(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v, Columns<T> result) { \
    return energy_of(model, workspace, q, v, result);                                                                  \
  }                                                                                                                    \
  Status operational_space_compliance(const Model& model, Workspace& workspace, Columns<const T> q,                    \
                                      const LinkPoints& points, Columns<T> result) {                                   \
    return compliance_of(model, workspace, q, points, result);                                                         \
  }
KINETREE_FUNCTIONS(double)
KINETREE_FUNCTIONS(float)
#undef KINETREE_FUNCTIONS

}  // namespace boundary

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

int frame_index(const Model& model, std::string_view link) { return frame_named(model.data(), link); }

}  // namespace kinetree
