// The configuration space: laws of the joints' groups in 60 digits, kinematics of the motion, columns, random states.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/scalar/reference.hpp>
#include <numbers>
#include <vector>

#include "engine/joint/advance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "model/every_joint_type.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;

template <class T>
struct Position {
  T q[7]{};
};

/// A position anywhere, its quaternion a unit in T.
template <class T>
Position<T> anywhere(JointType type, Random& random) {
  Position<T> p;
  for (int k = 0; k < position_count(type); ++k) p.q[k] = T(random.uniform(-1, 1));
  kinetree::normalize(type, p.q);
  return p;
}

/// Velocities times time: turns by `angle`, the rest as large as one.
template <class T>
std::vector<T> way(JointType type, const T& angle, Random& random) {
  using std::sqrt;
  std::vector<T> x(6);
  for (T& number : x) number = T(random.uniform(-1, 1));
  const int k = quaternion_at(type);
  const std::size_t first = k < 0 ? 0 : static_cast<std::size_t>(k);
  if (k < 0) return x;
  const T norm = sqrt(x[first] * x[first] + x[first + 1] * x[first + 1] + x[first + 2] * x[first + 2]);
  for (std::size_t n = first; n < first + 3; ++n) x[n] = angle * x[n] / norm;
  return x;
}

/// Positions apart, quaternions up to their sign.
template <class T>
T apart(JointType type, const Position<T>& a, const Position<T>& b) {
  using std::abs;
  const int quaternion = quaternion_at(type), count = position_count(type);
  T rest(0), plus(0), minus(0);
  for (int k = 0; k < count; ++k) {
    if (quaternion >= 0 && k >= quaternion)
      plus += abs(a.q[k] - b.q[k]), minus += abs(a.q[k] + b.q[k]);
    else
      rest += abs(a.q[k] - b.q[k]);
  }
  return rest + (plus < minus ? plus : minus);
}

TEST(Configuration, ThereAndBackInSixtyDigits) {
  Random random(3);
  for (const JointType type : moving_types())
    for (int trial = 0; trial < 20; ++trial) {
      const Position<Reference> a = anywhere<Reference>(type, random), b = anywhere<Reference>(type, random);
      Reference x[6];
      difference(type, a.q, b.q, x);
      Position<Reference> reached = a;
      advance(type, reached.q, x);
      EXPECT_LE(apart(type, reached, b), Reference("1e-57")) << kinetree::name_of(type);
      const int k = quaternion_at(type);
      if (k < 0) continue;
      EXPECT_LE(sqrt(x[k] * x[k] + x[k + 1] * x[k + 1] + x[k + 2] * x[k + 2]), pi) << "the shorter way";
    }
}

TEST(Configuration, TheWayIsFoundAgainFromTinyToAlmostHalfATurn) {
  Random random(4);
  const Reference turn = 4 * atan(Reference(1));
  for (const JointType type : with_quaternions)
    for (const Reference& angle : std::vector<Reference>{0, Reference("1e-45"), Reference("1e-30"), Reference("1e-15"),
                                                         Reference("1e-14"), Reference("1e-7"), Reference(0.1), 2,
                                                         turn - Reference("1e-3"), turn - Reference("1e-20")}) {
      const Position<Reference> a = anywhere<Reference>(type, random);
      const std::vector<Reference> x = way<Reference>(type, angle, random);
      Position<Reference> b = a;
      advance(type, b.q, x.data());
      Reference found[6];
      difference(type, a.q, b.q, found);
      for (std::size_t k = 0; k < static_cast<std::size_t>(velocity_count(type)); ++k)
        EXPECT_LE(abs(found[k] - x[k]), Reference("1e-56")) << kinetree::name_of(type) << " " << angle << " " << k;
    }
}

TEST(Configuration, DoublesAreAsGoodAsTheirRounding) {
  Random random(5);
  for (const JointType type : moving_types())
    for (const double angle : {0.0, 1e-300, 1e-160, 1e-20, 1e-9, 1e-6, 1e-4, 1.3e-4, 1e-3, 0.3, 3.0, pi - 1e-9, 40.0}) {
      const Position<double> a = anywhere<double>(type, random);
      const std::vector<double> x = way<double>(type, angle, random);
      Position<double> b = a;
      Position<Reference> exact;
      for (int k = 0; k < 7; ++k) exact.q[k] = a.q[k];
      kinetree::normalize(type, exact.q);
      const std::vector<Reference> exact_x(x.begin(), x.end());
      advance(type, exact.q, exact_x.data());
      advance(type, b.q, x.data());
      Position<Reference> reached;
      for (int k = 0; k < 7; ++k) reached.q[k] = b.q[k];
      EXPECT_LE(apart(type, reached, exact), 2e-15 * (1 + angle)) << kinetree::name_of(type) << " " << angle;

      double found[6];
      Reference exact_way[6];
      difference(type, a.q, b.q, found);
      Position<Reference> from;
      for (int k = 0; k < 7; ++k) from.q[k] = a.q[k];
      difference(type, from.q, reached.q, exact_way);
      for (int k = 0; k < velocity_count(type); ++k)
        EXPECT_LE(abs(found[k] - exact_way[k]), 3e-15) << kinetree::name_of(type) << " " << angle;
    }
}

/// A unit to rounding keeps its bits when it is brought to unit length once more; what is further off doesn't.
TEST(Configuration, UnitsKeepTheirBits) {
  Random random(9);
  int changed = 0;
  for (int n = 0; n < 10000; ++n) {
    const Position<double> once = anywhere<double>(JointType::spherical, random);
    Position<double> twice = once, longer = once;
    kinetree::normalize(JointType::spherical, twice.q);
    changed += !std::equal(once.q, once.q + 4, twice.q);
    for (double& x : longer.q) x *= 1 + 2e-15;
    kinetree::normalize(JointType::spherical, longer.q);
    for (const Position<double>& p : {once, twice, longer})
      ASSERT_NEAR(Eigen::Map<const Eigen::Vector4d>(p.q).norm(), 1, 4.5e-16);
  }
  EXPECT_LE(changed, 10);
}

TEST(Configuration, HalfTheWayTwiceIsTheWhole) {
  Random random(6);
  for (const JointType type : moving_types()) {
    const Position<Reference> a = anywhere<Reference>(type, random);
    const std::vector<Reference> x = way<Reference>(type, Reference(2), random);
    std::vector<Reference> half = x;
    for (Reference& number : half) number /= 2;
    Position<Reference> whole = a, twice = a;
    advance(type, whole.q, x.data());
    advance(type, twice.q, half.data());
    advance(type, twice.q, half.data());
    EXPECT_LE(apart(type, whole, twice), Reference("1e-57")) << kinetree::name_of(type);
  }
}

/// Along integrate(q, t v) links move with the velocities and accelerations that the solver's kinematics finds for
/// constant v, every joint type among them.
TEST(Configuration, LinksMoveAsKinematicsSays) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Model model = make_model(every_type(seed));
    VectorXd q(model.nq()), v(model.nv());
    ASSERT_TRUE(random_state(model, seed, q, v).ok());
    std::vector<int> links;
    for (int k = 0; k < model.frame_count(); ++k) links.push_back(k);
    const Eigen::Index n = static_cast<Eigen::Index>(links.size());
    Workspace w(model);
    VectorXd pose(12 * n), velocity(6 * n), acceleration(6 * n);
    ASSERT_TRUE(point_kinematics(model, w, q, v, VectorXd::Zero(model.nv()), links, Axes::world_aligned, pose, velocity,
                                 acceleration)
                    .ok());
    const double h = 1e-3;
    MatrixXd along(model.nq(), 5), there(12 * n, 5);
    MatrixXd x(model.nv(), 5);
    for (int k = 0; k < 5; ++k) x.col(k) = (k - 2) * h * v;
    ASSERT_TRUE(integrate(model, q.replicate(1, 5), x, along).ok());
    ASSERT_TRUE(poses(model, w, along, links, there).ok());
    const VectorXd rate = (8 * (there.col(3) - there.col(1)) - (there.col(4) - there.col(0))) / (12 * h);
    const VectorXd second =
        (16 * (there.col(3) + there.col(1)) - there.col(4) - there.col(0) - 30 * there.col(2)) / (12 * h * h);
    for (Eigen::Index l = 0; l < n; ++l) {
      const Eigen::Matrix3d R = pose.segment<9>(12 * l).reshaped(3, 3), dR = rate.segment<9>(12 * l).reshaped(3, 3);
      const Eigen::Matrix3d spin = dR * R.transpose();
      const Eigen::Vector3d turn(spin(2, 1), spin(0, 2), spin(1, 0));
      EXPECT_LE((turn - velocity.segment<3>(6 * l)).norm(), 3e-9) << l;
      EXPECT_LE((rate.segment<3>(12 * l + 9) - velocity.segment<3>(6 * l + 3)).norm(), 3e-9) << l;
      EXPECT_LE((second.segment<3>(12 * l + 9) - acceleration.segment<3>(6 * l + 3)).norm(), 1e-7) << l;
    }
  }
}

TEST(Configuration, ColumnsInDoubleAndFloatAndInPlace) {
  const Model model = make_model(every_type(2));
  MatrixXd q(model.nq(), 6), to(model.nq(), 6), v(model.nv(), 6), x(model.nv(), 6), reached(model.nq(), 6);
  ASSERT_TRUE(random_state(model, 1, q, v).ok());
  ASSERT_TRUE(random_state(model, 2, to, v).ok());
  ASSERT_TRUE(difference(model, q, to, x).ok());
  ASSERT_TRUE(integrate(model, q, x, reached).ok());
  MatrixXd again(model.nv(), 6);
  ASSERT_TRUE(difference(model, to, reached, again).ok());
  EXPECT_LE(largest_of(again), 4e-15);

  Eigen::MatrixXf reached_float(model.nq(), 6), x_float(model.nv(), 6);
  const Eigen::MatrixXf q_float = q.cast<float>(), to_float = to.cast<float>();
  ASSERT_TRUE(difference(model, q_float, to_float, x_float).ok());
  EXPECT_LE(largest_of(x_float.cast<double>() - x), 3e-6);
  ASSERT_TRUE(integrate(model, q_float, x_float, reached_float).ok());
  Eigen::MatrixXf again_float(model.nv(), 6);
  ASSERT_TRUE(difference(model, to_float, reached_float, again_float).ok());
  EXPECT_LE(largest_of(again_float), 2e-6f);

  MatrixXd place = q;
  ASSERT_TRUE(integrate(model, place, x, place).ok());
  EXPECT_EQ(place, reached);
  for (Eigen::Index c = 0; c < 6; ++c) {
    VectorXd one(model.nq());
    ASSERT_TRUE(integrate(model, q.col(c), x.col(c), one).ok());
    EXPECT_EQ(one, reached.col(c));
  }
}

TEST(Configuration, InterpolationKeepsItsPace) {
  const Model model = make_model(every_type(4));
  VectorXd from = random_configuration(model, 1), to = random_configuration(model, 2), between(model.nq()),
           whole(model.nv()), x(model.nv());
  ASSERT_TRUE(difference(model, from, to, whole).ok());
  for (const double part : {0.0, 0.3, 0.5, 1.0}) {
    ASSERT_TRUE(interpolate(model, from, to, part, between).ok());
    ASSERT_TRUE(difference(model, from, between, x).ok());
    EXPECT_LE((x - part * whole).norm(), 1e-14 * whole.norm()) << part;
  }
  ASSERT_TRUE(interpolate(model, from, to, 0.25, from).ok()) << "in the place of an end";
  ASSERT_TRUE(interpolate(model, from, to, 1.0 / 3, from).ok());
  ASSERT_TRUE(interpolate(model, random_configuration(model, 1), to, 0.5, between).ok());
  ASSERT_TRUE(difference(model, from, between, x).ok());
  EXPECT_LE(x.norm(), 1e-14 * whole.norm()) << "a quarter and a third of the rest are a half";
  EXPECT_EQ(interpolate(model, from, to, std::nan(""), between).code, StatusCode::not_finite);
}

TEST(Configuration, AnglesAreSubtractedWithTheirWholeTurns) {
  const Model model = make_model("chain:1:joints=continuous");
  VectorXd from(1), to(1), x(1);
  from << 0.5, to << 0.5 + 4 * pi;
  ASSERT_TRUE(difference(model, from, to, x).ok());
  EXPECT_NEAR(x[0], 4 * pi, 1e-14);
}

TEST(Configuration, RandomStatesRepeatAndAreUniform) {
  const Model model = make_model(every_type(1));
  constexpr Eigen::Index count = 20000;
  MatrixXd q(model.nq(), count), v(model.nv(), count), again = q, other = q;
  ASSERT_TRUE(random_state(model, 7, q, v).ok());
  ASSERT_TRUE(random_state(model, 7, again, v).ok());
  ASSERT_TRUE(random_state(model, 8, other, v).ok());
  EXPECT_EQ(q, again);
  EXPECT_NE(q, other);
  EXPECT_EQ(random_configuration(model, 7), q.col(0));
  EXPECT_LE(largest_of(v), 1);
  const int spherical = model.q_index("to_spherical");
  const MatrixXd p = q.middleRows(spherical, 4);
  EXPECT_LE((p * p.transpose() / count - MatrixXd::Identity(4, 4) / 4).norm(), 0.02);
  EXPECT_NEAR(p.row(0).array().pow(4).mean(), 1.0 / 8, 0.01) << "on the sphere of four dimensions";
  const int hinge = model.q_index("to_revolute");
  EXPECT_NEAR(q.row(hinge).array().square().mean(), pi * pi / 3, 0.1);
}

TEST(Configuration, RandomStatesCloseLoops) {
  for (const char* file : {"five_bar.yaml", "gripper.yaml", "geared_humanoid.yaml"}) {
    const Model model = load_model(std::string(KINETREE_MODELS) + "/" + file, {});
    MatrixXd q(model.nq(), 10), v(model.nv(), 10);
    ASSERT_TRUE(random_state(model, 1, q, v).ok());
    Closure closure(model.data());
    for (Eigen::Index c = 0; c < 10; ++c)
      EXPECT_TRUE(closure.violations(q.col(c).data(), v.col(c).data()).empty()) << file << " " << c;
    EXPECT_NE(q.col(0), q.col(1));
  }
}

TEST(Configuration, NothingIsAllocated) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Model model = make_model(every_type(1));
  MatrixXd q(model.nq(), 5), v(model.nv(), 5), out(model.nq(), 5), x(model.nv(), 5);
  ASSERT_TRUE(random_state(model, 1, q, v).ok());
  start_counting();
  const bool done = integrate(model, q, v, out).ok() && difference(model, q, out, x).ok() &&
                    interpolate(model, q, out, 0.5, out).ok() && normalize(model, out).ok();
  const Allocations seen = stop_counting();
  EXPECT_TRUE(done);
  EXPECT_EQ(seen.ours + seen.runtimes, 0u);
}

TEST(Configuration, NamesAndIndices) {
  const Model model = make_model("random:30:seed=5:floating=1");
  for (int body = 0; body < model.body_count(); ++body) {
    const std::string_view joint = model.joint_name(body);
    EXPECT_EQ(model.q_index(joint), model.q_index(body));
    EXPECT_EQ(model.v_index(joint), model.v_index(body));
    const JointType type = model.joint_type(body);
    for (int k = 0; k < position_count(type); ++k) EXPECT_EQ(model.body_of_position(model.q_index(body) + k), body);
    for (int k = 0; k < velocity_count(type); ++k) EXPECT_EQ(model.body_of_velocity(model.v_index(body) + k), body);
  }
  EXPECT_GT(model.frame_count(), model.body_count()) << "merged links";
  for (int k = 0; k < model.frame_count(); ++k) EXPECT_EQ(frame_index(model, model.frame_name(k)), k);
  EXPECT_THROW((void)model.q_index("elbow of nobody"), std::invalid_argument);
}

}  // namespace
}  // namespace kinetree::oracle
