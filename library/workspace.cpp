#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/workspace.hpp>
#include <limits>

#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "library/option_table.hpp"
#include "library/planner.hpp"
#include "library/shared_memory.hpp"
#include "library/workspace_space.hpp"
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

/// Columns of one call: where the inputs stand, and how far apart results are. Loops without rank in a state give it a
/// status and NaN.
template <class T>
struct FunctionCall {
  const ModelData* model;
  Statuses* statuses;
  T* result;
  std::ptrdiff_t apart;
  Columns<const T> q, v{}, a{}, f{};

  State<T> state(int column) const {
    return {.q = at_column(q, column),
            .v = at_column(v, column),
            .f_ext = at_column(f, column),
            .a = at_column(a, column),
            .result = result + column * apart};
  }
  bool passes(int column, const State<T>&, const LaneSolver<T>& solver, int lane) {
    double pivot;
    (*statuses)[column] = {StatusCode::ok, column};
    return solver.singular_aggregate(&pivot, lane) < 0;
  }
  void judge(int column, const State<T>& state, const LaneSolver<T>& solver) {
    double pivot = 0;
    const int loop = solver.singular_aggregate(&pivot, 0);
    (*statuses)[column] = {StatusCode::ok, column};
    if (loop < 0) return;
    (*statuses)[column] = {StatusCode::singular_loop, column, model->aggregates[at(loop)].bodies.front(), pivot};
    std::fill_n(state.result, solver.result_count(), std::numeric_limits<T>::quiet_NaN());
  }
};

/// Keeps the status of a call as a whole.
Status said(Workspace::Space& s, const Status& status) {
  s.statuses.resize(1);
  return s.statuses.fill(status);
}

template <class T>
Status run(Workspace::Space& s, std::optional<Batch<T>>& batch, Function function, std::ptrdiff_t columns,
           FunctionCall<T>& call) {
  if (columns == 0) return said(s, {});
  if (!batch) {
    Method method;
    method.function = function;
    batch.emplace(s.model, method, s.options);
  }
  s.statuses.resize(columns);
  call.model = &s.model.data(), call.statuses = &s.statuses;
  batch->solve(static_cast<int>(columns), call.f.data != nullptr, call, *s.executor);
  return s.statuses.first_failed();
}

template <class T>
Workspace::Space::Functions<T>& functions(Workspace::Space& s) {
  if constexpr (std::is_same_v<T, double>)
    return s.in_double;
  else
    return s.in_float;
}

template <class T>
Status inverse_dynamics_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,
                           Columns<const T> a, Columns<const T> f, Columns<T> tau) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t n = tau.columns;
  const bool pushed = f.data || f.columns;
  const Status status = fault_of_call(model, s,
                                      fits(q, model.nq(), n) && fits(v, model.nv(), n) && fits(a, model.nv(), n) &&
                                          tau.rows == model.nv() &&
                                          (!pushed || fits(f, 6 * static_cast<std::ptrdiff_t>(model.body_count()), n)),
                                      !columns_overlap(tau) && !share_memory(tau, q) && !share_memory(tau, v) &&
                                          !share_memory(tau, a) && !share_memory(tau, f));
  if (!status.ok()) return said(s, status);
  FunctionCall<T> call;
  call.q = q, call.v = v, call.a = a, call.f = f, call.result = tau.data, call.apart = tau.stride;
  return run(s, functions<T>(s).inverse_dynamics, Function::inverse_dynamics, n, call);
}

template <class T>
Status mass_matrix_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<T> H) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t size = independent_count(model.data());
  const Status status = fault_of_call(model, s, q.rows == model.nq() && fits(H, size, size * q.columns),
                                      !columns_overlap(H) && !share_memory(H, q));
  if (!status.ok()) return said(s, status);
  Workspace::Space::Functions<T>& f = functions<T>(s);
  FunctionCall<T> call;
  call.q = q, call.result = H.data, call.apart = size * size;
  const bool together = H.stride == size;  // whether columns follow on each other
  if (!together) {
    f.matrices.resize(static_cast<std::size_t>(size * H.columns));
    call.result = f.matrices.data();
  }
  const Status found = run(s, f.mass_matrix, Function::mass_matrix, q.columns, call);
  for (std::ptrdiff_t c = 0; !together && c < H.columns; ++c)
    std::copy_n(f.matrices.data() + c * size, size, H.data + c * H.stride);
  return found;
}

template <class T>
Status energy_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v, Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t n = result.columns;
  const Status status = fault_of_call(model, s, fits(q, model.nq(), n) && fits(v, model.nv(), n) && result.rows == 2,
                                      !columns_overlap(result) && !share_memory(result, q) && !share_memory(result, v));
  if (!status.ok()) return said(s, status);
  FunctionCall<T> call;
  call.q = q, call.v = v, call.result = result.data, call.apart = result.stride;
  return run(s, functions<T>(s).energy, Function::energy, n, call);
}

}  // namespace

Workspace::Workspace(const Model& model, const WorkspaceOptions& options, const Runner& runner)
    : space_(std::make_unique<Space>(model, batch_options(options, runner), options, runner)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::span<const Status> Workspace::statuses() const { return space_->statuses.span(); }

namespace boundary {

Status inverse_dynamics(const Model& model, Workspace& workspace, Columns<const double> q, Columns<const double> v,
                        Columns<const double> a, Columns<const double> f_ext, Columns<double> tau) {
  return inverse_dynamics_of(model, workspace, q, v, a, f_ext, tau);
}
Status inverse_dynamics(const Model& model, Workspace& workspace, Columns<const float> q, Columns<const float> v,
                        Columns<const float> a, Columns<const float> f_ext, Columns<float> tau) {
  return inverse_dynamics_of(model, workspace, q, v, a, f_ext, tau);
}

Status mass_matrix(const Model& model, Workspace& workspace, Columns<const double> q, Columns<double> H) {
  return mass_matrix_of(model, workspace, q, H);
}
Status mass_matrix(const Model& model, Workspace& workspace, Columns<const float> q, Columns<float> H) {
  return mass_matrix_of(model, workspace, q, H);
}

Status energy(const Model& model, Workspace& workspace, Columns<const double> q, Columns<const double> v,
              Columns<double> result) {
  return energy_of(model, workspace, q, v, result);
}
Status energy(const Model& model, Workspace& workspace, Columns<const float> q, Columns<const float> v,
              Columns<float> result) {
  return energy_of(model, workspace, q, v, result);
}

Status operational_space_compliance(const Model& model, Workspace& workspace, Columns<const double> q,
                                    std::span<const int> frames, Columns<double> result) {
  Workspace::Space& s = workspace.space();
  const auto rows = 6 * static_cast<std::ptrdiff_t>(frames.size());
  const Status status = fault_of_call(model, s, fits(q, model.nq(), 1) && fits(result, rows, rows),
                                      !columns_overlap(result) && !share_memory(result, q));
  if (!status.ok()) return said(s, status);
  for (const int frame : frames)
    if (frame < 0 || frame >= static_cast<int>(model.data().frames.size()))
      return said(s, {StatusCode::no_such_frame, 0, -1, static_cast<double>(frame)});
  for (int body = 0; body < model.body_count(); ++body)
    for (int k = model.data().q_index[at(body)]; k < model.data().q_index[at(body + 1)]; ++k)
      if (!std::isfinite(q.data[k])) return said(s, {StatusCode::not_finite, 0, body, q.data[k]});
  if (!s.compliance) s.compliance.emplace(model);
  return said(s, s.compliance->solve(q, frames, result));
}

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
