// Operational space compliance of models with loops and couplings: accelerations by unit forces on links, against the
// multipliers' dense equations with Jacobians of the oracle.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/load_model.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "loops/regular_mechanisms.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows of a link's motion in its own axes, angular first.
MatrixXd jacobian(const DenseOracle<double>::LinkState& link, int nv) {
  const auto in_link = [&](const Vec<double>& w) {
    return Eigen::Vector3d(dot(link.R.x, w), dot(link.R.y, w), dot(link.R.z, w));
  };
  MatrixXd J = MatrixXd::Zero(6, nv);
  for (std::size_t k = 0; k < link.path.size(); ++k)
    J.col(link.path[k]) << in_link(link.turns[k]), in_link(link.slides[k]);
  return J;
}

/// [M Kᵀ; K 0] [a; lambda] = [Jᵀ; 0], then J a. K by an orthonormal basis of its rows: redundant ones are gone.
MatrixXd expected_compliance(const Description& d, const Model& order, const VectorXd& q,
                             const std::vector<std::string>& links) {
  ClosedOracle oracle(d, order);
  oracle.set(q, VectorXd::Zero(order.nv()));
  EXPECT_LE(largest_of(oracle.error()), 1e-9) << d.name;
  const Eigen::Index n = order.nv(), rank = n - oracle.freedoms();
  const MatrixXd K = oracle.K().jacobiSvd(Eigen::ComputeFullV).matrixV().leftCols(rank).transpose();
  MatrixXd A = MatrixXd::Zero(n + rank, n + rank), J(6 * static_cast<Eigen::Index>(links.size()), n);
  A << oracle.mass_matrix(), K.transpose(), K, MatrixXd::Zero(rank, rank);
  for (std::size_t l = 0; l < links.size(); ++l)
    J.middleRows(6 * static_cast<Eigen::Index>(l), 6) = jacobian(oracle.tree().link(links[l]), order.nv());
  MatrixXd B = MatrixXd::Zero(n + rank, J.rows());
  B.topRows(n) = J.transpose();
  return J * A.fullPivLu().solve(B).topRows(n);
}

std::vector<int> frames_of(const Model& model, const std::vector<std::string>& links) {
  std::vector<int> frames;
  for (const std::string& link : links) frames.push_back(frame_index(model, link));
  return frames;
}

/// Some links of a description, one of them twice, a plate fixed to one of its bodies, and one fixed to the ground.
std::vector<std::string> links_with_plates(Description& d, Random& random) {
  const auto some = [&] {
    return d.bodies[static_cast<std::size_t>(random.below(static_cast<int>(d.bodies.size())))].name;
  };
  std::vector<std::string> links{some(), some(), some(), some()};
  links.push_back(links[1]);
  for (const auto& [name, parent] : {std::pair<std::string, std::string>{"plate", some()}, {"table", "world"}}) {
    d.bodies.push_back(random_body(random, name, parent, JointType::fixed));
    links.push_back(name);
  }
  return links;
}

/// Largest difference over the largest entry.
double compare(Description d, const VectorXd& q, std::uint64_t seed, const std::string& where) {
  Random random(seed);
  const std::vector<std::string> links = links_with_plates(d, random);
  const Model model = make_model(d);
  Workspace workspace(model);
  const auto rows = 6 * static_cast<Eigen::Index>(links.size());
  MatrixXd found = MatrixXd::Constant(rows, rows, std::nan(""));
  const Status status = operational_space_compliance(model, workspace, q, frames_of(model, links), found);
  EXPECT_TRUE(status.ok()) << where << ": " << status.message(model);
  const MatrixXd expected = expected_compliance(d, model, q, links);
  EXPECT_TRUE(found.allFinite()) << where;
  EXPECT_EQ(found, found.transpose()) << where;
  EXPECT_TRUE((found.bottomRows(6).array() == 0).all()) << where << ": the table stands on the ground";
  const double difference = largest_of(found - expected) / std::max(1e-3, largest_of(expected));
  EXPECT_LE(difference, 2e-11) << where;
  return difference;
}

VectorXd closed(const Model& model, VectorXd q) {
  Closure closure(model.data());
  for (const Aggregate& a : model.data().aggregates) EXPECT_LE(closure.project(a, q.data()), 1e-12) << model.name();
  return q;
}

TEST(LoopCompliance, IsThatOfMultipliersOnRandomMechanisms) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    keep_worst(worst, compare(m.description, m.state.q, seed, std::to_string(seed)));
  }
  std::printf("worst %.1e\n", worst);
}

TEST(LoopCompliance, IsThatOfMultipliersOnKnownMechanisms) {
  std::vector<Description> all{make_description("geared:4"), make_description("fourbars:3")};
  for (const char* name : {"four_bar", "five_bar", "geared_arm"})
    all.push_back(read_yaml(std::string(KINETREE_MODELS) + "/" + name + ".yaml").description);
  double worst = 0;
  for (const Description& d : all) {
    const Model model = make_model(d);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      VectorXd q = 0.1 * random_state(model, seed).q;
      if (d.name.ends_with("_bar")) q.head<3>() += Eigen::Vector3d(0.9, -0.6, 1.4);  // at zero they lie flat
      keep_worst(worst, compare(d, closed(model, q), seed, d.name));
    }
  }
  std::printf("worst %.1e\n", worst);
}

/// Where the rocker turns back it can't tell how the crank moves: named as independent it fails, but not here.
TEST(LoopCompliance, CoordinatesOfTheUserDoNotMatter) {
  const Description d = make_description("fourbars:1");
  Description named = d;
  named.independent = {"rocker1_joint"};
  const Model model = make_model(named);
  const double coupler = std::hypot(0.4, 0.2), reach = 0.2 + coupler, up = std::acos(reach / 0.8);
  const double rocker = std::atan2(reach * std::sin(up), reach * std::cos(up) - 0.4);
  const double upright = std::acos(0.0);
  const VectorXd turning_back{{upright - up, std::atan2(0.2, 0.4) - upright, upright - rocker}};
  Workspace workspace(model);
  MatrixXd H(1, 1);
  EXPECT_EQ(mass_matrix(model, workspace, turning_back, H).code, StatusCode::singular_loop);
  compare(named, turning_back, 1, "dead centre");
  const VectorXd elsewhere = closed(model, turning_back + VectorXd{{0.3, 0, 0}});
  EXPECT_TRUE(mass_matrix(model, workspace, elsewhere, H).ok()) << "both kinds of coordinates in one workspace";
  compare(named, elsewhere, 1, "elsewhere");
}

TEST(LoopCompliance, LostRankIsSaid) {
  const Model model = make_model(flat_four_bar());
  Workspace workspace(model);
  MatrixXd out(6, 6);
  const std::vector<int> frames{1};
  const Status folded = operational_space_compliance(model, workspace, VectorXd::Zero(3), frames, out);
  EXPECT_EQ(folded.code, StatusCode::singular_loop);
  EXPECT_NE(folded.message(model).find("loop1"), std::string::npos) << folded.message(model);
  EXPECT_TRUE(out.array().isNaN().all());
  const VectorXd open = closed(model, VectorXd{{-1.0, 0.8, -1.6}});
  EXPECT_TRUE(operational_space_compliance(model, workspace, open, frames, out).ok());
  EXPECT_TRUE(out.allFinite());
  const VectorXd not_a_number{{0, std::nan(""), 0}};
  const Status bad = operational_space_compliance(model, workspace, not_a_number, frames, out);
  EXPECT_EQ(bad.code, StatusCode::not_finite);
  EXPECT_TRUE(out.array().isNaN().all());
  EXPECT_TRUE(operational_space_compliance(model, workspace, open, frames, out).ok());
  EXPECT_EQ(operational_space_compliance(model, workspace, open, std::vector{3}, out).code, StatusCode::no_such_frame);
  EXPECT_TRUE(out.allFinite()) << "a refused call writes nothing";
}

/// A point mass slides on a massless turntable, beside two geared links: on the axis the turn moves no inertia.
TEST(LoopCompliance, SingularInertiaIsNamed) {
  Description d = geared_chain(1, Rotors::bodies);
  BodyDescription turntable, slider;
  turntable.name = "turntable", turntable.parent = "world";
  turntable.joint.name = "turn", turntable.joint.type = "revolute", turntable.joint.axis = {0, 0, 1};
  slider.name = "slider", slider.parent = "turntable";
  slider.joint.name = "slide", slider.joint.type = "prismatic", slider.joint.axis = {1, 0, 0};
  slider.joint.origin.xyz = {1, 0, 0};
  slider.inertial = InertialDescription{1, {}, {}, 0};
  d.bodies.push_back(turntable), d.bodies.push_back(slider);
  const Model model = make_model(d);
  Workspace workspace(model);
  MatrixXd out(6, 6);
  const std::vector<int> frames{frame_index(model, "slider")};
  VectorXd q = VectorXd::Zero(4);
  for (int b = 0; b < 4; ++b)
    if (model.joint_name(b) == "slide") q[b] = -1;
  EXPECT_TRUE(operational_space_compliance(model, workspace, VectorXd::Zero(4), frames, out).ok());
  const Status status = operational_space_compliance(model, workspace, q, frames, out);
  EXPECT_EQ(status.code, StatusCode::singular);
  EXPECT_NE(status.message(model).find("\"turn\""), std::string::npos) << status.message(model);
  EXPECT_TRUE(out.array().isNaN().all());
}

/// A wheel in massless gimbals: where its axis is the outer gimbal's no force tells their turns apart, and a pivot that
/// is rounding must not pass for inertia.
TEST(LoopCompliance, InertiaThatIsRoundingIsNone) {
  int rounded = 0;
  for (int n = 0; n < 20; ++n) {
    Description d = geared_chain(1, Rotors::bodies);
    const auto gimbal = [&](const char* name, const char* parent, const Numbers3& axis) {
      BodyDescription b = rod(name, parent, 0, 0.31 + 0.01 * n, axis);
      if (b.name != "wheel") b.inertial.reset();
      d.bodies.push_back(b);
    };
    gimbal("outer", "world", {0, 0, 1}), gimbal("inner", "outer", {1, 0, 0}),
        gimbal("wheel", "inner", {-std::sin(0.3), 0, std::cos(0.3)});
    d.bodies[3].joint.origin.quaternion = quaternion_from_rpy({0, 0.3, 0});  // so that the axes meet up to rounding
    const Model model = make_model(d);
    Workspace workspace(model);
    MatrixXd out(6, 6), H(4, 4);
    const std::vector<int> frames{frame_index(model, "wheel")};
    VectorXd q{{0.01, 0.5, 0.3, 0, 0.4}};
    const Status status = operational_space_compliance(model, workspace, q, frames, out);
    EXPECT_EQ(status.code, StatusCode::singular) << n;
    EXPECT_TRUE(out.array().isNaN().all()) << n;
    ASSERT_TRUE(mass_matrix(model, workspace, q, H).ok());
    const double D = H(2, 2) - H(2, 1) * H(2, 1) / H(1, 1), l = (H(3, 2) - H(3, 1) * H(2, 1) / H(1, 1)) / D;
    rounded += H(3, 3) - H(3, 1) * H(3, 1) / H(1, 1) - l * l * D != 0;
    q[3] = 0.2;
    EXPECT_TRUE(operational_space_compliance(model, workspace, q, frames, out).ok()) << n;
  }
  EXPECT_GT(rounded, 0) << "in some the pivot is rounding instead of zero";
}

/// A first call without points has no memory of its own yet; couplings alone take their states one by one as loops do.
TEST(LoopCompliance, TakesNoPointsAndSeveralStates) {
  for (const char* family : {"fourbars:2", "geared:3", "chain:3"}) {
    const Model model = make_model(family);
    constexpr int count = 9;
    MatrixXd q(model.nq(), count), v(model.nv(), count), nothing(0, 0), all(6, 6 * count), one(6, 6);
    ASSERT_TRUE(random_state(model, 3, q, v).ok());
    Workspace workspace(model), alone(model);
    EXPECT_TRUE(operational_space_compliance(model, workspace, q.col(0), std::vector<int>{}, nothing).ok()) << family;
    EXPECT_TRUE(operational_space_compliance(model, alone, q, std::vector<int>{}, nothing).ok()) << family;
    const std::vector<int> tip{model.frame_count() - 1};
    ASSERT_TRUE(operational_space_compliance(model, workspace, q, tip, all).ok()) << family;
    for (int c = 0; c < count; ++c) {
      ASSERT_TRUE(operational_space_compliance(model, alone, q.col(c), tip, one).ok());
      EXPECT_LE((all.middleCols(6 * c, 6) - one).norm(), 1e-12 * one.norm()) << family << ", state " << c;
    }
  }
}

TEST(LoopCompliance, AllocatesNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Model model = make_model("fourbars:5");
  Workspace workspace(model);
  const VectorXd q = VectorXd::Zero(15), there = closed(model, VectorXd::Constant(15, 0.1));
  const std::vector<int> frames{3, 14, 3}, fewer{7};
  MatrixXd out(18, 18), small(6, 6);
  ASSERT_TRUE(operational_space_compliance(model, workspace, q, frames, out).ok());
  start_counting();
  const bool solved = operational_space_compliance(model, workspace, there, frames, out).ok() &&
                      operational_space_compliance(model, workspace, there, fewer, small).ok();
  const Allocations seen = stop_counting();
  EXPECT_TRUE(solved);
  EXPECT_EQ(seen.ours + seen.runtimes, 0u);
}

}  // namespace
}  // namespace kinetree::oracle
