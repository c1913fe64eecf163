#include "engine/model/held_rows.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/model/open_rows.hpp"
#include "engine/model/random.hpp"
#include "engine/model/row_words.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

using Matrix = Eigen::MatrixXd;

/// Of the smallest singular value held, what rows must keep of it in every sample, and what is good enough to look no
/// further.
constexpr double least_margin = 0.15, good_margin = 0.8;
constexpr int rounds = 30;  ///< of weights on the samples that rows serve least
constexpr int climbs = 6;
constexpr double most_turns = 300, work_of_turns = 3e7;  ///< of combinations, of a climb; in multiplications

/// A loop's rows, or a coupling's one.
struct Block {
  int loop = -1, first = 0, count = 1;  ///< loop: -1: a coupling
};

std::vector<Block> blocks_of(const ModelData& m, const Aggregate& a) {
  std::vector<Block> all;
  int row = 0;
  for (const int l : a.loops) {
    all.push_back({l, row, constraint_count(m.loops[at(l)].type)});
    row += all.back().count;
  }
  for (std::size_t c = 0; c < a.couplings.size(); ++c) all.push_back({-1, row++, 1});
  return all;
}

/// A choice of combinations: some columns of an orthogonal matrix that mixes the rows of each loop.
struct Choice {
  Matrix mixed;
  std::vector<int> columns;  ///< ascending
  double margin = 0;
};

/// Rows that span most of what the samples hold, one after another: Cholesky with pivoting of the mean of projectors.
std::vector<int> spanning(Matrix mean, int rank) {
  std::vector<int> taken;
  for (int step = 0; step < rank; ++step) {
    Eigen::Index best = 0;
    const double pivot = mean.diagonal().maxCoeff(&best);
    if (!(pivot > 1e-12)) return {};
    taken.push_back(static_cast<int>(best));
    const Eigen::VectorXd column = mean.col(best) / std::sqrt(pivot);
    mean -= column * column.transpose();
    mean.row(best).setZero(), mean.col(best).setZero();
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

/// What the rows keep of the smallest singular value held, sample by sample.
Eigen::VectorXd margins_of(const Choice& choice, const std::vector<SampledRows>& samples) {
  Eigen::VectorXd margins = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(samples.size()));
  if (choice.columns.empty()) return margins;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    Matrix K(static_cast<Eigen::Index>(choice.columns.size()), samples[k].K.cols());
    for (std::size_t r = 0; r < choice.columns.size(); ++r)
      K.row(static_cast<Eigen::Index>(r)) = choice.mixed.col(choice.columns[r]).transpose() * samples[k].K;
    const Eigen::VectorXd s = Eigen::JacobiSVD<Matrix>(K).singularValues();
    margins[static_cast<Eigen::Index>(k)] = s[s.size() - 1] / samples[k].least;
  }
  return margins;
}

Matrix mean_projector(const std::vector<SampledRows>& samples, const Eigen::VectorXd& weights) {
  Matrix mean = Matrix::Zero(samples.front().held.rows(), samples.front().held.rows());
  for (std::size_t k = 0; k < samples.size(); ++k)
    mean += weights[static_cast<Eigen::Index>(k)] * (samples[k].held * samples[k].held.transpose());
  return mean / weights.sum();
}

/// Turns each block's combinations at random, by up to about `size`.
void turn(Choice& choice, const std::vector<Block>& blocks, double size, Random& random) {
  for (const Block& b : blocks) {
    Matrix some = Matrix::Identity(b.count, b.count);
    for (double& x : some.reshaped()) x += size * random.uniform(-1, 1);
    const Matrix turned = Eigen::HouseholderQR<Matrix>(some).householderQ();
    choice.mixed.middleCols(b.first, b.count) = (choice.mixed.middleCols(b.first, b.count) * turned).eval();
  }
}

/// Turns combinations, ever less, and keeps what serves the worst sample better, of which the mean of projectors tells
/// little; from where they are, then from anywhere.
void climb(Choice& best, const std::vector<Block>& blocks, const std::vector<SampledRows>& samples) {
  if (best.columns.empty()) return;
  const double work = std::pow(static_cast<double>(best.columns.size()), 2) * static_cast<double>(samples.size()) *
                      static_cast<double>(samples.front().K.cols());
  const int turns = static_cast<int>(std::min(most_turns, work_of_turns / work));
  Random random(5);
  Choice start = best;
  for (int again = 0; again < climbs && best.margin < 0.5 * good_margin; ++again) {
    Choice now = start;
    for (int n = 0; n < turns && now.margin < good_margin; ++n) {
      Choice next = now;
      turn(next, blocks, std::pow(0.02, static_cast<double>(n) / turns), random);
      next.margin = margins_of(next, samples).minCoeff();
      if (next.margin > now.margin) now = std::move(next);
    }
    if (now.margin > best.margin) best = std::move(now);
    turn(start, blocks, 10, random);
    start.margin = 0;
  }
}

/// Rows as they are, if they serve about as well as combinations of each loop's own. Of these the mean of projectors
/// has the best; samples in which they serve least get more weight, round by round, as in games of two players
/// (Freund & Schapire 1999).
Choice best_in_these_frames(const std::vector<Block>& blocks, int rank, const std::vector<SampledRows>& samples) {
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(samples.size()));
  Matrix mean = mean_projector(samples, weights);
  const Eigen::Index rows = mean.rows();
  Choice plain{Matrix::Identity(rows, rows), spanning(mean, rank)};
  plain.margin = margins_of(plain, samples).minCoeff();
  if (plain.margin >= good_margin) return plain;
  Choice combined;
  for (int round = 0; round < rounds && combined.margin < good_margin; ++round) {
    Choice next{Matrix::Zero(rows, rows), {}};
    for (const Block& b : blocks)
      next.mixed.block(b.first, b.first, b.count, b.count) =
          Eigen::SelfAdjointEigenSolver<Matrix>(mean.block(b.first, b.first, b.count, b.count)).eigenvectors();
    next.columns = spanning(next.mixed.transpose() * mean * next.mixed, rank);
    const Eigen::VectorXd margins = margins_of(next, samples);
    next.margin = margins.minCoeff();
    if (next.margin > combined.margin) combined = next;
    weights = weights.cwiseProduct((1 - margins.array()).max(0).exp().matrix());
    mean = mean_projector(samples, weights);
  }
  return combined.margin > 1.5 * plain.margin ? combined : plain;
}

void exchange_ends(Loop& loop) {
  std::swap(loop.first, loop.second);
  std::swap(loop.X_first, loop.X_second);
}

/// Puts a choice into the model. Returns the words of rows that are left out, where none are mixed.
std::string take(ModelData& m, Aggregate& a, const Choice& choice, const std::vector<Block>& blocks,
                 const Eigen::VectorXd& unit) {
  const bool plain = choice.mixed.isIdentity();
  std::string left;
  std::vector<int> couplings, others;
  a.rows = static_cast<int>(choice.columns.size());
  const auto held = [&](int row) { return std::binary_search(choice.columns.begin(), choice.columns.end(), row); };
  const auto say = [&](const std::string& row) { left += (left.empty() ? "" : ", ") + row; };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Block& block = blocks[b];
    if (block.loop < 0) {
      const int coupling = a.couplings[b - a.loops.size()];
      (held(block.first) ? couplings : others).push_back(coupling);
      if (!held(block.first)) say("coupling \"" + m.couplings[at(coupling)].name + "\"");
      continue;
    }
    Loop& loop = m.loops[at(block.loop)];
    const std::array<RowKind, 6> kinds = row_kinds(loop.type);
    std::vector<HeldRow> rows;
    for (int r = block.first; r < block.first + block.count; ++r) {
      if (!held(r)) {
        const std::string of = a.loops.size() > 1 ? "of \"" + loop.name + "\" " : "";
        say(of + words_of(kinds[at(r - block.first)]));
        continue;
      }
      const auto mixed = choice.mixed.col(r).segment(block.first, block.count);
      HeldRow& row = rows.emplace_back();
      row.length = true;
      for (int k = 0; k < block.count; ++k)
        if (std::abs(mixed[k]) > 1e-12 && !is_length(kinds[at(k)])) row.length = false;
      for (int k = 0; k < block.count; ++k)
        row.of[at(k)] = std::abs(mixed[k]) > 1e-12 ? mixed[k] / (row.length ? 1 : unit[block.first + k]) : 0;
    }
    loop.rounded = static_cast<int>(rows.size()) < block.count;
    loop.held = loop.rounded ? std::move(rows) : std::vector<HeldRow>{};
  }
  a.couplings = std::move(couplings), a.rounding.couplings = std::move(others);
  return plain ? left : "";
}

}  // namespace

void hold_rows(ModelData& m, Aggregate& a, int rank, std::vector<SampledRows> samples,
               const std::function<std::vector<SampledRows>()>& again, std::string& left) {
  const std::vector<Block> blocks = blocks_of(m, a);
  Choice best = best_in_these_frames(blocks, rank, samples);
  const auto try_other_ends = [&](double enough, bool climbing) {
    for (const int l : a.loops) {
      Loop& loop = m.loops[at(l)];
      if (best.margin >= enough) return;
      if (loop.type == LoopType::point_on_line) continue;
      exchange_ends(loop);
      std::vector<SampledRows> other = again();
      Choice choice = other.empty() ? Choice{} : best_in_these_frames(blocks, rank, other);
      if (climbing) climb(choice, blocks, other);
      if (choice.margin > best.margin)
        best = std::move(choice), samples = std::move(other);
      else
        exchange_ends(loop);
    }
  };
  try_other_ends(good_margin, false);
  climb(best, blocks, samples);
  // where margins are about as large, those that turns lead to differ by more
  if (best.margin > least_margin / 2) try_other_ends(least_margin, true);
  if (best.margin >= least_margin)
    left = take(m, a, best, blocks, samples.front().unit);
  else
    a.rounding.nearest = true;
}

}  // namespace kinetree::inline inner
