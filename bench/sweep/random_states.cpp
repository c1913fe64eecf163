#include "bench/sweep/random_states.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/index.hpp"

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
    case JointType::revolute:
    case JointType::continuous:
    case JointType::helical:
      q[0] = angle();
      return;
    case JointType::fixed:
      return;
  }
}

/// Lets the joint that a coupling turns most follow the others: the motor its link, so that links keep their spread.
void follow(const ModelData& m, const Aggregate& a, double* x, const std::vector<int>& index, bool positions) {
  for (const int number : a.couplings) {
    const Coupling& c = m.couplings[at(number)];
    const auto size = [](const auto& term) { return std::abs(term.second); };
    const auto fast = std::min_element(c.terms.begin(), c.terms.end(),
                                       [&](const auto& one, const auto& other) { return size(one) < size(other); });
    double others = positions ? -c.offset : 0;
    for (const auto& term : c.terms)
      if (term.first != fast->first) others += term.second * x[index[at(term.first)]];
    x[index[at(fast->first)]] = -others / fast->second;
  }
}

/// How far the constraints are from losing rank: the smallest pivot of the coordinates that solvers take here.
double pivot(const ModelData& m, const Aggregate& a, Closure& closure, const double* q) {
  CoordinateMap<double> map(a);
  choose_coordinates(a, independent_columns(m, a, IndependentCoordinates::users), closure.rows(a, q), map);
  return map.pivot;
}

/// Closes an aggregate from where it stands, drawing its positions anew until that succeeds; then allows its
/// velocities. Where a hundred draws fail it stands as it is assembled from zero.
void close(Random& random, const ModelData& m, const Aggregate& a, Closure& closure, double* q, double* v) {
  const auto succeeds = [&] {
    follow(m, a, q, m.q_index, true);
    // regular by a margin: beside a singular configuration accelerations grow beyond what double can check
    return closure.project(a, q) <= 1e-12 && pivot(m, a, closure, q) > 1e-3;
  };
  bool closed = succeeds();
  for (int draw = 1; draw < 100 && !closed; ++draw) {
    for (const int i : a.bodies) random_positions(random, m.joint_type[at(i)], q + m.q_index[at(i)]);
    closed = succeeds();
  }
  if (!closed) {
    for (const int i : a.bodies)
      std::copy(m.assembled.begin() + m.q_index[at(i)], m.assembled.begin() + m.q_index[at(i + 1)],
                q + m.q_index[at(i)]);
    closure.project(a, q);
  }
  follow(m, a, v, m.v_index, false);
  closure.project_velocity(a, q, v);
}

}  // namespace

StateSet random_states(const Model& model, Eigen::Index count, std::uint64_t seed) {
  StateSet set{Eigen::MatrixXd(model.nq(), count), Eigen::MatrixXd(model.nv(), count),
               Eigen::MatrixXd(model.nv(), count)};
  Random random(seed);
  const ModelData& m = model.data();
  Closure closure(m);
  for (Eigen::Index c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      random_positions(random, m.joint_type[i], set.q.col(c).data() + m.q_index[i]);
    for (Eigen::Index k = 0; k < model.nv(); ++k) set.v(k, c) = random.uniform(-1, 1);
    for (Eigen::Index k = 0; k < model.nv(); ++k) set.tau(k, c) = random.uniform(-1, 1);
    for (const Aggregate& a : m.aggregates) close(random, m, a, closure, set.q.col(c).data(), set.v.col(c).data());
  }
  return set;
}

Eigen::Index states_that_fit(const Model& model, int wanted) {
  const double bytes = 8. * (model.nq() + 2. * model.nv());
  return std::clamp<Eigen::Index>(static_cast<Eigen::Index>(64e6 / bytes), 2, std::max(2, wanted));
}

}  // namespace kinetree::bench
