#include "library/frame_compliance.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/algorithm/operational_space.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"

namespace kinetree::inline inner {

FrameCompliance::FrameCompliance(const Model& model)
    : model_(model),
      modules_(make_modules(model_.data(), {})),
      x_(model_.data(), modules_),
      k_(model_.data()),
      still_(at(model_.nv())) {
  if (has_aggregates(model_.data()))
    embedded_.emplace(x_);
  else
    tree_.emplace(x_);
}

Status FrameCompliance::solve(Columns<const double> q, std::span<const int> frames, Columns<double> result) {
  x_.state = {.q = q.data, .v = still_.data()};
  const Status status = embedded_ ? of_loops(frames, result) : of_tree(frames, result);
  for (std::ptrdiff_t c = 0; !status.ok() && c < result.columns; ++c)
    std::fill_n(result.data + c * result.stride, result.rows, std::numeric_limits<double>::quiet_NaN());
  return status;
}

Status FrameCompliance::of_tree(std::span<const int> frames, Columns<double> result) {
  static constexpr std::array passes{Pass{Direction::scatter, &call<&FrameCompliance::find_positions>},
                                     Pass{Direction::gather, &call<&FrameCompliance::find_inertias>},
                                     Pass{Direction::scatter, &call<&FrameCompliance::find_compliances>},
                                     Pass{Direction::gather, &call<&FrameCompliance::relate_frames>}};
  tree_->set_frames(model_.data(), frames);
  tree_->result = result.data, tree_->stride = result.stride;
  for (std::ptrdiff_t c = 0; c < result.columns; ++c)  // what never meets
    std::fill_n(result.data + c * result.stride, result.rows, 0.0);
  run_serial(passes, this, static_cast<int>(modules_.steps.size()));
  const int body = singular_body(model_.data(), tree_->articulated);
  return body < 0 ? Status{} : Status{StatusCode::singular, 0, body, 0};
}

Status FrameCompliance::of_loops(std::span<const int> frames, Columns<double> result) {
  static constexpr std::array passes{Pass{Direction::scatter, &call<&FrameCompliance::find_kinematics>},
                                     Pass{Direction::each, &call<&FrameCompliance::embed_loops>},
                                     Pass{Direction::gather, &call<&FrameCompliance::find_rows>},
                                     Pass{Direction::once, &call<&FrameCompliance::find_matrix>}};
  const ModelData& m = model_.data();
  run_serial(passes, this, static_cast<int>(modules_.steps.size()));
  if (const EmbeddedNode<double>* lost = singular_aggregate(embedded_->nodes))
    return {StatusCode::singular_loop, 0, lost->body(0), lost->map.pivot};
  Embedded& e = *embedded_;
  const std::size_t n = at(e.size()), rows = 6 * frames.size();
  e.compliance.resize(rows, n);
  for (std::size_t f = 0; f < frames.size(); ++f)
    independent_jacobian(x_, k_, e.velocities, m.frames[at(frames[f])], e.compliance.J.data() + 6 * f * n);
  const int idle = embedded_compliance(e.velocities, e.independent.data(), e.compliance, static_cast<int>(rows),
                                       result.data, result.stride);
  if (idle < 0) return {};
  return {StatusCode::singular, 0, body_of_velocity(m, idle), 0};
}

void FrameCompliance::find_positions(int step) { positions(x_, k_, step); }
void FrameCompliance::find_kinematics(int step) { kinematics(x_, k_, step); }
void FrameCompliance::find_inertias(int step) { articulated_inertias(x_, k_, tree_->articulated, step); }
void FrameCompliance::find_compliances(int step) { compliances(x_, k_, *tree_, step); }
void FrameCompliance::relate_frames(int step) { relate(x_, k_, *tree_, step); }
void FrameCompliance::embed_loops(int step) { embed(x_, k_, embedded_->nodes, step); }
void FrameCompliance::find_rows(int step) {
  composite_inertias(x_, k_, embedded_->composite, step);
  mass_rows(x_, k_, embedded_->composite, embedded_->mass, step);
}
void FrameCompliance::find_matrix(int) { embedded_->find(x_, embedded_->mass); }

}  // namespace kinetree::inline inner
