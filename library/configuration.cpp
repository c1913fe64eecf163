#include <algorithm>
#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/model.hpp>
#include <limits>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random_state.hpp"
#include "library/argument.hpp"
#include "library/quaternion_check.hpp"

namespace kinetree {
namespace {

/// One joint of a model: its numbers among those of a column. They are read in double whatever the caller's type is, so
/// that float is rounded once, at the end.
struct Joint {
  int body;
  JointType type;
  int q, v;  ///< the first of its positions, of its velocities

  template <class T>
  void read_positions(const Columns<T>& c, std::ptrdiff_t column, double* out) const {
    std::copy_n(c.data + column * c.stride + q, position_count(type), out);
  }
  template <class T>
  void read_velocities(const Columns<T>& c, std::ptrdiff_t column, double* out) const {
    std::copy_n(c.data + column * c.stride + v, velocity_count(type), out);
  }
  template <class T>
  static void write(const double* numbers, int count, T* out) {
    for (int k = 0; k < count; ++k) out[k] = static_cast<T>(numbers[k]);
  }
  /// `argument`: the name of c.
  template <class T>
  Status fault_of_positions(const Columns<T>& c, std::ptrdiff_t column, const char* argument) const {
    const T* x = c.data + column * c.stride + q;
    const Status status = fault_of_finite(x, position_count(type), body, argument);
    const int k = quaternion_at(type);
    return status.ok() && k >= 0 ? fault_of_quaternion(x + k, body, argument) : status;
  }
  template <class T>
  Status fault_of_velocities(const Columns<T>& c, std::ptrdiff_t column, const char* argument) const {
    return fault_of_finite(c.data + column * c.stride + v, velocity_count(type), body, argument);
  }
};

Joint joint_of(const ModelData& m, int body) {
  return {body, m.joint_type[at(body)], m.q_index[at(body)], m.v_index[at(body)]};
}

/// Calls write(joint, column) for every joint of every column in which fault(joint, column) finds none; other columns
/// are left to spoil(column). Returns the status of the first of these.
template <class Fault, class Write, class Spoil>
Status each_joint(const ModelData& m, std::ptrdiff_t columns, Fault&& fault, Write&& write, Spoil&& spoil) {
  const int joints = static_cast<int>(m.parent.size());
  Status first;
  for (std::ptrdiff_t c = 0; c < columns; ++c) {
    Status status;
    for (int i = 0; status.ok() && i < joints; ++i) status = fault(joint_of(m, i), c);
    if (status.ok())
      for (int i = 0; i < joints; ++i) write(joint_of(m, i), c);
    else
      spoil(c);
    if (first.ok() && !status.ok()) first = status, first.column = static_cast<int>(c);
  }
  return first;
}

template <class T>
auto with_nan(Columns<T> result) {
  return [result](std::ptrdiff_t c) {
    std::fill_n(result.data + c * result.stride, result.rows, std::numeric_limits<T>::quiet_NaN());
  };
}

/// Whether a result stands in an input's place, or apart from it.
template <class T>
bool in_place_or_apart(const Columns<T>& result, const Columns<const T>& input) {
  const bool in_place =
      input.data == result.data && input.rows == result.rows && (input.columns == 1 || input.stride == result.stride);
  return in_place || !share_memory(result, input);
}

/// What is wrong with a call as a whole. Results may stand in an input's place: joints are read before they are
/// written.
template <class T, class... Inputs>
Status fault_of_call(std::initializer_list<Argument> arguments, const Columns<T>& result, const Inputs&... inputs) {
  if (const Status status = fault_of_sizes(arguments); !status.ok()) return status;
  const bool apart = !columns_overlap(result) && (in_place_or_apart(result, inputs) && ...);
  return {apart ? StatusCode::ok : StatusCode::shared_memory};
}

template <class T>
Status integrate_(const Model& model, Columns<const T> q, Columns<const T> x, Columns<T> result) {
  const Status whole = fault_of_call({argument("q", q, model.nq(), q.columns), argument("x", x, model.nv(), q.columns),
                                      argument("result", result, model.nq(), q.columns)},
                                     result, q, x);
  if (!whole.ok()) return whole;
  const auto fault = [&](const Joint& joint, std::ptrdiff_t c) {
    const Status status = joint.fault_of_positions(q, c, "q");
    return status.ok() ? joint.fault_of_velocities(x, c, "x") : status;
  };
  const auto write = [&](const Joint& joint, std::ptrdiff_t c) {
    double position[7], way[6];
    joint.read_positions(q, c, position), joint.read_velocities(x, c, way);
    advance(joint.type, position, way);
    Joint::write(position, position_count(joint.type), result.data + c * result.stride + joint.q);
  };
  return each_joint(model.data(), q.columns, fault, write, with_nan(result));
}

/// use(joint, from, to, out): out has room for positions.
template <class T, class Use>
Status between(const Model& model, Columns<const T> from, Columns<const T> to, Columns<T> result, Use&& use) {
  const auto fault = [&](const Joint& joint, std::ptrdiff_t c) {
    const Status status = joint.fault_of_positions(from, c, "from");
    return status.ok() ? joint.fault_of_positions(to, c, "to") : status;
  };
  const auto write = [&](const Joint& joint, std::ptrdiff_t c) {
    double first[7], second[7];
    joint.read_positions(from, c, first), joint.read_positions(to, c, second);
    use(joint, first, second, result.data + c * result.stride);
  };
  return each_joint(model.data(), from.columns, fault, write, with_nan(result));
}

template <class T>
Status difference_(const Model& model, Columns<const T> from, Columns<const T> to, Columns<T> result) {
  const std::ptrdiff_t n = from.columns;
  const Status whole = fault_of_call({argument("from", from, model.nq(), n), argument("to", to, model.nq(), n),
                                      argument("result", result, model.nv(), n)},
                                     result, from, to);
  if (!whole.ok()) return whole;
  return between(model, from, to, result, [](const Joint& joint, const double* first, const double* second, T* out) {
    double way[6];
    difference(joint.type, first, second, way);
    Joint::write(way, velocity_count(joint.type), out + joint.v);
  });
}

template <class T>
Status interpolate_(const Model& model, Columns<const T> from, Columns<const T> to, double part, Columns<T> result) {
  const std::ptrdiff_t n = from.columns;
  const Status whole = fault_of_call({argument("from", from, model.nq(), n), argument("to", to, model.nq(), n),
                                      argument("result", result, model.nq(), n)},
                                     result, from, to);
  if (!whole.ok()) return whole;
  if (!std::isfinite(part)) {
    for (std::ptrdiff_t c = 0; c < n; ++c) with_nan(result)(c);
    return {StatusCode::not_finite, 0, -1, part, "part"};
  }
  return between(model, from, to, result, [part](const Joint& joint, double* first, const double* second, T* out) {
    double way[6];
    difference(joint.type, first, second, way);
    for (double& x : way) x *= part;
    advance(joint.type, first, way);
    Joint::write(first, position_count(joint.type), out + joint.q);
  });
}

template <class T>
Status normalize_(const Model& model, Columns<T> q) {
  const Status whole = fault_of_call({argument("q", q, model.nq(), q.columns)}, q);
  if (!whole.ok()) return whole;
  const auto fault = [&](const Joint& joint, std::ptrdiff_t c) {
    const T* x = q.data + c * q.stride + joint.q;
    const int k = quaternion_at(joint.type);
    const Status status = fault_of_finite(x, position_count(joint.type), joint.body, "q");
    const bool zero = k >= 0 && std::all_of(x + k, x + k + 4, [](T number) { return number == T(0); });
    return status.ok() && zero ? Status{StatusCode::not_normalized, 0, joint.body, 0, "q"} : status;
  };
  const auto write = [&](const Joint& joint, std::ptrdiff_t c) {
    double position[7];
    joint.read_positions(q, c, position);
    normalize(joint.type, position);
    Joint::write(position, position_count(joint.type), q.data + c * q.stride + joint.q);
  };
  return each_joint(model.data(), q.columns, fault, write, [](std::ptrdiff_t) {});
}

template <class T>
Status random_state_(const Model& model, std::uint64_t seed, Columns<T> q, Columns<T> v) {
  const Status whole =
      fault_of_call({argument("q", q, model.nq(), q.columns), argument("v", v, model.nv(), q.columns)}, q);
  if (!whole.ok()) return whole;
  if (!stands_apart(v, q)) return {StatusCode::shared_memory};
  RandomStates states(model.data(), seed);
  std::vector<double> positions(at(model.nq())), velocities(at(model.nv()));
  for (std::ptrdiff_t c = 0; c < q.columns; ++c) {
    states.draw(positions.data(), velocities.data(), nullptr);
    Joint::write(positions.data(), model.nq(), q.data + c * q.stride);
    Joint::write(velocities.data(), model.nv(), v.data + c * v.stride);
  }
  return {};
}

}  // namespace

namespace boundary {

std::vector<double> neutral(const Model& model) {
  const ModelData& m = model.data();
  std::vector<double> q = m.assembled;
  if (m.aggregates.empty()) return q;
  Closure closure(m);
  for (const Aggregate& a : m.aggregates) {
    closure.project(a, q.data(), 1e-15, independent_columns(m, a, IndependentCoordinates::users));
    closure.project(a, q.data());
  }
  return q;
}

#define KINETREE_CONFIGURATION(T)                                                                                      \
  Status integrate(const Model& model, Columns<const T> q, Columns<const T> x, Columns<T> result) {                    \
    return integrate_(model, q, x, result);                                                                            \
  }                                                                                                                    \
  Status difference(const Model& model, Columns<const T> from, Columns<const T> to, Columns<T> result) {               \
    return difference_(model, from, to, result);                                                                       \
  }                                                                                                                    \
  Status interpolate(const Model& model, Columns<const T> from, Columns<const T> to, double part, Columns<T> result) { \
    return interpolate_(model, from, to, part, result);                                                                \
  }                                                                                                                    \
  Status normalize(const Model& model, Columns<T> q) { return normalize_(model, q); }                                  \
  Status random_state(const Model& model, std::uint64_t seed, Columns<T> q, Columns<T> v) {                            \
    return random_state_(model, seed, q, v);                                                                           \
  }
KINETREE_CONFIGURATION(double)
KINETREE_CONFIGURATION(float)
#undef KINETREE_CONFIGURATION

}  // namespace boundary

}  // namespace kinetree
