#include "engine/model/mobility.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/joint/advance.hpp"
#include "engine/model/branches.hpp"
#include "engine/model/constraint_units.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

using Matrix = ConstraintUnits::Matrix;

constexpr double least_pivot = 1e-6;
constexpr double beside = 0.03;  ///< rad, and levers: how far the configurations beside one stand off
constexpr int samples = 8;

Matrix rows_of(Closure& closure, const Aggregate& a, const double* q) {
  return Eigen::Map<const Matrix>(closure.rows(a, q).K.data(), a.rows, a.velocities);
}

/// Of K without units, relative to the largest, descending; NaN where K has an entry that is no number, which the
/// factorization passes over.
Eigen::VectorXd pivots_of(const Matrix& K) {
  if (K.size() == 0) return {};
  if (!std::isfinite(largest_of(K))) return Eigen::VectorXd::Constant(std::min(K.rows(), K.cols()), NAN);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(K);
  const Eigen::VectorXd diagonal = factors.matrixQR().diagonal().cwiseAbs();
  return diagonal / std::max(least_pivot, diagonal[0]);  // all is rounding where no joint moves what the loops hold
}

Eigen::VectorXd pivots_at(const ModelData& m, Closure& closure, const Aggregate& a, const double* q) {
  const Matrix K = rows_of(closure, a, q);
  return pivots_of(ConstraintUnits(m, a, K).of(K));
}

/// x without its part that K forbids.
Eigen::VectorXd allowed(const Matrix& K, const Eigen::VectorXd& x) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(least_pivot);
  solver.compute(K);
  return x - solver.solve(K * x);
}

/// Closed configurations beside one.
class Neighbourhood {
 public:
  Neighbourhood(const ModelData& m, Closure& closure, const Aggregate& a, const std::vector<double>& q)
      : m_(m), closure_(closure), a_(a), q_(q), K_(rows_of(closure, a, q.data())), units_(m, a, K_), p_(q) {
    K_ = units_.of(K_);
  }

  /// Some motion that K allows at q, without units, of length 1; zero where it allows none.
  Eigen::VectorXd motion(Random& random) const {
    Eigen::VectorXd x(a_.velocities);
    for (double& value : x) value = random.uniform(-1, 1);
    x = allowed(K_, x);
    return x.norm() > 1e-3 ? x.normalized() : Eigen::VectorXd::Zero(a_.velocities);
  }

  /// q moved.
  const std::vector<double>& moved(const Eigen::VectorXd& x) {
    const Eigen::VectorXd way = units_.column.cwiseProduct(x);
    for (std::size_t b = 0; b < a_.bodies.size(); ++b) {
      const auto i = at(a_.bodies[b]);
      std::copy(q_.begin() + m_.q_index[i], q_.begin() + m_.q_index[i + 1], p_.begin() + m_.q_index[i]);
      advance(m_.joint_type[i], &p_[at(m_.q_index[i])], way.data() + a_.column[b]);
    }
    return p_;
  }

  /// The nearest closed configuration in the plane that a motion is square to and ends in: no singular one that q may
  /// be draws Newton's method back to itself. Pivots below the threshold are taken for those of redundant constraints,
  /// which off the branch are small and lead astray. Null: there is none near by.
  const std::vector<double>* closed(const Eigen::VectorXd& motion, double threshold) {
    Eigen::VectorXd x = motion;
    Matrix A(a_.rows + 1, a_.velocities);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(a_.rows + 1);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(threshold);
    double before = INFINITY;
    for (int step = 0; step < 40; ++step) {
      const std::vector<double>& errors = closure_.errors(a_, moved(x).data());
      b.head(a_.rows) = Eigen::Map<const Eigen::VectorXd>(errors.data(), a_.rows).cwiseQuotient(units_.row);
      b[a_.rows] = motion.normalized().dot(x - motion);
      const double error = largest_of(b);
      if (error == 0 || (error <= 1e-12 && !(error < 0.5 * before))) return &p_;
      if (!std::isfinite(error)) return nullptr;
      before = error;
      A.topRows(a_.rows) = units_.of(rows_of(closure_, a_, p_.data()));
      A.row(a_.rows) = motion.normalized().transpose();
      solver.compute(A);
      x -= solver.solve(b);
      if (!(x.norm() <= 10 * motion.norm())) return nullptr;
    }
    return nullptr;
  }

 private:
  const ModelData& m_;
  Closure& closure_;
  const Aggregate& a_;
  const std::vector<double>& q_;
  Matrix K_;
  ConstraintUnits units_;
  std::vector<double> p_;
};

}  // namespace

Rank rank_at(const ModelData& m, Closure& closure, const Aggregate& a, const double* q) {
  const Eigen::VectorXd pivots = pivots_at(m, closure, a, q);
  if (pivots.size() > 0 && std::isnan(pivots[0])) return {0, 0};
  if (a.rounding.nearest) return {a.rounding.rank, pivots[a.rounding.rank - 1]};
  Rank found;
  while (found.rank < pivots.size() && pivots[found.rank] > least_pivot) found.margin = pivots[found.rank++];
  return found;
}

double margin_at(const ModelData& m, Closure& closure, const Aggregate& a, const double* q) {
  int rank = a.velocities - a.freedoms;
  if (a.branches()) {
    Branches branches(m, a);
    branches.set(q);
    rank = branches.find().rank;
  }
  if (rank == 0) return 1;
  const Eigen::VectorXd pivots = pivots_at(m, closure, a, q);
  return rank > 0 && rank <= pivots.size() && pivots[rank - 1] > 0 ? pivots[rank - 1] : 0;
}

namespace {
Branches at_branch(const ModelData& m, const Aggregate& a, const Branch& branch) {
  Branches branches(m, a, Branches::off, branch.q.data());
  branches.set(branch.q.data());
  return branches;
}
}  // namespace

bool shaky(const ModelData& m, const Aggregate& a, const Branch& branch) {
  return at_branch(m, a, branch).shaky(branch.rank.rank);
}

bool regular(const ModelData& m, const Aggregate& a, const Branch& branch) {
  return at_branch(m, a, branch).stands(branch.rank.rank);
}

std::vector<Branch> branches_near(const ModelData& m, Closure& closure, const Aggregate& a,
                                  const std::vector<double>& q) {
  std::vector<Branch> all{{rank_at(m, closure, a, q.data()), q}};
  if (a.constant() || a.rounding.nearest || all.front().rank.rank == a.velocities) return all;
  const bool alone = regular(m, a, all.front());
  if (alone && all.front().rank.margin > 1e-3) return all;
  Neighbourhood beside_q(m, closure, a, q);
  Random random(2);
  const auto take = [&](const std::vector<double>& p) {
    const Rank here = rank_at(m, closure, a, p.data());
    if (alone && here.rank != all.front().rank.rank) return;
    const auto same = std::ranges::find(all, here.rank, [](const Branch& b) { return b.rank.rank; });
    if (same == all.end())
      all.push_back({here, p});
    else if (here.margin > 100 * same->rank.margin)  // where it was found first if that is about as good as any
      *same = {here, p};
  };
  int found = 0;
  for (const double distance : {beside, 0.1 * beside})
    for (const double threshold : {1e-9, 0.03, 0.2})
      for (int sample = 0; sample < samples && (sample > 0 || found == 0); ++sample)
        if (const std::vector<double>* p = beside_q.closed(distance * beside_q.motion(random), threshold))
          if (*p != q) ++found, take(*p);
  // q stands alone, though to first order something moves: what constraints leave in general
  for (int sample = 0; sample < samples && found == 0; ++sample) take(beside_q.moved(beside * beside_q.motion(random)));
  std::ranges::stable_sort(all, std::greater{}, [](const Branch& b) { return b.rank.rank; });
  all.erase(std::remove_if(all.begin() + 1, all.end(), [&](const Branch& b) { return !regular(m, a, b); }), all.end());
  return all;
}

}  // namespace kinetree::inline inner
