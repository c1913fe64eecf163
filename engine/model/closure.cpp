#include "engine/model/closure.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>

#include "engine/joint/advance.hpp"
#include "engine/model/closed_within.hpp"
#include "engine/model/constraint_units.hpp"
#include "engine/model/least_norm.hpp"
#include "engine/model/loop_levers.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/nearest_closure.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double most_open = 1e-8;  ///< of a state that is closed: m or rad; velocities relative to 1 + |v|

double error_of(const ModelData& m, const Coupling& c, const double* q) {
  double sum = -c.offset;
  for (std::size_t t = 0; t < c.terms.size(); ++t) {
    const double position = q[m.q_index[at(c.terms[t].first)]];
    sum += c.factor(t, position) * position;
  }
  return sum;
}

double largest(std::span<const double> e) {
  double worst = 0;
  for (const double x : e) worst = std::isnan(x) ? INFINITY : std::max(worst, std::abs(x));
  return worst;
}

}  // namespace

struct Closure::Memory {
  Memory(const ModelData& m, const Aggregate& a)
      : loops(a.loops), couplings(a.couplings), rows(m, a), left(at(a.rows)), slides(slide_columns(m, a)) {}

  std::vector<int> loops, couplings;  ///< of the aggregate
  ConstraintRows<double> rows;
  std::vector<double> left;  ///< errors that a step is to take away
  std::vector<bool> slides;  ///< of columns
  std::optional<ConstraintUnits> units;
  std::optional<LeastNorm> step;
  std::optional<NearestClosure> nearest;  ///< where no fixed rows serve
  Eigen::VectorXd velocities, residual;
  Eigen::MatrixXd squares;  ///< K Kᵀ or Kᵀ K
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> singular_values;

  /// But for what Eigen's decompositions keep for themselves.
  std::size_t bytes() const;
  auto K(const Aggregate& a) const { return Eigen::Map<const RowMajor>(rows.K.data(), a.rows, a.velocities); }
  LeastNorm& solver(const Aggregate& a) {
    if (!step) step.emplace(a.rows, a.velocities, 1e-9);
    return *step;
  }
};

Closure::Closure(const ModelData& model)
    : m_(model), X_up_(model.parent.size()), general_(model.parent.size()), columns_(at(model.v_index.back())) {
  for (std::size_t i = 0; i < X_up_.size(); ++i) X_up_[i].general = &general_[i];
}
Closure::~Closure() = default;
Closure::Closure(Closure&&) noexcept = default;

Closure::Memory& Closure::memory_of(const Aggregate& a) {
  const auto same = [&](const auto& memory) { return memory->loops == a.loops && memory->couplings == a.couplings; };
  const auto found = std::ranges::find_if(memory_, same);
  return found != memory_.end() ? **found : *memory_.emplace_back(std::make_unique<Memory>(m_, a));
}

std::size_t Closure::Memory::bytes() const {
  Eigen::Index numbers = velocities.size() + residual.size() + squares.size();
  if (units) numbers += units->row.size() + units->column.size();
  if (nearest) {
    const ConstraintUnits& of = nearest->units();
    numbers += of.row.size() + of.column.size() + nearest->K().size() + nearest->errors().size() +
               nearest->left().size() + nearest->right().size() + nearest->singular_values().size();
  }
  return sizeof(Memory) + bytes_of(loops, couplings, rows, left) + slides.capacity() / 8 +
         static_cast<std::size_t>(numbers) * sizeof(double);
}

std::size_t Closure::bytes() const {
  std::size_t sum = bytes_of(X_up_, general_, columns_, error_, tried_) + memory_.capacity() * sizeof(memory_[0]);
  for (const auto& memory : memory_) sum += memory->bytes();
  return sum;
}

void Closure::place(const Aggregate& a, const double* q) {
  const double v[6]{};
  Motion<double> cJ;
  for (const int i : a.bodies)
    joint_at(m_.joint_type[at(i)], m_.link[at(i)], q + m_.q_index[at(i)], v, X_up_[at(i)],
             &columns_[at(m_.v_index[at(i)])], cJ);
}

const std::vector<double>& Closure::errors(const Aggregate& a, const double* q) {
  place(a, q);
  error_.assign(at(a.rows), 0);
  int row = 0;
  for (const int index : a.loops) {
    const Loop& loop = m_.loops[at(index)];
    const LoopPose<double> pose = loop_pose(m_, loop, LoopEnds<double>(loop), state());
    if (!loop.rounded) {
      loop_error(loop.type, loop.cosine, pose, &error_[at(row)]);
    } else {
      double all[6];
      loop_error(loop.type, loop.cosine, pose, all);
      for (int r = 0; r < row_count(loop); ++r)
        error_[at(row + r)] =
            std::inner_product(all, all + constraint_count(loop.type), loop.held[at(r)].of.data(), 0.0);
    }
    row += row_count(loop);
  }
  for (const int index : a.couplings) error_[at(row++)] = error_of(m_, m_.couplings[at(index)], q);
  return error_;
}

double Closure::open(const Aggregate& a, const double* q) {
  if (!a.rounding.any()) return 0;
  place(a, q);
  double worst = 0;
  for (const int index : a.loops) {
    const Loop& loop = m_.loops[at(index)];
    double all[6];
    loop_error(loop.type, loop.cosine, loop_pose(m_, loop, LoopEnds<double>(loop), state()), all);
    for (int r = 0; r < constraint_count(loop.type); ++r) keep_worst(worst, std::abs(all[r]));
  }
  const auto look = [&](const std::vector<int>& couplings) {
    for (const int index : couplings)
      keep_worst(worst, std::abs(error_of(m_, m_.couplings[at(index)], q)) /
                            scale_of(m_.couplings[at(index)], q).of_positions());
  };
  look(a.rounding.couplings);
  if (a.rounding.nearest) look(a.couplings);
  return worst;
}

NearestClosure& Closure::nearest(const Aggregate& a) {
  Memory& memory = memory_of(a);
  if (!memory.nearest) memory.nearest.emplace(m_, a, *this);
  return *memory.nearest;
}

ConstraintRows<double>& Closure::rows(const Aggregate& a, const double* q) {
  Memory& memory = memory_of(a);
  fill(a, q, memory.rows);
  return memory.rows;
}

void Closure::fill(const Aggregate& a, const double* q, ConstraintRows<double>& rows, double* errors) {
  place(a, q);
  AggregateState<double> here = state();
  here.q = q;
  constraint_rows(m_, a, here, rows);
  int row = 0;
  for (std::size_t l = 0; l < a.loops.size(); ++l) {
    const Loop& loop = m_.loops[at(a.loops[l])];
    if (!loop.rounded && parts_origins(loop.type)) {
      const std::vector<bool>& slides = memory_of(a).slides;
      act_where_levers_are_short(loop.type, loop_pose(m_, loop, rows.constants.ends[l], state()).X.r, a.velocities,
                                 &rows.K[at(row * a.velocities)], errors != nullptr ? errors + row : nullptr,
                                 [&](int c) { return slides[at(c)]; });
    }
    row += row_count(loop);
  }
}

bool Closure::closed(const Aggregate& a, double error) const {
  if (error <= closed_within) return true;
  double farthest = 0;
  for (const int index : a.loops) {
    const Loop& loop = m_.loops[at(index)];
    const LoopEnds<double> ends(loop);
    for (const auto& [end, body] : {std::pair(ends.first, loop.first), std::pair(ends.second, loop.second)}) {
      const Vector3<double> r = from_above(m_, state(), end, body, loop.meet).r;
      for (const double x : {r.x, r.y, r.z}) keep_worst(farthest, std::abs(x));
    }
  }
  return error <= 16 * std::numeric_limits<double>::epsilon() * farthest;
}

CouplingScale Closure::scale_of(const Coupling& c, const double* q) const {
  CouplingScale scale(c.offset);
  for (std::size_t t = 0; t < c.terms.size(); ++t)
    scale.add(c.terms[t].second, c.linear() ? std::array<double, 3>{} : c.powers[t],
              q[m_.q_index[at(c.terms[t].first)]]);
  return scale;
}

double Closure::opening(const Aggregate& a, const double* q) {
  errors(a, q);
  return measured(a, q);
}

/// The opening by error_, which is of a at q.
double Closure::measured(const Aggregate& a, const double* q) const {
  const std::size_t loops = error_.size() - a.couplings.size();
  double worst = largest({error_.data(), loops});
  for (std::size_t k = 0; k < a.couplings.size(); ++k) {
    const double part = error_[loops + k] / scale_of(m_.couplings[at(a.couplings[k])], q).of_positions();
    worst = std::max(worst, largest({&part, 1}));
  }
  return worst;
}

double Closure::project(const Aggregate& a, double* q, double until, const std::vector<int>& held) {
  if (a.rounding.nearest) {
    const double left = nearest(a).close(*this, q, a.rounding.rank), widest = open(a, q);
    return widest <= a.rounding.open ? left : widest;
  }
  double now = largest(errors(a, q));
  Memory& memory = memory_of(a);
  LeastNorm& solver = memory.solver(a);
  tried_.resize(at(m_.q_index.back()));
  for (int step = 0; step < 60 && (now > until || measured(a, q) > until); ++step) {
    std::copy(error_.begin(), error_.end(), memory.left.begin());
    fill(a, q, memory.rows, memory.left.data());
    for (const int column : held)
      for (int r = 0; r < a.rows; ++r) memory.rows.K[at(r * a.velocities + column)] = 0;
    solver.factor(memory.K(a));
    Eigen::VectorXd& x = solver.solve(Eigen::Map<const Eigen::VectorXd>(memory.left.data(), a.rows));
    x = -x;
    if (const double size = largest_of(x); !std::isfinite(size))
      return INFINITY;
    else if (a.constant() == false && size > 0.5)
      x *= 0.5 / size;
    double next = INFINITY;
    for (int halving = 0; halving < 8 && !(next < now); ++halving, x /= 2) {
      tried_.assign(q, q + m_.q_index.back());
      for (std::size_t k = 0; k < a.bodies.size(); ++k)
        advance(m_.joint_type[at(a.bodies[k])], &tried_[at(m_.q_index[at(a.bodies[k])])], x.data() + a.column[k]);
      next = largest(errors(a, tried_.data()));
    }
    if (!(next < now)) break;  // as close as rounding, or this start, allows
    std::copy(tried_.begin(), tried_.end(), q);
    now = next;
  }
  if (const double widest = open(a, q); widest > a.rounding.open) return widest;  // closed where it may not be
  return opening(a, q);
}

void Closure::project_velocity(const Aggregate& a, const double* q, double* v) {
  if (a.rows == 0) return;
  Memory& memory = memory_of(a);
  fill(a, q, memory.rows);
  Eigen::VectorXd& own = memory.velocities;
  own.resize(a.velocities);
  const auto each = [&](auto&& use) {
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int k = 0; k < velocity_count(m_.joint_type[at(a.bodies[b])]); ++k)
        use(own[a.column[b] + k], v[m_.v_index[at(a.bodies[b])] + k]);
  };
  each([](double& x, double y) { x = y; });
  if (a.rounding.nearest) {
    nearest(a).look(*this, q, a.rounding.rank);
    nearest(a).keep_allowed(own);
    return each([](double x, double& y) { y = x; });
  }
  memory.residual.noalias() = memory.K(a) * own;
  LeastNorm& solver = memory.solver(a);
  solver.factor(memory.K(a));
  own -= solver.solve(memory.residual);
  each([](double x, double& y) { y = x; });
}

double Closure::regularity(const Aggregate& a, const double* q, int rank) {
  if (rank == 0) return 1;
  Memory& memory = memory_of(a);
  if (!memory.units) {
    fill(a, m_.assembled.data(), memory.rows);
    memory.units.emplace(m_, a, memory.K(a));
  }
  const ConstraintUnits& units = *memory.units;
  fill(a, q, memory.rows);
  Eigen::Map<RowMajor> K(memory.rows.K.data(), a.rows, a.velocities);
  // a row whose levers have grown since the model was assembled counts no more for that
  for (int r = 0; r < a.rows; ++r) {
    K.row(r).array() *= units.column.transpose().array();
    K.row(r) /= std::hypot(units.row[r], K.row(r).norm());
  }
  if (a.rows < a.velocities)
    memory.squares.noalias() = K * K.transpose();
  else
    memory.squares.noalias() = K.transpose() * K;
  const Eigen::VectorXd& found = memory.singular_values.compute(memory.squares, Eigen::EigenvaluesOnly).eigenvalues();
  return rank > found.size() ? 0 : std::sqrt(std::max(found[found.size() - rank], 0.0));
}

/// Calls use(aggregate, constraint, amount, velocity) for each violation; the constraint: a Loop or Coupling.
template <class Use>
void Closure::each_violation(const double* q, const double* v, Use&& use) {
  // squares of large velocities overflow
  const double speed = v != nullptr ? Eigen::Map<const Eigen::VectorXd>(v, m_.v_index.back()).stableNorm() : 0;
  for (const Aggregate& a : m_.aggregates) {
    Memory& memory = memory_of(a);
    std::vector<double>& e = memory.left;
    const std::vector<double>& found = errors(a, q);
    std::copy(found.begin(), found.end(), e.begin());
    const ConstraintRows<double>& K = memory.rows;
    fill(a, q, memory.rows, e.data());
    const auto rate = [&](int row) {
      double sum = 0;
      for (std::size_t b = 0; b < a.bodies.size(); ++b)
        for (int n = 0; n < velocity_count(m_.joint_type[at(a.bodies[b])]); ++n)
          sum += K.K[at(row * a.velocities + a.column[b] + n)] * v[m_.v_index[at(a.bodies[b])] + n];
      return sum;
    };
    Eigen::VectorXd& rates = memory.residual;
    if (a.rounding.nearest) {  // what is held of all rows
      rates.setZero(a.rows);
      for (int r = 0; v != nullptr && r < a.rows; ++r) rates[r] = rate(r);
      nearest(a).look(*this, q, a.rounding.rank);
      nearest(a).keep_held(rates);
      nearest(a).keep_held(Eigen::Map<Eigen::VectorXd>(e.data(), a.rows));
    }
    const auto rate_held = [&](int r) { return std::abs(a.rounding.nearest ? rates[r] : rate(r)); };
    int row = 0;
    const auto look = [&](const auto& constraint, int count, double of_positions, double of_velocities) {
      double position = 0, velocity = 0;
      for (const int end = row + count; row < end; ++row) {
        keep_worst(position, std::abs(e[at(row)]) / of_positions);
        if (v != nullptr) keep_worst(velocity, rate_held(row) / (of_velocities * (1 + speed)));
      }
      if (!(position <= most_open)) use(a, constraint, position, false);
      if (!(velocity <= most_open)) use(a, constraint, velocity, true);
    };
    for (const int index : a.loops) look(m_.loops[at(index)], row_count(m_.loops[at(index)]), 1, 1);
    for (const int index : a.couplings) {
      const CouplingScale scale = scale_of(m_.couplings[at(index)], q);
      look(m_.couplings[at(index)], 1, scale.of_positions(), scale.of_velocities());
    }
    if (const double widest = open(a, q); !(widest <= a.rounding.open)) {  // more than rounding may leave
      if (a.loops.empty())
        use(a, m_.couplings[at(a.couplings.front())], widest, false);
      else
        use(a, m_.loops[at(a.loops.front())], widest, false);
    }
  }
}

std::vector<Violation> Closure::violations(const double* q, const double* v) {
  std::vector<Violation> found;
  each_violation(q, v, [&](const Aggregate&, const auto& constraint, double amount, bool velocity) {
    const bool loop = std::is_same_v<std::decay_t<decltype(constraint)>, Loop>;
    found.push_back({(loop ? "loop \"" : "coupling \"") + constraint.name + "\"", amount, velocity});
  });
  return found;
}

Status Closure::fault(const double* q, const double* v) {
  Status found;
  each_violation(q, v, [&](const Aggregate& a, const auto&, double amount, bool velocity) {
    const bool same = velocity == (*found.argument == 'v');
    const bool worse = !(amount <= found.value) && !std::isnan(found.value);
    if (found.ok() || (same ? worse : !velocity))
      found = {StatusCode::not_closed, 0, a.bodies.front(), amount, velocity ? "v" : "q"};
  });
  return found;
}

std::vector<double> zero_configuration(const ModelData& model) {
  std::vector<double> q(at(model.q_index.back()));
  for (std::size_t i = 0; i < model.parent.size(); ++i)
    for (int k = model.q_index[i]; k < model.q_index[i + 1]; ++k)
      q[at(k)] = zero_position(model.joint_type[i], k - model.q_index[i]);
  return q;
}

}  // namespace kinetree::inline inner
