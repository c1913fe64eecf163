#include <kinetree/forces.hpp>

#include "engine/spatial/motion_force.hpp"
#include "library/function_call.hpp"

namespace kinetree {
namespace {

template <class T>
Vector3<T> vector(const T* x) {
  return {x[0], x[1], x[2]};
}

/// `arm`: 12 numbers as Function::lever_arms gives them.
template <class T>
Force<T> about_body(const T* arm, const T* force) {
  const auto turned = [arm](const T* x) {
    return x[0] * vector(arm) + x[1] * vector(arm + 3) + x[2] * vector(arm + 6);
  };
  const Vector3<T> f = turned(force + 3);
  return {turned(force) + cross(vector(arm + 9), f), f};
}

template <class T>
void add(const Force<T>& f, T* sum) {
  sum[0] += f.moment.x, sum[1] += f.moment.y, sum[2] += f.moment.z;
  sum[3] += f.force.x, sum[4] += f.force.y, sum[5] += f.force.z;
}

/// The first of a column's numbers that is not finite, `each` for every point. `argument`: of the call, that has them.
template <class T>
Status fault_of_numbers(const ModelData& m, const LinkPoints& points, const Columns<const T>& numbers, int each,
                        const char* argument, std::ptrdiff_t column) {
  const T* x = numbers.data + column * numbers.stride;
  if (all_finite(x, static_cast<std::size_t>(each) * points.size())) return {};
  for (std::size_t p = 0; p < points.size(); ++p, x += each)
    if (const Status status = fault_of_finite(x, each, m.frames[at(points[p].link)].body, argument); !status.ok())
      return status;
  return {};
}

template <class T>
Status add_forces_(const Model& model, Workspace& workspace, Columns<const T> q, const LinkPoints& points, Axes axes,
                   Columns<const T> forces, Columns<T> f_ext) {
  Workspace::Space& s = workspace.space();
  const ModelData& m = model.data();
  const std::ptrdiff_t n = q.columns, count = static_cast<std::ptrdiff_t>(points.size());
  Status status = &m == &s.model.data()
                      ? fault_of_sizes({argument("q", q, model.nq(), n), argument("forces", forces, 6 * count, n),
                                        argument("f_ext", f_ext, 6 * std::ptrdiff_t{model.body_count()}, n)})
                      : Status{StatusCode::other_model};
  if (status.ok() && !stands_apart(f_ext, q, forces)) status.code = StatusCode::shared_memory;
  if (status.ok()) status = fault_of_points(m, points);
  if (!status.ok()) return said(s, status);
  std::vector<T>& arms = functions<T>(s).results;
  arms.resize(std::max(arms.size(), static_cast<std::size_t>(12 * count * n)));
  static_cast<void>(boundary::evaluate(
      Function::lever_arms, model, workspace,
      boundary::Arguments<T>{
          .q = q, .points = points, .axes = axes, .results = {{arms.data(), 12 * count, n, 12 * count}}}));
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    T* out = f_ext.data + c * f_ext.stride;
    const Status fault = fault_of_numbers(m, points, forces, 6, "forces", c);
    bool failed = !s.statuses.span()[static_cast<std::size_t>(c)].ok();
    if (!failed && !fault.ok()) s.statuses.fail(static_cast<int>(c), fault), failed = true;
    if (failed) std::fill_n(out, f_ext.rows, std::numeric_limits<T>::quiet_NaN());
    for (std::ptrdiff_t p = 0; p < count; ++p) {
      const int body = m.frames[at(points[static_cast<std::size_t>(p)].link)].body;
      if (body < 0) continue;
      add(about_body(arms.data() + 12 * (c * count + p), forces.data + c * forces.stride + 6 * p), out + 6 * body);
    }
  }
  return s.statuses.first_failed();
}

/// From the origin of the body's own link to the point, in the axes of the point's link.
Vector3<double> arm_in_link(const ModelData& m, const LinkPoint& point) {
  const Frame& link = m.frames[at(point.link)];
  const Frame& own = m.frames[at(m.body_frame[at(link.body)])];
  return link.X_frame_body.E * (link.X_frame_body.r - own.X_frame_body.r) + vector(point.offset.data());
}

template <class T>
Status add_forces_at(const Model& model, const LinkPoints& points, Columns<const T> poses, Columns<const T> forces,
                     Columns<T> f_ext) {
  const ModelData& m = model.data();
  const std::ptrdiff_t n = f_ext.columns, count = static_cast<std::ptrdiff_t>(points.size());
  Status status = fault_of_sizes({argument("poses", poses, 12 * count, n), argument("forces", forces, 6 * count, n),
                                  argument("f_ext", f_ext, 6 * std::ptrdiff_t{model.body_count()}, n)});
  if (status.ok() && !stands_apart(f_ext, poses, forces)) status.code = StatusCode::shared_memory;
  if (status.ok()) status = fault_of_points(m, points);
  if (!status.ok()) return status;
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    Status fault = fault_of_numbers(m, points, poses, 12, "poses", c);
    if (fault.ok()) fault = fault_of_numbers(m, points, forces, 6, "forces", c);
    if (fault.ok()) continue;
    std::fill_n(f_ext.data + c * f_ext.stride, f_ext.rows, std::numeric_limits<T>::quiet_NaN());
    if (status.ok()) status = fault, status.column = static_cast<int>(c);
  }
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    const LinkPoint point = points[static_cast<std::size_t>(p)];
    const int body = m.frames[at(point.link)].body;
    if (body < 0) continue;
    const Vector3<double> arm = arm_in_link(m, point);
    for (std::ptrdiff_t c = 0; c < n; ++c) {
      const T *pose = poses.data + c * poses.stride + 12 * p, *force = forces.data + c * forces.stride + 6 * p;
      const Vector3<T> f = vector(force + 3), there = static_cast<T>(arm.x) * vector(pose) +
                                                      static_cast<T>(arm.y) * vector(pose + 3) +
                                                      static_cast<T>(arm.z) * vector(pose + 6);
      add({vector(force) + cross(there, f), f}, f_ext.data + c * f_ext.stride + 6 * body);
    }
  }
  return status;
}

}  // namespace

namespace boundary {

#define KINETREE_FORCES(T)                                                                                             \
  Status add_forces(const Model& model, Workspace& workspace, Columns<const T> q, const LinkPoints& points, Axes axes, \
                    Columns<const T> forces, Columns<T> f_ext) {                                                       \
    return add_forces_(model, workspace, q, points, axes, forces, f_ext);                                              \
  }                                                                                                                    \
  Status add_forces(const Model& model, const LinkPoints& points, Columns<const T> poses, Columns<const T> forces,     \
                    Columns<T> f_ext) {                                                                                \
    return add_forces_at(model, points, poses, forces, f_ext);                                                         \
  }
KINETREE_FORCES(double)
KINETREE_FORCES(float)
#undef KINETREE_FORCES

}  // namespace boundary

}  // namespace kinetree
