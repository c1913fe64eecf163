// Velocities, accelerations and Jacobians of points against difference quotients of poses, which the oracle in absolute
// coordinates places along a motion in 60 digits: every joint type, floating bases, mechanisms with loops.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/scalar/reference.hpp>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "model/every_joint_type.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

using Digits = Eigen::Matrix<Reference, Eigen::Dynamic, 1>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Where the motion that has v and a at t = 0 is at t, to second order.
Digits position_after(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& a, const Reference& t) {
  Digits end = q.cast<Reference>();
  const Reference half = t * t / 2;
  const auto along = [&](int k) -> Reference { return t * v[k] + half * a[k]; };
  const auto turn = [&](int at, int k) {  // of a quaternion, by the exponential of a turn in the body's axes
    const Vec<Reference> half_turn = Reference(0.5) * Vec<Reference>{along(k), along(k + 1), along(k + 2)};
    const Reference angle = sqrt(dot(half_turn, half_turn)), w = cos(angle);
    const Vec<Reference> u = (angle > 0 ? Reference(sin(angle) / angle) : Reference(1)) * half_turn;
    const Vec<Reference> s{end[at], end[at + 1], end[at + 2]};
    const Reference c = end[at + 3];
    const Vec<Reference> product = c * u + w * s + cross(s, u);
    end[at] = product.x, end[at + 1] = product.y, end[at + 2] = product.z, end[at + 3] = c * w - dot(s, u);
  };
  for (int b = 0; b < model.body_count(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    const int at = model.data().q_index[body], k = model.data().v_index[body];
    const JointType type = model.data().joint_type[body];
    if (type == JointType::spherical) {
      turn(at, k);
    } else if (type == JointType::floating) {  // the rate of R v is R (a + omega x v)
      const Vec<Reference> speed{v[k], v[k + 1], v[k + 2]}, omega{v[k + 3], v[k + 4], v[k + 5]},
          rate{a[k], a[k + 1], a[k + 2]};
      const Vec<Reference> way = rotation(end[at + 3], end[at + 4], end[at + 5], end[at + 6]) *
                                 (t * speed + half * (rate + cross(omega, speed)));
      end[at] += way.x, end[at + 1] += way.y, end[at + 2] += way.z;
      turn(at + 3, k + 3);
    } else {
      for (int f = 0; f < velocity_count(type); ++f) end[at + f] += along(k + f);
    }
  }
  return end;
}

/// The vector w of the skew part [w] of A.
Vec<Reference> axial(const Mat<Reference>& A) {
  return Reference(0.5) * Vec<Reference>{A.y.z - A.z.y, A.z.x - A.x.z, A.x.y - A.y.x};
}
Mat<Reference> operator+(const Mat<Reference>& A, const Mat<Reference>& B) { return {A.x + B.x, A.y + B.y, A.z + B.z}; }
Mat<Reference> operator*(const Reference& k, const Mat<Reference>& A) { return {k * A.x, k * A.y, k * A.z}; }

using Six = Eigen::Matrix<double, 6, 1>;
Six six(const Vec<Reference>& angular, const Vec<Reference>& linear) {
  Six s;
  s << static_cast<double>(angular.x), static_cast<double>(angular.y), static_cast<double>(angular.z),
      static_cast<double>(linear.x), static_cast<double>(linear.y), static_cast<double>(linear.z);
  return s;
}

/// Quotients of one link's pose at three times.
struct Quotients {
  Six first, second;
};
class Differences {
 public:
  Differences(const Description& description, const Model& model) : model_(model), oracle_(description, model) {}

  /// Of all links, in the order of the model's frames.
  std::vector<Quotients> of(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    const Reference h("1e-15");  // of 60 digits a second quotient keeps 30, and errs by the square of h
    const std::vector<Pose> before = poses_at(q, v, a, -h), here = poses_at(q, v, a, 0), after = poses_at(q, v, a, h);
    std::vector<Quotients> all;
    for (std::size_t k = 0; k < here.size(); ++k) {
      const Mat<Reference> to_start = transpose(here[k].R);
      const auto& [R0, p0] = before[k];
      const auto& [R1, p1] = after[k];
      const Reference rate = 1 / (2 * h), curve = 1 / (h * h);
      all.push_back({six(axial(rate * (R1 + Reference(-1) * R0) * to_start), rate * (p1 - p0)),
                     six(axial(curve * (R1 + R0 + Reference(-2) * here[k].R) * to_start),
                         curve * (p1 + p0 - Reference(2) * here[k].p))});
    }
    return all;
  }

 private:
  struct Pose {
    Mat<Reference> R;
    Vec<Reference> p;
  };
  std::vector<Pose> poses_at(const VectorXd& q, const VectorXd& v, const VectorXd& a, const Reference& t) {
    oracle_.set(position_after(model_, q, v, a, t), v);
    std::vector<Pose> poses;
    for (const auto& frame : model_.data().frames) {
      const auto& link = oracle_.link(std::string(frame.name));
      poses.push_back({link.R, link.p});
    }
    return poses;
  }

  const Model& model_;
  DenseOracle<Reference> oracle_;
};

void functions_agree_with_differences(const Description& d, const Model& model, const VectorXd& q, const VectorXd& v,
                                      const VectorXd& a) {
  std::vector<int> links(model.data().frames.size());
  for (std::size_t k = 0; k < links.size(); ++k) links[k] = static_cast<int>(k);
  const auto n = static_cast<Eigen::Index>(links.size());
  Workspace w(model);
  VectorXd pose(12 * n), velocity(6 * n), acceleration(6 * n), rate(6 * n);
  MatrixXd J(6 * n, model.nv());
  const Axes axes = Axes::world_aligned;
  ASSERT_TRUE(point_kinematics(model, w, q, v, a, links, axes, pose, velocity, acceleration).ok());
  ASSERT_TRUE(jacobian_rates(model, w, q, v, links, axes, rate).ok());
  ASSERT_TRUE(jacobians(model, w, q, links, axes, J).ok());
  Differences differences(d, model);
  const VectorXd rest = VectorXd::Zero(model.nv());
  const std::vector<Quotients> whole = differences.of(q, v, a), unaccelerated = differences.of(q, v, rest);
  const auto near = [&](const auto& ours, const Six& theirs, std::size_t link) {
    EXPECT_LE(largest_of(ours - theirs), 1e-12 * (1 + largest_of(theirs))) << d.name << ", link " << link;
  };
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(6 * k);
    near(velocity.segment<6>(row), whole[k].first, k);
    near(acceleration.segment<6>(row), whole[k].second, k);
    near(rate.segment<6>(row), unaccelerated[k].second, k);
  }
  for (int c = 0; c < model.nv(); ++c) {
    const std::vector<Quotients> column = differences.of(q, VectorXd::Unit(model.nv(), c), rest);
    for (std::size_t k = 0; k < links.size(); ++k)
      near(J.col(c).segment<6>(static_cast<Eigen::Index>(6 * k)), column[k].first, k);
  }
}

TEST(KinematicDifferences, EveryJointType) {
  for (const JointType type : moving_types()) {
    const Description d = around(type, false, 3);
    const Model model = make_model(d);
    const TestState s = random_state(model, 6);
    functions_agree_with_differences(d, model, s.q, s.v, s.tau);
  }
}

TEST(KinematicDifferences, AFloatingTree) {
  const Description d = make_description("random:20:seed=5", {.floating_base = true});
  const Model model = make_model(d);
  const TestState s = random_state(model, 2);
  functions_agree_with_differences(d, model, s.q, s.v, s.tau);
}

/// Accelerations of forward dynamics on closed states: of the spanning tree these are motions as any other, so that
/// links which a loop joins move together to the digits of the accelerations.
TEST(KinematicDifferences, LoopsThatStayClosed) {
  for (const char* family : {"fourbars:3", "geared:4:rotors=bodies"}) {
    const Description d = make_description(family);
    const Model model = make_model(d);
    const bench::StateSet s = bench::random_states(model, 1, 3);
    VectorXd a(model.nv());
    ForwardDynamics dynamics(model);
    ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, a).ok());
    functions_agree_with_differences(d, model, s.q.col(0), s.v.col(0), a);
  }
}

}  // namespace
}  // namespace kinetree::oracle
