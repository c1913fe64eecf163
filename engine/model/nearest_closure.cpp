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
  find_errors(closure, q, e_);
  K_ = Eigen::Map<const Matrix>(closure.rows(a_, q).K.data(), a_.rows, a_.velocities);
  for (int r = 0; r < a_.rows; ++r) K_.row(r) *= 1 / units_.row[r];
  K_.array().rowwise() *= units_.column.transpose().array();
  by_column_ = K_;
  svd_.compute(by_column_, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& s = svd_.singularValues();
  rank_ = rank < 0 ? static_cast<int>((s.array() > most_rounding * s[0]).count()) : rank;
  c_.resize(s.size());
  c_.noalias() = svd_.matrixU().transpose() * e_;
}

void NearestClosure::find_errors(Closure& closure, const double* q, Eigen::VectorXd& errors) const {
  errors = Eigen::Map<const Eigen::VectorXd>(closure.errors(a_, q).data(), a_.rows).cwiseQuotient(units_.row);
}

double NearestClosure::worst_held() const {
  double worst = 0;
  for (int k = 0; k < rank_; ++k) keep_worst(worst, std::abs(c_[k]));
  return worst;
}

void NearestClosure::move(std::vector<double>& q, const Eigen::VectorXd& x) {
  way_ = units_.column.cwiseProduct(x);
  for (const int i : a_.bodies)
    advance(m_.joint_type[at(i)], &q[at(m_.q_index[at(i)])], way_.data() + m_.aggregate_column[at(i)]);
}

double NearestClosure::close(Closure& closure, double* q, int rank) {
  now_.assign(q, q + m_.q_index.back());
  double damping = 1e-3;
  look(closure, now_.data(), rank);
  bool away = false;  // the aggregate was last placed at a step that is refused
  coefficient_.resize(c_.size());
  x_.resize(a_.velocities);
  for (int step = 0; step < most_steps && worst_held() > 0; ++step) {
    const double before = worst_held(), cost = e_.squaredNorm();
    const bool fine = before < near;
    const auto s = svd_.singularValues().head(rank_).array();
    const double added = fine ? 0 : damping * svd_.singularValues()[0] * svd_.singularValues()[0];
    coefficient_.head(rank_) = -(s * c_.head(rank_).array() / (s.square() + added)).matrix();
    x_.noalias() = svd_.matrixV().leftCols(rank_) * coefficient_.head(rank_);
    const double size = largest_of(x_);
    if (!std::isfinite(size)) return INFINITY;
    if (size > longest) x_ *= longest / size;
    tried_ = now_;
    move(tried_, x_);
    if (!fine) {  // errors alone tell whether the step is good; if not, what was taken apart serves the next one too
      find_errors(closure, tried_.data(), tried_errors_);
      away = !(tried_errors_.squaredNorm() < cost);
    }
    if (fine || !away) look(closure, tried_.data(), rank);
    if (fine) away = !(worst_held() < 0.5 * before);
    if (!away) {
      now_.swap(tried_);
      damping = std::max(1e-12, 0.2 * damping);
      continue;
    }
    if (fine || damping > 1e6) break;
    damping *= 5;
  }
  if (away) look(closure, now_.data(), rank);
  std::copy(now_.begin(), now_.end(), q);
  return worst_held();
}

void NearestClosure::keep_held(Eigen::Ref<Eigen::VectorXd> all) {
  const auto U = svd_.matrixU().leftCols(rank_);
  part_ = all.cwiseQuotient(units_.row);
  coefficient_.resize(svd_.matrixU().cols());
  coefficient_.head(rank_).noalias() = U.transpose() * part_;
  part_.noalias() = U * coefficient_.head(rank_);
  all = units_.row.cwiseProduct(part_);
}

void NearestClosure::keep_allowed(Eigen::VectorXd& v) {
  const auto V = svd_.matrixV().leftCols(rank_);
  v = v.cwiseQuotient(units_.column);
  coefficient_.resize(svd_.matrixV().cols());
  coefficient_.head(rank_).noalias() = V.transpose() * v;
  v.noalias() -= V * coefficient_.head(rank_);
  v = units_.column.cwiseProduct(v);
}

}  // namespace kinetree::inline inner
