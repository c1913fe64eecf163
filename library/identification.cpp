// The numbers that joint forces are linear in, their names, and which of them motions tell apart (Gautier 1991).
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/identification.hpp>
#include <kinetree/independent.hpp>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/own_numbers.hpp"
#include "engine/model/placement.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t place(Index i) { return static_cast<std::size_t>(i); }

/// Of samples whose columns have any units; those of length zero are dependent.
boundary::BaseNumbers base_of(MatrixXd W, double tolerance) {
  const VectorXd length = W.colwise().norm().transpose();
  const double none = length.size() == 0 ? 0 : 1e-12 * length.maxCoeff();
  std::vector<Index> moving;
  for (Index c = 0; c < W.cols(); ++c) {
    if (!std::isfinite(length[c])) throw std::invalid_argument("base_parameters: a sample is not finite");
    if (length[c] > none) moving.push_back(c);
  }
  boundary::BaseNumbers found;
  const auto count = static_cast<Index>(moving.size());
  MatrixXd scaled(W.rows(), count);
  for (Index k = 0; k < count; ++k) scaled.col(k) = W.col(moving[place(k)]) / length[moving[place(k)]];
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(scaled);
  const MatrixXd& R = qr.matrixR();
  const Index most = std::min(scaled.rows(), count);
  Index rank = 0;
  const auto pivot = [&](Index k) { return std::abs(R(k, k) / R(0, 0)); };
  while (rank < most && pivot(rank) > tolerance) ++rank;
  if (rank == 0) return found;
  found.kept = pivot(rank - 1), found.dropped = rank < most ? pivot(rank) : 0;

  const MatrixXd K =
      R.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(R.topRightCorner(rank, count - rank));
  const auto& order = qr.colsPermutation().indices();
  std::vector<Index> rows(place(rank));  // pivots by ascending columns
  std::iota(rows.begin(), rows.end(), Index{0});
  std::ranges::sort(rows, {}, [&](Index k) { return order[k]; });
  MatrixXd regrouping = MatrixXd::Zero(rank, W.cols());
  for (Index r = 0; r < rank; ++r) {
    const Index k = rows[place(r)], kept = moving[place(order[k])];
    found.columns.push_back(static_cast<int>(kept));
    regrouping(r, kept) = 1;
    for (Index c = rank; c < count; ++c) {
      const Index other = moving[place(order[c])];
      const double entry = K(k, c - rank);
      if (std::abs(entry) > tolerance) regrouping(r, other) = entry * length[other] / length[kept];
    }
  }
  found.regrouping.assign(regrouping.data(), regrouping.data() + regrouping.size());
  return found;
}

/// Rows of Y, or with loops and couplings of X_Sᵀ Y, at random states that these allow.
MatrixXd random_samples(const Model& model, std::span<const int> among) {
  const Index nv = model.nv(), all = dynamic_parameter_count(model), unknown = static_cast<Index>(among.size());
  const bool tied = has_aggregates(model.data());
  const Index rows = tied ? static_cast<Index>(independent_velocities(model).size()) : nv;
  if (rows == 0) return MatrixXd(0, unknown);
  const Index states = std::max(Index{20}, 2 * unknown / rows + 1);
  Workspace workspace(model);
  MatrixXd W(states * rows, unknown), Y(nv, all), X(nv, rows);
  VectorXd q(model.nq()), v(nv), a(nv), other(model.nq());
  Index taken = 0;
  for (std::uint64_t seed = 1; taken < states && seed < 4 * static_cast<std::uint64_t>(states); ++seed) {
    Status status = random_state(model, 2 * seed, q, v);
    static_cast<void>(random_state(model, 2 * seed + 1, other, a));  // other velocities: accelerations without loops
    a *= 3;
    if (tied && status.ok()) {
      status = spanning_matrix(model, workspace, q, X);
      VectorXd a_R(rows);
      const std::vector<int> independent = independent_velocities(model);
      for (Index k = 0; k < rows; ++k) a_R[k] = a[independent[place(k)]];
      if (status.ok()) status = spanning_accelerations(model, workspace, q, v, a_R, a);
    }
    if (status.ok()) status = joint_torque_regressor(model, workspace, q, v, a, Y);
    if (!status.ok()) continue;
    for (Index c = 0; c < unknown; ++c) {
      const auto column = Y.col(among[place(c)]);
      if (tied)
        W.col(c).segment(taken * rows, rows) = X.transpose() * column;
      else
        W.col(c).segment(taken * rows, rows) = column;
    }
    ++taken;
  }
  if (taken < states)
    throw std::runtime_error("base_parameters: random states of model '" + model.name() +
                             "' do not close its loops; give Y of states that do");
  return W;
}

}  // namespace

std::vector<std::string> dynamic_parameter_names(const Model& model) {
  static constexpr const char* ten[] = {"mass", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"};
  std::vector<std::string> names;
  for (int i = 0; i < model.body_count(); ++i)
    for (const char* one : ten) names.push_back(std::string(model.body_name(i)) + '.' + one);
  for (const char* kind : {"armature", "damping", "friction"})
    for (int i = 0; i < model.body_count(); ++i) {
      const std::string name = std::string(model.joint_name(i)) + '.' + kind;
      const int freedoms = velocity_count(model.joint_type(i));
      for (int k = 0; k < freedoms; ++k) names.push_back(freedoms == 1 ? name : name + '[' + std::to_string(k) + ']');
    }
  return names;
}

namespace boundary {

std::vector<double> dynamic_parameters(const Model& model) {
  const ModelData& m = model.data();
  std::vector<double> all;
  all.reserve(at(dynamic_parameter_count(model)));
  for (int i = 0; i < model.body_count(); ++i) {
    const Transform<double>& U = m.frames[at(m.body_frame[at(i)])].X_frame_body;
    RigidInertia<double> own = congruence(inverse(U), m.link[at(i)].I);
    for (int k = 0; k < inertia_numbers; ++k) all.push_back(number_of_inertia(own, k));
  }
  for (const std::span<const double> numbers : {std::span<const double>(m.armature), model.damping(), model.friction()})
    all.insert(all.end(), numbers.begin(), numbers.end());
  return all;
}

BaseNumbers base_parameters(Columns<const double> samples, double tolerance) {
  return base_of(Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>>(samples.data, samples.rows, samples.columns,
                                                                     Eigen::OuterStride<>(samples.stride)),
                 tolerance);
}

BaseNumbers base_parameters(const Model& model, std::span<const int> among, double tolerance) {
  const int all = dynamic_parameter_count(model);
  std::vector<int> every;
  if (among.empty()) every.resize(at(all)), std::iota(every.begin(), every.end(), 0), among = every;
  for (std::size_t k = 0; k < among.size(); ++k)
    if (among[k] < (k == 0 ? 0 : among[k - 1] + 1) || among[k] >= all)
      throw std::invalid_argument("base_parameters: entry " + std::to_string(k) + " of `among` is " +
                                  std::to_string(among[k]) + "; give ascending entries of 0 to " +
                                  std::to_string(all - 1));
  BaseNumbers found = base_of(random_samples(model, among), tolerance);
  const std::size_t rank = found.columns.size();
  std::vector<double> wide(rank * at(all));
  for (std::size_t c = 0; c < among.size(); ++c)
    std::copy_n(found.regrouping.begin() + static_cast<std::ptrdiff_t>(c * rank), rank,
                wide.begin() + static_cast<std::ptrdiff_t>(at(among[c]) * rank));
  for (int& column : found.columns) column = among[at(column)];
  found.regrouping = std::move(wide);
  return found;
}

std::vector<std::string> texts_of(std::span<const int> columns, Columns<const double> regrouping,
                                  std::span<const std::string> names) {
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < columns.size(); ++r) {
    std::string text = names[at(columns[r])];
    for (std::ptrdiff_t c = 0; c < regrouping.columns; ++c) {
      const double factor = regrouping.data[c * regrouping.stride + static_cast<std::ptrdiff_t>(r)];
      if (factor == 0 || c == columns[r]) continue;
      text += factor < 0 ? " - " : " + ";
      if (const std::string size = number_text(std::abs(factor), 6); size != "1") text += size + ' ';
      text += names[static_cast<std::size_t>(c)];
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace boundary

}  // namespace kinetree
