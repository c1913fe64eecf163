#pragma once
// A state brought back to the configuration manifold: unit quaternions, loops and couplings closed.

#include <kinetree/status.hpp>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

inline void normalize_positions(const ModelData& m, double* q) {
  for (std::size_t i = 0; i < m.parent.size(); ++i) normalize(m.joint_type[i], q + m.q_index[i]);
}

/// Whether a simulation may stand at a state, by what the dynamics say of it: an acceleration that is not determined
/// may be so later.
inline bool may_stand(const Status& solved) {
  return solved.ok() || solved.code == StatusCode::singular || solved.code == StatusCode::singular_loop;
}

/// Status: not_closed.
inline Status settle(const ModelData& m, Closure& closure, double* q, double* v) {
  normalize_positions(m, q);
  for (const Aggregate& a : m.aggregates) {
    const double error = closure.project(a, q);
    if (!closure.closed(a, error)) return {StatusCode::not_closed, 0, a.bodies.front(), error};
    closure.project_velocity(a, q, v);
  }
  return {};
}

/// What a caller's state is to be like before it is settled.
enum class Start {
  closed,     ///< as `kinetree solve` takes states: positions and velocities open by no more than rounding leaves
  positions,  ///< velocities may be open, as an impact at one joint leaves them
  open,       ///< Newton's method is to close it
};

/// Status: not_closed, of `q` or `v` where what is given is more open than it may be.
inline Status settle_start(const ModelData& m, Closure& closure, Start start, double* q, double* v) {
  normalize_positions(m, q);
  if (start != Start::open)
    if (const Status status = closure.fault(q, start == Start::closed ? v : nullptr); !status.ok()) return status;
  return settle(m, closure, q, v);
}

}  // namespace kinetree::inline inner
