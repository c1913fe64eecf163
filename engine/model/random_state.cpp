#include "engine/model/random_state.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/joint/advance.hpp"
#include "engine/model/closed_within.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
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

/// Lets the joint that a coupling turns most follow the others: the motor its link, so that links keep their spread.
void follow(const ModelData& m, const Aggregate& a, double* x, const std::vector<int>& index, bool positions) {
  for (const int number : a.couplings) {
    const Coupling& c = m.couplings[at(number)];
    if (!c.linear()) continue;  // the state is closed in any case
    const auto size = [](const auto& term) { return std::abs(term.second); };
    const auto fast = std::min_element(c.terms.begin(), c.terms.end(),
                                       [&](const auto& one, const auto& other) { return size(one) < size(other); });
    double others = positions ? -c.offset : 0;
    for (const auto& term : c.terms)
      if (term.first != fast->first) others += term.second * x[index[at(term.first)]];
    x[index[at(fast->first)]] = -others / fast->second;
  }
}

}  // namespace

void RandomStates::draw(double* q, double* v, double* tau) {
  for (int i = 0; i < static_cast<int>(m_.parent.size()); ++i) draw_positions(i, q);
  for (int k = 0; k < m_.v_index.back(); ++k) v[k] = random_.uniform(-1, 1);
  for (int k = 0; tau != nullptr && k < m_.v_index.back(); ++k) tau[k] = random_.uniform(-1, 1);
  for (const Aggregate& a : m_.aggregates) close(a, q, v);
}

void RandomStates::draw_positions(int body, double* q) {
  const JointType type = m_.joint_type[at(body)];
  const int quaternion = quaternion_at(type), count = quaternion < 0 ? position_count(type) : quaternion;
  const int first = m_.q_index[at(body)];
  for (int k = 0; k < count; ++k) q[first + k] = draw_position(first + k, slides(type, k) ? 1 : 2 * pi);
  if (quaternion >= 0) random_quaternion(random_, q + first + quaternion);
}

/// `length`: of the range where the position has no limits, or one.
double RandomStates::draw_position(int position, double length) {
  const double lower = lower_limit(position), upper = upper_limit(position);
  const double from = std::isfinite(lower) ? lower : std::isfinite(upper) ? upper - length : -length / 2;
  const double to = std::isfinite(upper) ? upper : from + length;
  return std::min(random_.uniform(from, to), to);  // rounding may reach beyond
}

bool RandomStates::within_limits(const Aggregate& a, const double* q) const {
  for (const int i : a.bodies)
    for (int k = m_.q_index[at(i)]; k < m_.q_index[at(i + 1)]; ++k)
      if (!(q[k] >= lower_limit(k) - 1e-12 && q[k] <= upper_limit(k) + 1e-12)) return false;
  return true;
}

/// Closes an aggregate from where it stands, drawing its positions anew until that succeeds; then allows its
/// velocities.
void RandomStates::close(const Aggregate& a, double* q, double* v) {
  const auto succeeds = [&] {
    follow(m_, a, q, m_.q_index, true);
    // regular by a margin: beside a singular configuration accelerations grow beyond what double can check
    return closure_.project(a, q) <= closed_within && pivot(a, q) > 1e-3 && within_limits(a, q);
  };
  bool closed = succeeds();
  for (int draw = 1; draw < 100 && !closed; ++draw) {
    for (const int i : a.bodies) draw_positions(i, q);
    closed = succeeds();
  }
  if (!closed) {
    for (const int i : a.bodies)
      std::copy(m_.assembled.begin() + m_.q_index[at(i)], m_.assembled.begin() + m_.q_index[at(i + 1)],
                q + m_.q_index[at(i)]);
    closure_.project(a, q);
  }
  follow(m_, a, v, m_.v_index, false);
  closure_.project_velocity(a, q, v);
}

/// How far the constraints are from losing rank: the smallest pivot of the coordinates that solvers take here.
double RandomStates::pivot(const Aggregate& a, const double* q) {
  CoordinateMap<double> map(a);
  choose_coordinates(a, independent_columns(m_, a, IndependentCoordinates::users), closure_.rows(a, q), map);
  return map.pivot;
}

}  // namespace kinetree::inline inner
