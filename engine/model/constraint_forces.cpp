#include "engine/model/constraint_forces.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/model/coordinates.hpp"
#include "engine/model/loop_jacobian.hpp"
#include "engine/model/nearest_closure.hpp"
#include "engine/scalar/index.hpp"
#include "engine/spatial/rigid_inertia.hpp"

namespace kinetree::inline inner {
namespace {

double size(const Vector3<double>& r) { return std::sqrt(dot(r, r)); }

}  // namespace

double length_of(const ModelData& m) {
  double longest = 0;
  for (const Link<double>& link : m.link) longest = std::max(longest, size(link.X_tree.r));
  for (const Loop& loop : m.loops)
    for (const Transform<double>& end : {loop.X_first, loop.X_second}) longest = std::max(longest, size(end.r));
  return longest > 0 ? longest : 1;
}

ConstraintForces::Memory::Memory(const ModelData& m, const Aggregate& a)
    : rows(m, a),
      T(at(a.rows)),
      A(a.velocities, a.rows),
      C(36 * a.loops.size() + a.couplings.size()),
      independent(independent_columns(m, a, IndependentCoordinates::models)),
      b(a.velocities),
      solver(a.velocities, a.rows, a.rounding.nearest ? NearestClosure::most_rounding : 1e-9) {}

ConstraintForces::ConstraintForces(const ModelData& model)
    : m_(model),
      length_(length_of(model)),
      motion_(model),
      memory_(model.aggregates.size()),
      own_(model.parent.size()),
      tied_(model.parent.size()),
      joint_(model.parent.size()),
      loop_(model.loops.size()),
      coupling_(model.couplings.size()),
      asked_(at(model.v_index.back())) {}

Status ConstraintForces::find(const double* q, const double* v, const double* a, const double* tau, const double* f_ext,
                              const std::vector<std::vector<int>>& motors) {
  motion_.set(q, v, a);
  a_ = a;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const RigidInertia<double>& I = m_.link[i].I;
    const auto body = static_cast<int>(i);
    own_[i] = I * motion_.acceleration(body) + gyroscopic_force(I, motion_.velocity(body));
    tied_[i] = {};
    if (f_ext == nullptr) continue;
    const double* f = f_ext + 6 * i;
    const Matrix3<double> R = motion_.X_world(body).E;
    const Vector3<double> moment = R * Vector3<double>{f[0], f[1], f[2]}, force = R * Vector3<double>{f[3], f[4], f[5]};
    own_[i] -= {moment + cross(Vector3<double>{0, 0, m_.link[i].origin}, force), force};
  }
  gather(false);
  std::fill(coupling_.begin(), coupling_.end(), 0);
  Status first;
  for (std::size_t k = 0; k < m_.aggregates.size(); ++k) {
    if (!memory_[k]) memory_[k] = std::make_unique<Memory>(m_, m_.aggregates[k]);
    const Status status = solve(m_.aggregates[k], *memory_[k], tau, motors[k]);
    if (first.ok()) first = status;
  }
  gather(true);
  return first;
}

/// The inward recursion; without loops it finds what the spanning tree asks of its joints.
void ConstraintForces::gather(bool with_loops) {
  for (std::size_t i = 0; i < own_.size(); ++i) {
    joint_[i] = own_[i];
    if (with_loops) joint_[i] -= tied_[i];
  }
  for (std::size_t i = own_.size(); i-- > 0;) {
    const auto body = static_cast<int>(i);
    if (m_.parent[i] >= 0) joint_[at(m_.parent[i])] += transpose_times(motion_.X_up(body), joint_[i]);
    if (with_loops) continue;
    const int v = m_.v_index[i];
    motion_.with_joint(body, [&](auto subspace) { subspace.transpose_times(joint_[i], &asked_[at(v)]); });
    for (int k = v; k < m_.v_index[i + 1]; ++k)
      if (a_ != nullptr) asked_[at(k)] += m_.armature[at(k)] * a_[k];
  }
}

/// T of loops' rows, and C: the size of lambda is that of Cᵀ lambda.
void ConstraintForces::metric(const Aggregate& a, Memory& memory) {
  const double over = 1 / (length_ * length_);
  int row = 0;
  double* C = memory.C.data();
  const double* held = memory.rows.constants.held.data();
  for (std::size_t l = 0; l < a.loops.size(); ++l, C += 36) {
    const Loop& loop = m_.loops[at(a.loops[l])];
    const LoopPose<double> pose = loop_pose(m_, loop, memory.rows.constants.ends[l], motion_.state());
    Force<double>* T = memory.T.data() + row;
    loop.rounded ? held_forces(loop, held, pose, T) : loop_forces(loop.type, pose, T);
    held += 6 * loop.held.size();
    const int n = row_count(loop);
    for (int r = 0; r < n; ++r)  // Cholesky's factor of Tᵀ diag(1 / L², 1) T
      for (int c = 0; c <= r; ++c) {
        double x = over * dot(T[r].moment, T[c].moment) + dot(T[r].force, T[c].force);
        for (int k = 0; k < c; ++k) x -= C[6 * r + k] * C[6 * c + k];
        C[6 * r + c] = r == c ? std::sqrt(std::max(x, 0.0)) : x / C[6 * c + c];
      }
    row += n;
  }
  for (std::size_t k = 0; k < a.couplings.size(); ++k, ++row) {
    double squares = 0;
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int n = 0; n < velocity_count(m_.joint_type[at(a.bodies[b])]); ++n) {
        const double entry = memory.rows.K[at(row * a.velocities + a.column[b] + n)];
        squares += entry * entry * (slides(m_.joint_type[at(a.bodies[b])], n) ? 1 : over);
      }
    *C++ = squares > 0 ? std::sqrt(squares) : 1;
  }
}

Status ConstraintForces::solve(const Aggregate& a, Memory& memory, const double* tau, const std::vector<int>& motors) {
  const std::vector<int>& acting = motors.empty() ? memory.independent : motors;
  constraint_rows(m_, a, motion_.state(), memory.rows);
  metric(a, memory);
  // rows of A are velocities: without units, and zero where an unknown joint force acts
  for (std::size_t b = 0; b < a.bodies.size(); ++b)
    for (int k = 0; k < velocity_count(m_.joint_type[at(a.bodies[b])]); ++k) {
      const int column = a.column[b] + k, v = m_.v_index[at(a.bodies[b])] + k;
      const bool open = tau == nullptr && std::binary_search(acting.begin(), acting.end(), column);
      const double unit = open ? 0 : slides(m_.joint_type[at(a.bodies[b])], k) ? 1 : 1 / length_;
      memory.b[column] = unit * (asked_[at(v)] - (tau != nullptr ? tau[v] : 0));
      for (int r = 0; r < a.rows; ++r) memory.A(column, r) = unit * memory.rows.K[at(r * a.velocities + column)];
    }
  const auto in_blocks = [&](auto&& use) {  // use(first row, rows, C)
    int row = 0;
    const double* C = memory.C.data();
    for (const int l : a.loops) {
      const int n = row_count(m_.loops[at(l)]);
      use(row, n, C);
      row += n, C += 36;
    }
    for (std::size_t k = 0; k < a.couplings.size(); ++k) use(row++, 1, C++);
  };
  in_blocks([&](int row, int n, const double* C) {  // A := A C⁻ᵀ, column by column
    for (int c = 0; c < n; ++c) {
      for (int k = 0; k < c; ++k) memory.A.col(row + c) -= C[6 * c + k] * memory.A.col(row + k);
      memory.A.col(row + c) /= C[6 * c + c];
    }
  });
  memory.solver.factor(memory.A);
  const auto rank = static_cast<int>(memory.solver.rank());
  const bool regular = a.ranks.empty() ? rank == a.velocities - a.freedoms
                                       : std::ranges::any_of(a.ranks, [&](const auto& r) { return r.rank == rank; });
  Eigen::VectorXd& x = memory.solver.solve(memory.b);
  in_blocks([&](int row, int n, const double* C) {  // lambda := C⁻ᵀ x
    for (int r = n; r-- > 0;) {
      for (int k = r + 1; k < n; ++k) x[row + r] -= C[6 * k + r] * x[row + k];
      x[row + r] /= C[6 * r + r];
    }
  });
  int row = 0;
  for (std::size_t l = 0; l < a.loops.size(); ++l) {
    const Loop& loop = m_.loops[at(a.loops[l])];
    Force<double>& sum = loop_[at(a.loops[l])];
    sum = {};
    for (int r = 0; r < row_count(loop); ++r, ++row) sum += x[row] * memory.T[at(row)];
    if (loop.first >= 0) tied_[at(loop.first)] -= transpose_times(loop.X_first, sum);
    if (loop.second >= 0) tied_[at(loop.second)] += transpose_times(loop.X_second, at_second(a.loops[l]));
  }
  for (const int c : a.couplings) coupling_[at(c)] = x[row++];
  if (regular) return {};
  return {StatusCode::singular_loop, 0, a.bodies.front(), 0};
}

Force<double> ConstraintForces::at_second(int index) const {
  const Loop& loop = m_.loops[at(index)];
  const LoopPose<double> pose = loop_pose(m_, loop, LoopEnds<double>(loop), motion_.state());
  return inverse_transpose_times(pose.X, loop_[at(index)]);
}

}  // namespace kinetree::inline inner
