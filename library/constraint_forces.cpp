// Forces of loops, couplings and joints, column by column, in the axes asked for.
#include <kinetree/constraint_forces.hpp>
#include <limits>
#include <utility>

#include "library/loop_tools.hpp"

namespace kinetree {
namespace {

template <class T>
void write(const Force<double>& f, T* out) {
  const double six[]{f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
  for (int k = 0; k < 6; ++k) out[k] = static_cast<T>(six[k]);
}

/// A wrench on a body (-1: the ground), about the origin of a frame on it, in this frame's axes. `X`: from the body's
/// frame to that one.
Force<double> in_axes(const ModelData& m, const LinkMotion& motion, Axes axes, int body, const Transform<double>& X,
                      const Force<double>& f) {
  if (axes == Axes::world) return transpose_times(motion.X_world(body), transpose_times(X, f));
  const Force<double> turned{transpose_times(X.E, f.moment), transpose_times(X.E, f.force)};
  if (axes == Axes::world_aligned) {
    const Matrix3<double> E = motion.X_world(body).E;
    return {transpose_times(E, turned.moment), transpose_times(E, turned.force)};
  }
  if (body < 0) return turned;
  const Matrix3<double>& E = m.frames[at(m.body_frame[at(body)])].X_frame_body.E;
  return {E * turned.moment, E * turned.force};
}

template <class T>
void write_forces(const ModelData& m, const ConstraintForces& found, Axes axes, T* loops, T* couplings, T* joints) {
  if (loops != nullptr)
    for (std::size_t l = 0; l < m.loops.size(); ++l) {
      const Loop& loop = m.loops[l];
      const int index = static_cast<int>(l);
      write(in_axes(m, found.motion(), axes, loop.first, loop.X_first, -found.of_loop(index)), loops + 12 * l);
      write(in_axes(m, found.motion(), axes, loop.second, loop.X_second, found.at_second(index)), loops + 12 * l + 6);
    }
  if (couplings != nullptr)
    for (std::size_t c = 0; c < m.couplings.size(); ++c)
      couplings[c] = static_cast<T>(found.of_coupling(static_cast<int>(c)));
  if (joints != nullptr)
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const int body = static_cast<int>(i);
      const Transform<double>& X = m.frames[at(m.body_frame[i])].X_frame_body;
      write(in_axes(m, found.motion(), axes, body, X, inverse_transpose_times(X, found.of_joint(body))),
            joints + 6 * i);
    }
}

template <class T>
Status constraint_forces_(const Model& model, Workspace& workspace, const boundary::ForcesAsked<T>& x) {
  Workspace::Space& s = workspace.space();
  const Parameters parameters = std::exchange(s.parameters, {});
  const ModelData& m = model.data();
  const std::ptrdiff_t n = x.q.columns, loops = 12 * static_cast<std::ptrdiff_t>(m.loops.size()),
                       couplings = static_cast<std::ptrdiff_t>(m.couplings.size()),
                       bodies = static_cast<std::ptrdiff_t>(m.parent.size());
  const auto wanted = [](const char* name, const Columns<T>& c, std::ptrdiff_t rows, std::ptrdiff_t columns) {
    return optional_argument(name, c, rows, columns);
  };
  // an empty vector is one column without rows
  const auto given = [](const Columns<const T>& c) { return c.rows == 0 ? Columns<const T>{} : c; };
  const Columns<const T> tau = given(x.tau), f_ext = given(x.f_ext);
  Status whole =
      &m == &s.model.data()
          ? fault_of_sizes({argument("q", x.q, model.nq(), n), argument("v", x.v, model.nv(), n),
                            argument("a", x.a, model.nv(), n), optional_argument("tau", tau, model.nv(), n),
                            optional_argument("f_ext", f_ext, 6 * bodies, n), wanted("result", x.loops, loops, n),
                            wanted("result", x.couplings, couplings, n), wanted("result", x.joints, 6 * bodies, n)})
          : Status{StatusCode::other_model};
  if (whole.ok()) whole = parameters.fault<T>(s.own(), n);
  for (const Columns<T>& result : {x.loops, x.couplings, x.joints})
    if (whole.ok() && (!stands_apart(result, x.q, x.v, x.a, tau, f_ext) ||
                       (parameters.given && !stands_apart(result, parameters.in<T>()))))
      whole.code = StatusCode::shared_memory;
  LoopTools& tools = loop_tools(s);
  if (whole.ok()) whole = fault_of_choice(tools, x.motors, "motors");
  if (!whole.ok() || n == 0) return said(s, whole);
  ConstraintForces& forces = tools.forces();
  s.statuses.begin(n);
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    const auto of = [&](const Columns<T>& result) {
      return result.data == nullptr ? nullptr : result.data + c * result.stride;
    };
    const double *q = in_double(x.q, c, tools.q), *v = in_double(x.v, c, tools.v), *a = in_double(x.a, c, tools.a),
                 *t = in_double(tau, c, tools.tau), *f = in_double(f_ext, c, tools.f_ext);
    Status status = fault_of_state(m, q, v, a, t, f);
    if (status.ok()) status = s.quaternions.fault(q);
    if (status.ok()) status = tools.take(at_column(parameters.in<T>(), static_cast<int>(c)));
    if (status.ok()) status = forces.find(q, v, a, t, f, tools.held);
    if (status.ok()) {
      write_forces(m, forces, x.axes, of(x.loops), of(x.couplings), of(x.joints));
      continue;
    }
    s.statuses.fail(static_cast<int>(c), status);
    for (const Columns<T>& result : {x.loops, x.couplings, x.joints})
      if (result.data != nullptr) std::fill_n(of(result), result.rows, std::numeric_limits<T>::quiet_NaN());
  }
  return s.statuses.first_failed();
}

}  // namespace

namespace boundary {

Status constraint_forces(const Model& model, Workspace& workspace, const ForcesAsked<double>& asked) {
  return constraint_forces_(model, workspace, asked);
}
Status constraint_forces(const Model& model, Workspace& workspace, const ForcesAsked<float>& asked) {
  return constraint_forces_(model, workspace, asked);
}

}  // namespace boundary

}  // namespace kinetree
