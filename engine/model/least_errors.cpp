#include "engine/model/least_errors.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double by = 1e-5;           ///< of a difference, without units: errors of 1e-10 or so in D
constexpr double longest_move = 0.3;  ///< of a step, without units
constexpr double shortest_move = 1e-12;
constexpr double level = 1e-10;  ///< slopes of errors, whose sizes are about 1, that differences take for zero

}  // namespace

LeastErrors::LeastErrors(const ModelData& model, const Aggregate& a, const ConstraintUnits& units)
    : m_(model),
      a_(a),
      row_(units.row),
      column_(units.column),
      D_(a.rows, a.velocities),
      left_out_(a.velocities, a.velocities),
      second_(a.velocities, a.velocities),
      factor_(a.velocities),
      e_(a.rows),
      other_(a.rows) {
  for (Eigen::VectorXd* x : {&slope_, &before_, &step_, &change_, &missed_}) x->setZero(a.velocities);
  tried_.reserve(at(model.q_index.back()));
}

double LeastErrors::half_at(Closure& closure, const std::vector<double>& q, Eigen::VectorXd& e) const {
  const std::vector<double>& errors = closure.errors(a_, q.data());
  for (int r = 0; r < a_.rows; ++r) e[r] = errors[at(r)] / row_[r];
  return e.squaredNorm() / 2;
}

void LeastErrors::move(std::vector<double>& q, int column, double way) const {
  const auto b =
      static_cast<std::size_t>(std::upper_bound(a_.column.begin(), a_.column.end(), column) - a_.column.begin() - 1);
  const auto i = at(a_.bodies[b]);
  double x[6]{};
  x[column - a_.column[b]] = way * column_[column];
  advance(m_.joint_type[i], &q[at(m_.q_index[i])], x);
}

void LeastErrors::look(Closure& closure, const std::vector<double>& q) {
  for (int c = 0; c < a_.velocities; ++c) {
    for (const double way : {by, -by}) {
      tried_.assign(q.begin(), q.end());
      move(tried_, c, way);
      half_at(closure, tried_, way > 0 ? e_ : other_);
    }
    D_.col(c) = (e_ - other_) / (2 * by);
  }
  half_ = half_at(closure, q, e_);
  slope_.noalias() = D_.transpose() * e_;
}

void LeastErrors::descend(Closure& closure, std::vector<double>& q, const std::vector<int>& held, int steps) {
  const auto without_held = [&](Eigen::VectorXd& x) {
    for (const int c : held) x[c] = 0;
  };
  look(closure, q);
  left_out_.setZero();
  double damping = 1e-3;
  for (int step = 0; step < steps; ++step) {
    before_ = slope_;
    without_held(before_);
    const double half = half_;
    if (!std::isfinite(half) || !(largest_of(before_) > level * std::sqrt(half))) return;
    second_.noalias() = D_.transpose() * D_;
    const double size = second_.diagonal().maxCoeff();
    second_ += left_out_;
    for (const int c : held) {
      second_.row(c).setZero(), second_.col(c).setZero();
      second_(c, c) = size;
    }
    second_.diagonal().array() += damping * size;
    factor_.compute(second_);
    step_ = -before_;
    factor_.solveInPlace(step_);
    const double length = largest_of(step_);
    if (!(length > shortest_move)) return;
    if (length > longest_move) step_ *= longest_move / length;
    tried_.assign(q.begin(), q.end());
    for (int c = 0; c < a_.velocities; ++c)
      if (step_[c] != 0) move(tried_, c, step_[c]);
    const double after = factor_.vectorD().minCoeff() > 0 ? half_at(closure, tried_, other_) : INFINITY;
    if (!(after < half)) {
      if ((damping = std::max(1e-8, 5 * damping)) > 1e8) return;
      continue;
    }
    damping *= 0.2;
    q.swap(tried_);
    change_.noalias() = D_.transpose() * other_;  // of its errors, by the derivatives from before
    look(closure, q);
    missed_ = slope_ - change_;
    change_ = slope_ - before_;
    without_held(missed_), without_held(change_);
    const double along = change_.dot(step_);
    if (!(along > 1e-12 * change_.norm() * step_.norm())) continue;
    before_.noalias() = left_out_ * step_;
    const double has = std::abs(step_.dot(before_)), asked = std::abs(step_.dot(missed_));
    const double sized = asked < has ? asked / has : 1;
    left_out_ *= sized;
    missed_ -= sized * before_;
    const double twice = missed_.dot(step_) / along;
    for (int c = 0; c < a_.velocities; ++c)
      left_out_.col(c) += (change_[c] / along) * missed_ + ((missed_[c] - twice * change_[c]) / along) * change_;
  }
}

}  // namespace kinetree::inline inner
