#include <kinetree/kinematics.hpp>

#include "engine/model/coordinates.hpp"
#include "library/function_call.hpp"

namespace kinetree {
namespace {

/// As fault_of_call, and of the points.
Status fault_of(const Model& model, const Workspace::Space& s, const LinkPoints& points,
                std::initializer_list<Argument> arguments, bool apart) {
  const Status status = fault_of_call(model, s, arguments, apart);
  return status.ok() ? fault_of_points(model.data(), points) : status;
}

std::ptrdiff_t rows_of(const LinkPoints& points, int rows) { return rows * static_cast<std::ptrdiff_t>(points.size()); }

template <class T>
Status poses_of(const Model& model, Workspace& workspace, Columns<const T> q, const LinkPoints& points,
                Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const Status whole =
      fault_of(model, s, points,
               {argument("q", q, model.nq(), q.columns), argument("result", result, rows_of(points, 12), q.columns)},
               stands_apart(result, q));
  return run<T>(s, whole, {.function = Function::poses, .points = points},
                {.q = q, .result = result.data, .apart = result.stride});
}

/// Some rows of every point, out of all of its results.
template <class T>
void take_rows(const std::vector<T>& results, std::size_t points, std::ptrdiff_t all, std::ptrdiff_t first,
               std::ptrdiff_t count, Columns<T> out) {
  for (std::ptrdiff_t c = 0; c < out.columns; ++c)
    for (std::ptrdiff_t p = 0; p < static_cast<std::ptrdiff_t>(points); ++p)
      std::copy_n(results.data() + (c * static_cast<std::ptrdiff_t>(points) + p) * all + first, count,
                  out.data + c * out.stride + p * count);
}

template <class T>
Status point_kinematics_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,
                           Columns<const T> a, const LinkPoints& points, Axes axes, Columns<T> poses,
                           Columns<T> velocities, Columns<T> accelerations) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t n = q.columns;
  const auto apart = [&](const Columns<T>& out, const Columns<T>& other, const Columns<T>& third) {
    return stands_apart(out, q, v, a, other, third);
  };
  const Status status = fault_of(
      model, s, points,
      {argument("q", q, model.nq(), n), argument("v", v, model.nv(), n), optional_argument("a", a, model.nv(), n),
       argument("poses", poses, rows_of(points, 12), n), argument("velocities", velocities, rows_of(points, 6), n),
       optional_argument("accelerations", accelerations, rows_of(points, 6), n)},
      apart(poses, velocities, accelerations) && apart(velocities, poses, accelerations) &&
          apart(accelerations, poses, velocities));
  if (!status.ok()) return said(s, status);
  const bool wanted = accelerations.data != nullptr;
  const int all = wanted ? 24 : 18;
  std::vector<T>& results = functions<T>(s).results;
  results.resize(std::max(results.size(), static_cast<std::size_t>(rows_of(points, all) * n)));
  const Function function = wanted ? Function::point_kinematics : Function::point_velocities;
  const Status solved = run<T>(s, {}, {.function = function, .points = points, .axes = axes},
                               {.q = q, .v = v, .a = a, .result = results.data(), .apart = rows_of(points, all)});
  take_rows(results, points.size(), all, 0, 12, poses);
  take_rows(results, points.size(), all, 12, 6, velocities);
  if (wanted) take_rows(results, points.size(), all, 18, 6, accelerations);
  return solved;
}

template <class T>
Status jacobians_of(const Model& model, Workspace& workspace, Columns<const T> q, const LinkPoints& points, Axes axes,
                    Coordinates coordinates, Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const std::ptrdiff_t size = coordinates == Coordinates::independent ? independent_count(model.data()) : model.nv();
  const Status whole = fault_of(
      model, s, points,
      {argument("q", q, model.nq(), q.columns), argument("result", result, rows_of(points, 6), size * q.columns)},
      stands_apart(result, q));
  return run_into<T>(result, size, s, whole, {Function::jacobians, coordinates, points, axes}, {.q = q});
}

template <class T>
Status jacobian_rates_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,
                         const LinkPoints& points, Axes axes, Coordinates coordinates, Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const Status whole = fault_of(model, s, points,
                                {argument("q", q, model.nq(), q.columns), argument("v", v, model.nv(), q.columns),
                                 argument("result", result, rows_of(points, 6), q.columns)},
                                stands_apart(result, q, v));
  return run<T>(s, whole, {Function::jacobian_rates, coordinates, points, axes},
                {.q = q, .v = v, .result = result.data, .apart = result.stride});
}

template <class T>
Status momentum_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,
                   Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const Status whole = fault_of_call(model, s,
                                     {argument("q", q, model.nq(), q.columns), argument("v", v, model.nv(), q.columns),
                                      argument("result", result, 12, q.columns)},
                                     stands_apart(result, q, v));
  return run<T>(s, whole, {Function::momentum}, {.q = q, .v = v, .result = result.data, .apart = result.stride});
}

template <class T>
Status momentum_matrix_of(const Model& model, Workspace& workspace, Columns<const T> q, Columns<T> result) {
  Workspace::Space& s = workspace.space();
  const Status whole = fault_of_call(
      model, s, {argument("q", q, model.nq(), q.columns), argument("result", result, 6, model.nv() * q.columns)},
      stands_apart(result, q));
  return run_into<T>(result, model.nv(), s, whole, {Function::momentum_matrix}, {.q = q});
}

}  // namespace

namespace boundary {

#define KINETREE_KINEMATICS(T)                                                                                        \
  Status poses(const Model& model, Workspace& workspace, Columns<const T> q, const LinkPoints& points,                \
               Columns<T> result) {                                                                                   \
    return poses_of(model, workspace, q, points, result);                                                             \
  }                                                                                                                   \
  Status point_kinematics(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,           \
                          Columns<const T> a, const LinkPoints& points, Axes axes, Columns<T> poses,                  \
                          Columns<T> velocities, Columns<T> accelerations) {                                          \
    return point_kinematics_of(model, workspace, q, v, a, points, axes, poses, velocities, accelerations);            \
  }                                                                                                                   \
  Status jacobians(const Model& model, Workspace& workspace, Columns<const T> q, const LinkPoints& points, Axes axes, \
                   Coordinates coordinates, Columns<T> result) {                                                      \
    return jacobians_of(model, workspace, q, points, axes, coordinates, result);                                      \
  }                                                                                                                   \
  Status jacobian_rates(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,             \
                        const LinkPoints& points, Axes axes, Coordinates coordinates, Columns<T> result) {            \
    return jacobian_rates_of(model, workspace, q, v, points, axes, coordinates, result);                              \
  }                                                                                                                   \
  Status momentum(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,                   \
                  Columns<T> result) {                                                                                \
    return momentum_of(model, workspace, q, v, result);                                                               \
  }                                                                                                                   \
  Status momentum_matrix(const Model& model, Workspace& workspace, Columns<const T> q, Columns<T> result) {           \
    return momentum_matrix_of(model, workspace, q, result);                                                           \
  }
KINETREE_KINEMATICS(double)
KINETREE_KINEMATICS(float)
#undef KINETREE_KINEMATICS

}  // namespace boundary

}  // namespace kinetree
