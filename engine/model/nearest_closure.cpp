#include "engine/model/nearest_closure.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

constexpr int most_steps = 100;
constexpr double near = 1e-4;    ///< without units: from there on plain Gauss-Newton steps, which rounding alone stops
constexpr double longest = 0.5;  ///< rad, and levers, of a step

constexpr int configurations = 5;

/// One for all configurations: levers are the longest of those in a few, since in one alone they may vanish.
ConstraintUnits units_of(const ModelData& m, Closure& closure, const Aggregate& a) {
  const auto units_at = [&](const std::vector<double>& q) {
    const ConstraintRows<double>& K = closure.rows(a, q.data());
    return ConstraintUnits(m, a, Eigen::Map<const ConstraintUnits::Matrix>(K.K.data(), a.rows, a.velocities));
  };
  ConstraintUnits units = units_at(m.assembled);
  Random random(3);
  for (int n = 1; n < configurations && !a.constant(); ++n) {
    std::vector<double> q = m.assembled;
    for (const int i : a.bodies) {
      double x[6];
      for (double& value : x) value = random.uniform(-3, 3);
      advance(m.joint_type[at(i)], &q[at(m.q_index[at(i)])], x);
    }
    const ConstraintUnits other = units_at(q);
    units.row = units.row.cwiseMax(other.row);
    units.column = units.column.cwiseMax(other.column);
    units.lever = std::max(units.lever, other.lever);
  }
  return units;
}

}  // namespace

NearestClosure::NearestClosure(const ModelData& model, const Aggregate& a, Closure& closure)
    : m_(model), a_(a), units_(units_of(model, closure, a)) {}

void NearestClosure::look(Closure& closure, const double* q, int rank) {
  const std::vector<double>& errors = closure.errors(a_, q);
  const Eigen::VectorXd e = Eigen::Map<const Eigen::VectorXd>(errors.data(), a_.rows);
  K_ = Eigen::Map<const Matrix>(closure.rows(a_, q).K.data(), a_.rows, a_.velocities);
  K_ = units_.of(K_);
  e_ = e.cwiseQuotient(units_.row);
  svd_.compute(K_, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& s = svd_.singularValues();
  rank_ = rank < 0 ? static_cast<int>((s.array() > most_rounding * s[0]).count()) : rank;
  c_ = svd_.matrixU().transpose() * e_;
}

double NearestClosure::worst_held() const { return rank_ > 0 ? largest_of(c_.head(rank_)) : 0; }

void NearestClosure::move(std::vector<double>& q, const Eigen::VectorXd& x) const {
  const Eigen::VectorXd way = units_.column.cwiseProduct(x);
  for (const int i : a_.bodies)
    advance(m_.joint_type[at(i)], &q[at(m_.q_index[at(i)])], way.data() + m_.aggregate_column[at(i)]);
}

double NearestClosure::close(Closure& closure, double* q, int rank) {
  std::vector<double> now(q, q + m_.q_index.back()), tried;
  double damping = 1e-3;
  look(closure, now.data(), rank);
  for (int step = 0; step < most_steps && worst_held() > 0; ++step) {
    const double before = worst_held(), cost = e_.squaredNorm();
    const bool fine = before < near;
    const auto s = svd_.singularValues().head(rank_).array();
    const double added = fine ? 0 : damping * svd_.singularValues()[0] * svd_.singularValues()[0];
    Eigen::VectorXd x = -svd_.matrixV().leftCols(rank_) * (s * c_.head(rank_).array() / (s.square() + added)).matrix();
    const double size = largest_of(x);
    if (!std::isfinite(size)) return INFINITY;
    if (size > longest) x *= longest / size;
    tried = now;
    move(tried, x);
    look(closure, tried.data(), rank);
    const bool better = fine ? worst_held() < 0.5 * before : e_.squaredNorm() < cost;
    if (better) {
      now.swap(tried);
      damping = std::max(1e-12, 0.2 * damping);
      continue;
    }
    look(closure, now.data(), rank);
    if (fine || damping > 1e6) break;
    damping *= 5;
  }
  std::copy(now.begin(), now.end(), q);
  return worst_held();
}

Eigen::VectorXd NearestClosure::held(const Eigen::VectorXd& all) const {
  const auto U = svd_.matrixU().leftCols(rank_);
  return units_.row.cwiseProduct(U * (U.transpose() * all.cwiseQuotient(units_.row)));
}

Eigen::VectorXd NearestClosure::allowed(const Eigen::VectorXd& v) const {
  const auto V = svd_.matrixV().leftCols(rank_);
  return units_.column.cwiseProduct(v.cwiseQuotient(units_.column) -
                                    V * (V.transpose() * v.cwiseQuotient(units_.column)));
}

}  // namespace kinetree::inline inner
