#include "bench/sweep/random_states.hpp"

#include <algorithm>
#include <cmath>
#include <kinetree/model/random.hpp>
#include <numbers>

namespace kinetree::bench {
namespace {

using std::numbers::pi;

/// Shoemake 1992: uniform over unit quaternions.
void random_quaternion(Random& random, double* q) {
  const double u = random.uniform(0, 1), a = random.uniform(0, 2 * pi), b = random.uniform(0, 2 * pi);
  q[0] = std::sqrt(1 - u) * std::sin(a);
  q[1] = std::sqrt(1 - u) * std::cos(a);
  q[2] = std::sqrt(u) * std::sin(b);
  q[3] = std::sqrt(u) * std::cos(b);
}

void random_positions(Random& random, JointType type, double* q) {
  const auto angle = [&] { return random.uniform(-pi, pi); };
  const auto displacement = [&] { return random.uniform(-0.5, 0.5); };
  switch (type) {
    case JointType::prismatic:
      q[0] = displacement();
      return;
    case JointType::cylindrical:
      q[0] = angle(), q[1] = displacement();
      return;
    case JointType::universal:
      q[0] = angle(), q[1] = angle();
      return;
    case JointType::planar:
      q[0] = displacement(), q[1] = displacement(), q[2] = angle();
      return;
    case JointType::spherical:
      random_quaternion(random, q);
      return;
    case JointType::floating:
      for (int k = 0; k < 3; ++k) q[k] = displacement();
      random_quaternion(random, q + 3);
      return;
    default:
      q[0] = angle();
      return;
  }
}

}  // namespace

StateSet random_states(const Model& model, Eigen::Index count, std::uint64_t seed) {
  StateSet set{Eigen::MatrixXd(model.nq(), count), Eigen::MatrixXd(model.nv(), count),
               Eigen::MatrixXd(model.nv(), count)};
  Random random(seed);
  const ModelData& m = model.data();
  for (Eigen::Index c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      random_positions(random, m.joint_type[i], set.q.col(c).data() + m.q_index[i]);
    for (Eigen::Index k = 0; k < model.nv(); ++k) set.v(k, c) = random.uniform(-1, 1);
    for (Eigen::Index k = 0; k < model.nv(); ++k) set.tau(k, c) = random.uniform(-1, 1);
  }
  return set;
}

Eigen::Index states_that_fit(const Model& model, int wanted) {
  const double bytes = 8. * (model.nq() + 2. * model.nv());
  return std::clamp<Eigen::Index>(static_cast<Eigen::Index>(64e6 / bytes), 2, std::max(2, wanted));
}

}  // namespace kinetree::bench
