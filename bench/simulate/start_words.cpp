#include "bench/simulate/start_words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace kinetree::bench {

std::string start_words(const Model& model, const std::string& where, const std::vector<Sample>& samples) {
  const Sample& first = samples.front();
  std::string text = "start        " + where;
  Eigen::Index fastest = 0;
  if (first.v.size() == 0 || first.v.isZero(0)) {
    text += ", at rest";
  } else {
    first.v.cwiseAbs().maxCoeff(&fastest);
    text += fmt::format(", moving: joint \"{}\" by {:.4g} (rad/s, m/s)",
                        model.joint_name(model.body_of_velocity(static_cast<int>(fastest))), first.v[fastest]);
  }
  double moved = 0;
  int most = -1;
  for (const Sample& s : samples)
    for (Eigen::Index k = 0; k < s.q.size(); ++k)
      if (const double by = std::abs(s.q[k] - first.q[k]); by > moved)
        moved = by, most = model.body_of_position(static_cast<int>(k));
  if (most < 0) return text + "; nothing moves\n";
  return text +
         fmt::format("; it moves, joint \"{}\" the furthest: {:.4g} away (rad, m)\n", model.joint_name(most), moved);
}

}  // namespace kinetree::bench
