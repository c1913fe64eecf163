#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <kinetree/simulation/computed_torque.hpp>
#include <limits>
#include <optional>
#include <stdexcept>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/least_norm.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/velocity_map.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using StateVector = Eigen::Ref<const VectorXd>;

/// From q0 to q in the terms of v; the way of a floating joint's origin is straight, in the child's axes now.
void way_back(JointType type, const double* q0, const double* q, double* x) {
  if (type != JointType::floating) return difference(type, q0, q, x);
  difference(JointType::spherical, q0 + 3, q + 3, x + 3);
  for (int k = 0; k < 3; ++k) x[k] = q[k] - q0[k];
  advance_detail::rotate(-1, q + 3, x);
}

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("computed torque: " + why); }

constexpr double lost = 1e-8;  ///< relative to the largest: no longer independent, or out of the motors' reach

}  // namespace

class ComputedTorque::Implementation {
 public:
  Implementation(const Model& model, const VectorXd& pose, double rate, const std::vector<std::string>& actuated)
      : dynamics_(model, {.algorithm = Algorithm::ab, .executor = ExecutorKind::serial}),
        workspace_(model),
        velocity_map_(dynamics_.model().data()),
        pose_(pose),
        rate_(rate),
        wanted_(model.nv()),
        a_(model.nv()),
        forces_(model.nv()),
        tau_(model.nv()) {
    const ModelData& m = dynamics_.model().data();
    if (!(rate > 0) || !std::isfinite(rate)) refuse("the rate is " + number_text(rate) + " rad/s; give one above 0");
    if (pose.size() != model.nq())
      refuse("the pose has " + std::to_string(pose.size()) + " positions; " + std::to_string(model.nq()) +
             " are expected");
    for (Eigen::Index k = 0; k < pose.size(); ++k)
      if (!std::isfinite(pose[k]))
        refuse("position " + std::to_string(k) + " of the pose is " + number_text(pose[k]) + "; give finite numbers");
    choose_motors(m, actuated);
    Closure closure(m);
    for (const Aggregate& a : m.aggregates)
      if (const double error = closure.project(a, pose_.data()); !closure.closed(a, error))
        refuse(Status{StatusCode::not_closed, 0, a.bodies.front(), error}.message(model));
    const VectorXd rest = VectorXd::Zero(model.nv());
    if (const Status status = dynamics_.solve(pose_, rest, rest, a_); !status.ok()) refuse(status.message(model));
    const VelocityMap::Matrix X = velocity_map_(pose_.data());
    const Eigen::ColPivHouseholderQR<MatrixXd> best(X.transpose());
    for (Eigen::Index k = 0; k < X.cols(); ++k) independent_.push_back(best.colsPermutation().indices()[k]);
    std::ranges::sort(independent_);
    XT_R_.resize(X.cols(), X.cols()), XT_A_.resize(X.cols(), static_cast<Eigen::Index>(motors_.size()));
    missing_.resize(X.cols()), u_ = needed_ = missing_;
    chosen_ = Eigen::FullPivLU<MatrixXd>(X.cols(), X.cols());
    reach_.emplace(XT_A_.rows(), XT_A_.cols(), lost);
    take_rows(X, motors_, XT_A_);
    reach_->factor(XT_A_);
    if (reach_->rank() < X.cols())
      refuse("at the pose the " + std::to_string(motors_.size()) + " actuated freedoms move " +
             std::to_string(reach_->rank()) + " of " + std::to_string(X.cols()) +
             " independent ones, so no torques hold it; hold feet by loops, name more joints, or take another pose");
  }

  /// Into tau().
  Status torques(const StateVector& q, const StateVector& v) {
    const bool tree = dynamics_.model().data().aggregates.empty();
    const Status status = tree ? torques_of_tree(q, v) : torques_through_loops(q, v);
    if (!status.ok()) tau_.setConstant(std::numeric_limits<double>::quiet_NaN());
    return status;
  }
  const VectorXd& tau() const { return tau_; }

  const VectorXd& pose() const { return pose_; }
  const std::vector<int>& independent() const { return independent_; }
  Eigen::Index v_size() const { return dynamics_.model().nv(); }

 private:
  /// X_S is 1 and every freedom has a motor. Allocates nothing.
  Status torques_of_tree(const StateVector& q, const StateVector& v) {
    find_wanted(q, v);
    const Status status = inverse_dynamics(dynamics_.model(), workspace_, q, v, wanted_, tau_);
    return status.ok() && !tau_.allFinite() ? Status{StatusCode::not_finite} : status;
  }

  /// Allocates at its first call alone.
  Status torques_through_loops(const StateVector& q, const StateVector& v) {
    tau_.setZero();
    // accelerations without torques are some that the constraints allow: they carry the velocity terms g (Eq. 34)
    if (const Status status = dynamics_.solve(q, v, tau_, a_); !status.ok()) return status;
    const VelocityMap::Matrix X = velocity_map_(q.data());
    if (X.cols() != XT_R_.rows()) return singular(0);  // a branch with other freedoms than at the pose
    take_rows(X, independent_, XT_R_);
    chosen_.compute(XT_R_.transpose());
    if (const double pivot = smallest(chosen_); !(pivot > lost)) return singular(pivot);
    // by X u, u of X's own coordinates, the chosen ones get what they miss: X_R u = wanted - a
    find_wanted(q, v);
    for (std::size_t k = 0; k < independent_.size(); ++k)
      missing_[static_cast<Eigen::Index>(k)] = wanted_[independent_[k]] - a_[independent_[k]];
    solve_chosen();
    a_.noalias() += X * u_;
    if (const Status status = inverse_dynamics(dynamics_.model(), workspace_, q, v, a_, forces_); !status.ok())
      return status;
    // least norm: X_A^T tau_A = X^T forces (Eq. 36), X_A the actuated rows
    take_rows(X, motors_, XT_A_);
    needed_.noalias() = X.transpose() * forces_;
    reach_->factor(XT_A_);
    if (reach_->rank() < X.cols()) return singular(0);
    const VectorXd& given = reach_->solve(needed_);
    for (std::size_t k = 0; k < motors_.size(); ++k) tau_[motors_[k]] = given[static_cast<Eigen::Index>(k)];
    return {};
  }

  /// The actuated freedoms.
  void choose_motors(const ModelData& m, const std::vector<std::string>& names) {
    std::vector<bool> motor(m.parent.size(), false);
    for (std::size_t i = 0; i < motor.size(); ++i) motor[i] = names.empty() && m.joint_type[i] != JointType::floating;
    for (const std::string& name : names) {
      const auto found = std::ranges::find(m.joint_name, name);
      if (found == m.joint_name.end())
        refuse("joint \"" + name + "\" is no joint of this model that moves; give a joint's name" +
               nearest_of(name, m.joint_name, [](const std::string& joint) { return joint; }));
      motor[at(static_cast<int>(found - m.joint_name.begin()))] = true;
    }
    for (std::size_t i = 0; i < motor.size(); ++i)
      for (int k = m.v_index[i]; motor[i] && k < m.v_index[i + 1]; ++k) motors_.push_back(k);
  }

  /// u_ from missing_, X_R u = missing. Eigen's own `solve` allocates.
  void solve_chosen() {
    needed_ = chosen_.permutationP() * missing_;
    chosen_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(needed_);
    chosen_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(needed_);
    u_ = chosen_.permutationQ() * needed_;
  }

  /// Rows of X as columns.
  static void take_rows(const VelocityMap::Matrix& X, const std::vector<int>& rows, MatrixXd& into) {
    for (std::size_t k = 0; k < rows.size(); ++k) into.col(static_cast<Eigen::Index>(k)) = X.row(rows[k]).transpose();
  }

  /// The smallest pivot, of the largest; NaN, which the factorization passes over, if one is.
  static double smallest(const Eigen::FullPivLU<MatrixXd>& lu) {
    const double largest = std::abs(lu.maxPivot());
    return largest > 0 ? lu.matrixLU().diagonal().cwiseAbs().minCoeff<Eigen::PropagateNaN>() / largest : 0;
  }

  Status singular(double pivot) const {
    return {StatusCode::singular_loop, 0, dynamics_.model().data().aggregates.front().bodies.front(), pivot};
  }

  /// Of all joints, as if each were independent.
  void find_wanted(const StateVector& q, const StateVector& v) {
    const ModelData& m = dynamics_.model().data();
    for (std::size_t i = 0; i < m.parent.size(); ++i)
      way_back(m.joint_type[i], pose_.data() + m.q_index[i], q.data() + m.q_index[i], wanted_.data() + m.v_index[i]);
    wanted_ = -rate_ * rate_ * wanted_ - 2 * rate_ * v;
  }

  ForwardDynamics dynamics_;
  Workspace workspace_;
  VelocityMap velocity_map_;
  VectorXd pose_;
  double rate_;
  VectorXd wanted_, a_, forces_, tau_;
  MatrixXd XT_R_, XT_A_;  ///< of the independent and of the actuated velocities
  VectorXd missing_, u_, needed_;
  Eigen::FullPivLU<MatrixXd> chosen_;
  std::optional<LeastNorm> reach_;
  std::vector<int> motors_, independent_;
};

ComputedTorque::ComputedTorque(const Model& model, Columns<const double> pose, double rate,
                               const std::vector<std::string>& actuated)
    : implementation_(std::make_unique<Implementation>(model, boundary::vector(pose), rate, actuated)) {}
ComputedTorque::~ComputedTorque() = default;
ComputedTorque::ComputedTorque(ComputedTorque&&) noexcept = default;
ComputedTorque& ComputedTorque::operator=(ComputedTorque&&) noexcept = default;

Status ComputedTorque::torques(Implementation& inside, Columns<const double> q, Columns<const double> v,
                               Columns<double> tau) {
  const Status status = inside.torques(boundary::vector(q), boundary::vector(v));
  boundary::write(inside.tau(), tau);
  return status;
}
std::ptrdiff_t ComputedTorque::velocity_count(const Implementation& inside) { return inside.v_size(); }
Columns<const double> ComputedTorque::pose_column() const { return boundary::column(implementation_->pose()); }
const std::vector<int>& ComputedTorque::independent() const { return implementation_->independent(); }

}  // namespace kinetree
