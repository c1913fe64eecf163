#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <kinetree/model/advance.hpp>
#include <kinetree/model/mobility.hpp>
#include <kinetree/model/random.hpp>
#include <kinetree/scalar/index.hpp>

namespace kinetree {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double least_pivot = 1e-6;
constexpr double shortest_lever = 1e-8;  ///< m; what is shorter is rounding
constexpr double beside = 0.03;          ///< rad; in levers where joints slide
constexpr int samples = 8;

/// Whether velocity k of a joint is a length over time.
bool slides(JointType type, int k) {
  switch (type) {
    case JointType::prismatic:
      return true;
    case JointType::cylindrical:
      return k == 1;
    case JointType::planar:
      return k < 2;
    case JointType::floating:
      return k < 3;
    default:
      return false;
  }
}

/// Of a loop's constraints the first are of moments, the others of forces (loop_forces).
int moments(LoopType type) {
  constexpr int counts[]{2, 3, 2, 1, 0, 2, 3, 0};
  return counts[static_cast<int>(type)];
}

/// K without units.
struct Scaled {
  Matrix K;
  double lever = shortest_lever;  ///< m: the longest with which a joint's turn moves a loop's end

  Scaled(const ModelData& m, Closure& closure, const Aggregate& a, const double* q)
      : K(Eigen::Map<const Matrix>(closure.rows(a, q).K.data(), a.rows, a.velocities)) {
    std::vector<bool> slide(at(a.velocities));
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int k = 0; k < velocity_count(m.joint_type[at(a.bodies[b])]); ++k)
        slide[at(a.column[b] + k)] = slides(m.joint_type[at(a.bodies[b])], k);
    std::vector<double> levers;
    const auto each_loop = [&](auto&& use) {  // its rows of forces
      int row = 0;
      for (const int l : a.loops) {
        const LoopType type = m.loops[at(l)].type;
        use(row + moments(type), row + constraint_count(type));
        row += constraint_count(type);
      }
      return row;
    };
    each_loop([&](int begin, int end) {
      double longest = 0;
      for (int r = begin; r < end; ++r)
        for (int c = 0; c < a.velocities; ++c)
          if (!slide[at(c)]) longest = std::max(longest, std::abs(K(r, c)));
      levers.push_back(longest);
      lever = std::max(lever, longest);
    });
    for (int c = 0; c < a.velocities; ++c)
      if (slide[at(c)]) K.col(c) *= lever;
    std::size_t loop = 0;
    const int couplings = each_loop(
        [&](int begin, int end) { K.middleRows(begin, end - begin) /= std::max(levers[loop++], 1e-4 * lever); });
    for (int r = couplings; r < a.rows; ++r) K.row(r) /= K.row(r).cwiseAbs().maxCoeff();
  }

  /// Relative to the largest, descending.
  Eigen::VectorXd pivots() const {
    if (K.size() == 0) return {};
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(K);
    const Eigen::VectorXd diagonal = factors.matrixQR().diagonal().cwiseAbs();
    return diagonal / std::max(1e-6, diagonal[0]);  // all of it is rounding where no joint moves what the loops hold
  }
};

/// Whether q is close to p, seen from each joint of the aggregate.
bool near(const ModelData& m, const Aggregate& a, const std::vector<double>& p, const std::vector<double>& q,
          double lever) {
  for (const int i : a.bodies)
    for (int k = m.q_index[at(i)]; k < m.q_index[at(i + 1)]; ++k) {
      const double unit = slides(m.joint_type[at(i)], k - m.q_index[at(i)]) ? lever : 1;
      if (!(std::abs(p[at(k)] - q[at(k)]) <= 10 * beside * unit)) return false;
    }
  return true;
}

}  // namespace

Rank rank_at(const ModelData& m, Closure& closure, const Aggregate& a, const double* q) {
  const Eigen::VectorXd pivots = Scaled(m, closure, a, q).pivots();
  Rank found;
  while (found.rank < pivots.size() && pivots[found.rank] > least_pivot) found.margin = pivots[found.rank++];
  return found;
}

double margin_at(const ModelData& m, Closure& closure, const Aggregate& a, const double* q) {
  const int rank = a.velocities - a.freedoms;
  if (rank == 0) return 1;
  const Eigen::VectorXd pivots = Scaled(m, closure, a, q).pivots();
  return rank <= pivots.size() ? pivots[rank - 1] : 0;
}

Branch branch_near(const ModelData& m, Closure& closure, const Aggregate& a, const std::vector<double>& q) {
  Branch best{rank_at(m, closure, a, q.data()), q};
  if (a.constant()) return best;
  const double lever = Scaled(m, closure, a, q.data()).lever;
  Random random(2);
  for (int sample = 0; sample < samples; ++sample) {
    std::vector<double> p = q;
    for (const int i : a.bodies) {
      const JointType type = m.joint_type[at(i)];
      double x[6];
      for (int k = 0; k < velocity_count(type); ++k)
        x[k] = beside * random.uniform(-1, 1) * (slides(type, k) ? lever : 1);
      advance(type, &p[at(m.q_index[at(i)])], x);
    }
    // as far as rounding allows: what is open by e may stand off the branch by its root, and have a rank of its own
    if (!(closure.project(a, p.data(), 0) <= 1e-13 * std::max(1e-3, lever)) || !near(m, a, q, p, lever)) continue;
    const Rank here = rank_at(m, closure, a, p.data());
    // q itself where it is about as good as any
    if (here.rank > best.rank.rank || (here.rank == best.rank.rank && here.margin > 100 * best.rank.margin))
      best = {here, std::move(p)};
  }
  return best;
}

}  // namespace kinetree
