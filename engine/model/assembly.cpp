#include "engine/model/assembly.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

constexpr int starts = 24;                       ///< from around, the last of the ways, at most
constexpr int few_steps = 60, most_steps = 300;  ///< of least squares: from around; from the nearest
constexpr double longest = 0.5;                  ///< rad, and levers, of one of them
constexpr double halted = 1e-3;                  ///< of the sum of squares: three steps that take less end it
constexpr double nearly_closed = 1e-4;           ///< sum of squares from which on Newton's method takes over
/// No more starts follow where several, one of them from far around, came to the same least errors, or where many came
/// to nothing less: what is held contradicts, or one does not get there from here.
constexpr int alike = 4, in_vain = 10;
constexpr double same = 1e-2;                ///< of the sum of squares
constexpr double shortest_part = 1.0 / 256;  ///< of the way that held coordinates go
/// What a step of what may move takes of the errors to first order, at most, where they contradict.
constexpr double first_order = 1e-4;
constexpr double least_share = 1e-3;  ///< of the largest, in a contradiction

bool holds(const std::vector<int>& held, int column) { return std::binary_search(held.begin(), held.end(), column); }

}  // namespace

Assembly::Memory::Memory(const ModelData& m, const Aggregate& a, const ConstraintUnits& units_)
    : units(units_),
      K(a.rows, a.velocities),
      squares(a.rows, a.rows),
      factor(a.rows),
      e(a.rows),
      y(a.rows),
      x(a.velocities),
      rates(a.rows),
      step(a.rows, a.velocities, 1e-9),
      least(m, a, units) {}

Assembly::Assembly(const ModelData& model) : m_(model), closure_(model), memory_(model.aggregates.size()) {
  const auto nq = at(model.q_index.back());
  for (std::vector<double>* q : {&now_, &tried_, &near_, &best_, &start_, &settled_}) q->reserve(nq);
  contradicting_.reserve(at(model.v_index.back()));
}

Assembly::Memory& Assembly::memory_of(const Aggregate& a) {
  std::unique_ptr<Memory>& memory = memory_[static_cast<std::size_t>(&a - m_.aggregates.data())];
  if (!memory) {
    const ConstraintRows<double>& rows = closure_.rows(a, m_.assembled.data());
    std::vector<double> q = m_.assembled;
    closure_.project(a, q.data());  // which makes memory of its own
    memory = std::make_unique<Memory>(
        m_, a, ConstraintUnits(m_, a, Eigen::Map<const Matrix>(rows.K.data(), a.rows, a.velocities)));
  }
  return *memory;
}

void Assembly::prepare() {
  for (const Aggregate& a : m_.aggregates) memory_of(a);
}

void Assembly::keep_nearest(const Aggregate& a, const std::vector<double>& q) {
  const double error = closure_.opening(a, q.data());
  if (!(error < best_error_)) return;
  best_error_ = error;
  best_.assign(q.begin(), q.end());
}

/// By Newton's method, wherever held coordinates stand.
bool Assembly::closes(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held) {
  return closure_.closed(a, closure_.project(a, q.data(), 1e-15, held));
}

/// The same where held coordinates stand as they are to.
bool Assembly::newton(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held) {
  const bool closed = closes(a, q, held);
  if (!closed) keep_nearest(a, q);
  return closed;
}

void Assembly::move_held(const Aggregate& a, const std::vector<double>& q, const double* target, double part,
                         const std::vector<int>& held, std::vector<double>& to) const {
  to.assign(q.begin(), q.end());
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const auto i = at(a.bodies[b]);
    const JointType type = m_.joint_type[i];
    const int first = m_.q_index[i];
    double way[6]{};
    difference(type, &q[at(first)], target + first, way);
    for (int k = 0; k < velocity_count(type); ++k) way[k] = holds(held, a.column[b] + k) ? part * way[k] : 0;
    if (part == 1 && quaternion_at(type) < 0) {  // to the digit
      for (int k = 0; k < velocity_count(type); ++k)
        if (holds(held, a.column[b] + k)) to[at(first + k)] = target[first + k];
    } else if (part == 1 && holds(held, a.column[b])) {
      std::copy_n(target + first, position_count(type), &to[at(first)]);
    } else {
      advance(type, &to[at(first)], way);
    }
  }
}

bool Assembly::bit_by_bit(const Aggregate& a, const std::vector<double>& from, const double* target,
                          const std::vector<int>& held) {
  now_.assign(from.begin(), from.end());
  double left = 1, step = 1;  // of the way
  while (left > 0) {
    const double part = std::min(step, left);
    // part of what is left of the way, since q moves with it
    move_held(a, now_, target, part >= left ? 1 : part / left, held, tried_);
    if (closes(a, tried_, held)) {
      left = part >= left ? 0 : left - part;
      now_.swap(tried_);
      step *= 2;
    } else if ((step = part / 2) < shortest_part) {
      return false;
    }
  }
  return true;
}

void Assembly::look(const Aggregate& a, const std::vector<double>& q, const std::vector<int>& held) {
  Memory& memory = memory_of(a);
  const std::vector<double>& errors = closure_.errors(a, q.data());
  for (int r = 0; r < a.rows; ++r) memory.e[r] = errors[at(r)] / memory.units.row[r];
  const ConstraintRows<double>& rows = closure_.rows(a, q.data());
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.velocities; ++c)
      memory.K(r, c) = rows.K[at(r * a.velocities + c)] / memory.units.row[r] * memory.units.column[c];
  for (const int c : held) memory.K.col(c).setZero();
}

void Assembly::move(const Aggregate& a, std::vector<double>& q, const Eigen::VectorXd& x, double part) {
  double way[6];
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const auto i = at(a.bodies[b]);
    for (int k = 0; k < velocity_count(m_.joint_type[i]); ++k)
      way[k] = part * memory_of(a).units.column[a.column[b] + k] * x[a.column[b] + k];
    advance(m_.joint_type[i], &q[at(m_.q_index[i])], way);
  }
}

/// Levenberg 1944, Marquardt 1963: to the nearest place where errors are least, which is closed or a contradiction.
bool Assembly::least_squares(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held, int steps,
                             bool far) {
  Memory& memory = memory_of(a);
  double damping = 1e-3;
  int slow = 0;
  look(a, q, held);
  for (int step = 0; step < steps; ++step) {
    const double before = memory.e.squaredNorm();
    if (!std::isfinite(before) || before <= 1e-26) break;
    memory.squares.noalias() = memory.K * memory.K.transpose();
    const double size = memory.squares.diagonal().maxCoeff();
    if (!(size > 0)) break;
    memory.squares.diagonal().array() += damping * size;
    memory.factor.compute(memory.squares);
    memory.y = memory.e;
    memory.factor.solveInPlace(memory.y);
    memory.x.noalias() = memory.K.transpose() * memory.y;
    const double length = memory.x.cwiseAbs().maxCoeff();
    if (!(length > 1e-14)) break;
    tried_.assign(q.begin(), q.end());
    move(a, tried_, memory.x, -std::min(1.0, longest / length));
    look(a, tried_, held);
    const double after = memory.e.squaredNorm();
    if (after < before) {
      q.swap(tried_);
      damping = std::max(1e-12, 0.2 * damping);
      slow = after > (1 - halted) * before ? slow + 1 : 0;
      if (slow == 3) break;
    } else {
      look(a, q, held);
      if ((damping *= 5) > 1e8) break;
    }
  }
  const double squares = memory.e.squaredNorm();
  seen_.note(squares, far);
  if (squares < least_squares_) {
    least_squares_ = squares;
    settled_.assign(q.begin(), q.end());
  }
  if (squares <= nearly_closed) return newton(a, q, held);
  keep_nearest(a, q);
  return false;
}

void Assembly::Seen::note(double squares, bool far) {
  if (squares < (1 - same) * least) *this = {};
  least = std::min(least, squares);
  ++ends;
  if (squares <= (1 + same) * least) ++alike, from_far = from_far || far;
}

bool Assembly::Seen::enough() const { return (alike >= inner::alike && from_far) || ends >= in_vain; }

/// Whether errors, where the sum of their squares is least nearby, are such that what may move takes nothing of them to
/// first order: they are across all that the derivatives by what may move span, and not all that those by what is held
/// do.
bool Assembly::contradicts(const Aggregate& a, const std::vector<int>& held) {
  contradicting_.clear();
  Memory& memory = memory_of(a);
  const Eigen::VectorXd& slope = memory.least.slope();
  double free = 0, most = 0;
  for (int c = 0; c < a.velocities; ++c) keep_worst(holds(held, c) ? most : free, std::abs(slope[c]));
  if (!(most > 0) || !(free <= first_order * most)) return false;
  for (const int c : held)
    if (std::abs(slope[c]) >= least_share * most) contradicting_.push_back(c);
  return true;
}

Assembled Assembly::close_near(const Aggregate& a, double* q, const std::vector<int>& held) {
  start_.assign(q, q + m_.q_index.back());
  best_error_ = least_squares_ = INFINITY;
  best_ = start_;
  now_ = start_;
  const bool closes = newton(a, now_, held);
  const std::vector<double>& end = closes ? now_ : best_;
  std::copy(end.begin(), end.end(), q);
  return {closes ? Assembled::End::closed : Assembled::End::not_reached, closes ? 0 : best_error_};
}

/// q of what is not held, moved at random by up to `size` rad, or levers.
void Assembly::scatter(const Aggregate& a, std::vector<double>& q, const std::vector<int>& held, double size,
                       Random& random) {
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const auto i = at(a.bodies[b]);
    double x[6];
    for (int k = 0; k < velocity_count(m_.joint_type[i]); ++k) {
      x[k] = size * random.uniform(-1, 1) * (slides(m_.joint_type[i], k) ? memory_of(a).units.lever : 1);
      if (holds(held, a.column[b] + k)) x[k] = 0;
    }
    advance(m_.joint_type[i], &q[at(m_.q_index[i])], x);
  }
}

/// To now_, from start_, by ways that go on where Newton's method ended open.
bool Assembly::goes_on(const Aggregate& a, const std::vector<int>& held) {
  const auto from_closed = [&] {  // near_ moved to where it closes with nothing held
    return closes(a, near_, none_) && bit_by_bit(a, near_, start_.data(), held);
  };
  seen_ = {};
  near_ = start_;
  if (from_closed()) return true;
  now_ = start_;
  if (least_squares(a, now_, held, few_steps, false)) return true;
  Random random(1);
  for (int start = 0; start < (a.constant() ? 0 : starts) && !seen_.enough(); ++start) {
    const bool far = start % 2 == 1;
    near_ = start_;
    scatter(a, near_, held, far ? 3 : 0.1 * (start + 1), random);
    now_ = near_;
    if (least_squares(a, now_, held, few_steps, far)) return true;
    if (start % 4 == 0 && from_closed()) return true;
  }
  memory_of(a).least.descend(closure_, settled_, held, most_steps);
  now_ = settled_;
  return memory_of(a).least.half_squares() <= nearly_closed && newton(a, now_, held);
}

Assembled Assembly::close(const Aggregate& a, double* q, const std::vector<int>& held) {
  contradicting_.clear();
  if (a.rows == 0) return {};
  prepare();
  if (!std::isfinite(closure_.opening(a, q))) return {Assembled::End::not_reached, INFINITY};
  if (Assembled first = close_near(a, q, held); first.end == Assembled::End::closed || a.rounding.nearest) return first;
  if (goes_on(a, held)) {
    std::copy(now_.begin(), now_.end(), q);
    return {};
  }
  const bool contradict = contradicts(a, held);
  const std::vector<double>& nearest = contradict ? settled_ : best_;
  std::copy(nearest.begin(), nearest.end(), q);
  if (contradict) return {Assembled::End::contradicts, closure_.opening(a, q)};
  return {Assembled::End::not_reached, best_error_};
}

double Assembly::close_velocities(const Aggregate& a, const double* q, double* v, const std::vector<int>& held) {
  if (a.rows == 0) return 0;
  Memory& memory = memory_of(a);
  const ConstraintRows<double>& rows = closure_.rows(a, q);
  const auto rate = [&] {
    memory.rates.setZero();
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int k = 0; k < velocity_count(m_.joint_type[at(a.bodies[b])]); ++k)
        for (int r = 0; r < a.rows; ++r)
          memory.rates[r] += rows.K[at(r * a.velocities + a.column[b] + k)] * v[m_.v_index[at(a.bodies[b])] + k];
  };
  memory.K = Eigen::Map<const Matrix>(rows.K.data(), a.rows, a.velocities);
  for (const int c : held) memory.K.col(c).setZero();
  memory.step.factor(memory.K);
  for (int again = 0; again < 2; ++again) {  // twice, for the last digits
    rate();
    const Eigen::VectorXd& x = memory.step.solve(memory.rates);
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int k = 0; k < velocity_count(m_.joint_type[at(a.bodies[b])]); ++k)
        if (!holds(held, a.column[b] + k)) v[m_.v_index[at(a.bodies[b])] + k] -= x[a.column[b] + k];
  }
  rate();
  double speed = 0, worst = 0;
  for (std::size_t b = 0; b < a.bodies.size(); ++b)
    for (int k = 0; k < velocity_count(m_.joint_type[at(a.bodies[b])]); ++k)
      speed = std::hypot(speed, v[m_.v_index[at(a.bodies[b])] + k]);
  for (int r = 0; r < a.rows; ++r) keep_worst(worst, std::abs(memory.rates[r]) / std::max(1.0, memory.units.row[r]));
  return worst / (1 + speed);
}

}  // namespace kinetree::inline inner
