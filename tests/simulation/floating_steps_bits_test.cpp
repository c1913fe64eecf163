// Semi-implicit Euler's steps of floating joints, bit by bit: of one state and of several, of motions that go on and
// that begin anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/simulation/simulation.hpp>
#include <string>
#include <vector>

#include "oracle/random_state.hpp"
#include "simulation/fixed_step.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A motion that goes on keeps what it knows of where its last step ended; one that is reset to its own numbers knows
/// nothing, and both have equal bits.
TEST(FloatingStepsBits, GoOnAsMotionsThatBeginThere) {
  for (int seed = 1; seed <= 12; ++seed) {
    const Model model = make_model("random:30:seed=" + std::to_string(seed));
    const TestState s = random_state(model, static_cast<std::uint64_t>(seed));
    const SimulationOptions how{Integrator::semi_implicit_euler, 1e-3};
    Simulation one(model, {}, how), anew(model, {}, how);
    const Control control = [&](double, const auto&, const auto&, VectorXd& tau) { tau = s.tau; };
    ASSERT_TRUE(one.reset(s.q, s.v).ok());
    for (int step = 0; step < 20; ++step) {
      ASSERT_TRUE(anew.reset(one.q(), one.v(), one.time()).ok());
      ASSERT_EQ(anew.q(), one.q()) << "a state that is settled keeps its bits";
      ASSERT_TRUE(one.step(1e-3, control).ok() && anew.step(1e-3, control).ok());
      ASSERT_EQ(anew.q(), one.q()) << seed << ", " << step;
      ASSERT_EQ(anew.v(), one.v()) << seed << ", " << step;
    }
  }
}

/// Equal accelerations give equal bits in one lane, in some of several, and in one that goes on, wherever another moves
/// one joint or one velocity meanwhile.
TEST(FloatingStepsBits, LanesHaveTheBitsOfOneState) {
  constexpr int states = 3, steps = 6;
  for (int seed = 1; seed <= 12; ++seed) {
    const Model model = make_model("random:30:seed=" + std::to_string(seed));
    const ModelData& m = model.data();
    const FixedStep fixed(m, Integrator::semi_implicit_euler);
    struct Motion {
      MatrixXd q, v, memory;
      FixedStep::Floating floating[states];
    } together, going_on, anew;
    for (Motion* motion : {&together, &going_on, &anew}) {
      motion->q.resize(model.nq(), states), motion->v.resize(model.nv(), states);
      motion->memory.resize(static_cast<Eigen::Index>(fixed.memory()), states);
      for (int k = 0; k < states; ++k) {
        const TestState s = random_state(model, static_cast<std::uint64_t>(10 * seed + k));
        motion->q.col(k) = s.q, motion->v.col(k) = s.v;
        motion->floating[k] = fixed.floating(motion == &together);
      }
    }
    Random random(static_cast<std::uint64_t>(seed));
    MatrixXd a(model.nv(), states);
    for (int step = 0; step < steps; ++step) {
      for (double& x : a.reshaped()) x = random.uniform(-5, 5);
      const bool ways = step % 2 == 1;
      for (Motion* motion : {&together, &going_on, &anew}) {
        if (step == 3) motion->q.row(0).array() += 0.1;
        if (step == 4) motion->v.row(model.nv() / 2).array() += 0.1;
        for (int k = 0; k < states; ++k) normalize_positions(m, motion->q.col(k).data());
      }
      const auto go = [&](Motion& motion, int first, int count) {
        std::vector<FixedStep::Column> columns;
        for (int k = first; k < first + count; ++k)
          columns.push_back(
              {motion.q.col(k).data(), motion.v.col(k).data(), a.col(k).data(), motion.memory.col(k).data()});
        FloatingSteps* const floating = motion.floating[first].get();
        fixed.kick(0, 1e-2, columns, floating, ways);
        const MatrixXd kicked = motion.v;
        fixed.drift(0, 1e-2, columns, floating);
        for (int k = first; k < first + count; ++k) normalize_positions(m, motion.q.col(k).data());
        return kicked;
      };
      const int width = static_cast<int>(std::min<std::size_t>(states, FixedStep::at_once(together.floating[0].get())));
      MatrixXd kicked(model.nv(), states);
      for (int k = 0; k < states; k += width) {
        const int count = std::min(width, states - k);
        kicked.middleCols(k, count) = go(together, k, count).middleCols(k, count);
      }
      for (int k = 0; k < states; ++k) {
        anew.floating[k] = fixed.floating(false);
        for (Motion* motion : {&going_on, &anew})
          ASSERT_EQ(VectorXd(go(*motion, k, 1).col(k)), VectorXd(kicked.col(k))) << seed << ", " << step;
      }
      for (const Motion* motion : {&going_on, &anew}) {
        ASSERT_EQ(motion->q, together.q) << seed << ", " << step;
        ASSERT_EQ(motion->v, together.v) << seed << ", " << step;
      }
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
