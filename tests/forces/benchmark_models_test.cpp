// The benchmarks of docs/benchmarks.md: motions of configs/models against published values, and against the same
// mechanisms in minimal coordinates, integrated elsewhere.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/point_forces.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <kinetree/workspace.hpp>
#include <string>

#include "engine/io/states.hpp"

namespace kinetree {
namespace {

using Eigen::VectorXd;

/// A model, its forces between points, and a simulation that stands at the first state of its file.
struct Benchmark {
  explicit Benchmark(const std::string& name, const std::string& start = "")
      : file(std::string(KINETREE_MODELS) + "/" + name + ".yaml"),
        model(load_model(file)),
        forces(model),
        workspace(model),
        simulation(model, {}, {.tolerance = 1e-11}) {
    const States states =
        read_states(std::string(KINETREE_MODELS) + "/../states/" + (start.empty() ? name : start) + ".json", model);
    tau = VectorXd::Map(states.tau[0].data(), model.nv());
    EXPECT_TRUE(
        simulation.reset(VectorXd::Map(states.q[0].data(), model.nq()), VectorXd::Map(states.v[0].data(), model.nv()))
            .ok());
    before = simulation.energy().total();
  }
  void advance_to(double time) {
    ASSERT_TRUE(simulation
                    .advance_to(time,
                                [this](double, const VectorXd& q, const VectorXd& v, VectorXd& out, VectorXd& f_ext) {
                                  out = tau;
                                  EXPECT_TRUE(forces.add(workspace, q, v, f_ext).ok());
                                })
                    .ok());
    const double grown = simulation.energy().total() - before;
    EXPECT_NEAR(grown, simulation.work(), 1e-7 * (1 + std::abs(grown)));
  }
  double q(const char* joint, int entry = 0) const { return simulation.q()[model.q_index(joint) + entry]; }
  double v(const char* joint) const { return simulation.v()[model.v_index(joint)]; }

  std::string file;
  Model model;
  PointForces forces;
  Workspace workspace;
  Simulation simulation;
  VectorXd tau;
  double before = 0;
};

/// Test Set for IVP Solvers (Mazzia & Magherini 2008), `andrews`, by PSIDE with tolerances of 1e-14.
TEST(BenchmarkModels, AndrewsSqueezerComesWhereTheTestSetSays) {
  Benchmark b("andrews_squeezer");
  b.advance_to(0.03);
  EXPECT_NEAR(b.q("beta"), 15.81077119629904, 1e-7);
  EXPECT_NEAR(b.q("theta"), -15.75637105984298, 1e-7);
  EXPECT_NEAR(b.q("gamma"), 0.04082224013073101, 1e-9);
  EXPECT_NEAR(b.q("phi"), -0.5347301163226948, 1e-9);
  EXPECT_NEAR(b.q("delta"), 0.5244099658805304, 1e-9);
  EXPECT_NEAR(b.q("omega"), 0.5347301163226948, 1e-9);
  EXPECT_NEAR(b.q("epsilon"), 1.048080741042263, 1e-9);
  EXPECT_NEAR(b.v("beta"), 1139.920302151208, 1e-4);
  EXPECT_NEAR(b.v("gamma"), 11.03291221937134, 1e-4);
}

/// The values of González in the IFToMM library; the next numbers by the crank's angle alone, in long double.
TEST(BenchmarkModels, SpatialSliderCrankTurnsAsTheLibrarySays) {
  Benchmark b("spatial_slider_crank");
  const double times[]{0.2, 0.5, 1, 5}, published[]{0.263034975, 0.184952803, 0.211754668, 0.240761815},
      angles[]{1.287242326885, 5.5837625533073, 10.913590729865, 54.33333216831};
  for (int k = 0; k < 4; ++k) {
    b.advance_to(times[k]);
    EXPECT_NEAR(b.q("slide"), published[k], 5e-5) << times[k];
    EXPECT_NEAR(b.q("crank"), angles[k], 1e-7) << times[k];
  }
}

/// By three coordinates: the shaft's turn, the slider's height, the rods' angle.
TEST(BenchmarkModels, FlyballGovernorsSlideAsInThreeCoordinates) {
  Benchmark soft("flyball_governor_soft", "flyball_governor"), stiff("flyball_governor");
  soft.advance_to(10);
  EXPECT_NEAR(soft.q("slide"), 0.61099967461755, 1e-8);
  EXPECT_NEAR(soft.q("swing_A"), 0.37672096822653, 1e-8);
  EXPECT_NEAR(soft.q("swing_B"), 0.37672096822653, 1e-8);
  EXPECT_NEAR(soft.v("spin"), 5.4918442854016, 1e-8);
  stiff.advance_to(0.5);
  EXPECT_NEAR(stiff.q("slide"), 0.74324942478633, 1e-8);
  EXPECT_NEAR(stiff.v("spin"), 5.1034154219715, 1e-8);
}

/// EXUDYN's notes on the library's problem (steps of 1.25e-4 s), and one angle, whose 3 a'' = -3.5 g cos a.
TEST(BenchmarkModels, WindowedFourBarPassesItsChangePoints) {
  Benchmark b("windowed_four_bar");
  b.advance_to(10);
  const std::vector<LinkPoint> top{{frame_index(b.model, "post_0"), {0, 1, 0}}};
  VectorXd pose(12);
  ASSERT_TRUE(poses(b.model, b.workspace, b.simulation.q(), top, pose).ok());
  EXPECT_NEAR(pose[9], 0.3284573768, 2e-6);
  EXPECT_NEAR(pose[10], 0.9445187937, 2e-6);
  EXPECT_NEAR(pose[9], 0.32845811154082, 2e-7);
  EXPECT_NEAR(b.v("foot_0"), -1.5066421808418, 2e-6);
}

}  // namespace
}  // namespace kinetree
