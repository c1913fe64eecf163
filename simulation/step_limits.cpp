#include "simulation/step_limits.hpp"

#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <numeric>

#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

std::pair<double, int> largest_error(const Model& model, const std::vector<double>& x, const std::vector<double>& slope,
                                     const std::vector<double>& error, double step, double tolerance) {
  const ModelData& m = model.data();
  double worst = 0;
  int where = -1;
  const auto look = [&](int first, int end, int body) {
    for (int k = first; k < end; ++k) {
      const double scale = tolerance * (1 + std::abs(x[at(k)]) + step * std::abs(slope[at(k)]));
      const double part = std::abs(error[at(k)]) / scale;
      if (!(part <= worst)) worst = std::isnan(part) ? INFINITY : part, where = body;
    }
  };
  for (int i = 0; i < model.body_count(); ++i) {
    look(m.q_index[at(i)], m.q_index[at(i + 1)], i);
    look(model.nq() + m.v_index[at(i)], model.nq() + m.v_index[at(i + 1)], i);
  }
  return {worst, where};
}

StepLimit StepLimits::most(ForwardDynamics& dynamics, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  StepLimit found;
  const auto most = std::ranges::max_element(steps_);
  if (most == steps_.end() || *most == 0) return found;
  found.body = static_cast<int>(most - steps_.begin());
  found.share = static_cast<double>(*most) / static_cast<double>(std::accumulate(steps_.begin(), steps_.end(), 0L));
  // a unit force accelerates by the inverse of the inertia it meets
  const ModelData& m = dynamics.model().data();
  tau_.setZero();
  if (!dynamics.solve(q, v, tau_, without_).ok()) return found;
  for (int k = m.v_index[at(found.body)]; k < m.v_index[at(found.body + 1)]; ++k) {
    tau_.setZero(), tau_[k] = 1;
    if (!dynamics.solve(q, v, tau_, with_).ok()) return found;
    const double inertia = 1 / (with_[k] - without_[k]);
    if (found.inertia == 0 || inertia < found.inertia) found.inertia = inertia;
  }
  return found;
}

}  // namespace kinetree::inline inner
