#include "engine/model/rounding.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "engine/model/constraint_units.hpp"
#include "engine/model/held_rows.hpp"
#include "engine/model/nearest_closure.hpp"
#include "engine/model/open_rows.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double gap = 10;       ///< between singular values held and redundant
constexpr double exact = 1e-11;  ///< without units: errors below are those of numbers with all their digits
constexpr double closed = 1e-10;
constexpr double beyond = 100;  ///< of what samples are open: what a state may be, where rows held serve less well
constexpr int most_entries =
    1000;  ///< of K whose neighbours are looked at too: singular values of more take their time
constexpr int starts = 40, walks = 8, steps = 12, most_samples = 96;

/// By about half a radian, along some motion that K allows where `nearest` looked, without units: on from `last` and
/// not back, so that a walk goes round where steps to and fro would stay. Zero where K allows none.
Eigen::VectorXd some_motion(const NearestClosure& nearest, const Eigen::VectorXd& last, Random& random) {
  Eigen::VectorXd x(last.size());
  for (double& value : x) value = random.uniform(-1, 1);
  const auto V = nearest.right().leftCols(nearest.rank());
  x -= V * (V.transpose() * x).eval();
  const double size = largest_of(x);
  return size > 1e-3 ? (x * ((x.dot(last) < 0 ? -1 : 1) * random.uniform(0.3, 0.8) / size)).eval() : 0 * x;
}

/// Whether redundant rows, which close at q, stay open beside it: by symmetry all may close in one configuration alone,
/// where they have no pivots either.
bool opens_beside(const ModelData& m, Closure& closure, const Aggregate& a, const double* q) {
  NearestClosure nearest(m, a, closure);
  Random random(6);
  std::vector<double> p(q, q + m.q_index.back());
  nearest.look(closure, p.data());
  nearest.move(p, some_motion(nearest, Eigen::VectorXd::Zero(a.velocities), random));
  return nearest.close(closure, p.data()) <= closed && largest_of(nearest.errors()) > exact;
}

/// A closed configuration, and the constraints taken apart there; without units.
struct Sample {
  std::vector<double> q;
  int rank;  ///< of what is closed
  ConstraintUnits::Matrix K;
  Eigen::MatrixXd left;  ///< singular vectors
  Eigen::VectorXd singular_values, errors;

  /// Where `nearest` has looked.
  Sample(std::vector<double> there, const NearestClosure& nearest)
      : q(std::move(there)),
        rank(nearest.rank()),
        K(nearest.K()),
        left(nearest.left()),
        singular_values(nearest.singular_values()),
        errors(nearest.errors()) {}
};

/// Closed configurations of an aggregate, as far as its constraints agree.
class Samples {
 public:
  Samples(const ModelData& m, const Aggregate& a, FoundRounding& found)
      : a_(a), closure_(m), nearest_(m, a, closure_), found_(found) {}

  void collect(const std::function<std::vector<double>(int)>& start_of) {
    for (int start = 0; start < starts && static_cast<int>(all_.size()) < walks; ++start) take(start_of(start));
    if (a_.constant()) return;
    Random random(4);
    for (std::size_t from = 0, own = all_.size(); from < own; ++from) {  // from each, along motions that are left
      std::vector<double> q = all_[from].q;
      Eigen::VectorXd way = Eigen::VectorXd::Zero(a_.velocities);
      for (int step = 0; step < steps && static_cast<int>(all_.size()) < most_samples; ++step) {
        nearest_.look(closure_, q.data());
        way = some_motion(nearest_, way, random);
        nearest_.move(q, way);
        if (!take(q, nearest_.rank())) break;
        q = all_.back().q;
      }
    }
  }

  const std::vector<Sample>& all() const { return all_; }
  /// Steps after which what counted as redundant is open by more than rounding: so are constraints of second order.
  std::size_t opened() const { return opened_; }

 private:
  bool take(std::vector<double> q, int rank = -1) {
    const double left = nearest_.close(closure_, q.data(), rank);
    const std::vector<double>& errors = closure_.errors(a_, q.data());
    const double off = largest_of(Eigen::Map<const Eigen::VectorXd>(errors.data(), a_.rows));
    if (off < found_.off) found_.off = off, found_.q = q;
    if (!(left <= closed)) return false;
    if (!(largest_of(nearest_.errors()) <= NearestClosure::most_rounding)) return ++opened_, false;
    all_.emplace_back(std::move(q), nearest_);
    return true;
  }

  const Aggregate& a_;
  Closure closure_;
  NearestClosure nearest_;
  FoundRounding& found_;
  std::vector<Sample> all_;
  std::size_t opened_ = 0;
};

/// The largest errors at q, by their kinds.
void keep_errors(const ModelData& m, const Aggregate& a, Closure& closure, const double* q, FoundRounding& found) {
  const std::vector<double>& errors = closure.errors(a, q);
  int row = 0;
  for (const int l : a.loops) {
    const auto kinds = row_kinds(m.loops[at(l)].type);
    for (int r = 0; r < constraint_count(m.loops[at(l)].type); ++r, ++row)
      keep_worst(is_length(kinds[at(r)]) ? found.lengths : found.turns, std::abs(errors[at(row)]));
  }
  for (const int c : a.couplings)
    keep_worst(found.couplings, std::abs(errors[at(row++)]) / closure.scale_of(m.couplings[at(c)], q).of_positions());
}

/// What stays open where `rank` rows are closed, and K there. Without `found` samples are taken apart anew, since ends
/// of loops have been exchanged.
std::vector<SampledRows> rows_at(const ModelData& m, const Aggregate& a, int rank, const std::vector<Sample>& samples,
                                 FoundRounding* found) {
  std::vector<SampledRows> all;
  Closure closure(m);
  NearestClosure nearest(m, a, closure);
  std::optional<Sample> anew;
  for (const Sample& sample : samples) {
    anew.reset();
    if (found == nullptr || sample.rank != rank) {
      std::vector<double> q = sample.q;
      if (!(nearest.close(closure, q.data(), rank) <= closed)) continue;
      anew.emplace(std::move(q), nearest);
    }
    const Sample& now = anew ? *anew : sample;
    const Eigen::VectorXd& s = now.singular_values;
    const double redundant = rank < s.size() ? s[rank] : 0, ratio = s[rank - 1] / std::max(redundant, 1e-300);
    if (ratio < gap) continue;
    if (found != nullptr) {
      keep_worst(found->redundant_value, redundant / s[0]);
      found->held_value = std::min(found->held_value, s[rank - 1] / s[0]);
      keep_errors(m, a, closure, now.q.data(), *found);
    }
    all.push_back(
        {now.K, now.left.leftCols(rank), nearest.units().row, s[rank - 1], redundant / s[0], largest_of(now.errors)});
  }
  return all;
}

/// The rank that one gap shows in two thirds of the samples, and of steps between them; -1: there is none.
int common_rank(const Samples& samples) {
  struct Sides {
    double held, redundant;  ///< singular values beside the gap, the largest being 1
  };
  std::map<int, std::vector<Sides>> found;  // by what is above rounding
  for (const Sample& sample : samples.all()) {
    const Eigen::VectorXd s = sample.singular_values / sample.singular_values[0];
    const auto rank = static_cast<int>((s.array() > NearestClosure::most_rounding).count());
    if (rank > 0) found[rank].push_back({s[rank - 1], rank < s.size() ? s[rank] : 0});
  }
  for (const auto& [rank, all] : found) {
    const double redundant = std::ranges::max_element(all, {}, &Sides::redundant)->redundant;
    const auto clear = std::ranges::count_if(all, [&](const Sides& x) { return x.held >= gap * redundant; });
    if (3 * static_cast<std::size_t>(clear) >= 2 * (samples.all().size() + samples.opened())) return rank;
  }
  return -1;
}

/// Whether all rows close at q and half a radian on, though they are more than their rank: small singular values are
/// then lengths that differ much, as of cranks far shorter than what they carry.
bool moves_exactly(Closure& closure, NearestClosure& nearest, const Aggregate& a, std::vector<double> q) {
  nearest.look(closure, q.data());
  const auto rank =
      static_cast<int>((nearest.singular_values().array() > exact * nearest.singular_values()[0]).count());
  if (rank == a.rows || rank == a.velocities || a.constant()) return false;
  const auto closes = [&] {
    return nearest.close(closure, q.data(), rank) <= exact && largest_of(nearest.errors()) <= exact;
  };
  if (!closes()) return false;
  Random random(8);
  nearest.move(q, some_motion(nearest, Eigen::VectorXd::Zero(a.velocities), random));
  return closes();
}

/// All rows of a loop by their exact derivatives, about the points that the kernels take them about (open_rows.hpp);
/// for as long as it is open what is held, and where least squares close.
void hold_all(ModelData& m, const Aggregate& a) {
  for (const int l : a.loops) {
    Loop& loop = m.loops[at(l)];
    const std::array<RowKind, 6> kinds = row_kinds(loop.type);
    loop.rounded = true;
    loop.held.assign(at(constraint_count(loop.type)), {});
    for (std::size_t r = 0; r < loop.held.size(); ++r)
      loop.held[r].of[r] = 1, loop.held[r].length = is_length(kinds[r]);
  }
}

FoundRounding decide(ModelData& m, Aggregate& a, const std::function<std::vector<double>(int)>& start_of) {
  FoundRounding found;
  Samples samples(m, a, found);
  samples.collect(start_of);
  if (found.q.empty()) return found;
  Closure closure(m);
  NearestClosure nearest(m, a, closure);
  nearest.look(closure, found.q.data());
  found.singular_values = nearest.singular_values() / nearest.singular_values()[0];
  if (samples.all().empty() || moves_exactly(closure, nearest, a, found.q)) return found;
  const int rank = common_rank(samples);
  if (rank < 0) {
    found.unclear = true;
    return found;
  }
  const std::vector<SampledRows> rows = rows_at(m, a, rank, samples.all(), &found);
  double open = 0, redundant = 0;
  for (const SampledRows& sample : rows) keep_worst(open, sample.open), keep_worst(redundant, sample.redundant);
  // constraints of second order, of shaky linkages, are small where their derivatives are: no rounding
  if (rows.empty() || open <= exact || open < 1e-3 * redundant) return found;
  found.rounded = true, found.held = rank, found.rows = a.rows;
  a.rounding.rank = rank;
  a.rounding.open = beyond * std::max({found.turns, found.lengths, found.couplings, 1e-9});
  a.rounding.contradiction = 10 * open;
  hold_rows(
      m, a, rank, rows, [&] { return rows_at(m, a, rank, samples.all(), nullptr); }, found.redundant);
  return found;
}

}  // namespace

FoundRounding find_rounding(ModelData& m, Aggregate& a, const std::function<std::vector<double>(int)>& start_of) {
  hold_all(m, a);
  FoundRounding found = decide(m, a, start_of);
  if (!found.rounded)
    for (const int l : a.loops) m.loops[at(l)].rounded = false, m.loops[at(l)].held.clear();
  return found;
}

bool may_be_rounding(const ModelData& m, Closure& closure, const Aggregate& a, const double* q, double error) {
  const ConstraintUnits::Matrix rows =
      Eigen::Map<const ConstraintUnits::Matrix>(closure.rows(a, q).K.data(), a.rows, a.velocities);
  const ConstraintUnits units(m, a, rows);
  if (error > exact * std::max(1.0, units.lever)) return true;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(units.of(rows));
  const Eigen::VectorXd pivots = factors.matrixQR().diagonal().cwiseAbs();
  if ((pivots.array() > exact * pivots[0] && pivots.array() < NearestClosure::most_rounding * pivots[0]).any())
    return true;
  const bool redundant = a.rows > a.velocities || !(pivots.array() > exact * pivots[0]).all();
  return redundant && !a.constant() && rows.size() <= most_entries && opens_beside(m, closure, a, q);
}

}  // namespace kinetree::inline inner
