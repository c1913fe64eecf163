#include "bench/simulate/tensions.hpp"

namespace kinetree::bench {

Tensions::Tensions(const Model& model, const PointForces& forces) : forces_(forces), workspace_(model) {
  for (int k = 0; k < forces.count(); ++k)
    for (const char* kind : {"distance:", "tension:"}) columns_.push_back(kind + forces[k].name);
}

std::vector<double> Tensions::of(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  if (columns_.empty()) return {};
  Eigen::VectorXd lines(3 * forces_.count());
  (void)forces_.tensions(workspace_, q, v, lines);  // the motion itself says why it can't go on
  std::vector<double> values;
  for (int k = 0; k < forces_.count(); ++k) values.push_back(lines[3 * k]), values.push_back(lines[3 * k + 2]);
  return values;
}

std::vector<Plot> Tensions::plots(const std::vector<Sample>& samples, std::size_t first) const {
  if (columns_.empty()) return {};
  std::vector<Plot> plots{{.title = "Tensions of forces between points (N)", .curves = {}},
                          {.title = "Distances of their points (m)", .curves = {}}};
  for (int k = 0; k < forces_.count(); ++k)
    for (const std::size_t kind : {0u, 1u}) {
      Curve curve{forces_[k].name, {}};
      const std::size_t column = first + 2 * static_cast<std::size_t>(k) + 1 - kind;
      for (const Sample& s : samples) curve.values.push_back(s.holding[column]);
      plots[kind].curves.push_back(std::move(curve));
    }
  return plots;
}

}  // namespace kinetree::bench
